import { permissionCatalogue, seededRoles } from '@switchyard/contract/permissions';
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type Account, type SignedIn } from '../../../test/sign-in-as.ts';
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
const create = async (body: object, who = superAdmin) => api.call('POST', '/api/roles', { headers: who.headers, body });
const get = async (path: string, who = superAdmin) => api.call('GET', `/api/${path}`, { headers: who.headers });
const put = async (id: number, body: object, { headers }: Pick<SignedIn, 'headers'> = superAdmin, ifMatch?: string) =>
  api.call('PUT', `/api/roles/${id}`, { headers: { ...headers, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) }, body });
const createRole = async (permissionIds: number[], panel = 'manager') =>
  (await create({ name: newName(), permission_ids: permissionIds, panel })).body.data;
const trail = async (id: number) =>
  databases.db
    .selectFrom('audit_entries')
    .select(['action', 'actor_id', 'entity_label', 'changes'])
    .where('entity', '=', 'role')
    .where('entity_id', '=', String(id))
    .orderBy('id')
    .execute();
const errorsOf = (answer: { body: { errors?: unknown } }) => answer.body.errors;

describe('reading roles', () => {
  it('[ENT-029, ROLE-027, PERM-058] lists the roles of both panels by id with every key', async () => {
    const reader = await signIn({ permissions: ['manager_settings_roles', 'manager_app_edit'] });
    const { status, body } = await get('roles', reader);
    expect(status).toBe(200);
    const ids: number[] = body.data.map((role: { id: number }) => role.id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(body.data.slice(0, 7).map((role: { name: string; badge: string }) => [role.name, role.badge])).toEqual(
      seededRoles.map((role) => [role.name, role.badge]),
    );
    expect(body.data[2]).toEqual({
      id: 3,
      name: 'App Manager',
      label: 'App Manager',
      badge: 'M',
      panel: 'user',
      is_system: true,
      read_only: true,
      users_count: expect.any(Number),
      permissions: expect.arrayContaining([
        { id: 2, label: 'manager_app_create', description: 'Create apps', panel: 'user', group: 'App' },
      ]),
      permission_ids: [1, 2, 3, 6, 8, 9, 14],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      version: 1,
    });
    expect(body.data.slice(0, 7).map((role: { read_only: boolean }) => role.read_only)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('[ROLE-016] gives one role with its etag, and 404 for none', async () => {
    const { status, headers, body } = await get('roles/1');
    const staff = permissionCatalogue.filter(({ panel }) => panel === 'user');
    expect([status, headers['etag'], body.data.read_only]).toEqual([200, `"v${body.data.version}"`, false]);
    expect(body.data.permission_ids).toEqual(staff.map(({ id }) => id));
    expect((await get('roles/99999')).status).toBe(404);
  });

  it('counts the accounts that hold a role, deleted ones left out', async () => {
    const { id } = await createRole([3]);
    const holders = await Promise.all([1, 2, 3].map(async () => signIn({})));
    for (const { accountId } of holders)
      await databases.db.insertInto('account_roles').values({ account_id: accountId, role_id: id, panel: 'user' }).execute();
    await databases.db
      .updateTable('accounts')
      .set({ deleted_at: new Date() })
      .where('id', '=', holders[0]?.accountId ?? 0)
      .execute();
    expect((await get(`roles/${id}`)).body.data.users_count).toBe(2);
  });

  it('[API-038, API-041, ENT-030, ROLE-029, PERM-058] lists permissions of both panels and of each, with what each is for', async () => {
    const ids = async (path: string) => (await get(path)).body.data.map((row: { id: number }) => row.id);
    const idsOf = (...panels: string[]) => permissionCatalogue.filter(({ panel }) => panels.includes(panel)).map(({ id }) => id);
    expect(await ids('roles/get-permission')).toEqual(idsOf('user', 'buyer'));
    expect(await ids('permissions/users/list')).toEqual(idsOf('user'));
    expect(await ids('permissions/buyers/list')).toEqual(idsOf('buyer'));
    for (const path of ['roles/get-permission', 'permissions/users/list']) {
      const [, second] = (await get(path)).body.data;
      expect(second).toEqual({ id: 2, label: 'manager_app_create', description: 'Create apps', panel: 'user', group: 'App' });
    }
  });

  it('[API-039, API-040, ROLE-027, ROLE-028] offers the roles of each panel and says which the caller may grant', async () => {
    const creator = await signIn({ role: 'App Manager' });
    const { body } = await get('roles/users/list', creator);
    expect(body.data[0]).toEqual({ id: 1, name: 'Super Admin', label: 'Super Admin', badge: 'S', panel: 'user', assignable: false });
    expect(body.data.slice(0, 4).map((role: { assignable: boolean }) => role.assignable)).toEqual([false, false, true, false]);
    const offeredRoles = (await get('roles/buyers/list', creator)).body.data;
    expect(offeredRoles.slice(0, 3).map((role: { id: number; assignable: boolean }) => [role.id, role.assignable])).toEqual([
      [5, true],
      [6, true],
      [7, true],
    ]);
    expect((await get('roles/users/list')).body.data.every((role: { assignable: boolean }) => role.assignable)).toBe(true);
  });
});

describe('creating roles', () => {
  it.each(['manager', 'user', 'buyer'])('[ROLE-025] makes a role of panel %s, with label and badge from its name', async (panel) => {
    const name = newName();
    const isBuyer = panel === 'buyer';
    const { status, headers, body } = await create({ name: `  ${name} `, permission_ids: isBuyer ? [29, 23, 29] : [22, 3, 22], panel });
    expect([status, headers['etag']]).toEqual([201, undefined]);
    const role = { name, label: name, badge: `R${name.charAt(5).toUpperCase()}`, panel: isBuyer ? 'buyer' : 'user' };
    expect(body.data).toMatchObject({
      ...role,
      is_system: false,
      read_only: false,
      users_count: 0,
      permission_ids: isBuyer ? [23, 29] : [3, 22],
      version: 1,
    });
    expect(await trail(body.data.id)).toEqual([
      {
        action: 'create',
        actor_id: superAdmin.accountId,
        entity_label: name,
        changes: [
          { field: 'panel', from: null, to: role.panel },
          { field: 'name', from: null, to: name },
          { field: 'permission_ids', from: null, to: isBuyer ? [23, 29] : [3, 22] },
        ],
      },
    ]);
  });

  it('names every bad field in one answer', async () => {
    expect(errorsOf(await create({}))).toEqual({
      name: ['The name field is required.'],
      permission_ids: ['The permission_ids field is required.'],
      panel: ['The panel field is required.'],
    });
    expect(errorsOf(await create({ name: ' \t ', permission_ids: [], panel: 'admin', label: 'x', id: 1 }))).toEqual({
      name: ['The name field is required.'],
      permission_ids: ['Choose at least one permission.'],
      panel: ['The selected panel is invalid.'],
      label: ['Unknown field.'],
      id: ['Unknown field.'],
    });
    expect(errorsOf(await create({ name: 'aDMIN', permission_ids: [3, 23], panel: 'user' }))).toEqual({
      name: ['The role name is already used.'],
      permission_ids: ['The permission_ids field contains an unknown id: 23.'],
    });
    expect(errorsOf(await create({ name: 'x'.repeat(101), permission_ids: ['3'], panel: 'user' }))).toEqual({
      name: ['The name field must not be longer than 100 characters.'],
      permission_ids: ['The permission_ids field contains an invalid value.'],
    });
    expect(errorsOf(await create({ name: 7, permission_ids: 3, panel: '' }))).toEqual({
      name: ['The name field must be of type string.'],
      permission_ids: ['The permission_ids field must be of type array.'],
      panel: ['The panel field is required.'],
    });
  });

  it('takes the name of a role of the other panel, but no label of its own', async () => {
    const name = newName();
    expect((await create({ name, permission_ids: [3], panel: 'user' })).status).toBe(201);
    expect((await create({ name, permission_ids: [23], panel: 'buyer' })).status).toBe(201);
    expect(errorsOf(await create({ name: name.toUpperCase(), permission_ids: [3], panel: 'manager' }))).toEqual({
      name: ['The role name is already used.'],
    });
    const newRoleName = newName();
    expect((await put(4, { name: newRoleName })).body.data).toMatchObject({ name: newRoleName, label: 'Log Reviewer', badge: 'T' });
    expect(errorsOf(await create({ name: 'log reviewer', permission_ids: [3], panel: 'user' }))).toEqual({
      name: ['The role name is already used.'],
    });
    expect((await put(4, { name: 'Log Reviewer' })).status).toBe(200);
  });

  it('a letter that the database takes for another is no name of its own, and no defect', async () => {
    const tag = randomBytes(4).toString('hex');
    expect((await create({ name: `${tag} i`, permission_ids: [3], panel: 'user' })).status).toBe(201);
    expect([201, 422]).toContain((await create({ name: `${tag} İ`, permission_ids: [3], panel: 'user' })).status);
  });

  it('[PERM-053] rejects permissions that the creator lacks, but none of buyers', async () => {
    const creator = await signIn({ permissions: ['manager_settings_roles', 'manager_app_edit'] });
    const refusal = await create({ name: newName(), permission_ids: [3, 6], panel: 'user' }, creator);
    expect([refusal.status, refusal.body]).toEqual([403, { success: false, message: 'You cannot grant permissions you do not have' }]);
    expect((await create({ name: newName(), permission_ids: [3, 12], panel: 'user' }, creator)).status).toBe(201);
    expect((await create({ name: newName(), permission_ids: [23, 24], panel: 'buyer' }, creator)).status).toBe(201);
  });

  it('of the same request ten times at once one role is made', async () => {
    const name = newName();
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, index) =>
        create({ name: index % 2 ? name : name.toUpperCase(), permission_ids: [3], panel: 'user' }),
      ),
    );
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([201, ...Array(9).fill(422)]);
    for (const answer of answers.filter(({ status }) => status === 422))
      expect(errorsOf(answer)).toEqual({ name: ['The role name is already used.'] });
  });
});
