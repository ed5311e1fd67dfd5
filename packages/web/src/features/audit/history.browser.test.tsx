import { permissionCatalogue } from '@switchyard/contract/permissions';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import { sessionStore } from '../../shared/session/session-store.ts';
import { renderPages } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { AppHistoryPage, ServerHistoryPage } from './history-page.tsx';

const actor = { id: 7, name: 'Olga Petrova' };
const shared = { action: 'update', label: 'Acme Bet', actor, via: null, restored: null };
const revisions = [
  { ...shared, id: 803, at: '2026-11-20 12:00:00', restored: 801, changes: [{ field: 'domain', from: 'b.example', to: 'a.example' }] },
  {
    ...shared,
    id: 802,
    at: '2026-11-20 11:00:00',
    changes: [
      { field: 'domain', from: 'a.example', to: 'b.example' },
      { field: 'response_message.create.response', from: '{"a":1}', to: '{"a":2}' },
      { field: 'keys.apiSecret', from: null, to: null },
    ],
  },
  { ...shared, id: 801, at: '2026-11-20 10:00:00', action: 'create', changes: [{ field: 'domain', from: null, to: 'a.example' }] },
];
const secret = 'Values of secrets are not stored, so the present one is kept.';
const differences = [
  { field: 'domain', from: 'a.example', to: 'b.example', restorable: true, remark: null },
  { field: 'whiteUserAgent', from: null, to: 'Mozilla', restorable: true, remark: null },
  { field: 'keys.apiSecret', from: null, to: null, restorable: false, remark: secret },
];
const pagination = {
  total: null,
  count: 3,
  limit: 20,
  currentPage: null,
  totalPages: null,
  current_page: null,
  last_page: null,
  links: [],
  prev_cursor: null,
  next_cursor: null,
};
const server = {
  id: 3,
  name: 'edge-fra-1',
  url: 'https://edge.example',
  region: null,
  ip: null,
  token: null,
  mainHash: null,
  hash: null,
  has_token: true,
  has_main_hash: false,
  has_hash: false,
  ingest_enabled: true,
  created_at: '2026-11-20 10:00:00',
  updated_at: '2026-11-20 10:00:00',
  version: 1,
};
const json = (body: object, status = 200) => Response.json(body, { status });

const user = {
  id: 1,
  name: 'Olga',
  email: 'o@x.y',
  panel: 'user' as const,
  hasAllApps: true,
  isSuperAdmin: true,
  roles: [],
  badges: [],
  permissions: permissionCatalogue.map(({ label }) => label),
};

/** `traffic`: that around the revisions; null: it cannot be counted. */
type Shown = { restores?: Response[]; address?: string; traffic?: readonly object[] | null; ofServer?: readonly object[] };

/** Opens the page of an app's history over a server of the test's own; `restores` are its answers to restores in order. */
async function show({ restores = [], address = '/apps/12/history', traffic, ofServer = [] }: Shown = {}) {
  await cleanup();
  const calls: unknown[] = [];
  let version = 4;
  stubApi(
    (url, init) => {
      const { pathname, search } = new URL(url, 'http://console');
      if (init.method === 'PUT') {
        calls.push([pathname, init.headers['if-match'], typeof init.body === 'string' ? JSON.parse(init.body) : null]);
        version += 1;
        return restores.shift() ?? json({ success: true, data: { id: 12, version, restored: ['domain'], left: [] } });
      }
      calls.push(`${pathname}${search}`);
      if (pathname === '/api/sanctum/user') return json({ success: true, data: user });
      if (pathname.endsWith('/history/traffic') && traffic !== null) return json({ success: true, data: traffic ?? [] });
      if (pathname.endsWith('/compare')) return json({ success: true, data: { version, differences } });
      if (pathname === '/api/apps/12/history') return json({ success: true, data: revisions, pagination });
      if (pathname === '/api/servers/3/history')
        return json({ success: true, data: ofServer, pagination: { ...pagination, count: ofServer.length } });
      if (pathname === '/api/servers/3') return json({ success: true, data: server });
      return json({ success: false, message: 'Not found' }, 404);
    },
    { answersMarks: true },
  );
  sessionStore.open({ user, token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 } });
  await renderPages(
    [
      ['/apps/$id/history', 'History', AppHistoryPage],
      ['/servers/$id/history', 'History', ServerHistoryPage],
    ],
    [address],
  );
  return calls;
}

