import { beforeAll, describe, expect, it } from 'vitest';
import { newAccountForm, storedAccount, testPassword } from '../../../test/account-form.ts';
import { newAppForm } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
/** The first two are the restricted manager's, the third is another team's. */
let apps: [number, number, number];
let restrictedAdmin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  const newApp = async (): Promise<number> => (await api.call('POST', '/api/apps', { ...admin, body: newAppForm() })).body.data.id;
  apps = [await newApp(), await newApp(), await newApp()];
  restrictedAdmin = await signInAs(databases, { role: 'Super Admin', apps: apps.slice(0, 2), since: api.now() });
  return async () => api.app.close();
});

const foreign = { success: false, message: 'You cannot grant access to apps you do not have' };
async function newBuyer(appIds: readonly number[]) {
  const form = newAccountForm({ roles: ['Buyer'], app_ids: appIds });
  const { body } = await api.call('POST', '/api/buyers', { ...admin, body: form });
  return { ...form, id: Number(body.data.id), url: `/api/buyers/${body.data.id}` };
}

const takeovers = [
  ['a password', 'PUT', '', { password: 'An0therPassw0rd' }],
  ['an e-mail address', 'PUT', '', { email: 'taken.over@example.com' }],
  ['other roles', 'PUT', '', { roles: ['Super Buyer'] }],
  ['no access', 'PUT', '', { has_access: false }],
  ['no access by the switch', 'PUT', '/switch-access', { hasAccess: false }],
  ['the mark of QA', 'PUT', '', { isQa: true }],
  ['a password along with the apps', 'PUT', '', { app_ids: [], password: 'An0therPassw0rd' }],
  ['an end', 'DELETE', '', {}],
] as const;

describe('buyers of another team', () => {
  it.each(takeovers)(
    '[O37] [S36, PERMX-038] are given %s by nobody who sees only some of their apps',
    async (_what, method, path, body) => {
      for (const appIds of [[apps[2]], [apps[0], apps[2]]]) {
        const buyer = await newBuyer(appIds);
        const before = await storedAccount(databases, buyer.id);
        const answer = await api.call(method, `${buyer.url}${path}`, { ...restrictedAdmin, body });
        expect([answer.status, answer.body]).toEqual([403, foreign]);
        expect(await storedAccount(databases, buyer.id)).toEqual(before);
        const signIn = await api.call('POST', '/api/sanctum/login', {
          body: { email: buyer.email, password: testPassword },
          ip: '203.0.113.1',
        });
        expect(signIn.status).toBe(200);
      }
    },
  );

  it.each(takeovers)(
    '[O37] [S36] are given %s once their last foreign app is removed, and by callers who see all apps',
    async (_what, method, path, body) => {
      const sentFields = 'email' in body ? { email: newAccountForm().email } : body;
      const buyer = await newBuyer([apps[0], apps[2]]);
      await api.call('DELETE', `/api/users/${buyer.id}/detach-app`, { ...admin, body: { appIds: [apps[2]] } });
      expect((await api.call(method, `${buyer.url}${path}`, { ...restrictedAdmin, body: sentFields })).status).toBeLessThan(300);
      const other = await newBuyer([apps[0], apps[2]]);
      const again = 'email' in body ? { email: newAccountForm().email } : body;
      expect((await api.call(method, `${other.url}${path}`, { ...admin, body: again })).status).toBeLessThan(300);
    },
  );

  it('[O37] [S36] keep being tied to apps that the caller sees, renamed, and saved as they are', async () => {
    const buyer = await newBuyer([apps[0], apps[2]]);
    const change = async (method: 'POST' | 'DELETE', kind: string, appIds: number[]) =>
      (await api.call(method, `/api/users/${buyer.id}/${kind}`, { ...restrictedAdmin, body: { appIds } })).status;
    expect(await change('POST', 'attach-apps', [apps[1]])).toBe(200);
    expect(await change('DELETE', 'detach-app', [apps[0]])).toBe(200);
    expect(await change('POST', 'attach-apps', [apps[2]])).toBe(403);
    expect(await change('POST', 'sync-apps', [apps[0]])).toBe(200);
    const { version } = (await api.call('GET', buyer.url, admin)).body.data;
    const same = { name: buyer.name, email: buyer.email, password: '', roles: ['Buyer'], hasAccess: true, isQa: false };
    const saveAnswer = await api.call('PUT', buyer.url, { ...restrictedAdmin, body: same });
    expect([saveAnswer.status, saveAnswer.body.data.version]).toEqual([200, version]);
    expect((await api.call('PUT', `${buyer.url}/switch-access`, { ...restrictedAdmin, body: { hasAccess: true } })).status).toBe(200);
    expect((await api.call('PUT', buyer.url, { ...restrictedAdmin, body: { name: `${buyer.name} again` } })).status).toBe(200);
    expect((await storedAccount(databases, buyer.id)).buyerApps).toEqual([{ app_id: apps[0] }, { app_id: apps[2] }]);
  });

  it('[O37] [S36] are listed by their ids for callers who may not change them, as long as that holds', async () => {
    const readOnly = async (caller: SignedIn) => (await api.call('GET', '/api/buyers/read-only', caller)).body;
    const [own, mixedBuyer, foreignOnly, deletedBuyer, testerBuyer, none] = [
      await newBuyer([apps[0]]),
      await newBuyer([apps[0], apps[2]]),
      await newBuyer([apps[2]]),
      await newBuyer([apps[2]]),
      await newBuyer([apps[1]]),
      await newBuyer([]),
    ];
    await api.call('DELETE', deletedBuyer.url, admin);
    await api.call('POST', `/api/users/${testerBuyer.id}/attach-apps`, { ...admin, body: { appIds: [apps[2]] } });
    const { success, data } = await readOnly(restrictedAdmin);
    expect(success).toBe(true);
    expect(data).toEqual(data.toSorted((one: number, other: number) => one - other));
    const ids = new Set([own, mixedBuyer, foreignOnly, deletedBuyer, testerBuyer, none].map(({ id }) => id));
    expect(data.filter((id: number) => ids.has(id))).toEqual([mixedBuyer.id, foreignOnly.id, testerBuyer.id]);
    expect(await readOnly(admin)).toEqual({ success: true, data: [] });

    await api.call('DELETE', `/api/users/${mixedBuyer.id}/detach-app`, { ...admin, body: { appIds: [apps[2]] } });
    expect((await readOnly(restrictedAdmin)).data).not.toContain(mixedBuyer.id);
  });

  it('[O37] [S36] have the keys of every account in the answers of the contract', async () => {
    const foreignBuyer = await newBuyer([apps[0], apps[2]]);
    const listIds = async (caller: SignedIn) => {
      const buyers: { id: number }[] = (await api.call('GET', '/api/buyers', caller)).body.data;
      const one = (await api.call('GET', foreignBuyer.url, caller)).body.data;
      return [buyers.find(({ id }) => id === foreignBuyer.id), one].map((account) => Object.keys(account ?? {}));
    };
    expect(await listIds(restrictedAdmin)).toEqual(await listIds(admin));
  });
});

