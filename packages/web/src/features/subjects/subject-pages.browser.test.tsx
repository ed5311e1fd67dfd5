import type { Permission } from '@switchyard/contract/permissions';
import type { AddressSummary, ClientSummary, TimelineRow } from '@switchyard/contract/subjects';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import { createBulkServer } from '../../shared/bulk/testing/bulk-server.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { passTime, stopClock } from '../../testing/clock.ts';
import { renderPages } from '../../testing/render-pages.tsx';
import { sampleRequest } from '../../testing/sample-request.ts';
import { stubApi } from '../../testing/stub-api.ts';
import { AddressPage, ClientPage } from './subject-pages.tsx';
import { unsavedWork } from '../../shared/unsaved-work.ts';

const at = '2026-11-20 10:11:12';
const seenSpan = { requests: 3, first_seen_at: '2026-11-01 08:00:00', last_seen_at: at };
const types = { create: 2, receive: 0, token: 0, track: 1, proxy: 0, static: 0, error: 0 };
const apps = [
  { id: 12, name: 'Acme Bet', domain: 'acme.example', deleted_at: null, requests: 2, last_seen_at: at },
  { id: 13, name: 'Old\u202Eteb', domain: '', deleted_at: at, requests: 1, last_seen_at: at },
];
const countries = [
  { code: 'DE', requests: 2 },
  { code: null, requests: 1 },
];
const asn = { code: 64_500, domain: 'host.example', name: 'Example Hosting', is_ban_create: false, is_ban_receive: false };
const ban = {
  kind: 'address',
  target: '203.0.113.9',
  name: '',
  applies_to: ['create', 'receive'],
  reason: 'scans',
  since: { create: at, receive: at },
  at,
  actor: { id: 2, name: 'Olga' },
} as const;

const client: Omit<ClientSummary, 'uid'> = {
  ...seenSpan,
  types,
  apps,
  countries,
  addresses: [{ ip: '203.0.113.9', country: 'DE', ...seenSpan, asn, blocked_by: [{ ...ban, applies_to: [...ban.applies_to] }] }],
  addresses_total: 25,
  pushes: 4,
  conversions: null,
};
const address: AddressSummary = {
  ip: '203.0.113.9',
  ...seenSpan,
  types,
  apps,
  countries,
  asn,
  blocked_by: [],
  blocked_total: 0,
  clients: [{ uid: 'c-1', ...seenSpan }],
  clients_total: 1,
  may_block: true,
};
const app = { id: 12, name: 'Acme Bet' };
const request = (id: number): TimelineRow => ({ kind: 'request', at, app, request: { ...sampleRequest(id), country: 'DE' } });
const push: TimelineRow = {
  kind: 'push',
  at,
  app,
  push: {
    id: 7,
    push_id: 'p-7',
    push_name: 'Welcome',
    push_message: '{"a":1}',
    uid: null,
    client_uid: 'c-1',
    push_campaign_uid: null,
    send_at: at,
    status: 'sent',
    error: null,
  },
};
const log: TimelineRow = { kind: 'log', at, log: { date: '2026-11-20', level: 'error', message: 'No answer for c-1', position: 4 } };

type Call = { method: string; path: string; body?: unknown };
type Options = {
  path?: string;
  permissions?: readonly Permission[];
  rows?: readonly TimelineRow[];
  next?: (cursor: string) => string | null;
  summary?: () => unknown;
  /** Rows that calls with `after` give, one call after another. */
  later?: TimelineRow[][];
  /** Source and expiry of the address on the black list. */
  listed?: { source: string; expires_at: string | null };
};
const all = ['manager_app_all_requests', 'manager_app_requests', 'manager_app_edit', 'manager_app_pushes', 'manager_dev_logs'] as const;

const bulk = createBulkServer('black_ip');

