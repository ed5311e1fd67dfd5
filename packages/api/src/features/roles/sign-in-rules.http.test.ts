import { Secret, TOTP } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { makeApiToken, signInAs, type Account, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Databases } from '../../database/connect.ts';

let databases: Databases;
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T08:00:00Z'), demoIsOn: true });
  admin = await person({ role: 'Super Admin' });
  await addApp(admin);
  return () => api.app.close();
});

const person = async (account: Account = {}): Promise<SignedIn> => signInAs(databases, { since: api.now(), ...account });
const read = async ({ headers }: SignedIn = admin) => api.call('GET', '/api/sign-in-rules', { headers });
const save = async (body: object, { headers }: SignedIn = admin, more: Record<string, string> = {}) =>
  api.call('PUT', '/api/sign-in-rules', { headers: { ...headers, ...more }, body });
const roleIdOf = async ({ accountId }: SignedIn): Promise<number> =>
  (await databases.db.selectFrom('account_roles').select('role_id').where('account_id', '=', accountId).executeTakeFirstOrThrow()).role_id;
/** A call that everybody may make who needs no second factor first. */
const time = async ({ headers }: SignedIn) => api.call('GET', '/api/time', { headers });
const statuses = async (...people: readonly SignedIn[]) => Promise.all(people.map(async (who) => (await time(who)).status));

async function addApp({ headers }: SignedIn): Promise<number> {
  const { challenge, secret } = (await api.call('POST', '/api/sanctum/second-factors/totp', { headers, body: {} })).body.data;
  const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: api.now().getTime() });
  const body = { challenge, code, name: 'Phone' };
  return (await api.call('POST', '/api/sanctum/second-factors/totp/confirm', { headers, body })).body.data.factor.id;
}

