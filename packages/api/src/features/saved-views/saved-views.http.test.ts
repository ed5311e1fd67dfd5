import { viewLimits, viewMessages, type SavedView } from '@switchyard/contract/saved-views';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let owner: SignedIn;
let mate: SignedIn;
let stranger: SignedIn;
let admin: SignedIn;
let roleId: number;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  const since = api.now();
  const permissions = ['manager_app_all_requests', 'manager_app_edit'] as const;
  [owner, mate, stranger, admin] = [
    await signInAs(databases, { permissions, since }),
    await signInAs(databases, { permissions, since }),
    await signInAs(databases, { permissions, since }),
    await signInAs(databases, { role: 'Super Admin', since }),
  ];
  roleId = await roleOf(owner);
  const sharedView = { account_id: mate.accountId, role_id: roleId, panel: 'user' } as const;
  await databases.db.insertInto('account_roles').values(sharedView).execute();
  return async () => api.app.close();
});

async function roleOf({ accountId }: SignedIn): Promise<number> {
  const { db } = databases;
  const row = await db.selectFrom('account_roles').select('role_id').where('account_id', '=', accountId).executeTakeFirstOrThrow();
  return row.role_id;
}

let viewCount = 0;
const columns = { hidden: ['stream'], shown: ['asn'], widths: { ip: 200 } };
const fields = (more: object = {}) => ({
  list: 'requests',
  name: `View ${(viewCount += 1)}`,
  query: 'type=error&geo=DE',
  columns,
  ...more,
});
const save = async (as: SignedIn, more: object = {}) => api.call('POST', '/api/views', { ...as, body: fields(more) });
const change = async (as: SignedIn, id: number, body: object) => api.call('PUT', `/api/views/${id}`, { ...as, body });
const remove = async (as: SignedIn, id: number) => api.call('DELETE', `/api/views/${id}`, as);
async function idOf(saving: ReturnType<typeof save>): Promise<number> {
  return (await saving).body.data.id;
}
async function listViews(as: SignedIn, list = 'requests'): Promise<SavedView[]> {
  return (await api.call('GET', `/api/views?list=${list}`, as)).body.data.views;
}
const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
const sees = async (as: SignedIn, id: number) => (await listViews(as)).some((view) => view.id === id);
const trail = async (id: number) =>
  databases.db
    .selectFrom('audit_entries')
    .select(['action', 'entity_label'])
    .where('entity', '=', 'saved_view')
    .where('entity_id', '=', String(id))
    .orderBy('id')
    .execute();

