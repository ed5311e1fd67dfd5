import { describe, expect, it } from 'vitest';
import { goodClaims } from '../../../test/google-provider.ts';
import { accountsAndSessions, givenGoogle, refusals, trail } from '../../../test/google-sign-in-steps.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { signInAs } from '../../../test/sign-in-as.ts';

const startGoogle = givenGoogle(createTestDatabase());
const email = goodClaims.email;

describe('a hostile identity opens nothing, makes no account and links none', () => {
  const past = Math.floor(Date.now() / 1000) - 3600;

  it.each([
    ['an e-mail that is not verified', { email_verified: false }, 404, refusals.unknownUser, email],
    ['an e-mail whose check is not told', { email_verified: undefined }, 404, refusals.unknownUser, email],
    ['no e-mail', { email: undefined }, 404, refusals.unknownUser, null],
    ['an unknown e-mail', { email: 'nobody@example.com' }, 404, refusals.unknownUser, 'nobody@example.com'],
    ['an e-mail that only looks alike once folded', { email: 'mi\u212Ae@example.com' }, 404, refusals.unknownUser, 'mi\u212Ae@example.com'],
    ['a pattern for an e-mail', { email: '%@example.com' }, 404, refusals.unknownUser, '%@example.com'],
    ['wrong audience', { aud: 'another-console' }, 401, refusals.failed, null],
    ['wrong issuer', { iss: 'https://evil.example' }, 401, refusals.failed, null],
    ['wrong nonce', { nonce: 'somebody-elses' }, 401, refusals.failed, null],
    ['an expired token', { iat: past - 60, exp: past }, 401, refusals.failed, null],
  ])('%s', async (_case, claims, status, body, label) => {
    const { databases, provider, signIn } = await startGoogle();
    await signInAs(databases, { email });
    await signInAs(databases, { email: 'mike@example.com' });
    const before = await accountsAndSessions(databases);
    provider.claim(claims);
    expect(await signIn()).toMatchObject({ status, body });
    expect(await accountsAndSessions(databases)).toEqual(before);
    expect(await trail(databases)).toEqual([
      { actor_id: null, action: 'login_failed', entity: 'session', entity_id: null, entity_label: label, ip: '198.51.100.7' },
    ]);
  });

  it('a foreign subject with the e-mail of a linked account', async () => {
    const { databases, provider, signIn } = await startGoogle();
    await signInAs(databases, { email });
    await signIn();
    const before = await accountsAndSessions(databases);
    provider.claim({ sub: 'who-bought-the-domain' });
    expect(await signIn()).toMatchObject({ status: 404, body: refusals.unknownUser });
    expect(await accountsAndSessions(databases)).toEqual(before);
  });

  it('the subject of another issuer', async () => {
    const { databases, signIn } = await startGoogle();
    const { accountId } = await signInAs(databases, { email });
    const link = { google_issuer: 'https://another.example', google_subject: goodClaims.sub };
    await databases.db.updateTable('accounts').set(link).where('id', '=', accountId).execute();
    expect(await signIn()).toMatchObject({ status: 404, body: refusals.unknownUser });
  });

  it('an account that was deleted, linked or not', async () => {
    const { databases, signIn } = await startGoogle();
    const { accountId } = await signInAs(databases, { email });
    await signIn();
    await databases.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', accountId).execute();
    expect(await signIn()).toMatchObject({ status: 404, body: refusals.unknownUser });
  });

  it('an account without access: it is not linked either', async () => {
    const { databases, signIn } = await startGoogle();
    await signInAs(databases, { email, hasAccess: false });
    const before = await accountsAndSessions(databases);
    expect(await signIn()).toMatchObject({ status: 401, body: refusals.denied, headers: { 'www-authenticate': 'Bearer' } });
    expect(await accountsAndSessions(databases)).toEqual(before);
    expect(await trail(databases)).toMatchObject([{ actor_id: null, action: 'login_failed', entity_label: email }]);
  });

  it('a linked account that lost its access', async () => {
    const { databases, signIn } = await startGoogle();
    const { accountId } = await signInAs(databases, { email });
    await signIn();
    await databases.db.updateTable('accounts').set({ has_access: false }).where('id', '=', accountId).execute();
    expect(await signIn()).toMatchObject({ status: 401, body: refusals.denied });
  });

  it('two subjects at once: one links, the other finds nobody', async () => {
    const { consent, databases, finish, provider } = await startGoogle();
    await signInAs(databases, { email });
    const [one, other] = [await consent(), await consent()];
    let signInCount = 0;
    provider.claim(() => ({ sub: `subject-${(signInCount += 1)}` }));
    const statuses = (await Promise.all([finish(one), finish(other)])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 404]));
  });
});