function answer({ path, body }: Call, { rows = [request(1)], next = () => null, summary, later = [], listed }: Options): Response {
  const ok = (data: unknown) => Response.json({ success: true, data });
  if (path.endsWith('/check')) return ok([]);
  if (path.startsWith('black-list/covering')) {
    const rule = { ...ban, source: '', expires_at: null, ...listed };
    return ok({ entry: ban.target, rules: [rule], total: 1 });
  }
  if (path === 'black-list' || path === 'black-list/entries') return ok({ created: 1, updated: 0 });
  if (path.startsWith('requests/')) return ok({ ...sampleRequest(5), asn: null, server: null, blocked_by: [] });
  if (path.startsWith('all-requests/top'))
    return ok({ field: /field=([a-z]+)/.exec(path)?.[1], values: [], total: 0, rows: 0, counted: 'all' });
  if (path.startsWith('octopus-app/asn/')) return ok({ ...asn, is_ban_create: true });
  if (body === undefined && !path.includes('timeline')) {
    const uid = decodeURIComponent(path.replace('clients/', ''));
    return ok(summary?.() ?? (path.startsWith('clients/') ? { uid, ...client } : address));
  }
  const shownRows = path.includes('after=') ? (later.shift() ?? []) : rows;
  const cursors = { prev_cursor: null, next_cursor: path.includes('after=') ? null : next(/cursor=(\w+)/.exec(path)?.[1] ?? '') };
  const pages = { currentPage: null, totalPages: null, current_page: null, last_page: null, links: [] };
  const data = { rows: shownRows, newest: `position ${shownRows.length}`, has_gap: false, logs_searched_to: null };
  return Response.json({ success: true, data, pagination: { total: null, count: shownRows.length, limit: 50, ...pages, ...cursors } });
}

