import { pageOf } from '@switchyard/contract/page-of';
import type { AuditSealState } from '@switchyard/contract/audit-seals';
import { permissionCatalogue, type Permission } from '@switchyard/contract/permissions';
import { QueryClientProvider } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../../shared/api/query-client.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { ConfirmHost } from '../../shared/ui/confirm.tsx';
import { renderPage } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { ActivityPage } from './activity-page.tsx';
import { sampleRow, sampleRows } from './testing/sample-rows.ts';

const every = permissionCatalogue.map(({ label }) => label);
const cursors = { prev_cursor: null, next_cursor: 'older' };
const pagination = {
  total: null,
  count: 3,
  limit: 50,
  currentPage: null,
  totalPages: null,
  current_page: null,
  last_page: null,
  links: [],
};

/** The entries about the end of an app and of a buyer. */
const ending = { ...sampleRow, changes: [] };
const endings = [
  { ...ending, id: 70, action: 'archive', entity_id: '5', entity_label: 'Goal Rush 2' },
  { ...ending, id: 69, action: 'archive', entity_id: '5', entity_label: 'Goal Rush' },
  { ...ending, id: 68, action: 'delete', entity: 'buyer', entity_id: '31', entity_label: 'Anna Reed' },
];

const checking: AuditSealState = {
  state: 'checking',
  is_halted: false,
  is_verifying: false,
  verified_at: null,
  sealed_until: null,
  sealed_to: null,
  unsealed_entries: 0,
  sealed_entries: 0,
  total_problems: 0,
  problems: [],
};

