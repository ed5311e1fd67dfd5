import { permissionCatalogue } from '@switchyard/contract/permissions';
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type Account, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let superAdmin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  superAdmin = await signIn({ role: 'Super Admin' });
  return async () => api.app.close();
});

const signIn = async (account: Account) => signInAs(databases, { since: api.now(), ...account });
const newName = () => `Role ${randomBytes(4).toString('hex')}`;
const put = async (id: number, body: object, who: Pick<SignedIn, 'headers'> = superAdmin, ifMatch?: string) =>
  api.call('PUT', `/api/roles/${id}`, { headers: { ...who.headers, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) }, body });
const createRole = async (permissionIds: number[], panel = 'manager') =>
  (await api.call('POST', '/api/roles', { ...superAdmin, body: { name: newName(), permission_ids: permissionIds, panel } })).body.data;
const readRole = async (id: number) => (await api.call('GET', `/api/roles/${id}`, superAdmin)).body.data;
const ownRole = async ({ accountId }: SignedIn) =>
  (await databases.db.selectFrom('account_roles').select('role_id').where('account_id', '=', accountId).executeTakeFirstOrThrow()).role_id;
const grant = async ({ accountId }: SignedIn, roleId: number) =>
  databases.db.insertInto('account_roles').values({ account_id: accountId, role_id: roleId, panel: 'user' }).execute();
const summaryOf = ({ status, body }: { status: number; body: { message?: string; errors?: unknown } }) => [
  status,
  body.errors ?? body.message,
];
const trail = async (id: number) =>
  databases.db
    .selectFrom('audit_entries')
    .select(['action', 'changes'])
    .where('entity', '=', 'role')
    .where('entity_id', '=', String(id))
    .orderBy('id')
    .execute();

