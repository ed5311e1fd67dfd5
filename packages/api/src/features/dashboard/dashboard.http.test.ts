import { writeKindMeasure } from '@switchyard/contract/kind-measures';
import { type Dashboard, getDashboard, type Tile, tileLimits, tileMessages } from '@switchyard/contract/dashboard';
import { reportGroupings, type Report } from '@switchyard/contract/reports';
import { viewMessages } from '@switchyard/contract/saved-views';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { makeApiToken, signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
const startsAt = new Date('2026-11-20T12:00:00Z');
const permissions = ['manager_app_statistics'] as const;
type Caller = Pick<SignedIn, 'headers'>;
let api: TestApi;
let apps: { id: number; name: string }[];

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt });
  await api.maintain();
  const buyer = await signInAs(databases, { panel: 'buyer', role: 'Buyer' });
  apps = [await createApp(databases, { name: 'Acme' }), await createApp(databases, { name: 'Bolt', vertical: 'casino' })];
  await databases.db
    .insertInto('app_buyers')
    .values({ app_id: apps[0]?.id ?? 0, account_id: buyer.accountId })
    .execute();
  const { headers } = await signInAsServer(databases);
  const rows = apps.flatMap(({ id: app_id }, app) =>
    Array.from({ length: 12 }, (_, n) => ({
      app_id,
      ip: '10.1.2.3',
      type: n % 3 === 0 ? 'receive' : 'create',
      country: ['DE', 'US', 'FR', 'PL', 'IT', 'ES'][n % 6],
      stream_uid: n % 2 === 0 ? 'st_1' : undefined,
      date: `2026-11-${n % 4 === 0 && app === 0 ? '12' : '19'}T10:00:00Z`,
    })),
  );
  const created_at = '2026-11-19T10:00:00Z';
  const conversions = apps.map(({ id: app_id }) => ({ app_id, status_conversion: 'deposit', status: 'success', payout: 2.5, created_at }));
  for (const [kind, sent] of Object.entries({ events: rows, conversions })) {
    const { body } = await api.call('POST', `/api/ingest/${kind}`, { headers, body: { [kind]: sent } });
    expect(body.data.accepted).toBe(sent.length);
  }
  return async () => api.app.close();
});