/** Opens a page of a client or an address over a server of the test's own; gives what it was sent. */
async function show(options: Options = {}) {
  const calls: Call[] = [];
  stubApi((url, { method, body }) => {
    const call = { method, path: url.replace(/^.*\/api\//, ''), ...(typeof body === 'string' ? { body: JSON.parse(body) } : {}) };
    calls.push(call);
    const bulkAnswer = bulk.respond(url, { method, ...(typeof body === 'string' && { body }) });
    if (bulkAnswer !== null) return bulkAnswer;
    return method === 'DELETE' ? new Response(null, { status: 204 }) : answer(call, options);
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: [...(options.permissions ?? all)] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  const history = await renderPages(
    [
      ['/clients/$uid', 'Client', ClientPage],
      ['/addresses/$ip', 'Address', AddressPage],
    ],
    [options.path ?? '/clients/c-1'],
  );
  return { calls, history };
}

const card = (name: string) => page.getByRole('region', { name, exact: true });
const rowsShown = () => page.getByRole('row').elements().length - 1;
const gets = (calls: readonly Call[], part: string): string[] => calls.map(({ path }) => path).filter((path) => path.includes(part));

describe('page of a client', () => {
  it('[INV-044] says when it was seen, where, and from which addresses, which are links with what blocks them', async () => {
    const { calls } = await show();
    await expect.element(card('Seen')).toMatchTextContent(/First01\.11\.2026 08:00:00Last20\.11\.2026 10:11:12Requests3Pushes4$/);
    await expect.element(card('Requests by type')).toHaveTextContent('Requests by typecreate2track1');
    await expect.element(card('Apps').getByRole('link', { name: 'Acme Bet' })).toHaveAttribute('href', '/apps/12/edit?startTabName=Event');
    await expect.element(card('Apps')).toMatchTextContent(/Old\u202Eteb archived1$/);
    await expect.element(card('Countries')).toMatchTextContent(/Germany2No country1$/);
    await expect.element(card('Addresses').getByRole('link', { name: '203.0.113.9' })).toHaveAttribute('href', '/addresses/203.0.113.9');
    await expect.element(card('Addresses')).toMatchTextContent(/AS64500 Example Hosting.*black-listed3The 1 seen last are shown\.$/);
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('c-1');
    expect(gets(calls, 'clients/')).toEqual(expect.arrayContaining(['clients/c-1', 'clients/c-1/timeline?limit=50&place=1']));
  });

  it('[INV-044] takes any uid as it was sent, of 128 characters and with signs of paths, hidden and foreign ones', async () => {
    const uid = `a/b?c#d%e \u202E${'x'.repeat(116)}`;
    const { calls } = await show({ path: `/clients/${encodeURIComponent(uid)}` });
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(uid);
    await expect.poll(() => gets(calls, 'clients/')).toContain(`clients/${encodeURIComponent(uid)}`);
    expect(document.title).toContain('⟦RLO⟧');
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
  });

  it('[INV-045] lists what happened newest first, by kind, a page at a time, each with its JSON', async () => {
    const { calls, history } = await show({ rows: [request(5), push, log], next: () => 'n1' });
    await expect.poll(rowsShown).toBe(3);
    await expect.element(page.getByRole('row').nth(2)).toMatchTextContent(/Push.*Welcome.*Acme Bet/);
    await expect.element(page.getByRole('row').nth(3)).toMatchTextContent(/Log entry.*No answer for c-1/);
    await page.getByRole('button', { name: 'Show push 7' }).click();
    await expect.element(page.getByRole('complementary')).toMatchTextContent(/Push 7.*Message/);
    await userEvent.keyboard('{Escape}');
    await page.getByRole('button', { name: 'Show request 5' }).click();
    await expect
      .element(page.getByRole('link', { name: 'Show in list' }))
      .toHaveAttribute('href', expect.stringMatching(/^\/requests\?startDate=.*request=5$/));
    await userEvent.keyboard('{Escape}');
    await page.getByRole('combobox', { name: 'Kind' }).click();
    const kind = (name: string) => page.getByRole('listbox').getByRole('option', { name, exact: true });
    await expect.element(kind('Log entry')).toBeVisible();
    expect(kind('Conversion').elements(), 'not for this reader').toHaveLength(0);
    await kind('Push').click();
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect.poll(() => gets(calls, 'kind')).toHaveLength(1);
    expect(gets(calls, 'kind')[0]).toMatch(/^clients\/c-1\/timeline\?.*kind\[\]=push/);
    await page.getByRole('button', { name: 'Next' }).click();
    await expect.poll(() => history.location.search).toContain('cursor=n1');
    await expect.element(page.getByRole('button', { name: 'Live' })).toBeDisabled();
  });

  it('[INV-045] goes back to the newer page by which the reader came, or to the first one', async () => {
    const next = (cursor: string) => ({ '': 'n1', n1: 'n2' })[cursor] ?? null;
    const { history } = await show({ next });
    const [newer, older] = [page.getByRole('button', { name: 'Prev' }), page.getByRole('button', { name: 'Next' })];
    const cursor = () => new URLSearchParams(history.location.search).get('cursor');
    await expect.element(older).toBeEnabled();
    await expect.element(newer).toBeDisabled();
    await older.click();
    await expect.poll(cursor).toBe('n1');
    await expect.element(older).toBeEnabled();
    await older.click();
    await expect.element(older).toBeDisabled();
    await newer.click();
    await expect.poll(cursor).toBe('n1');
    await newer.click();
    await expect.poll(cursor).toBeNull();
    await expect.element(newer).toBeDisabled();
    history.back();
    await expect.poll(cursor).toBe('n1');
    await newer.click();
    await expect.element(page.getByRole('button', { name: 'Live' })).toBeEnabled();
    await cleanup();
    const linkedPage = await show({ next, path: '/clients/c-1?cursor=n2' });
    await newer.click();
    await expect.poll(() => linkedPage.history.location.search).toBe('');
  });

  it('[INV-046] asks for newer entries every three seconds while it is live and in view, and puts them on top', async () => {
    stopClock();
    const { calls } = await show({ later: [[], [request(3), request(2)], [request(4)]] });
    await expect.poll(rowsShown).toBe(1);
    await page.getByRole('button', { name: 'Live' }).click();
    await passTime(2_900);
    expect(gets(calls, 'after=')).toEqual([]);
    await passTime(3_200);
    await expect.poll(rowsShown).toBe(3);
    expect(
      page
        .getByRole('button', { name: /^Show request/ })
        .elements()
        .map((button) => button.getAttribute('aria-label')),
    ).toEqual(['Show request 3', 'Show request 2', 'Show request 1']);
    expect(gets(calls, 'after=')[1]).toBe('clients/c-1/timeline?after=position+0&place=1');
    const visible = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    await passTime(30_000);
    expect(gets(calls, 'after=')).toHaveLength(2);
    visible.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    await passTime(3_100);
    await expect.poll(rowsShown).toBe(4);
  });

  it('[INV-055] says that nothing was seen from a uid that is longer than any can be', async () => {
    const { calls } = await show({ path: `/clients/${'x'.repeat(129)}` });
    await expect.element(page.getByRole('heading', { name: 'Nothing seen from this client.' })).toBeVisible();
    expect(calls).toEqual([]);
  });

  it('[INV-048] says that nothing was seen', async () => {
    const nothing = {
      ...client,
      requests: 0,
      first_seen_at: null,
      last_seen_at: null,
      apps: [],
      countries: [],
      addresses: [],
      addresses_total: 0,
    };
    await show({ rows: [], summary: () => ({ uid: 'c-1', ...nothing }) });
    await expect.element(page.getByRole('heading', { name: 'Nothing seen from this client.' })).toBeVisible();
    await expect.element(card('Seen')).toHaveTextContent('SeenFirst-Last-Requests0Pushes4');
    expect(card('Apps').elements()).toHaveLength(0);
  });
});

describe('page of an address', () => {
  it('[INV-047] bans the address with a reason, and frees it again, which can be undone', async () => {
    let isBanned = false;
    const { calls } = await show({
      path: '/addresses/203.0.113.9',
      summary: () => ({ ...address, blocked_by: isBanned ? [ban] : [] }),
    });
    await card('Black list').getByRole('button', { name: 'Ban address' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add IPs' });
    await expect.element(dialog.getByLabelText('IPs', { exact: true })).toHaveValue('203.0.113.9');
    await expect.element(dialog.getByLabelText('Reason')).toHaveFocus();
    await dialog.getByLabelText('Reason').fill('scans');
    isBanned = true;
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.element(card('Black list')).toMatchTextContent(/On the black listRuleSince 20\.11\.2026 10:11:12 by OlgaReasonscans/);
    isBanned = false;
    await card('Black list').getByRole('button', { name: 'Free address' }).click();
    await expect.element(card('Black list')).toMatchTextContent(/Not on the black list/);
    isBanned = true;
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.element(card('Black list')).toMatchTextContent(/On the black list/);
    const ips = ['203.0.113.9'];
    expect(calls.filter(({ method }) => method !== 'GET')).toEqual([
      { method: 'POST', path: 'black-list/check', body: { ips } },
      { method: 'POST', path: 'black-list', body: { ips, reason: 'scans' } },
      { method: 'DELETE', path: 'black-list/203.0.113.9' },
      { method: 'POST', path: 'black-list', body: { ips, reason: 'scans' } },
    ]);
  });

  it('[INV-047] restores a freed address with its source and expiry', async () => {
    const { calls } = await show({
      path: '/addresses/203.0.113.9',
      summary: () => ({ ...address, blocked_by: [ban] }),
      listed: { source: 'DROP', expires_at: '2099-01-01 00:00:00' },
    });
    await card('Black list').getByRole('button', { name: 'Free address' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(() => calls.filter(({ method }) => method !== 'GET'))
      .toEqual([
        { method: 'DELETE', path: 'black-list/203.0.113.9' },
        {
          method: 'POST',
          path: 'black-list/entries',
          body: { entries: ['203.0.113.9'], reason: 'scans', source: 'DROP', expires_at: '2099-01-01T00:00:00Z' },
        },
      ]);
  });

  it('[INV-047] bans the autonomous system by type; who may not, sees the state alone', async () => {
    const { calls } = await show({ path: '/addresses/203.0.113.9' });
    await card('Autonomous system').getByRole('button', { name: 'Create of AS64500: FREE' }).click();
    await expect
      .poll(() => calls.find(({ method }) => method === 'POST'))
      .toMatchObject({ path: 'octopus-app/asn/64500', body: { isBanCreate: true } });
    await cleanup();
    await show({
      path: '/addresses/203.0.113.9',
      summary: () => ({ ...address, may_block: false, asn: { ...asn, is_ban_receive: true } }),
    });
    await expect
      .element(card('Autonomous system'))
      .toHaveTextContent('Autonomous systemAS64500 Example Hostinghost.exampleBanned for receive');
    await expect.element(card('Black list')).toHaveTextContent('Black listNot on the black list');
  });

  it('[INV-044, INV-045] lists its clients as links, and requests alone', async () => {
    const { calls } = await show({ path: '/addresses/203.0.113.9' });
    await expect.element(card('Clients').getByRole('link', { name: 'c-1' })).toHaveAttribute('href', '/clients/c-1');
    await expect.element(page.getByRole('row').nth(1)).toMatchTextContent(/create.*Acme Bet.*c-1/);
    expect(gets(calls, 'timeline')).toEqual(['addresses/203.0.113.9/timeline?limit=50']);
    expect(page.getByRole('combobox', { name: 'Kind' }).elements()).toHaveLength(0);
  });

  it('[INV-054] shows an address in canonical form whatever the link says, and says what is no address', async () => {
    const { calls } = await show({ path: '/addresses/2001%3ADB8%3A0%3A0%3A0%3A0%3A0%3A1' });
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('2001:db8::1');
    await expect.poll(() => gets(calls, 'addresses/')).toContain('addresses/2001%3Adb8%3A%3A1');
    await cleanup();
    const odd = await show({ path: '/addresses/10.0.0.300' });
    await expect.element(page.getByRole('heading', { name: 'This is no IP address' })).toBeVisible();
    expect(odd.calls).toEqual([]);
  });

  it('[BAN-106] names black-listed networks on the pages of an address, a block and a client', async () => {
    const network = { ...ban, kind: 'network', target: '203.0.113.0/24' } as const;
    const permissions = [...all, 'manager_settings_asns'] as const;
    await show({ permissions, path: '/addresses/203.0.113.9', summary: () => ({ ...address, blocked_by: [network], blocked_total: 1 }) });
    await expect
      .element(card('Black list'))
      .toMatchTextContent(/Not on the black list.*In the black-listed network 203\.0\.113\.0\/24.*Olga.*scans/);
    await cleanup();
    const inside = { ...address, ip: '203.0.112.0/22', asn: null, may_block: false, blocked_by: [network], blocked_total: 1 };
    await show({ path: '/addresses/203.0.112.0%2F22', summary: () => inside });
    await expect.element(card('Rules inside this block')).toMatchTextContent(/203\.0\.113\.0\/24 .*black-listed$/);
    await cleanup();
    const blocked = client.addresses.map((one) => ({ ...one, blocked_by: [network, { ...network, target: '203.0.112.0/22' }] }));
    await show({ path: '/clients/c-1', summary: () => ({ uid: 'c-1', ...client, addresses: blocked }) });
    await expect.element(page.getByText('network black-listed')).toBeVisible();
  });

  it('[INV-049, INV-051] shows a block with its summary, top values, timeline and the rules inside it', async () => {
    const { calls } = await show({
      path: '/addresses/203.0.113.7%2F24',
      summary: () => ({ ...address, ip: '203.0.113.0/24', asn: null, may_block: false, blocked_by: [ban], blocked_total: 3 }),
    });
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('203.0.113.0/24');
    await expect
      .element(card('Rules inside this block'))
      .toHaveTextContent(
        'Rules inside this block3203.0.113.9 Since 20.11.2026 10:11:12 by Olga: scansblack-listed2 further rules are not shown.',
      );
    expect(card('Black list').elements()).toHaveLength(0);
    await expect.element(page.getByRole('row').nth(1)).toMatchTextContent(/create.*Acme Bet.*203\.0\.113\.9.*c-1/);
    await page.getByRole('button', { name: 'Top values' }).click();
    await expect.poll(() => gets(calls, 'all-requests/top').length).toBeGreaterThan(0);
    for (const path of gets(calls, 'all-requests/top')) expect(path).toContain('search=203.0.113.0%2F24');
    expect(gets(calls, 'timeline')).toEqual(['addresses/203.0.113.0%2F24/timeline?limit=50']);
  });
});

describe('addresses of a client', () => {
  const banner = ['manager_app_all_requests', 'manager_settings_asns'] as const;
  const select = card('Addresses').getByRole('button', { name: 'Select addresses' });

  it('[BULK-016] [SHELL-084] are ticked and black-listed through the check, and the marks are read again', async () => {
    const { calls } = await show({ path: '/clients/c-1', permissions: banner });
    await select.click();
    await page.getByRole('checkbox', { name: 'Select 203.0.113.9' }).click();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Black-list addresses…' }).click();
    await expect.poll(() => calls.find(({ path }) => path === 'black-list/check')?.body).toEqual({ ips: ['203.0.113.9'] });
    await page.getByRole('dialog').getByLabelText('Reason').fill('scans');
    expect(unsavedWork.isHeld()).toBe(true);
    await page.getByRole('dialog').getByRole('button', { name: 'Check' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Black-list 2 addresses' }).click();
    expect(bulk.posts[0]?.body).toEqual({
      change: { action: 'black_ip.add', params: { reason: 'scans' } },
      target: { keys: ['203.0.113.9'] },
    });
    const reads = () => calls.filter(({ path }) => path === 'clients/c-1').length;
    const before = reads();
    bulk.finish();
    await expect.element(page.getByRole('dialog').getByText('1 address: changed')).toBeVisible();
    await expect.poll(reads).toBe(before + 1);
  });

  it('[BULK-016] are not ticked without the permission to ban', async () => {
    await show({ path: '/clients/c-1' });
    await expect.element(card('Addresses')).toBeVisible();
    expect(select.elements()).toHaveLength(0);
  });
});