describe('the sign-in rules', () => {
  it('[IDN-026] demand a second factor of the accounts with a role, from their next call until they have one', async () => {
    const [due, other] = [await person({ permissions: ['manager_user_edit'] }), await person()];
    const id = await roleIdOf(due);
    const before = (await read()).body.data;
    expect(before.roles.find((role: { id: number }) => role.id === id)).toMatchObject({ read_only: false, without_factor: 1 });
    expect((await save({ all_staff: false, role_ids: [id] })).body.data).toMatchObject({
      all_staff: false,
      role_ids: [id],
      own_factor: true,
    });
    const answer = await time(due);
    expect([answer.status, answer.body]).toEqual([
      403,
      { success: false, message: 'Set up a second factor first', data: { second_factor: 'set_up' } },
    ]);
    expect(await statuses(due, other)).toEqual([403, 200]);
    const own = async () => (await api.call('GET', '/api/sanctum/second-factors', due)).body.data;
    expect(await own()).toMatchObject({ factors: [], required: true });
    const factor = await addApp(due);
    expect(await statuses(due)).toEqual([200]);
    const removal = await api.call('DELETE', `/api/sanctum/second-factors/${factor}`, { headers: due.headers, body: {} });
    expect([removal.status, removal.body.message]).toEqual([
      409,
      'Your account must have a second factor. Add another one before you remove this one',
    ]);
    await save({ all_staff: false, role_ids: [] });
    expect((await api.call('DELETE', `/api/sanctum/second-factors/${factor}`, { headers: due.headers, body: {} })).status).toBe(204);
    expect(await statuses(due)).toEqual([200]);
  });

  it('[IDN-027] demand a second factor of all staff, but of no buyer and no demo account', async () => {
    const [staff, buyer, demo] = [await person(), await person({ panel: 'buyer' }), await person({ role: 'Admin', isDemo: true })];
    const before = (await read()).body.data;
    expect((await save({ all_staff: true, role_ids: [] })).status).toBe(200);
    expect(await statuses(staff, buyer, demo, admin)).toEqual([403, 200, 200, 200]);
    await save({ all_staff: true, role_ids: [await roleIdOf(buyer), await roleIdOf(demo)] });
    expect(await statuses(buyer, demo)).toEqual([403, 200]);
    await person({ hasAccess: false });
    expect((await read()).body.data.staff).toEqual({ read_only: false, without_factor: before.staff.without_factor });
    await save({ all_staff: false, role_ids: [] });
    expect(await statuses(staff, buyer)).toEqual([200, 200]);
  });

  it('[IDN-028] change with a recent sign-in only, over the version that was read, and are audited', async () => {
    const target = await roleIdOf(await person());
    const { version, role_ids: knownRoles } = (await read()).body.data;
    await databases.db.deleteFrom('audit_entries').execute();
    const stale = await save({ all_staff: false, role_ids: [target] }, admin, { 'if-match': `"v${version - 1}"` });
    expect([stale.status, stale.body.data.current.version]).toEqual([412, version]);
    expect((await save({ all_staff: false, role_ids: [999_999] })).body.errors).toEqual({
      role_ids: ['The role_ids field contains an unknown id: 999999.'],
    });
    expect((await save({ all_staff: false, role_ids: knownRoles })).body.data.version).toBe(version);
    const old = await person({ role: 'Super Admin', since: new Date(api.now().getTime() - 15 * 60_000) });
    expect((await save({ all_staff: false, role_ids: [target] }, old)).body.data.reauthentication).toEqual({ methods: [] });
    expect(await databases.db.selectFrom('audit_entries').select('id').execute()).toEqual([]);
    const saveAnswer = await save({ all_staff: true, role_ids: [target, target] }, admin, { 'if-match': `"v${version}"` });
    expect(saveAnswer.body.data).toMatchObject({ all_staff: true, role_ids: [target], version: version + 1 });
    const [entry] = await databases.db.selectFrom('audit_entries').selectAll().execute();
    const label = saveAnswer.body.data.roles.find((role: { id: number }) => role.id === target).label;
    expect(entry).toMatchObject({
      actor_id: admin.accountId,
      entity: 'second_factor',
      action: 'require',
      changes: [
        { field: 'all_staff', from: false, to: true },
        { field: 'roles', from: [], to: [label] },
      ],
    });
    await save({ all_staff: false, role_ids: [] });
  });

  it('[IDN-029] of roles and apps above the caller can neither be counted nor changed', async () => {
    const holder = await person({ permissions: ['manager_settings_roles'], apps: [] });
    const [own, above] = [await roleIdOf(holder), await roleIdOf(await person({ permissions: ['manager_user_edit'] }))];
    await addApp(holder);
    const rulesForHolder = (await read(holder)).body.data;
    const roleOf = (id: number) => rulesForHolder.roles.find((role: { id: number }) => role.id === id);
    expect(roleOf(above)).toMatchObject({ read_only: true, without_factor: null });
    expect(rulesForHolder.staff).toEqual({ read_only: true, without_factor: null });
    expect((await save({ all_staff: false, role_ids: [above] }, holder)).status).toBe(403);
    expect((await save({ all_staff: true, role_ids: [] }, holder)).status).toBe(403);
    expect((await save({ all_staff: false, role_ids: [own] }, holder)).status).toBe(200);
    // Settings of others stay unless they are changed.
    await save({ all_staff: false, role_ids: [own, above] });
    expect((await save({ all_staff: false, role_ids: [above] }, holder)).status).toBe(200);
    expect((await save({ all_staff: false, role_ids: [] }, holder)).status).toBe(403);
    await save({ all_staff: false, role_ids: [] });
  });

  it('[IDN-030] are visible on the page of an account to callers who may reset its factors', async () => {
    const [owner, manager] = [await person({ role: 'Log Reviewer' }), await person({ permissions: ['manager_user_edit'] })];
    const look = async ({ headers }: SignedIn) => api.call('GET', `/api/users/${owner.accountId}/second-factors`, { headers });
    expect((await look(admin)).body.data).toEqual({ factors: [], required: false });
    const factor = await addApp(owner);
    await save({ all_staff: true, role_ids: [] });
    const shownFactor = { id: factor, kind: 'totp', created_at: '2026-11-20 08:00:00', last_used_at: null };
    expect((await look(admin)).body.data).toEqual({ factors: [shownFactor], required: true });
    await save({ all_staff: false, role_ids: [] });
    expect((await look(manager)).status).toBe(403);
  });

  it('[IDN-093] that name a day demand a factor from the midnight that begins it, in open sessions and of tokens', async () => {
    const rules = await buildTestApi({ databases, startsAt: new Date('2026-11-20T20:00:00Z'), env: { SERVER_UTC_OFFSET: '+03:00' } });
    const caller = await signInAs(databases, { permissions: ['manager_user_edit'], since: rules.now() });
    const editor = await signInAs(databases, { role: 'Super Admin', since: rules.now() });
    const token = await makeApiToken(databases, { ownerId: caller.accountId });
    const id = await roleIdOf(caller);
    const put = async (body: object) => rules.call('PUT', '/api/sign-in-rules', { headers: editor.headers, body });
    const days = { all_staff_from: null, roles_from: [{ id, from: '2026-11-22' }] };
    const saveAnswer = await put({ all_staff: false, role_ids: [id], ...days });
    expect([saveAnswer.status, saveAnswer.body.data]).toMatchObject([200, { role_ids: [id], ...days }]);
    const states = async () =>
      Promise.all([caller, token].map(async ({ headers }) => (await rules.call('GET', '/api/time', { headers })).status));
    const own = async () => (await rules.call('GET', '/api/sanctum/second-factors', caller)).body.data;
    // The day begins in the offset of the server.
    expect(await own()).toMatchObject({ required: false, required_from: '2026-11-21 21:00:00' });
    rules.wait(25 * 3_600_000 - 1000);
    const sessionTimes = { last_used_at: rules.now(), expires_at: new Date('2026-12-01T00:00:00Z') };
    await databases.db.updateTable('sessions').set(sessionTimes).where('id', '=', caller.sessionId).execute();
    expect(await states()).toEqual([200, 200]);
    rules.wait(1000);
    expect(await states()).toEqual([403, 403]);
    expect(await own()).toMatchObject({ required: true, required_from: null });
    await databases.db.updateTable('roles').set({ requires_second_factor: false, second_factor_from: null }).execute();
    await rules.app.close();
  });

  it('[IDN-093] take the earliest of several days, and are audited with them', async () => {
    const caller = await person();
    const id = await roleIdOf(caller);
    const label = (await read()).body.data.roles.find((role: { id: number }) => role.id === id).label;
    await databases.db.deleteFrom('audit_entries').execute();
    const body = { all_staff: true, role_ids: [id], all_staff_from: '2026-12-01', roles_from: [{ id, from: '2026-12-24' }] };
    expect((await save(body)).body.data).toMatchObject(body);
    const own = async () => (await api.call('GET', '/api/sanctum/second-factors', caller)).body.data.required_from;
    expect(await own()).toBe('2026-12-01 00:00:00');
    expect((await save(body)).status).toBe(200);
    expect((await save({ ...body, all_staff_from: '2026-12-31' })).status).toBe(200);
    expect(await own()).toBe('2026-12-24 00:00:00');
    expect(await statuses(caller)).toEqual([200]);
    const entries = await databases.db.selectFrom('audit_entries').select('changes').orderBy('id').execute();
    expect(entries.map(({ changes }) => changes)).toEqual([
      [
        { field: 'all_staff', from: false, to: true },
        { field: 'all_staff_from', from: null, to: '2026-12-01' },
        { field: 'roles', from: [], to: [label] },
        { field: 'roles_from', from: [], to: [`${label}: 2026-12-24`] },
      ],
      [{ field: 'all_staff_from', from: '2026-12-01', to: '2026-12-31' }],
    ]);
    // Without a day the rule applies at once; the day of a rule that is off is dropped.
    expect((await save({ all_staff: false, role_ids: [id], all_staff_from: '2026-12-01' })).body.data).toMatchObject({
      all_staff_from: null,
      roles_from: [],
    });
    expect(await statuses(caller)).toEqual([403]);
    await save({ all_staff: false, role_ids: [] });
  });

  it.each([
    ['a role without a rule', { roles_from: [{ id: 2, from: '2026-12-01' }] }, 'roles_from'],
    ['no day', { all_staff_from: '2026-02-30' }, 'all_staff_from'],
    ['a day before the common era', { all_staff_from: '0000-01-01' }, 'all_staff_from'],
  ])('[IDN-093] reject %s', async (_name, days, field) => {
    const answer = await save({ all_staff: true, role_ids: [], ...days });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
  });

  it('[IDN-094] list which accounts have a factor, without those that the caller may not reset', async () => {
    const manager = await person({ permissions: ['manager_user_edit'] });
    const [plain, above, demo, buyer] = [
      await person(),
      await person({ role: 'Super Admin' }),
      await person({ isDemo: true }),
      await person({ panel: 'buyer' }),
    ];
    await addApp(buyer);
    await save({ all_staff: true, role_ids: [], all_staff_from: '2026-12-01' });
    const list = async ({ headers }: SignedIn) => {
      const { body } = await api.call('GET', '/api/users/second-factors', { headers });
      return [plain, above, demo, buyer].map(({ accountId }) => body.data.find(({ id }: { id: number }) => id === accountId) ?? null);
    };
    const state = ({ accountId: id }: SignedIn, has_factor: boolean, required: boolean) => ({ id, has_factor, required });
    expect(await list(admin)).toEqual([state(plain, false, false), state(above, false, false), null, state(buyer, true, false)]);
    expect((await list(manager)).slice(0, 3)).toEqual([state(plain, false, false), null, null]);
    await save({ all_staff: true, role_ids: [] });
    expect((await list(admin))[0]).toEqual(state(plain, false, true));
    await save({ all_staff: false, role_ids: [] });
    expect((await api.call('GET', '/api/users/second-factors', await person())).status).toBe(403);
  });
});