const row = (name: RegExp) => page.getByRole('row', { name });
const panel = page.getByRole('complementary', { name: 'Revision of 20.11.2026 11:00:00' });
const dialog = page.getByRole('dialog');
const openPanel = async () => page.getByRole('button', { name: 'Show revision of 20.11.2026 11:00:00' }).click();
const openDialog = async () => {
  await openPanel();
  await panel.getByRole('button', { name: 'Restore…' }).click();
};

describe('history of an entity', () => {
  it('[HIST-001] lists who changed what and when, and leads back to the app', async () => {
    await show();
    await expect
      .element(row(/11:00:00/))
      .toMatchTextContent(/20\.11\.2026 11:00:00Olga PetrovaChangedDomain, Response to create: response, API Secret/);
    await expect.element(row(/12:00:00/)).toMatchTextContent(/RestoredDomain/);
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('History');
    await expect.element(page.getByRole('link', { name: 'Acme Bet' })).toHaveAttribute('href', '/apps/12/edit?startTabName=General');
  });

  it('[HIST-003] shows what a change did, and compares it with another revision or the present state', async () => {
    const calls = await show();
    await openPanel();
    await expect.element(panel.getByLabelText('Differences')).toMatchTextContent(/DomainBefore: a\.exampleAfter: b\.example/);
    await expect.element(panel.getByLabelText('Differences')).toMatchTextContent(/API SecretChanged\. The value is secret/);
    await panel.getByLabelText('Compare with', { exact: true }).first().click();
    await page.getByRole('option', { name: 'Current state' }).click();
    await expect.element(panel.getByLabelText('Differences')).toMatchTextContent(/White user agentBefore|White user agentAfter/);
    expect(calls).toContain('/api/apps/12/history/compare?from=802');
    await panel.getByLabelText('Compare with', { exact: true }).first().click();
    await page.getByRole('option', { name: /10:00:00 Olga/ }).click();
    await expect.poll(() => calls).toContain('/api/apps/12/history/compare?from=802&to=801');
  });

  it('[MARK-015] shows the requests before and after each change of an app with the change in percent, the compared time in words, and its bulk change', async () => {
    const compared = { requests: { before: 400, after: 450 }, conversions: { before: 4, after: 2 } };
    const traffic = [
      { id: 803, hours: 0, requests: null, conversions: null, run: null },
      { id: 802, hours: 24, ...compared, run: { id: 5, is_own: true } },
      { id: 801, hours: 3, requests: { before: 0, after: 7 }, conversions: { before: 0, after: 0 }, run: { id: 4, is_own: false } },
    ];
    const calls = await show({ traffic });
    await expect.element(row(/11:00:00/)).toMatchTextContent(/#5\+12\.5% 400 → 450 requests/);
    expect(calls).toContain('/api/apps/12/history/traffic?revision[]=803&revision[]=802&revision[]=801');
    await expect.element(row(/12:00:00/)).toMatchTextContent(/Too recent/);
    await expect.element(row(/11:00:00/).getByRole('link', { name: '#5' })).toHaveAttribute('href', '/apps?run=5');
    await expect.element(row(/10:00:00/)).toMatchTextContent(/#4new 0 → 7 requests/);
    expect(
      row(/10:00:00/)
        .getByRole('link')
        .elements(),
    ).toHaveLength(0);
    await openPanel();
    await expect.element(panel).toMatchTextContent(/Requests400 before, 450 after \(\+12\.5%\)/);
    await expect.element(panel).toMatchTextContent(/Conversions4 before, 2 after \(−50\.0%\)/);
    await expect.element(panel).toMatchTextContent(/24 hours after the hour of the change, compared with the 24 hours before it/);
  });

  it('[MARK-015] shows no traffic where it could not be counted, and none of other entities', async () => {
    await show({ traffic: null });
    await expect.element(row(/11:00:00/)).toBeVisible();
    expect(row(/11:00:00/).element().textContent).not.toContain('%');
    const calls = await show({ address: '/servers/3/history', ofServer: revisions });
    await expect.element(row(/11:00:00/)).toBeVisible();
    expect(page.getByRole('columnheader', { name: 'Requests after' }).elements()).toHaveLength(0);
    expect(calls.filter((one) => String(one).includes('/traffic'))).toEqual([]);
  });

  it('[HIST-013] names a server without entries, not its id', async () => {
    await show({ address: '/servers/3/history' });
    await expect.element(page.getByRole('heading', { name: 'No changes yet' })).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'edge-fra-1' })).toHaveAttribute('href', '/servers/3/edit');
    await expect.poll(() => document.title).toMatch('History of edge-fra-1 |');
  });

  it('[HIST-005, HIST-006, HIST-014] shows what a restore will change, and restores the chosen fields over the version that was seen', async () => {
    const calls = await show();
    await openDialog();
    await expect.element(dialog.getByText('Restore the revision of 20.11.2026 11:00:00?')).toBeVisible();
    const list = dialog.getByRole('list', { name: 'What will change' });
    await expect.element(list).toMatchTextContent(/DomainBefore: a\.exampleAfter: b\.example/);
    await expect.element(dialog.getByRole('checkbox', { name: 'API Secret' })).toBeDisabled();
    await expect.element(list.getByText(secret)).toBeVisible();
    await dialog.getByRole('checkbox', { name: 'White user agent' }).click();
    await dialog.getByRole('button', { name: 'Restore 1 field' }).click();
    await expect.element(page.getByText(/App "Acme Bet" restored to the revision of 20\.11\.2026 11:00:00/)).toBeVisible();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(calls).toContainEqual(['/api/apps/12/history/802/restore', '"v4"', { fields: ['domain'] }]);
  });

  it('[HIST-007] keeps the dialog when a value is rejected, and shows the differences of now after a conflict', async () => {
    const errors = { domain: ['The "domain" b.example was previously used.'] };
    const taken = { success: false, message: 'The given data was invalid.', errors, data: { errors } };
    const current = { id: 12, version: 5, restored: [], left: [] };
    const stale = { success: false, message: 'Changed by someone else', data: { current } };
    const calls = await show({ restores: [json(taken, 422), json(stale, 412)] });
    await openDialog();
    await dialog.getByRole('button', { name: 'Restore 2 fields' }).click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('The "domain" b.example was previously used.');
    await dialog.getByRole('button', { name: 'Restore 2 fields' }).click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('Somebody changed it meanwhile. These are the differences now.');
    await dialog.getByRole('button', { name: 'Restore 2 fields' }).click();
    await expect.element(page.getByText(/App "Acme Bet" restored/)).toBeVisible();
    expect(calls.filter(Array.isArray).map((call: unknown[]) => call[1])).toEqual(['"v4"', '"v4"', '"v6"']);
  });

  it('[HIST-001, HIST-005] works by the keyboard alone', async () => {
    await show();
    await expect.element(row(/11:00:00/)).toBeVisible();
    page.getByRole('button', { name: 'Show revision of 20.11.2026 11:00:00' }).element().closest('tr')?.focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(panel).toBeVisible();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(page.getByRole('complementary', { name: 'Revision of 20.11.2026 10:00:00' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(panel).not.toBeInTheDocument();
  });

  it('[HIST-009] says that there is no history of an unknown entity', async () => {
    await show({ address: '/apps/13/history' });
    await expect.element(page.getByText(/not found|no longer|could not/i).first()).toBeVisible();
  });
});