describe('roles of another team', () => {
  it('[O37] [S36] are changed by nobody who does not see all apps of everybody that holds them', async () => {
    const make = async (panel: 'user' | 'buyer', permissions: number[]): Promise<number> => {
      const body = { name: `Role ${newAccountForm().email}`, permission_ids: permissions, panel };
      return (await api.call('POST', '/api/roles', { ...admin, body })).body.data.id;
    };
    const put = async (id: number, caller: SignedIn) =>
      api.call('PUT', `/api/roles/${id}`, { ...caller, body: { name: `Renamed ${newAccountForm().email}` } });
    const holders = [
      ['user', { appIds: [] }],
      ['user', { appIds: [apps[0], apps[2]] }],
      ['buyer', { app_ids: [apps[2]] }],
    ] as const;
    for (const [panel, holding] of holders) {
      const role = await make(panel, panel === 'user' ? [3] : [23]);
      expect((await put(role, restrictedAdmin)).status).toBe(200);
      const holder = await api.call('POST', `/api/${panel}s`, { ...admin, body: newAccountForm({ roles: [role], ...holding }) });
      expect(holder.status).toBe(201);
      const refusal = await put(role, restrictedAdmin);
      expect([refusal.status, refusal.body]).toEqual([403, foreign]);
      expect((await api.call('GET', `/api/roles/${role}`, restrictedAdmin)).body.data.read_only).toBe(true);
      expect((await api.call('GET', `/api/roles/${role}`, admin)).body.data.read_only).toBe(false);
      expect((await put(role, admin)).status).toBe(200);
      expect((await api.call('DELETE', `/api/${panel}s/${holder.body.data.id}`, admin)).status).toBe(204);
      expect((await put(role, restrictedAdmin)).status).toBe(200);
    }
  });

  it('[O37] [S36] may still be given to accounts within the scope', async () => {
    const choices = (await api.call('GET', '/api/roles/buyers/list', restrictedAdmin)).body.data;
    expect(choices.every((role: { assignable: boolean }) => role.assignable)).toBe(true);
    const form = newAccountForm({ roles: ['Buyer'], app_ids: [apps[0]] });
    expect((await api.call('POST', '/api/buyers', { ...restrictedAdmin, body: form })).status).toBe(201);
  });
});