/** Opens the page over a server of the test's own; gives what it was asked and the history. */
async function show(
  address = '/page',
  { permissions = every, rows = sampleRows, seal = checking }: { permissions?: Permission[]; rows?: unknown; seal?: AuditSealState } = {},
) {
  const calls: string[] = [];
  let current = seal;
  stubApi((url) => {
    const { pathname, searchParams } = new URL(url, 'http://console');
    const postedCall = pathname.split('/seal/')[1];
    if (postedCall !== undefined) {
      calls.push(postedCall);
      current = { ...seal, state: 'checking', is_halted: false, is_verifying: postedCall === 'verify', problems: [] };
    }
    if (postedCall !== undefined || pathname.endsWith('/seal')) return Promise.resolve(Response.json({ success: true, data: current }));
    calls.push(`${pathname}?${decodeURIComponent(searchParams.toString())}`);
    if (pathname.endsWith('/download'))
      return Promise.resolve(new Response('{}\n', { headers: { 'content-type': 'application/x-ndjson' } }));
    if (pathname.endsWith('/users/list'))
      return Promise.resolve(Response.json({ success: true, data: [{ id: 8, name: 'Pavel', email: 'p@x.y' }] }));
    if (pathname.endsWith('/picks/apps')) return Promise.resolve(Response.json({ success: true, ...pageOf([], { page: 1, limit: 50 }) }));
    if (pathname.endsWith('/servers/list'))
      return Promise.resolve(Response.json({ success: true, data: [{ id: 3, name: 'edge-fra-1', ip: null }] }));
    if (pathname.endsWith('/picks/buyers')) {
      const buyer = { id: 40, name: 'Ivan Marsh', email: 'i@x.y', role: 'Buyer', has_access: true };
      return Promise.resolve(Response.json({ success: true, ...pageOf([buyer], { page: 1, limit: 50 }) }));
    }
    const data = searchParams.getAll('action[]').join() === 'archive,delete' ? endings : rows;
    return Promise.resolve(Response.json({ success: true, data, pagination: { ...pagination, ...cursors } }));
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: true } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  queryClient.clear();
  const history = await renderPage(
    <QueryClientProvider client={queryClient}>
      <ActivityPage />
      <ConfirmHost />
    </QueryClientProvider>,
    address,
  );
  return { calls, history };
}

const row = (name: RegExp) => page.getByRole('row', { name });
const panel = (id: number) => page.getByRole('complementary', { name: `Activity ${id}` });
const lastAudit = (calls: readonly string[]): string | undefined => calls.findLast((call) => call.startsWith('/api/audit'));

describe('activity', () => {
  it('[AMB-189] shows who changed what, when, from where and which fields', async () => {
    await show();
    await expect
      .element(row(/Acme Bet/))
      .toMatchTextContent(/20\.11\.2026 10:11:12Olga PetrovaChangedApp Acme BetDomain, App users, API Secret198\.51\.100\.4/);
    await expect.element(row(/who@example\.com/)).toMatchTextContent(/NobodySign-in failedSession who@example\.com-/);
    await expect.element(page.getByRole('button', { name: 'Next' })).toBeEnabled();
  });

  it('shows the differences, names secrets without a value, and moves by the keyboard', async () => {
    await show();
    await page.getByRole('button', { name: 'Show activity 9001' }).click();
    const differences = panel(9001).getByLabelText('Differences');
    await expect.element(differences).toMatchTextContent(/DomainBefore: acme\.exampleAfter: acme-bet\.example/);
    await expect.element(differences).toMatchTextContent(/App usersBefore: Anna ReedAfter: Ivan Marsh1 unchanged/);
    await expect.element(differences).toMatchTextContent(/API SecretChanged\. The value is secret/);
    await expect.element(panel(9001).getByRole('link', { name: 'Acme Bet' })).toHaveAttribute('href', '/apps/12/edit?startTabName=General');
    await panel(9001).getByRole('button', { name: 'Activity below' }).click();
    await expect.element(panel(9000).getByLabelText('Differences')).toMatchTextContent(/Has accessBefore: yesAfter: no/);
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(panel(8999)).toMatchTextContent(/No value was changed/);
    await userEvent.keyboard('{Escape}');
    expect(page.getByRole('complementary').elements()).toHaveLength(0);
  });

  it('copies the id of the request', async () => {
    const copiedTexts: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => Promise.resolve(void copiedTexts.push(text)));
    await show();
    await page.getByRole('button', { name: 'Show activity 9001' }).click();
    await page.getByRole('button', { name: 'Copy request id' }).click();
    expect(copiedTexts).toEqual(['0f8fad5b-d9cb-469f-a165-70867728950e']);
  });

  it('leads nowhere that the account may not go', async () => {
    await show('/page', { permissions: ['manager_user_activity'] });
    await page.getByRole('button', { name: 'Show activity 9001' }).click();
    await expect.element(panel(9001)).toMatchTextContent(/Acme Bet/);
    expect(panel(9001).getByRole('link').elements()).toHaveLength(0);
  });

  it('asks by account, action, kind, id and days, and takes each filter back by its chip', async () => {
    const { calls, history } = await show(
      '/page?actor=40&action=create&action=update&entity=role&entityId=3&startDate=2026-11-01&endDate=2026-11-20',
    );
    const chips = page.getByRole('list', { name: 'Active filters' });
    await expect.element(chips).toMatchTextContent(/WhoIvan MarshActionCreatedActionChangedWhatRoleId3From01\.11\.2026Until20\.11\.2026/);
    expect(lastAudit(calls)).toBe(
      '/api/audit?limit=50&actor=40&action[]=create&action[]=update&entity[]=role&entityId=3&startDate=2026-11-01&endDate=2026-11-20',
    );
    await page.getByRole('button', { name: 'Remove filter Created' }).click();
    await expect
      .poll(() => lastAudit(calls))
      .toBe('/api/audit?limit=50&actor=40&action[]=update&entity[]=role&entityId=3&startDate=2026-11-01&endDate=2026-11-20');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => history.location.search).toBe('');
  });

  it('[AMB-189] searches by name, which the address keeps and a chip takes back', async () => {
    const { calls, history } = await show();
    await page.getByRole('searchbox', { name: 'Search' }).fill('acme');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => lastAudit(calls)).toBe('/api/audit?limit=50&search=acme');
    expect(history.location.search).toBe('?search=acme');
    await expect.element(page.getByRole('list', { name: 'Active filters' })).toMatchTextContent(/^Searchacme/);
    await page.getByRole('button', { name: 'Remove filter acme' }).click();
    await expect.poll(() => history.location.search).toBe('');
  });

  it('offers the staff and everybody in the rows', async () => {
    const { history } = await show();
    await page.getByRole('combobox', { name: 'Who', exact: true }).click();
    const options = page.getByRole('listbox', { name: 'Who' }).getByRole('option');
    await expect.poll(() => options.elements().map((option) => option.textContent)).toEqual(['Ivan Marsh', 'Olga Petrova', 'Pavel']);
    await page.getByRole('option', { name: 'Pavel' }).click();
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect.poll(() => history.location.search).toBe('?actor=8');
  });

  it('narrows to everything done to the same thing or by the same person', async () => {
    const { history } = await show('/page?action=update');
    await page.getByRole('button', { name: 'Show activity 9001' }).click();
    await page.getByRole('button', { name: 'Everything done to this' }).click();
    await expect.poll(() => history.location.search).toBe('?entity=app&entityId=12');
    // The page follows its address a moment later, and closes the panel then.
    await expect.element(panel(9001)).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Show activity 9001' }).click();
    await page.getByRole('button', { name: 'Everything by Olga Petrova' }).click();
    await expect.poll(() => history.location.search).toBe('?actor=7');
  });

  it('[AMB-189] hides sign-ins by a switch, which the address keeps and a chip takes back', async () => {
    const { calls, history } = await show();
    await page.getByRole('switch', { name: 'Hide sign-ins' }).click({ force: true });
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect.poll(() => lastAudit(calls)).toContain('action[]=end&action[]=create');
    expect(lastAudit(calls)).not.toMatch(/login|logout/);
    expect(history.location.search).toContain('action=end&action=create');
    const chips = page.getByRole('list', { name: 'Active filters' });
    await expect.element(chips).toMatchTextContent(/^Sign-insHidden/);
    await page.getByRole('button', { name: 'Remove filter Hidden' }).click();
    await expect.poll(() => history.location.search).toBe('');
  });

  it('[O36] names the server that changed a stream, and does not count it among the fields', async () => {
    const changes = [{ field: 'offer', from: null, to: 'https://offer.example' }];
    const stream = {
      via: { kind: 'server', id: 3, name: 'edge-fra-1' },
      entity: 'stream',
      entity_id: 'st_7f21',
      entity_label: 'DE organic',
      action: 'replace',
      actor: null,
    };
    await show('/page', { rows: [{ ...sampleRows[0], ...stream, changes }] });
    await expect.element(row(/DE organic/)).toMatchTextContent(/Server edge-fra-1ReplacedStream DE organicOffer198/);
    await page.getByRole('button', { name: 'Show activity 9001' }).click();
    await expect.element(panel(9001)).toMatchTextContent(/WhoServer edge-fra-1ThroughTraffic server edge-fra-1 #3/);
    await expect.element(panel(9001).getByLabelText('Differences')).toMatchTextContent(/^OfferAfter: https:\/\/offer\.example$/);
  });

  it('[AMB-189] names the server that an app was linked to', async () => {
    const changes = [
      { field: 'serverId', from: null, to: 3 },
      { field: 'status', from: null, to: 'add' },
    ];
    await show('/page', { rows: [{ ...sampleRows[0], entity: 'app_server', action: 'link', changes }] });
    await page.getByRole('button', { name: 'Show activity 9001' }).click();
    await expect.element(panel(9001).getByLabelText('Differences')).toMatchTextContent(/^ServerAfter: edge-fra-1Status/);
  });

  it('[SHELL-066] shows dates among the values as day.month.year', async () => {
    const changes = [
      { field: 'expires_at', from: null, to: '2026-11-20T10:11:12.000Z' },
      { field: 'all_staff_from', from: null, to: '2026-12-01' },
      { field: 'roles_from', from: [], to: ['ADMIN: 2026-12-02'] },
      { field: 'name', from: null, to: 'Plan of 2026-12-03' },
    ];
    await show('/page', { rows: [{ ...sampleRows[0], changes }] });
    await page.getByRole('button', { name: 'Show activity 9001' }).click();
    const differences = panel(9001).getByLabelText('Differences');
    await expect.element(differences).toMatchTextContent(/20\.11\.2026 1\d:11:12.*01\.12\.2026.*ADMIN: 02\.12\.2026.*Plan of 2026-12-03$/);
  });

  it('[AMB-189] names archived apps and deleted buyers by the entries about their end, and asks for these once', async () => {
    const attachRow = { ...sampleRow, entity: 'buyer', action: 'sync_apps', changes: [{ field: 'appIds', from: [5, 6], to: [] }] };
    const rows = [attachRow, { ...sampleRow, id: 9000, entity: 'stream', changes: [{ field: 'buyer_id', from: 31, to: 32 }] }];
    const { calls } = await show('/page', { rows });
    await page.getByRole('button', { name: 'Show activity 9001' }).click();
    await expect.element(panel(9001).getByLabelText('Differences')).toMatchTextContent(/^AppsBefore: Goal Rush 2Before: App #6$/);
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(panel(9000).getByLabelText('Differences')).toMatchTextContent(/Before: Anna ReedAfter: Buyer #32$/);
    const endingCalls = calls.filter((call) => call.includes('archive'));
    expect(endingCalls).toEqual([expect.stringMatching(/entity\[\]=app&entity\[\]=buyer&entity\[\]=server/)]);
  });

  it('[AMB-189] asks for no ends where the lists name all', async () => {
    const rows = [{ ...sampleRow, changes: [{ field: 'userIds', from: [], to: [40] }] }];
    const { calls } = await show('/page', { rows });
    await page.getByRole('button', { name: 'Show activity 9001' }).click();
    await expect.element(panel(9001).getByLabelText('Differences')).toMatchTextContent(/After: Ivan Marsh$/);
    expect(calls.filter((call) => call.includes('archive'))).toEqual([]);
  });

  it('[AMB-189] has its filters in one row beside the open menu of a 1440 px window', async () => {
    await page.viewport(1216, 900);
    await show();
    const middle = (element: Element) => element.getBoundingClientRect().top + element.getBoundingClientRect().height / 2;
    const last = page.getByRole('textbox', { name: 'Id' });
    await expect.element(last).toBeVisible();
    expect(Math.abs(middle(page.getByText('Hide sign-ins').element()) - middle(last.element()))).toBeLessThan(2);
  });

  it('says that nothing has happened yet', async () => {
    await show('/page', { rows: [] });
    await expect.element(page.getByRole('heading', { name: 'No activity yet' })).toBeVisible();
  });

  it('[IDN-046] says when the entries were unchanged, and names those that were changed outside the console', async () => {
    const at = '2026-11-20 10:11:12';
    await show('/page', { seal: { ...checking, state: 'intact', verified_at: at, sealed_entries: 4210 } });
    await expect.element(page.getByText(/^All 4.210 sealed entries were unchanged at 20\.11\.2026 1\d:11:12\.$/)).toBeVisible();
    const problems = [1, 2, 3, 4, 5, 6].map((id) => ({ kind: 'entry-missing' as const, seal_id: '1', entry_id: String(id) }));
    await show('/page', { seal: { ...checking, state: 'broken', verified_at: at, total_problems: 30, problems } });
    const alert = page.getByRole('alert').last();
    await expect
      .element(alert)
      .toMatchTextContent(/changed outside the console.*6 entries from 1 to 6 were deleted\.24 more\..*audit verify/);
    await show('/page', { seal: { ...checking, state: 'broken', sealed_entries: null, total_problems: null, problems: null } });
    await expect.element(alert).toMatchTextContent(/^The activity was changed outside the consoleEntries below/);
  });

  it('[IDN-101] links the entries that the warning names, marks changed and added ones, and shows where entries were deleted', async () => {
    const problems = [
      { kind: 'entry-changed' as const, seal_id: '1', entry_id: '9001' },
      { kind: 'entry-missing' as const, seal_id: '1', entry_id: '8998' },
      { kind: 'entry-added' as const, seal_id: '1', entry_id: '8990' },
    ];
    const rows = [...sampleRows, { ...sampleRow, id: 8990 }];
    const { calls } = await show('/page?near=9000', { rows, seal: { ...checking, state: 'broken', total_problems: 3, problems } });
    expect(lastAudit(calls)).toContain('near=9000');
    await expect.element(page.getByRole('list', { name: 'Active filters' })).toMatchTextContent(/^Near entry9000/);
    const alert = page.getByRole('alert');
    await expect.element(alert.getByRole('link', { name: 'Entry 9001 was changed.' })).toHaveAttribute('href', '/activity?near=9001');
    await expect.element(alert.getByRole('link', { name: 'Entry 8998 was deleted.' })).toHaveAttribute('href', '/activity?near=8998');
    await expect.element(row(/^9001/)).toHaveAccessibleDescription('Changed outside the console');
    await expect.element(row(/^8990/)).toHaveAccessibleDescription('Added outside the console');
    await expect.element(page.getByText('Entry 8998 was deleted outside the console')).toBeVisible();
    await page.getByRole('button', { name: 'Show activity 9001' }).click();
    await expect.element(panel(9001)).toMatchTextContent(/Changed outside the console/);
  });

  it('[IDN-102] [IDN-103] names the newest seal and what it covers, and compares at once', async () => {
    const { calls } = await show('/page', {
      seal: {
        ...checking,
        state: 'intact',
        verified_at: '2026-11-20 10:11:12',
        sealed_until: '2026-11-20 10:10:00',
        sealed_to: '9001',
        sealed_entries: 12,
        unsealed_entries: 3,
      },
    });
    await expect
      .element(page.getByText(/^Last sealed at 20\.11\.2026 1\d:10:00, up to entry 9001; 3 newer entries are not sealed yet\.$/))
      .toBeVisible();
    await page.getByRole('button', { name: 'Verify now' }).click();
    await expect.poll(() => calls).toContain('verify');
    await expect.element(page.getByRole('button', { name: 'Verify now' })).toHaveAttribute('data-loading', 'true');
  });

  it('[IDN-096] acknowledges a missing seal after a question, and then reloads', async () => {
    const problems = [{ kind: 'seal-missing' as const, seal_id: '12', entry_id: null }];
    const { calls } = await show('/page', { seal: { ...checking, state: 'broken', is_halted: true, total_problems: 1, problems } });
    await expect
      .element(page.getByRole('alert'))
      .toMatchTextContent(/Seal 12 is missing or was replaced.*not sealed until a super admin acknowledges/);
    await page.getByRole('button', { name: 'Acknowledge and continue' }).click();
    expect(calls).not.toContain('acknowledge');
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await expect.poll(() => calls).toContain('acknowledge');
    await expect.poll(() => page.getByRole('button', { name: 'Acknowledge and continue' }).elements()).toHaveLength(0);
  });

  it('[IDN-100] filters by what made a change, and leads to everything that a token did', async () => {
    const rows = [{ ...sampleRow, via: { kind: 'token', id: 12, name: 'CI' } }];
    const { calls, history } = await show('/page?via=token', { rows });
    expect(lastAudit(calls)).toBe('/api/audit?limit=50&via[]=token');
    await expect.element(page.getByRole('list', { name: 'Active filters' })).toMatchTextContent(/^ThroughAPI token/);
    await expect.element(row(/Acme Bet/)).toMatchTextContent(/Olga Petrova via CI/);
    await page.getByRole('button', { name: 'Show activity 9001' }).click();
    await expect.element(panel(9001)).toMatchTextContent(/ThroughAPI token CI #12/);
    await page.getByRole('button', { name: 'Everything through CI' }).click();
    await expect.poll(() => history.location.search).toBe('?via=token&viaId=12');
  });

  it('[IDN-045] downloads what the filters ask for', async () => {
    vi.stubGlobal('showSaveFilePicker', undefined);
    const { calls } = await show('/page?entity=app');
    await page.getByRole('button', { name: 'Download' }).click();
    await expect.poll(() => calls.find((call) => call.startsWith('/api/audit/download'))).toBe('/api/audit/download?entity[]=app');
  });
});