describe('saved views', () => {
  it('[VIEW-001] keeps name, query, columns and widths of a list, for its owner alone', async () => {
    const { status, body } = await save(owner, { name: ' Errors ' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ list: 'requests', name: 'Errors', query: 'type=error&geo=DE', columns, sharing: 'private' });
    expect(body.data).toMatchObject({ role_ids: [], is_own: true, is_default: false, owner: { id: owner.accountId } });
    expect((await listViews(owner)).map(({ id }) => id)).toContain(body.data.id);
    expect(await listViews(owner, 'apps')).toEqual([]);
    for (const other of [mate, stranger, admin]) expect(await sees(other, body.data.id)).toBe(false);
    expect((await change(admin, body.data.id, { name: 'Mine' })).status).toBe(404);
    expect(await trail(body.data.id)).toEqual([]);
  });

  it('[VIEW-001] keeps optional columns, of which a view has none where it does not name them', async () => {
    const without = { hidden: ['stream'], widths: {} };
    const id = await idOf(save(owner, { columns: without }));
    const read = async () => (await listViews(owner)).find((view) => view.id === id)?.columns;
    expect(await read()).toEqual({ ...without, shown: [] });
    await change(owner, id, { columns });
    expect(await read()).toEqual(columns);
    // As the release before stored it.
    await databases.pools.ops.query(`update saved_views set columns = $2 where id = $1`, [id, JSON.stringify(without)]);
    expect(await read()).toEqual({ ...without, shown: [] });
  });

  it('[VIEW-002] shares with roles or everyone, and only with readers who may open the list', async () => {
    const id = await idOf(save(owner, { sharing: 'roles', role_ids: [roleId, roleId] }));
    expect([await sees(mate, id), await sees(stranger, id)]).toEqual([true, false]);
    const { body } = await change(owner, id, { sharing: 'everyone' });
    expect(body.data.role_ids).toEqual([]);
    expect((await listViews(stranger)).find((view) => view.id === id)).toMatchObject({ is_own: false, name: body.data.name });
    const outsider = await signInAs(databases, { permissions: ['manager_dev_logs'], since: api.now() });
    expect(await sees(outsider, id)).toBe(false);
    expect((await api.call('GET', '/api/views', outsider)).body.data.views).toEqual([]);
    expect((await save(outsider)).status).toBe(403);
    const buyer = await signInAs(databases, { role: 'Buyer', panel: 'buyer', since: api.now() });
    expect((await api.call('GET', '/api/views', buyer)).body.data.views).toEqual([]);
  });

  it('[VIEW-002] shares only with roles that the owner holds, a Super Admin with any of staff', async () => {
    const foreign = await roleOf(stranger);
    expect((await save(owner, { sharing: 'roles', role_ids: [foreign] })).body.errors).toEqual({ role_ids: [viewMessages.foreignRole] });
    expect((await save(owner, { sharing: 'roles' })).body.errors).toEqual({ role_ids: [viewMessages.missingRoles] });
    expect((await api.call('GET', '/api/views', owner)).body.data.roles.map(({ id }: { id: number }) => id)).toEqual([roleId]);
    expect(await sees(stranger, await idOf(save(admin, { sharing: 'roles', role_ids: [foreign] })))).toBe(true);
    const buyerRole = 5;
    expect((await save(admin, { sharing: 'roles', role_ids: [buyerRole] })).status).toBe(422);
  });

  it('[VIEW-003] lets the owner rename, overwrite and delete; a Super Admin may do so with shared ones', async () => {
    const id = await idOf(save(owner, { sharing: 'everyone', name: 'Shared' }));
    expect((await change(mate, id, { name: 'Taken over' })).status).toBe(403);
    expect((await remove(mate, id)).status).toBe(403);
    expect((await change(owner, id, { name: 'Renamed', query: 'geo=AT' })).body.data).toMatchObject({ name: 'Renamed', query: 'geo=AT' });
    expect((await remove(admin, id)).status).toBe(204);
    expect((await remove(owner, id)).status).toBe(404);
    expect(await trail(id)).toEqual([
      { action: 'create', entity_label: 'Shared' },
      { action: 'update', entity_label: 'Renamed' },
      { action: 'delete', entity_label: 'Renamed' },
    ]);
  });

  it('[IDN-122] records all fields of a private view when it is shared, and nothing while it is private', async () => {
    const id = await idOf(save(owner, { name: 'Draft' }));
    await change(owner, id, { name: 'Plan' });
    expect(await trail(id)).toEqual([]);
    await change(owner, id, { sharing: 'everyone' });
    expect(await trail(id)).toEqual([{ action: 'update', entity_label: 'Plan' }]);
    const query = `select changes from audit_entries where entity = 'saved_view' and entity_id = $1 order by id`;
    const changes = async () => (await databases.pools.ops.query(query, [String(id)])).rows.map((row) => row.changes);
    expect((await changes())[0]).toEqual(
      expect.arrayContaining([
        { field: 'sharing', from: 'private', to: 'everyone' },
        { field: 'name', from: null, to: 'Plan' },
        { field: 'query', from: null, to: 'type=error&geo=DE' },
      ]),
    );
    await change(owner, id, { sharing: 'private', query: 'geo=XX' });
    expect((await changes())[1]).toEqual([{ field: 'sharing', from: 'everyone', to: 'private' }]);
    await change(owner, id, { query: 'geo=YY' });
    expect(await changes()).toHaveLength(2);
  });

  it('[IDN-137] records the change that makes a view private under its former name', async () => {
    const id = await idOf(save(owner, { name: 'Weekly', sharing: 'everyone' }));
    expect((await change(owner, id, { sharing: 'private', name: 'Redundancy plan' })).status).toBe(200);
    expect((await trail(id)).at(-1)).toEqual({ action: 'update', entity_label: 'Weekly' });
    const { rows } = await databases.pools.ops.query(`select from audit_entries where to_jsonb(audit_entries)::text like '%Redundancy%'`);
    expect(rows).toEqual([]);
  });

  it('[VIEW-003] rejects a second view of the same name, list and owner, and a 201st view', async () => {
    await save(mate, { name: 'Night shift' });
    expect((await save(mate, { name: 'NIGHT shift' })).body.errors).toEqual({ name: [viewMessages.taken] });
    expect((await save(mate, { name: 'Night shift', list: 'apps', query: '' })).status).toBe(201);
    await databases.pools.ops.query(
      `insert into saved_views (owner_id, list, name, query, columns)
        select $1, 'requests', 'n' || n, '', '{"hidden":[],"widths":{}}' from generate_series(1, $2) as n`,
      [stranger.accountId, viewLimits.perAccount - 1],
    );
    const answers = await Promise.all([save(stranger), save(stranger), save(stranger)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422]);
  });

  it('[VIEW-012] lets the second of two changes at once begin with what the first one left', async () => {
    const id = await idOf(save(owner, { sharing: 'everyone' }));
    const other = await databases.pools.ops.connect();
    try {
      await other.query('begin');
      await other.query(`update saved_views set sharing = 'private' where id = $1`, [id]);
      const changing = change(owner, id, { query: 'geo=FR' });
      await expect.poll(async () => (await databases.pools.ui.query(waiting)).rowCount, soon).toBe(1);
      await other.query('commit');
      expect((await changing).body.data).toMatchObject({ sharing: 'private', query: 'geo=FR' });
      expect(await sees(mate, id)).toBe(false);
    } finally {
      other.release(true);
    }
  });

  it('[VIEW-003] counts the views of an owner one write after the other', async () => {
    const writer = await signInAs(databases, { permissions: ['manager_app_all_requests'], since: api.now() });
    const insert = `insert into saved_views (owner_id, list, name, query, columns)
      select $1, 'requests', $2::text || n, '', '{"hidden":[],"widths":{}}' from generate_series(1, $3) as n`;
    await databases.pools.ops.query(insert, [writer.accountId, 'old', viewLimits.perAccount - 1]);
    const other = await databases.pools.ops.connect();
    try {
      await other.query('begin');
      await other.query('select from accounts where id = $1 for no key update', [writer.accountId]);
      const saving = save(writer);
      await expect.poll(async () => (await databases.pools.ui.query(waiting)).rowCount, soon).toBe(1);
      await other.query(insert, [writer.accountId, 'new', 1]);
      await other.query('commit');
      expect((await saving).body.errors).toEqual({ name: [viewMessages.tooMany] });
    } finally {
      other.release(true);
    }
  });

  it('[VIEW-002] lists the own ones first, then by name, and none of a deleted owner', async () => {
    const permissions = ['manager_app_all_requests'] as const;
    const [one, other] = [await signInAs(databases, { permissions }), await signInAs(databases, { permissions })];
    const sharedId = await idOf(save(other, { sharing: 'everyone', name: 'alpha' }));
    const [second, first] = [await idOf(save(one, { name: 'Omega' })), await idOf(save(one, { name: 'beta' }))];
    expect((await listViews(one)).map(({ id }) => id).filter((id) => [sharedId, first, second].includes(id))).toEqual([
      first,
      second,
      sharedId,
    ]);
    await databases.db.updateTable('accounts').set({ deleted_at: api.now() }).where('id', '=', other.accountId).execute();
    expect([await sees(one, sharedId), await sees(one, first)]).toEqual([false, true]);
  });

  it('[VIEW-004] opens a list with the view that its reader chose, until it is deleted or no longer shared', async () => {
    const id = await idOf(save(owner, { sharing: 'everyone' }));
    const choose = async (body: object) => api.call('PUT', '/api/views/default', { ...mate, body });
    const isDefault = async (as: SignedIn) => (await listViews(as)).filter((view) => view.is_default).map((view) => view.id);
    expect((await choose({ list: 'requests', id })).status).toBe(204);
    expect([await isDefault(mate), await isDefault(owner)]).toEqual([[id], []]);
    await change(owner, id, { sharing: 'private' });
    expect(await isDefault(mate)).toEqual([]);
    expect((await choose({ list: 'requests', id })).body.errors).toEqual({ id: [`The id field contains an unknown id: ${id}.`] });
    expect((await choose({ list: 'apps', id })).status).toBe(422);
    expect((await choose({ list: 'requests', id: null })).status).toBe(204);
    await remove(owner, id);
  });
});

describe('parameters that a list does not have', () => {
  it('[VIEW-010] are rejected by name in views, schedules and tiles; views that were stored earlier stay', async () => {
    const unknown = { serach: ['Unknown parameter.'] };
    const created = await save(admin, { list: 'apps', query: 'serach=lucky&page=2&limit=50&orderBy=keyId&cursor=x' });
    expect([created.status, created.body.errors]).toEqual([422, unknown]);
    // A view of a report keeps its chart, too.
    const query = 'groupBy=day&chart=payout&mode=stacked';
    const id = await idOf(save(admin, { list: 'reports', query }));
    expect((await change(admin, id, { query: 'serach=lucky' })).body.errors).toEqual(unknown);
    await databases.db
      .updateTable('saved_views')
      .set({ query: `${query}&serach=lucky` })
      .where('id', '=', id)
      .execute();
    const renamed = await change(admin, id, { name: 'Renamed report', query: `${query}&serach=lucky` });
    expect([renamed.status, renamed.body.data.name]).toEqual([200, 'Renamed report']);
    const tile = { view_id: id, shape: 'figure', measure: 'requests' };
    expect((await api.call('POST', '/api/dashboard/tiles', { ...admin, body: tile })).body.errors).toEqual(unknown);
  });
});
