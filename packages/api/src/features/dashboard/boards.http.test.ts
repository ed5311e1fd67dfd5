import { type Board, boardLimits, boardMessages } from '@switchyard/contract/boards';
import { type Dashboard, getDashboard, tileMessages } from '@switchyard/contract/dashboard';
import { reportMessages } from '@switchyard/contract/reports';
import { viewMessages } from '@switchyard/contract/saved-views';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { makeApiToken, signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
const startsAt = new Date('2026-11-20T12:00:00Z');
const permissions = ['manager_app_statistics', 'manager_user_edit'] as const;
type Caller = Pick<SignedIn, 'headers'>;
let api: TestApi;
let apps: { id: number; name: string }[];

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt });
  await api.maintain();
  apps = [await createApp(databases, { name: 'Acme' }), await createApp(databases, { name: 'Bolt' })];
  const { headers } = await signInAsServer(databases);
  const events = apps.flatMap(({ id: app_id }, app) =>
    Array.from({ length: 12 }, (_, n) => ({
      app_id,
      ip: '10.1.2.3',
      type: 'create',
      country: ['DE', 'US', 'FR'][n % 3],
      date: `2026-11-${app === 0 && n < 3 ? '12' : '19'}T10:00:00Z`,
    })),
  );
  const { body } = await api.call('POST', '/api/ingest/events', { headers, body: { events } });
  expect(body.data.accepted).toBe(events.length);
  return async () => api.app.close();
});

