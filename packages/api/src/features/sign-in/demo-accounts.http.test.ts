import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, testPasswords, type TestApi } from '../../../test/build-test-api.ts';
import { goodClaims } from '../../../test/google-provider.ts';
import { accountsAndSessions, refusals, withGoogle } from '../../../test/google-sign-in-steps.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
const password = 'Demo-Switchyard-1';
/** Two consoles over one database: the demo is on in one of them. */
let on: TestApi;
let off: TestApi;
let passwordHash: string;

beforeAll(async () => {
  passwordHash = await testPasswords.hash(password);
  on = await buildTestApi({ databases, demoIsOn: true });
  off = await buildTestApi({ databases });
});
afterAll(async () => {
  await on.app.close();
  await off.app.close();
});

describe('an account of the demo', () => {
  it('[O35] [S34] signs in while the demo is on, and is answered like an unknown one while it is off', async () => {
    const { email } = await signInAs(databases, { role: 'Super Admin', isDemo: true, passwordHash });
    const signIn = async (api: TestApi, as: string) => api.call('POST', '/api/sanctum/login', { body: { email: as, password } });
    expect((await signIn(on, email)).status).toBe(200);
    const refusal = await signIn(off, email);
    const unknown = await signIn(off, 'nobody@example.com');
    expect(refusal.status).toBe(401);
    expect(refusal.body).toEqual(unknown.body);
  });

  it('[O35] [S34] has no live session and no live stream while the demo is off', async () => {
    const demo = await signInAs(databases, { role: 'Super Admin', isDemo: true });
    for (const path of ['/api/sanctum/user', '/api/all-requests/stream', '/api/users']) {
      expect([path, (await off.call('GET', path, demo)).status]).toEqual([path, 401]);
    }
    expect((await on.call('GET', '/api/sanctum/user', demo)).status).toBe(200);
    const real = await signInAs(databases, { role: 'Super Admin' });
    expect((await off.call('GET', '/api/sanctum/user', real)).status).toBe(200);
  });

  it('[O35] [S34] does not sign in with Google while the demo is off, linked or not', async () => {
    const google = await withGoogle(databases);
    const email = goodClaims.email;
    const { accountId } = await signInAs(databases, { email, isDemo: true });
    const before = await accountsAndSessions(databases);
    expect(await google.signIn()).toMatchObject({ status: 401, body: refusals.denied });
    expect(await accountsAndSessions(databases)).toEqual(before);
    await databases.db.updateTable('accounts').set({ is_demo: false }).where('id', '=', accountId).execute();
    expect((await google.signIn()).status).toBe(200);
    await databases.db.updateTable('accounts').set({ is_demo: true }).where('id', '=', accountId).execute();
    expect(await google.signIn()).toMatchObject({ status: 401, body: refusals.denied });
  });
});
