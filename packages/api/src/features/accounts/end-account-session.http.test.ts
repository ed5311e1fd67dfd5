import { beforeAll, describe, expect, it } from 'vitest';
import { newAppForm } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type Account, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
/** The first is the restricted manager's, the second another team's. */
let apps: [number, number];
let restrictedAdmin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  const newApp = async (): Promise<number> => (await api.call('POST', '/api/apps', { ...admin, body: newAppForm() })).body.data.id;
  apps = [await newApp(), await newApp()];
  restrictedAdmin = await signInAs(databases, { role: 'Admin', apps: [apps[0]], since: api.now() });
  return async () => api.app.close();
});

const person = async (account: Account = { role: 'Log Reviewer' }) => signInAs(databases, { since: api.now(), ...account });
const buyer = async (appIds: readonly number[]) => person({ role: 'Buyer', panel: 'buyer', apps: appIds });
const end = async (of: SignedIn, caller: SignedIn = admin, sessionId: number | string = of.sessionId, body?: object) =>
  api.call('DELETE', `/api/users/${of.accountId}/sessions/${sessionId}`, { ...caller, body });
const isSignedIn = async (who: SignedIn) => (await api.call('GET', '/api/sanctum/user', who)).status === 200;
const trailOf = async (sessionId: number) =>
  databases.db
    .selectFrom('audit_entries')
    .select(['actor_id', 'action', 'entity', 'entity_label', 'changes'])
    .where('entity', '=', 'session')
    .where('entity_id', '=', String(sessionId))
    .execute();

describe('ending a session of an account ([114])', () => {
  it.each(['user', 'buyer'] as const)('[S6] ends one session of a %s at once, no other, and audits it', async (panel) => {
    const target = panel === 'user' ? await person() : await buyer([apps[1]]);
    const { sessionId, ...other } = await person();
    await databases.db.updateTable('sessions').set({ account_id: target.accountId }).where('id', '=', sessionId).execute();
    expect(await end(target)).toMatchObject({ status: 204, body: null });
    expect([await isSignedIn(target), await isSignedIn({ sessionId, ...other })]).toEqual([false, true]);
    expect(await trailOf(target.sessionId)).toEqual([
      { actor_id: admin.accountId, action: 'end', entity: 'session', entity_label: target.email, changes: [] },
    ]);
  });

  it('[S6] returns 404 for a session that ended, expired, idled or is somebody else’s, and for deleted accounts', async () => {
    const [target, somebody, deletedPerson] = [await person(), await person(), await person()];
    const expiredPerson = await person({ role: 'Log Reviewer', lifetime: -1 });
    const idle = await person({ role: 'Log Reviewer', since: new Date(api.now().getTime() - 3_600_000) });
    await databases.db.updateTable('accounts').set({ deleted_at: api.now() }).where('id', '=', deletedPerson.accountId).execute();
    expect((await end(target, admin, somebody.sessionId)).status).toBe(404);
    expect(await isSignedIn(somebody)).toBe(true);
    for (const missing of [expiredPerson, idle, deletedPerson]) {
      expect(await end(missing)).toMatchObject({ status: 404, body: { success: false, message: 'Not found' } });
      expect(await trailOf(missing.sessionId)).toEqual([]);
    }
    for (const id of ['0', '-1', 'abc', '999999999']) expect((await end(target, admin, id)).status).toBe(404);
    expect((await end(target)).status).toBe(204);
    expect((await end(target)).status).toBe(404);
    expect(await trailOf(target.sessionId)).toHaveLength(1);
  });

  it('[S6] may end the caller’s own current session', async () => {
    const self = await person({ role: 'Admin' });
    expect((await end(self, self)).status).toBe(204);
    expect(await isSignedIn(self)).toBe(false);
  });

  it('[S7] [S10] keeps callers off accounts that rank above them or see more apps', async () => {
    const plain = await person({ role: 'Admin' });
    const few = await person({ permissions: ['manager_user_deactivate'] });
    const targets: [SignedIn, SignedIn, string][] = [
      [admin, plain, 'Only a super admin can change a super admin'],
      [plain, few, 'You cannot grant permissions you do not have'],
      [await person(), restrictedAdmin, 'You cannot grant access to apps you do not have'],
      [await person({ role: 'Log Reviewer', apps }), restrictedAdmin, 'You cannot grant access to apps you do not have'],
    ];
    for (const [target, caller, message] of targets) {
      const { status, body } = await end(target, caller);
      expect([status, body]).toEqual([403, { success: false, message }]);
      expect(await isSignedIn(target)).toBe(true);
      expect(await trailOf(target.sessionId)).toEqual([]);
    }
    expect((await end(await person({ role: 'Log Reviewer', apps: [apps[0]] }), restrictedAdmin)).status).toBe(204);
    expect((await end(await person({ role: 'Super Admin' }))).status).toBe(204);
  });

  it('[O37] [S36] keeps restricted callers off buyers of other teams', async () => {
    const sharedBuyer = await buyer(apps);
    expect(await end(sharedBuyer, restrictedAdmin)).toMatchObject({
      status: 403,
      body: { message: 'You cannot grant access to apps you do not have' },
    });
    expect(await isSignedIn(sharedBuyer)).toBe(true);
    const own = await buyer([apps[0]]);
    expect((await end(own, restrictedAdmin)).status).toBe(204);
    expect((await end(sharedBuyer)).status).toBe(204);
  });

  it('[S7] [S12] needs the permission to switch access, and knows no keys', async () => {
    const target = await person();
    const editor = await person({ permissions: ['manager_user_edit'] });
    expect((await end(target, editor)).status).toBe(403);
    expect((await api.call('DELETE', `/api/users/${target.accountId}/sessions/${target.sessionId}`)).status).toBe(401);
    expect((await end(target, admin, target.sessionId, { all: true })).status).toBe(422);
    expect(await isSignedIn(target)).toBe(true);
  });
});