const person = async (more: Parameters<typeof signInAs>[1] = {}) => signInAs(databases, { permissions, since: startsAt, ...more });
const call = async (as: Caller, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  api.call(method, `/api/${path}`, { ...as, ...(body === undefined ? {} : { body }) });
async function createBoard(as: Caller, body: object = {}): Promise<Board> {
  const answer = await call(as, 'POST', 'boards', { name: 'Traffic', ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
async function pin(as: Caller, board: Board, body: object): Promise<number> {
  const answer = await call(as, 'POST', 'dashboard/tiles', { board_id: board.id, shape: 'figure', measure: 'requests', ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.id;
}
const pinOwn = async (as: Caller, board: Board, query = 'groupBy=app&days=30') => pin(as, board, { name: 'Requests', query });
async function saveView(as: Caller, more: object = {}): Promise<number> {
  const body = { list: 'reports', name: `Report ${Math.random()}`, query: 'groupBy=app&days=30', ...more };
  return (await call(as, 'POST', 'views', body)).body.data.id;
}
async function open(as: Caller, { id }: Pick<Board, 'id'>, more = ''): Promise<Dashboard> {
  const states = async () => getDashboard.answer.schema.parse((await call(as, 'GET', `dashboard?board=${id}${more}`)).body.data);
  await expect.poll(async () => (await states()).tiles.map(({ state }) => state), soon).not.toContain('pending');
  return states();
}
const totals = ({ tiles }: Dashboard) => tiles.map(({ report, message }) => report?.totals.current['requests'] ?? message);
async function roleOf({ accountId }: SignedIn): Promise<number> {
  const row = await databases.db
    .selectFrom('account_roles')
    .select('role_id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return row.role_id;
}
const namesOf = async (as: Caller): Promise<string[]> => (await call(as, 'GET', 'boards')).body.data.map(({ name }: Board) => name);
const trail = async (id: number) =>
  (
    await databases.pools.ops.query(
      `select action, entity_label from audit_entries where entity = 'board' and entity_id = $1 order by id`,
      [String(id)],
    )
  ).rows;

describe('boards by name', () => {
  it('[DASH-012, DASH-013] are created, renamed, shared and deleted by their owner, and audited', async () => {
    const [owner, mate, stranger] = [await person(), await person(), await person()];
    const board = await createBoard(owner, { name: ' <b>Traffic</b> ' });
    expect(board).toMatchObject({ name: '<b>Traffic</b>', query: '', role_ids: [], accounts: [], is_own: true, version: 1 });
    expect([await namesOf(owner), await namesOf(mate)]).toEqual([['<b>Traffic</b>'], []]);
    const role = await roleOf(owner);
    const change = async (as: Caller, body: object) => call(as, 'PUT', `boards/${board.id}`, body);
    const shared = await change(owner, { account_ids: [mate.accountId, owner.accountId], role_ids: [role], read_version: 1 });
    expect(shared.body.data).toMatchObject({ accounts: [{ id: mate.accountId }], role_ids: [role], version: 2 });
    expect([await namesOf(mate), await namesOf(stranger)]).toEqual([['<b>Traffic</b>'], []]);
    expect((await call(mate, 'GET', 'boards')).body.data[0]).toMatchObject({ is_own: false, owner: { id: owner.accountId } });
    const stale = await Promise.all([change(owner, { name: 'A', read_version: 2 }), change(owner, { name: 'B', read_version: 2 })]);
    expect(stale.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    for (const other of [mate, stranger]) {
      expect((await change(other, { name: 'Mine', read_version: 3 })).status).toBe(404);
      expect((await call(other, 'DELETE', `boards/${board.id}`)).status).toBe(404);
      expect(
        (await call(other, 'POST', 'dashboard/tiles', { board_id: board.id, shape: 'table', name: 'A', query: '' })).body.errors,
      ).toEqual({
        board_id: [tileMessages.board],
      });
    }
    expect((await call(stranger, 'GET', `dashboard?board=${board.id}`)).status).toBe(404);
    expect((await call(stranger, 'PUT', 'dashboard/layout', { places: [], read_version: 0, board_id: board.id })).status).toBe(404);
    const tile = await pinOwn(owner, board);
    expect((await call(mate, 'DELETE', `dashboard/tiles/${tile}`)).status).toBe(404);
    expect((await call(owner, 'DELETE', `boards/${board.id}`)).status).toBe(204);
    expect((await call(owner, 'DELETE', `boards/${board.id}`)).status).toBe(404);
    expect((await trail(board.id)).map(({ action }) => action)).toEqual(['create', 'update', 'update', 'delete']);
    expect((await databases.pools.ops.query('select from dashboard_tiles where id = $1', [tile])).rowCount).toBe(0);
  });

  it('[DASH-012] have a name, readers and a query that fit, and are at most 20 of an account, also by two at once', async () => {
    const owner = await person({ permissions: ['manager_app_statistics'] });
    const [mate, buyer] = [await person(), await signInAs(databases, { panel: 'buyer', since: startsAt })];
    const rejected = async (as: Caller, body: object) => (await call(as, 'POST', 'boards', { name: 'A', ...body })).body.errors;
    expect(await rejected(owner, { name: ' ' })).toEqual({ name: [viewMessages.missingName] });
    for (const query of ['serach=x', 'groupBy=app', 'period=moon', 'startDate=2026-13-01', 'search=1.2.3.4'])
      expect(await rejected(owner, { query }), query).toEqual({ query: [boardMessages.query] });
    expect(await rejected(owner, { role_ids: [await roleOf(mate)] })).toEqual({ role_ids: [viewMessages.foreignRole] });
    expect(await rejected(owner, { account_ids: [mate.accountId] })).toEqual({ account_ids: [boardMessages.others] });
    for (const id of [buyer.accountId, 2 ** 31 - 1])
      expect(await rejected(mate, { account_ids: [id] })).toEqual({
        account_ids: [`The account_ids field contains an unknown id: ${id}.`],
      });
    await databases.pools.ops.query(
      `insert into boards (owner_id, name, query, created_at, updated_at) select $1, 'B', '', now(), now() from generate_series(2, $2)`,
      [owner.accountId, boardLimits.perAccount],
    );
    const answers = await Promise.all([rejected(owner, {}), rejected(owner, {})]);
    expect(answers).toEqual(expect.arrayContaining([undefined, { name: [boardMessages.tooMany] }]));
  });

  it('[DASH-014, S50] count the apps of each reader, within the period and the filters of the board', async () => {
    const owner = await person();
    const few = await person({ apps: [apps[0]?.id ?? 0] });
    const board = await createBoard(owner, { account_ids: [few.accountId], query: 'startDate=2026-11-12&endDate=2026-11-12' });
    await pinOwn(owner, board);
    await pinOwn(owner, board, 'groupBy=app&geo=DE');
    await pinOwn(owner, board, 'groupBy=app&geo=US,DE&period=yesterday');
    expect(totals(await open(owner, board))).toEqual([3, 1, 2]);
    expect(totals(await open(few, board))).toEqual([3, 1, 2]);
    const set = async (query: string, read_version: number) => call(owner, 'PUT', `boards/${board.id}`, { query, read_version });
    await set('days=30&geo=US,FR', 1);
    expect(totals(await open(owner, board))).toEqual([16, tileMessages.excluded, 8]);
    expect(totals(await open(few, board))).toEqual([8, tileMessages.excluded, 4]);
    await set(`days=30&geoNot=US&appId=${apps[1]?.id}`, 2);
    expect(totals(await open(owner, board))).toEqual([8, 4, 4]);
    // An app outside the scope of the reader is as one that does not exist.
    expect(totals(await open(few, board))).toEqual([0, 0, 0]);
    expect(JSON.stringify(await open(few, board))).not.toContain('Bolt');
    // Readers look at other days and filters for themselves.
    expect(totals(await open(few, board, '&filters=days%3D30'))).toEqual([12, 4, 8]);
    expect(totals(await open(owner, board, '&filters=none'))).toEqual([24, 7, 14]);
    expect(totals(await open(owner, board))).toEqual([8, 4, 4]);
    const wrong = await call(few, 'GET', `dashboard?board=${board.id}&filters=serach%3Dx`);
    expect([wrong.status, wrong.body.errors]).toEqual([422, { filters: [boardMessages.query] }]);
  });

  it('[DASH-014, REP-082] count each request that fits both the board and the tile, of several buyers and labels, or with an error', async () => {
    const other = await createTestDatabase();
    const own = await buildTestApi({ databases: other.databases, startsAt });
    await own.maintain();
    const [acme, bolt] = [await createApp(other.databases, { name: 'Acme' }), await createApp(other.databases, { name: 'Bolt' })];
    const buyer = async () => (await signInAs(other.databases, { panel: 'buyer', role: 'Buyer' })).accountId;
    const [one, two] = [await buyer(), await buyer()];
    const owned = [
      { app_id: acme.id, account_id: one },
      { app_id: acme.id, account_id: two },
      { app_id: bolt.id, account_id: one },
    ];
    await other.databases.db.insertInto('app_buyers').values(owned).execute();
    const { headers } = await signInAsServer(other.databases);
    const events = [
      { type: 'create' },
      { type: 'create', error: 'boom' },
      { type: 'create', error: 'boom' },
      { type: 'receive', error: 'boom' },
      { type: 'receive', bot: 'CF L1' },
      { type: 'receive', bot: 'L1' },
      { type: 'receive', bot: 'CF NEW' },
      { type: 'receive', bot: 'CF', app_id: bolt.id },
    ].map((event) => ({ app_id: acme.id, ip: '10.1.2.3', country: 'DE', date: '2026-11-19T10:00:00Z', ...event }));
    expect((await own.call('POST', '/api/ingest/events', { headers, body: { events } })).body.data.accepted).toBe(events.length);
    const reader = await signInAs(other.databases, { permissions: ['manager_app_statistics'], since: startsAt });
    const ask = async (method: 'GET' | 'POST', path: string, body?: object) =>
      (await own.call(method, `/api/${path}`, { headers: reader.headers, ...(body !== undefined && { body }) })).body.data;
    const board = await ask('POST', 'boards', { name: 'Traffic' });
    const countOf = async (tile: string, by: string) => {
      const query = `groupBy=app&days=30&${tile}`;
      const { id } = await ask('POST', 'dashboard/tiles', { board_id: board.id, shape: 'figure', measure: 'requests', name: tile, query });
      const read = async () => {
        const path = `dashboard?board=${board.id}&id[]=${id}&filters=${encodeURIComponent(by)}`;
        return getDashboard.answer.schema.parse(await ask('GET', path));
      };
      await expect.poll(async () => (await read()).tiles.map(({ state }) => state), soon).not.toContain('pending');
      return totals(await read())[0];
    };
    const counts = [
      ['type=create', 'type=error', 2],
      ['type=create,error', 'type=create,receive', 4],
      ['type=receive', 'type=error,create', 1],
      ['type=create', 'type=receive', tileMessages.excluded],
      ['bot=L1', 'bot=blocking', 2],
      ['bot=CF', 'bot=L1', 1],
      ['bot=CF,L1', 'bot=L1,NEW', 3],
      ['bot=CF,L1', 'bot=none', 0],
      [`buyerId=${one}`, `buyerId=${two}`, 7],
      [`buyerId=${one}&bot=CF`, `buyerId=${two}&bot=L1`, 1],
    ] as const;
    for (const [tile, by, expected] of counts) {
      const name = `${tile} within ${by}`;
      expect({ name, count: await countOf(tile, by) }).toEqual({ name, count: expected });
      expect({ name, count: await countOf(by, tile) }).toEqual({ name, count: expected });
      if (typeof expected === 'string') continue;
      const path = `reports?groupBy=app&days=30&${tile}&within[]=${encodeURIComponent(by)}`;
      expect({ name, count: (await ask('GET', path)).totals.current.requests }).toEqual({ name, count: expected });
    }
    for (const within of ['geo=DE', 'type=moon']) {
      const rejected = await own.call('GET', `/api/reports?within[]=${encodeURIComponent(within)}`, { headers: reader.headers });
      expect([rejected.status, rejected.body.errors]).toEqual([422, { within: [reportMessages.within] }]);
    }
    await own.app.close();
  });

  it('[DASH-015] say which readers see which tiles not, and show those nothing of them', async () => {
    const [owner, mate] = [await person(), await person()];
    const blind = await signInAs(databases, { permissions: ['manager_app_edit'], since: startsAt });
    const role = await roleOf(owner);
    const board = await createBoard(owner);
    const hidden = await pin(owner, board, { view_id: await saveView(owner, { name: 'Secret plan' }) });
    const seen = await pin(owner, board, { view_id: await saveView(owner, { sharing: 'everyone' }) });
    const ofRole = await pin(owner, board, { view_id: await saveView(owner, { sharing: 'roles', role_ids: [role] }) });
    const own = await pinOwn(owner, board);
    const body = { account_ids: [mate.accountId, blind.accountId], role_ids: [role], read_version: 1 };
    const { unseen } = (await call(owner, 'PUT', `boards/${board.id}`, body)).body.data;
    const nameOf = async ({ accountId }: SignedIn) =>
      (await databases.db.selectFrom('accounts').select('name').where('id', '=', accountId).executeTakeFirstOrThrow()).name;
    const [mateName, blindName] = [await nameOf(mate), await nameOf(blind)];
    expect(unseen).toHaveLength(4);
    expect(unseen).toEqual(
      expect.arrayContaining([
        { tile_id: null, reader: blindName },
        { tile_id: hidden, reader: mateName },
        { tile_id: ofRole, reader: mateName },
      ]),
    );
    expect((await open(owner, board)).unseen).toEqual(unseen);
    const shown = await open(mate, board);
    expect(shown.unseen).toEqual([]);
    expect(shown.tiles.map(({ id, state, view }) => [id, state, view === null])).toEqual([
      [hidden, 'denied', true],
      [seen, 'ready', false],
      [ofRole, 'denied', true],
      [own, 'ready', false],
    ]);
    expect(JSON.stringify(shown)).not.toContain('Secret plan');
    expect((await call(blind, 'GET', `dashboard?board=${board.id}`)).status).toBe(403);
    expect((await call(owner, 'PUT', `dashboard/tiles/${own}`, { role_ids: [role] })).body.errors).toEqual({
      role_ids: [tileMessages.boardRoles],
    });
  });

  it('[DASH-013] of which others see a tile that ends with its view have it in the audit trail', async () => {
    const [owner, mate] = [await person(), await person()];
    const view = await saveView(owner, { name: 'Shared plan', sharing: 'everyone' });
    const boards = [
      await createBoard(owner, { account_ids: [mate.accountId] }),
      await createBoard(mate, { role_ids: [await roleOf(mate)] }),
      await createBoard(owner),
    ];
    const tiles = [];
    for (const board of boards) tiles.push(await pin(board.owner.id === mate.accountId ? mate : owner, board, { view_id: view }));
    expect((await call(owner, 'DELETE', `views/${view}`)).status).toBe(204);
    const { rows } = await databases.pools.ops.query(
      `select entity_id, entity_label from audit_entries where entity = 'dashboard_tile' and action = 'delete' and entity_id = any($1)
       order by id`,
      [tiles.map(String)],
    );
    expect(rows).toEqual(tiles.slice(0, 2).map((id) => ({ entity_id: String(id), entity_label: 'Shared plan' })));
  });

  it('[IDN-137] of which a tile shows a private view do not name it in the audit trail', async () => {
    const [owner, reader] = [await person(), await person()];
    const board = await createBoard(owner, { account_ids: [reader.accountId] });
    const view_id = await saveView(owner, { name: 'Redundancy plan' });
    const [tile, other] = [await pin(owner, board, { view_id }), await pin(owner, board, { view_id })];
    expect((await call(owner, 'PUT', `dashboard/tiles/${tile}`, { shape: 'table' })).status).toBe(200);
    expect((await call(owner, 'DELETE', `dashboard/tiles/${tile}`)).status).toBe(204);
    expect((await call(owner, 'DELETE', `views/${view_id}`)).status).toBe(204);
    const { rows } = await databases.pools.ops.query(
      `select action, entity_label as label from audit_entries where entity = 'dashboard_tile' and entity_id = any($1) order by id`,
      [[String(tile), String(other)]],
    );
    expect(rows.map(({ action, label }) => [action, label])).toEqual(
      ['create', 'create', 'update', 'delete', 'delete'].map((action) => [action, null]),
    );
  });

  it('[DASH-016] are arranged and hidden by each reader alone, who begins with the layout of the owner', async () => {
    const [owner, mate] = [await person(), await person()];
    const board = await createBoard(owner, { account_ids: [mate.accountId] });
    const tile = await pinOwn(owner, board);
    const place = { of: tile, x: 3, y: 0, w: 4, h: 5, is_hidden: false };
    const layOut = async (as: Caller, places: object[], read_version: number) =>
      call(as, 'PUT', 'dashboard/layout', { places, read_version, board_id: board.id });
    expect((await layOut(owner, [place], 0)).status).toBe(200);
    expect(await open(mate, board)).toMatchObject({ places: [place], version: 0 });
    expect((await layOut(mate, [{ ...place, is_hidden: true }], 0)).status).toBe(200);
    expect((await layOut(mate, [place], 0)).status).toBe(409);
    expect((await open(mate, board)).tiles).toMatchObject([{ state: 'hidden', report: null }]);
    expect(await open(owner, board)).toMatchObject({ places: [place], version: 1, tiles: [{ state: 'ready' }] });
    // Home keeps a layout of its own.
    expect((await call(owner, 'GET', 'dashboard')).body.data).toMatchObject({ is_start: true, version: 0 });
  });

  it('[DASH-017] are open to API tokens where they are shared, and to no view as a role or an account', async () => {
    const owner = await person();
    const admin = await signInAs(databases, { role: 'Super Admin', since: startsAt });
    const [shared, own] = [
      await createBoard(owner, { name: 'Shared', role_ids: [await roleOf(owner)] }),
      await createBoard(owner, { name: 'Own' }),
    ];
    await pinOwn(owner, shared);
    const token = await makeApiToken(databases, {
      ownerId: owner.accountId,
      permissions: ['manager_app_statistics'],
      apps: [apps[0]?.id ?? 0],
    });
    expect(await namesOf(token)).toEqual(['Shared']);
    expect(totals(await open(token, shared))).toEqual([12]);
    expect((await call(token, 'GET', `dashboard?board=${own.id}`)).status).toBe(404);
    expect((await call(token, 'PUT', `boards/${shared.id}`, { name: 'A', read_version: 1 })).status).toBe(403);
    for (const viewed of [`roles/${await roleOf(owner)}`, `users/${owner.accountId}`]) {
      const { body } = await call(admin, 'POST', `${viewed}/view-as`, {});
      const viewing = { headers: { authorization: `Bearer ${body.data.token.accessToken}` } };
      expect(await namesOf(viewing)).toEqual([]);
      expect((await call(viewing, 'GET', `dashboard?board=${shared.id}`)).status).toBe(404);
      expect((await call(viewing, 'POST', 'boards', { name: 'A' })).status).toBe(403);
    }
  });

  it('[DASH-018, LEAVE-003] are handed over with their tiles and layout, or end, and their readers hear of it', async () => {
    const [owner, heir, mate] = [await person(), await person(), await person()];
    const admin = await signInAs(databases, { role: 'Super Admin', since: startsAt });
    const [board, own] = [
      await createBoard(owner, { account_ids: [mate.accountId, heir.accountId] }),
      await createBoard(owner, { name: 'Own' }),
    ];
    const tile = await pinOwn(owner, board);
    await call(owner, 'PUT', 'dashboard/layout', {
      places: [{ of: tile, x: 6, y: 0, w: 6, h: 5, is_hidden: false }],
      read_version: 0,
      board_id: board.id,
    });
    await call(heir, 'PUT', 'dashboard/layout', { places: [], read_version: 0, board_id: board.id });
    const belongings = (await call(admin, 'GET', `users/${owner.accountId}/belongings`)).body.data;
    expect([belongings.boards, belongings.private_tiles]).toEqual([[{ id: board.id, name: 'Traffic' }], 0]);
    expect((await call(admin, 'DELETE', `users/${owner.accountId}`, { handOverTo: { boards: heir.accountId } })).status).toBe(204);
    expect(await open(heir, board)).toMatchObject({
      board: { is_own: true, accounts: [{ id: mate.accountId }] },
      tiles: [{ id: tile, is_own: true }],
      places: [{ of: tile, x: 6 }],
    });
    expect((await open(mate, board)).tiles).toMatchObject([{ id: tile, is_own: false, owner: { id: heir.accountId } }]);
    expect((await databases.pools.ops.query('select from boards where id = $1', [own.id])).rowCount).toBe(0);
    expect((await call(admin, 'DELETE', `users/${heir.accountId}`)).status).toBe(204);
    expect((await call(mate, 'GET', `dashboard?board=${board.id}`)).status).toBe(404);
    expect((await call(mate, 'GET', 'losses')).body.data).toMatchObject([{ kind: 'board', name: 'Traffic' }]);
    expect((await trail(board.id)).map(({ action }) => action)).toEqual(['create', 'update', 'delete']);
  });
});