describe('changing roles', () => {
  it('[ROLE-026] writes name and permissions, label and badge after the name, one version and one row of the trail', async () => {
    const role = await createRole([3, 6]);
    const name = newName();
    const { status, headers, body } = await put(role.id, { name, permission_ids: [22, 6] });
    expect([status, headers['etag']]).toEqual([200, '"v2"']);
    expect(body.data).toMatchObject({ name, label: name, permission_ids: [6, 22], version: 2, created_at: role.created_at });
    expect(body.data).toEqual(await readRole(role.id));
    expect((await trail(role.id)).slice(1)).toEqual([
      {
        action: 'update',
        changes: [
          { field: 'name', from: role.name, to: name },
          { field: 'permission_ids', from: [3, 6], to: [6, 22] },
        ],
      },
    ]);
  });

  it('what changes nothing keeps the version and leaves no trace', async () => {
    const role = await createRole([3, 6]);
    for (const body of [{}, { name: ` ${role.name} ` }, { permission_ids: [6, 3, 6] }]) {
      const answer = await put(role.id, body);
      expect([answer.status, answer.headers['etag'], answer.body.data]).toEqual([200, '"v1"', role]);
    }
    expect(await trail(role.id)).toHaveLength(1);
  });

  it('keeps what somebody else wrote meanwhile', async () => {
    const role = await createRole([3]);
    await put(role.id, { permission_ids: [3, 6] }, superAdmin, '"v1"');
    const late = await put(role.id, { permission_ids: [3, 8] }, superAdmin, '"v1"');
    expect([late.status, late.body]).toEqual([
      412,
      { success: false, message: 'Changed by someone else', data: { current: await readRole(role.id) } },
    ]);
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => put(role.id, { name: newName() }, superAdmin, index % 2 ? '"v2"' : 'W/"v2"')),
    );
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(412)]);
    expect((await put(role.id, { permission_ids: [9] }, superAdmin, '*')).status).toBe(200);
  });

  it('[PERM-002] permissions take effect with the next request of an account that holds the role, and so does their removal', async () => {
    const holder = await signIn({ permissions: [] });
    const role = await createRole([3]);
    await grant(holder, role.id);
    const list = async () => (await api.call('GET', '/api/apps', holder)).status;
    expect(await list()).toBe(200);
    await put(role.id, { permission_ids: [21] });
    expect(await list()).toBe(403);
    expect((await api.call('GET', '/api/sanctum/user', holder)).body.data.permissions).toEqual(['manager_settings_asns']);
    await put(role.id, { permission_ids: [7] });
    expect(await list()).toBe(200);
  });

  it('[ERR-015] rejects in the order of the contract: shape, missing role, role above the caller, version, values, own permissions', async () => {
    const editor = await signIn({ permissions: ['manager_settings_roles', 'manager_app_edit'] });
    const { id } = await createRole([3]);
    const above = await createRole([3, 6]);
    const bad = { name: 'super admin', permission_ids: [3, 23] };
    expect(summaryOf(await put(99_999, { ...bad, panel: 'user' }, editor))).toEqual([422, { panel: ['Unknown field.'] }]);
    expect(summaryOf(await put(above.id, { permission_ids: [] }, editor))).toEqual([
      422,
      { permission_ids: ['Choose at least one permission.'] },
    ]);
    expect(summaryOf(await put(99_999, bad, editor))).toEqual([404, 'Not found']);
    expect(summaryOf(await put(above.id, bad, editor, '"v9"'))).toEqual([403, 'You cannot grant permissions you do not have']);
    expect(summaryOf(await put(id, bad, editor, '"v9"'))).toEqual([412, 'Changed by someone else']);
    expect(summaryOf(await put(id, { name: 'super admin', permission_ids: [6, 23] }, editor))).toEqual([
      422,
      { name: ['The role name is already used.'], permission_ids: ['The permission_ids field contains an unknown id: 23.'] },
    ]);
    expect(summaryOf(await put(id, { permission_ids: [3, 6] }, editor))).toEqual([403, 'You cannot grant permissions you do not have']);
    expect(summaryOf(await put(id, { name: '' }, editor))).toEqual([422, { name: ['The name field is required.'] }]);
    expect(await readRole(id)).toMatchObject({ permission_ids: [3], version: 1 });
    expect((await put(id, { permission_ids: [12] }, editor)).status).toBe(200);
  });

  it('[PERM-053] a caller who lacks any one staff permission can neither add it to a role nor rename a role that has it', async () => {
    const staff = permissionCatalogue.filter(({ panel }) => panel === 'user');
    for (const lacking of staff.filter(({ label }) => label !== 'manager_settings_roles')) {
      const editor = await signIn({ permissions: staff.filter(({ id }) => id !== lacking.id).map(({ label }) => label) });
      const [open, closedRole] = [await createRole([12]), await createRole([lacking.id])];
      const grants = await put(open.id, { permission_ids: [12, lacking.id] }, editor);
      const renames = await put(closedRole.id, { name: newName() }, editor);
      expect([lacking.label, grants.status, renames.status]).toEqual([lacking.label, 403, 403]);
    }
  });

  it('[PERM-052] the Super Admin role keeps its permissions; super admins alone may rename it', async () => {
    const admin = await signIn({ permissions: permissionCatalogue.filter(({ panel }) => panel === 'user').map(({ label }) => label) });
    expect(summaryOf(await put(1, { name: newName() }, admin))).toEqual([403, 'Only a super admin can change a super admin']);
    for (const permission_ids of [[3], [1, 2, 23]])
      expect(summaryOf(await put(1, { permission_ids }))).toEqual([409, 'The Super Admin role always holds all permissions']);
    const all = permissionCatalogue.filter(({ panel }) => panel === 'user').map(({ id }) => id);
    const renaming = await put(1, { name: 'Root', permission_ids: all });
    expect(renaming.body.data).toMatchObject({ name: 'Root', label: 'Super Admin', badge: 'S', permission_ids: all });
    expect((await put(1, { name: 'Super Admin' })).status).toBe(200);
  });

  it('nobody can remove their own last access to roles; another role of theirs may keep it', async () => {
    const editor = await signIn({ permissions: ['manager_settings_roles', 'manager_app_edit'] });
    const own = await ownRole(editor);
    expect(summaryOf(await put(own, { permission_ids: [3] }, editor))).toEqual([
      422,
      { permission_ids: ['You cannot remove your own access to roles'] },
    ]);
    await grant(editor, (await createRole([12])).id);
    expect((await put(own, { permission_ids: [3] }, editor)).status).toBe(200);
  });

  it('a caller who lost the permissions during the request changes nothing any more', async () => {
    const editor = await signIn({ permissions: ['manager_settings_roles', 'manager_app_edit'] });
    const own = await ownRole(editor);
    const target = await createRole([3]);
    let running: ReturnType<typeof put> | undefined;
    await databases.db.transaction().execute(async (tx) => {
      await tx.updateTable('roles').set({ name: newName() }).where('id', '=', own).execute();
      running = put(target.id, { name: newName() }, editor);
      await waitUntilBlocked();
      await tx.deleteFrom('role_permissions').where('role_id', '=', own).execute();
    });
    const answer = (await running) ?? { status: 0, body: {} };
    expect(summaryOf(answer)).toEqual([403, 'You have no permission for this action']);
  });

  async function waitUntilBlocked(): Promise<void> {
    await expect
      .poll(async () => {
        // The databases of other tests have the same table under the same number.
        const { rows } = await databases.pools.ops.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_locks join pg_database on pg_database.oid = database
           where datname = current_database() and relation = 'roles'::regclass and not granted`,
        );
        return rows[0]?.waiting;
      }, soon)
      .toBe(1);
  }
});