/** An account whose Home is as it starts. */
const newcomer = async (more: Parameters<typeof signInAs>[1] = {}) => signInAs(databases, { permissions, since: startsAt, ...more });
/** An account that has cleared its Home. */
async function person(more: Parameters<typeof signInAs>[1] = {}): Promise<SignedIn> {
  const account = await newcomer(more);
  await databases.pools.ops.query(`insert into board_layouts (account_id, places) values ($1, '[]')`, [account.accountId]);
  return account;
}
let nameCount = 0;
async function saveView(as: Caller, query: string, more: object = {}): Promise<number> {
  const body = { list: 'reports', name: `Report ${(nameCount += 1)}`, query, ...more };
  const answer = await api.call('POST', '/api/views', { ...as, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.id;
}
const pin = async (as: Caller, view_id: number, more: object = { shape: 'table' }) =>
  api.call('POST', '/api/dashboard/tiles', { ...as, body: { view_id, ...more } });
const change = async (as: Caller, id: number, body: object) => api.call('PUT', `/api/dashboard/tiles/${id}`, { ...as, body });
const remove = async (as: Caller, id: number) => api.call('DELETE', `/api/dashboard/tiles/${id}`, as);
const layOut = async (as: Caller, places: unknown, read_version: number) =>
  api.call('PUT', '/api/dashboard/layout', { ...as, body: { places, read_version } });
const start = async (as: Caller) => api.call('POST', '/api/dashboard/start', { ...as, body: {} });
const at = (of: number | string, x = 0, y = 0, size: { w?: number; h?: number; is_hidden?: boolean } = {}) => ({
  of,
  x,
  y,
  w: 3,
  h: 4,
  is_hidden: false,
  ...size,
});
async function dashboardOf(as: Caller, query = ''): Promise<Dashboard> {
  const { status, body } = await api.call('GET', `/api/dashboard${query}`, as);
  expect(status).toBe(200);
  return getDashboard.answer.schema.parse(body.data);
}
async function tilesOf(as: Caller): Promise<Tile[]> {
  await expect.poll(async () => (await dashboardOf(as)).tiles.map(({ state }) => state), soon).not.toContain('pending');
  return (await dashboardOf(as)).tiles;
}
const viewIdsOf = async (as: Caller) => (await dashboardOf(as)).tiles.map(({ view }) => view?.id);
async function roleOf({ accountId }: SignedIn): Promise<number> {
  const row = await databases.db
    .selectFrom('account_roles')
    .select('role_id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return row.role_id;
}
async function join({ accountId }: SignedIn, role_id: number): Promise<void> {
  await databases.db.insertInto('account_roles').values({ account_id: accountId, role_id, panel: 'user' }).execute();
}
const trail = async (id: number) =>
  databases.db
    .selectFrom('audit_entries')
    .select(['action', 'entity_label', 'actor_id'])
    .where('entity', '=', 'dashboard_tile')
    .where('entity_id', '=', String(id))
    .orderBy('id')
    .execute();
const errorsOf = ({ status, body }: Awaited<ReturnType<typeof pin>>) => [status, body.errors];

describe('tiles of Home', () => {
  it('[DASH-001] are pinned as figures, charts and tables, changed and removed by their owner', async () => {
    const [owner, other] = [await person(), await person()];
    const name = '<img src=x onerror=alert(1)> \u202e{{7*7}}';
    const view = await saveView(owner, 'groupBy=app&days=30&ratio=Deposits:conversions/create&compare=previous', { name });
    const ids: number[] = [];
    for (const [shape, measure] of [
      ['figure', 'ratio:Deposits'],
      ['chart', 'success_share'],
      ['table', null],
    ] as const) {
      const { status, body } = await pin(owner, view, { shape, measure: measure ?? 'requests' });
      expect([status, body.data]).toEqual([201, { id: body.data.id, shape, measure, rows: 5, role_ids: [] }]);
      ids.push(body.data.id);
    }
    const [figure = 0, chart = 0, table = 0] = ids;
    expect(await tilesOf(owner)).toMatchObject([
      { id: figure, shape: 'figure', is_own: true, view: { id: view, name }, state: 'ready', owner: { id: owner.accountId } },
      { id: chart, report: { columns: ['requests', 'success_share'], total_groups: 2 } },
      { id: table, report: { group_by: ['app'], columns: ['requests', 'success_share', 'bot_share', 'pushes', 'ratio:Deposits'] } },
    ]);
    const changed = await change(owner, chart, { shape: 'figure', measure: 'ratio:None' });
    expect(errorsOf(changed)).toEqual([422, { measure: [tileMessages.measure] }]);
    expect((await change(owner, chart, { shape: 'figure', measure: 'conversions' })).body.data).toMatchObject({ measure: 'conversions' });
    for (const call of [async () => change(other, chart, { shape: 'table' }), async () => remove(other, chart)])
      expect((await call()).status).toBe(404);
    expect((await remove(owner, figure)).status).toBe(204);
    expect((await remove(owner, figure)).status).toBe(404);
    expect((await dashboardOf(owner)).tiles.map(({ id }) => id)).toEqual([chart, table]);
    expect((await dashboardOf(owner, `?id=${chart},${chart + 1000}`)).tiles.map(({ id }) => id)).toEqual([chart]);
    expect((await dashboardOf(other)).tiles).toEqual([]);
    for (const id of ids) expect(await trail(id)).toEqual([]);
  });

  it('[DASH-001] are of a saved report that the caller sees and of a measure of it, at most 24, also by two at once', async () => {
    const [owner, other] = [await person({ permissions: [...permissions, 'manager_app_edit'] }), await person()];
    const view = await saveView(owner, 'groupBy=day');
    const ofApps = await saveView(owner, '', { list: 'apps' });
    for (const wrong of [ofApps, await saveView(other, ''), 2 ** 31 - 1])
      expect(errorsOf(await pin(owner, wrong))).toEqual([422, { view_id: [tileMessages.view] }]);
    for (const measure of [null, '', 'pushes_by_status', 'pushes:', 'app:sent', 'ratio:None', '__proto__', 'constructor'])
      expect((await pin(owner, view, { shape: 'chart', measure })).status, String(measure)).toBe(measure === 'pushes:' ? 201 : 422);
    expect(errorsOf(await pin(owner, await saveView(owner, 'groupBy=moon')))).toEqual([422, { view_id: [tileMessages.outdated] }]);
    await databases.pools.ops.query(
      `insert into dashboard_tiles (owner_id, view_id, shape, position, created_at, updated_at)
       select $1, $2, 'table', 0, now(), now() from generate_series(1, $3)`,
      [owner.accountId, view, tileLimits.perAccount - 2],
    );
    const answers = await Promise.all([pin(owner, view), pin(owner, view)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
    expect(errorsOf(await pin(owner, view))).toEqual([422, { view_id: [tileMessages.tooMany] }]);
    expect((await api.call('DELETE', `/api/views/${view}`, owner)).status).toBe(204);
    expect(await dashboardOf(owner)).toMatchObject({ tiles: [], hidden: 0, is_start: false });
  });

  it('[DASH-007] keep a report that is no saved view, which only they change', async () => {
    const [owner, mate] = [await person(), await person()];
    const own = { name: 'Apps \u202e<b>', query: 'groupBy=app&days=30&chart=requests&mode=share' };
    const pinOwn = async (body: object, as: Caller = owner) =>
      api.call('POST', '/api/dashboard/tiles', { ...as, body: { shape: 'table', ...body } });
    const view = await saveView(owner, '');
    for (const wrong of [{}, { name: 'A' }, { query: '' }, { view_id: view, name: 'A', query: '' }, { view_id: view, query: '' }])
      expect(errorsOf(await pinOwn(wrong)), JSON.stringify(wrong)).toEqual([422, { view_id: [tileMessages.source] }]);
    expect(errorsOf(await pinOwn({ ...own, name: ' ' }))).toEqual([422, { name: [viewMessages.missingName] }]);
    expect(errorsOf(await pinOwn({ ...own, query: 'serach=x' }))).toEqual([422, { serach: ['Unknown parameter.'] }]);
    expect(errorsOf(await pinOwn({ ...own, query: 'groupBy=moon' }))).toEqual([422, { view_id: [tileMessages.outdated] }]);
    const { id } = (await pinOwn(own)).body.data;
    expect(await tilesOf(owner)).toMatchObject([{ id, view: { id: null, ...own }, report: { group_by: ['app'], total_groups: 2 } }]);
    expect((await change(owner, id, { name: 'Days', query: 'groupBy=day&days=4' })).status).toBe(200);
    expect(await tilesOf(owner)).toMatchObject([{ id, view: { id: null, name: 'Days' }, report: { group_by: ['day'], total_groups: 1 } }]);
    expect(errorsOf(await change(owner, id, { query: 'serach=x' }))).toEqual([422, { serach: ['Unknown parameter.'] }]);
    const ofView = (await pin(owner, view)).body.data.id;
    expect(errorsOf(await change(owner, ofView, { name: 'A' }))).toEqual([422, { name: [tileMessages.ofView] }]);
    expect(errorsOf(await change(owner, ofView, { query: '' }))).toEqual([422, { query: [tileMessages.ofView] }]);

    // Private reports are no more open to API tokens than private views.
    const token = await makeApiToken(databases, { ownerId: owner.accountId, permissions });
    expect((await dashboardOf(token)).tiles).toEqual([]);
    const role = await roleOf(owner);
    await join(mate, role);
    expect((await dashboardOf(mate)).tiles).toEqual([]);
    expect((await change(owner, id, { role_ids: [role] })).status).toBe(200);
    expect((await dashboardOf(token)).tiles).toMatchObject([{ id }]);
    expect((await dashboardOf(mate)).tiles).toMatchObject([{ id, is_own: false, view: { id: null, name: 'Days' } }]);
    expect((await change(mate, id, { name: 'Mine' })).status).toBe(404);
    expect(await trail(id)).toEqual([{ action: 'update', entity_label: 'Days', actor_id: owner.accountId }]);
  });

  it('[DASH-008] show as many rows as their owner chooses, up to 1,000', async () => {
    const owner = await person();
    const view = await saveView(owner, 'groupBy=country&days=30&measure=requests');
    const { id } = (await pin(owner, view)).body.data;
    const shown = async () => (await tilesOf(owner)).map(({ rows, report }) => [rows, report?.groups.length, report?.total_groups]);
    expect(await shown()).toEqual([[5, 5, 6]]);
    expect((await change(owner, id, { rows: 1_000 })).body.data).toMatchObject({ rows: 1_000 });
    expect(await shown()).toEqual([[1_000, 6, 6]]);
    for (const rows of [0, -1, 1.5, 1_001, null]) expect((await change(owner, id, { rows })).status, String(rows)).toBe(422);
    await remove(owner, id);
    expect((await pin(owner, view, { shape: 'table', rows: 2 })).body.data).toMatchObject({ rows: 2 });
    expect(await shown()).toEqual([[2, 2, 6]]);
  });

  it('[DASH-002] are shared with roles that their owner holds and that see the view, and audited', async () => {
    const [owner, mate, stranger] = [await person(), await person(), await person()];
    const role = await roleOf(owner);
    await join(mate, role);
    const privateView = await saveView(owner, '');
    const view = await saveView(owner, 'groupBy=app', { sharing: 'roles', role_ids: [role] });
    const shared = { shape: 'table', role_ids: [role] };
    expect(errorsOf(await pin(owner, privateView, shared))).toEqual([422, { role_ids: [tileMessages.roles] }]);
    const foreign = await roleOf(stranger);
    expect(errorsOf(await pin(owner, view, { shape: 'table', role_ids: [foreign] }))).toEqual([
      422,
      { role_ids: [viewMessages.foreignRole] },
    ]);
    await join(owner, foreign);
    expect(errorsOf(await pin(owner, view, { shape: 'table', role_ids: [foreign] }))).toEqual([422, { role_ids: [tileMessages.roles] }]);
    const { id } = (await pin(owner, view, shared)).body.data;
    expect(await viewIdsOf(mate)).toEqual([view]);
    expect((await dashboardOf(mate)).tiles[0]).toMatchObject({ is_own: false, owner: { id: owner.accountId }, role_ids: [role] });
    expect(await viewIdsOf(stranger)).toEqual([]);
    for (const call of [async () => change(mate, id, { shape: 'table' }), async () => remove(mate, id)])
      expect((await call()).status).toBe(404);
    // Own tiles are first, though they are newer.
    const own = await saveView(mate, '');
    await pin(mate, own);
    expect(await viewIdsOf(mate)).toEqual([own, view]);

    expect((await change(owner, id, { role_ids: [] })).status).toBe(200);
    expect(await viewIdsOf(mate)).toEqual([own]);
    await change(owner, id, shared);
    await databases.db.updateTable('accounts').set({ deleted_at: startsAt }).where('id', '=', owner.accountId).execute();
    expect(await viewIdsOf(mate)).toEqual([own]);
    await databases.db.updateTable('accounts').set({ deleted_at: null }).where('id', '=', owner.accountId).execute();
    expect((await remove(owner, id)).status).toBe(204);
    const label = (await api.call('GET', '/api/views?list=reports', owner)).body.data.views.find((one: { id: number }) => one.id === view);
    expect(await trail(id)).toEqual(
      ['create', 'update', 'update', 'delete'].map((action) => ({ action, entity_label: label.name, actor_id: owner.accountId })),
    );
  });

  it('[DASH-002] keep the roles that another call set while a change waited for it', async () => {
    const owner = await person();
    const role = await roleOf(owner);
    const view = await saveView(owner, 'groupBy=app', { sharing: 'roles', role_ids: [role] });
    const { id } = (await pin(owner, view)).body.data;
    const other = await databases.pools.ops.connect();
    try {
      await other.query('begin');
      await other.query('select from dashboard_tiles where id = $1 for update', [id]);
      await other.query('insert into dashboard_tile_roles (tile_id, role_id) values ($1, $2)', [id, role]);
      const changing = change(owner, id, { shape: 'figure', measure: 'requests' });
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await databases.pools.ui.query(waiting)).rowCount, soon).toBe(1);
      await other.query('commit');
      expect((await changing).body).toMatchObject({ success: true, data: { shape: 'figure', role_ids: [role] } });
    } finally {
      other.release(true);
    }
  });

  it('[DASH-002] follow the view: who loses it sees no tile of it, and its own tile without name and figures', async () => {
    const [owner, mate] = [await person(), await person()];
    const role = await roleOf(owner);
    await join(mate, role);
    const view = await saveView(owner, 'groupBy=app', { sharing: 'everyone' });
    await pin(owner, view, { shape: 'table', role_ids: [role] });
    const { id } = (await pin(mate, view)).body.data;
    expect(await viewIdsOf(mate)).toEqual([view, view]);
    await change(mate, id, { role_ids: [role] });
    expect(await viewIdsOf(owner)).toEqual([view, view]);
    const setDeleted = async (deleted_at: Date | null) =>
      databases.db.updateTable('accounts').set({ deleted_at }).where('id', '=', mate.accountId).execute();
    await setDeleted(startsAt);
    expect(await viewIdsOf(owner)).toEqual([view]);
    await setDeleted(null);
    await change(mate, id, { role_ids: [] });
    const unshare = await api.call('PUT', `/api/views/${view}`, { ...owner, body: { sharing: 'private' } });
    expect(unshare.status).toBe(200);
    expect((await dashboardOf(mate)).tiles).toMatchObject([{ id, view: null, state: 'denied', report: null }]);
    expect((await change(mate, id, { shape: 'figure', measure: 'requests' })).status).toBe(404);
    expect(await viewIdsOf(owner)).toEqual([view]);
    expect((await remove(mate, id)).status).toBe(204);
  });

  it('[DASH-002] show at most 24 on Home, own ones first, and count the others', async () => {
    const [owner, mate] = [await person(), await person()];
    const role = await roleOf(owner);
    await join(mate, role);
    const view = await saveView(owner, '', { sharing: 'roles', role_ids: [role] });
    const own = await saveView(mate, '');
    await pin(mate, own);
    await databases.pools.ops.query(
      `with tile as (insert into dashboard_tiles (owner_id, view_id, shape, position, created_at, updated_at)
         select $1, $2, 'table', n, now(), now() from generate_series(1, 24) n returning id)
       insert into dashboard_tile_roles (tile_id, role_id) select id, $3 from tile`,
      [owner.accountId, view, role],
    );
    const { tiles, hidden } = await dashboardOf(mate);
    expect([tiles.length, tiles[0]?.view?.id, hidden]).toEqual([24, own, 1]);
  });

  it('[DASH-003, S50] show the apps and the rights that each reader has, and nobody else', async () => {
    const owner = await person();
    const [appId] = apps.map(({ id }) => id);
    const restricted = await person({ apps: [appId ?? 0] });
    const role = await roleOf(owner);
    await join(restricted, role);
    const view = await saveView(owner, 'groupBy=app&days=30', { sharing: 'roles', role_ids: [role] });
    await pin(owner, view, { shape: 'table', role_ids: [role] });
    await pin(owner, view, { shape: 'figure', measure: 'requests', role_ids: [role] });
    await pin(owner, await saveView(owner, ''), { shape: 'figure', measure: 'requests' });
    const total = ({ report }: Tile) => report?.totals.current['requests'];
    expect((await tilesOf(owner)).map(total)).toEqual([24, 24, 21]);
    const seen = await tilesOf(restricted);
    expect(seen.map(total)).toEqual([12, 12]);
    expect(JSON.stringify(seen)).not.toContain('Bolt');

    const token = await makeApiToken(databases, { ownerId: owner.accountId, permissions, apps: [appId ?? 0] });
    expect((await tilesOf(token)).map(total)).toEqual([12, 12]);
    expect((await pin(token, view)).status).toBe(403);
    const weaker = await makeApiToken(databases, { ownerId: owner.accountId, permissions: ['manager_app_edit'] });
    expect((await api.call('GET', '/api/dashboard', weaker)).status).toBe(403);

    await databases.db
      .deleteFrom('role_permissions')
      .where('role_id', 'in', [role, await roleOf(restricted)])
      .execute();
    for (const lost of [owner, restricted]) {
      expect((await api.call('GET', '/api/dashboard', lost)).status).toBe(403);
      expect((await pin(lost, view)).status).toBe(403);
    }
    await databases.db.deleteFrom('sessions').where('id', '=', owner.sessionId).execute();
    expect((await api.call('GET', '/api/dashboard', owner)).status).toBe(401);
  });

  it('[DASH-003] are not shown in a view as a role, which cannot pin either', async () => {
    const admin = await signInAs(databases, { role: 'Super Admin', since: startsAt });
    const owner = await person();
    await pin(owner, await saveView(owner, '', { sharing: 'everyone' }), { shape: 'table', role_ids: [await roleOf(owner)] });
    const { body } = await api.call('POST', `/api/roles/${await roleOf(owner)}/view-as`, { ...admin, body: {} });
    const viewing = { headers: { authorization: `Bearer ${body.data.token.accessToken}` } };
    expect(await dashboardOf(viewing)).toEqual({ tiles: [], hidden: 0, is_start: false, places: [], version: 0, board: null, unseen: [] });
    expect((await pin(viewing, 1)).status).toBe(403);
  });

  it('[DASH-004, REP-061] count what their shape shows: the totals, columns and first rows of the report itself', async () => {
    const owner = await person();
    const read = async (query: string): Promise<Report> => (await api.call('GET', `/api/reports?${query}`, owner)).body.data;
    const wanted: unknown[] = [];
    for (const grouping of reportGroupings) {
      const query = `groupBy=${grouping}&days=10&compare=previous&measure=requests,success_share,conversions,payout,create,bots&geoNot=IT`;
      await pin(owner, await saveView(owner, query), { shape: 'figure', measure: grouping === 'app' ? 'success_share' : 'requests' });
      const { totals } = await read(query);
      const of = (values: Report['totals']['current'] | null) => values?.[grouping === 'app' ? 'success_share' : 'requests'];
      wanted.push([of(totals.current), of(totals.compared)]);
    }
    // Conversions are not known by type of request, so the total of the report is not theirs.
    await pin(owner, await saveView(owner, 'groupBy=type&measure=conversions'), { shape: 'figure', measure: 'conversions' });
    wanted.push([null, undefined]);
    // Two deposits of 16 creates; nothing is counted of a kind whose measure is as long as one may be.
    const creates = (await read('days=10&measure=create')).totals.current['create'];
    const view_id = await saveView(owner, 'groupBy=country&days=10&measure=requests');
    const longKind = writeKindMeasure('payout_per_thousand_of', '%'.repeat(64));
    for (const [measure, value] of [
      ['create_to:deposit', 2 / Number(creates)],
      ['payout_of:deposit', '5'],
      [longKind, 0],
    ] as const) {
      expect((await pin(owner, view_id, { shape: 'figure', measure })).status).toBe(201);
      wanted.push([value, undefined]);
    }
    expect(errorsOf(await pin(owner, view_id, { shape: 'figure', measure: 'create_to:' }))).toEqual([
      422,
      { measure: [tileMessages.measure] },
    ]);
    const query = 'groupBy=country&days=30&measure=requests,success_share,bots,create,receive,track&orderBy=receive';
    const view = await saveView(owner, query);
    await pin(owner, view);
    await pin(owner, view, { shape: 'chart', measure: 'receive' });
    const tiles = await tilesOf(owner);
    const [table, chart] = tiles.splice(-2);
    expect(tiles.map(({ measure, report }) => [report?.totals.current[measure ?? ''], report?.totals.compared?.[measure ?? '']])).toEqual(
      wanted,
    );
    const whole = await read(query);
    expect(table?.report?.columns).toEqual(['requests', 'success_share', 'bots', 'create', 'receive']);
    expect(table?.report?.groups.map(({ keys }) => keys)).toEqual(whole.groups.slice(0, 5).map(({ keys }) => keys));
    expect([chart?.report?.columns, chart?.report?.groups.length]).toEqual([['receive'], whole.total_groups]);
  });

  it('[DASH-009] begin as a useful board of the apps of each reader, and nothing is stored before the first change', async () => {
    const [all, few] = [await newcomer(), await newcomer({ apps: [apps[0]?.id ?? 0] })];
    const stored = async ({ accountId }: SignedIn) => {
      const { rows } = await databases.pools.ops.query<{ rows: number }>(
        `select (select count(*) from dashboard_tiles where owner_id = $1)::int + (select count(*) from board_layouts where account_id = $1)::int as rows`,
        [accountId],
      );
      return rows[0]?.rows;
    };
    const board = await dashboardOf(all);
    expect([board.is_start, board.version, board.tiles.map(({ id, shape }) => [id, shape])]).toEqual([
      true,
      0,
      [
        [-1, 'chart'],
        [-2, 'table'],
        [-3, 'table'],
      ],
    ]);
    expect(new Set(board.places.map(({ of }) => of))).toEqual(new Set([-1, -2, -3, 'incidents', 'today']));
    const total = ({ report }: Tile) => report?.totals.current['requests'];
    expect((await tilesOf(all)).map(total)).toEqual([24, 21, 21]);
    expect((await tilesOf(few)).map(total)).toEqual([12, 9, 9]);
    expect(JSON.stringify(await tilesOf(few))).not.toContain('Bolt');
    for (const { report } of await tilesOf(all)) expect(report?.source).toBe('roll-ups');
    expect((await dashboardOf(all, '?id=-2')).tiles.map(({ id }) => id)).toEqual([-2]);
    expect([await stored(all), await stored(few)]).toEqual([0, 0]);
    for (const call of [async () => change(all, -1, { shape: 'table' }), async () => remove(all, -1)])
      expect((await call()).status).toBe(404);

    // The first change makes them the caller's own, with what was pinned beside them.
    const view = await saveView(all, '');
    const { id } = (await pin(all, view)).body.data;
    const changed = await dashboardOf(all);
    expect([changed.is_start, changed.version, changed.tiles.length, changed.tiles.at(-1)?.id]).toEqual([false, 1, 4, id]);
    expect(changed.tiles.map(({ id: own }) => own).every((own) => own > 0)).toBe(true);
    expect(changed.places.map(({ x, y, w, h }) => [x, y, w, h])).toEqual(board.places.map(({ x, y, w, h }) => [x, y, w, h]));
    const { ids, version } = (await start(few)).body.data;
    expect([ids.length, version, (await dashboardOf(few)).is_start]).toEqual([3, 1, false]);
    for (const own of ids) expect((await remove(few, own)).status).toBe(204);
    expect(await dashboardOf(few)).toMatchObject({ tiles: [], is_start: false });
    for (const one of [...ids, id]) expect(await trail(one)).toEqual([]);
  });

  it('[DASH-009] start once, also by two at once, and never for API tokens and views as a role', async () => {
    const one = await newcomer();
    const view = await saveView(one, '', { sharing: 'everyone' });
    const answers = await Promise.all([start(one), pin(one, view), start(one)]);
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect((await dashboardOf(one)).tiles).toHaveLength(4);
    expect((await start(one)).status).toBe(409);
    const other = await newcomer();
    const token = await makeApiToken(databases, { ownerId: other.accountId, permissions });
    expect(await dashboardOf(token)).toEqual({ tiles: [], hidden: 0, is_start: false, places: [], version: 0, board: null, unseen: [] });
    expect([(await start(token)).status, (await layOut(token, [], 0)).status]).toEqual([403, 403]);
  });

  it('[DASH-010, DASH-011] are placed and hidden by each reader alone, and a stale layout overwrites no newer one', async () => {
    const [owner, mate] = [await person(), await newcomer()];
    const role = await roleOf(owner);
    await join(mate, role);
    const { id } = (await pin(owner, await saveView(owner, '', { sharing: 'everyone' }), { shape: 'table', role_ids: [role] })).body.data;
    const places = [at(id, 9, 4), at('incidents', 0, 0, { w: 12 }), at('today', 0, 4, { w: 9, is_hidden: true })];
    expect((await layOut(owner, places, 1)).body.data).toEqual({ version: 2 });
    expect(await dashboardOf(owner)).toMatchObject({ places, version: 2 });
    const conflicts = await Promise.all([layOut(owner, [at(id)], 2), layOut(owner, [at(id, 1)], 2)]);
    expect(conflicts.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await layOut(owner, [], 2)).body.message).toBe(tileMessages.changed);
    expect((await dashboardOf(owner)).version).toBe(3);

    // A reader hides the tile of another account for himself, and nothing is counted for it.
    expect((await layOut(mate, [at(id, 3, 3, { is_hidden: true })], 0)).body.data).toEqual({ version: 1 });
    expect((await dashboardOf(mate)).tiles).toMatchObject([{ id, state: 'hidden', report: null }]);
    expect((await tilesOf(owner)).map(({ state }) => state)).toEqual(['ready']);
  });

  it.each([
    ['a tile twice', [at(1), at(1, 3)]],
    ['beyond the columns', [at(1, 10)]],
    ['a negative column', [at(1, -1)]],
    ['no width', [at(1, 0, 0, { w: 0 })]],
    ['a row that is too far', [at(1, 0, 1_001)]],
    ['a height that is too large', [at(1, 0, 0, { h: 41 })]],
    ['a fraction', [at(1, 0.5)]],
    ['an unknown card', [at('__proto__')]],
    ['an unknown key', [{ ...at(1), z: 1 }]],
    ['too many', Array.from({ length: 101 }, (_, n) => at(n))],
    ['no list', {}],
  ])('[DASH-010] are not placed with %s', async (_, places) => {
    const owner = await person();
    expect((await layOut(owner, places, 1)).status).toBe(422);
    expect((await dashboardOf(owner)).version).toBe(1);
  });

  it('[DASH-005] do not wait for a slow one, which arrives later', async () => {
    const owner = await person();
    await pin(owner, await saveView(owner, 'groupBy=day&days=4'), { shape: 'figure', measure: 'conversions' });
    for (const days of [5, 6, 7]) await pin(owner, await saveView(owner, `days=${days}`), { shape: 'figure', measure: 'requests' });
    const lock = await databases.pools.ops.connect();
    try {
      await lock.query('begin; lock table conversions, conversion_totals, conversion_days, conversion_hours, conversion_stream_days');
      await expect
        .poll(async () => (await dashboardOf(owner)).tiles.map(({ state }) => state), soon)
        .toEqual(['pending', 'ready', 'ready', 'ready']);
    } finally {
      await lock.query('rollback');
      lock.release();
    }
    const [late] = await tilesOf(owner);
    expect(late?.report?.totals.current).toEqual({ conversions: 2 });
  });

  it('[DASH-006] whose report fails or no longer fits say why, alone', async () => {
    const owner = await person();
    const views = [await saveView(owner, 'days=7'), await saveView(owner, 'days=8'), await saveView(owner, 'days=9')];
    for (const view of views) await pin(owner, view, { shape: 'figure', measure: 'requests' });
    const set = async (index: number, query: string) => api.call('PUT', `/api/views/${views[index]}`, { ...owner, body: { query } });
    await set(0, 'startDate=2026-11-20&endDate=2026-11-01');
    await set(1, "groupBy=' or 1=1 --&orderBy=__proto__");
    expect((await tilesOf(owner)).map(({ state, message }) => [state, message])).toEqual([
      ['failed', expect.stringContaining('end')],
      ['failed', tileMessages.outdated],
      ['ready', null],
    ]);
  });
});
