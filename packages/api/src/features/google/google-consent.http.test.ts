import { describe, expect, it } from 'vitest';
import { goodClaims } from '../../../test/google-provider.ts';
import { givenGoogle, refusals } from '../../../test/google-sign-in-steps.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { signInAs } from '../../../test/sign-in-as.ts';

const startGoogle = givenGoogle(createTestDatabase());
const email = goodClaims.email;

describe('the consent page (api [8])', () => {
  it('[AUTH-048, AUTH-049, AUTH-054, AUTH-055, API-009] is given with a state that lives ten minutes', async () => {
    const { api, provider } = await startGoogle({ startsAt: new Date('2026-11-20T08:00:00Z') });
    const { status, body } = await api.call('GET', '/api/google/auth-url');
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        url: expect.stringContaining(`${provider.issuer}/authorize?`),
        state: expect.stringMatching(/^[\w-]{43}$/),
        expiresAt: Date.parse('2026-11-20T08:10:00Z'),
      },
    });
    const query = new URL(body.data.url).searchParams;
    expect(query.get('state')).toBe(body.data.state);
    expect(query.get('redirect_uri')).toBe('https://console.example/oauth/google');
  });

  it('is different each time, and the database holds nothing that opens it', async () => {
    const { begin, databases } = await startGoogle();
    const [one, other] = [await begin(), await begin()];
    expect(one.state).not.toBe(other.state);
    expect(new URL(one.url).searchParams.get('nonce')).not.toBe(new URL(other.url).searchParams.get('nonce'));
    const rows = await databases.db.selectFrom('google_states').selectAll().execute();
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(one.state);
  });

  it('is given 60 times a minute to an address', async () => {
    const { api } = await startGoogle();
    const ask = (ip: string) => api.call('GET', '/api/google/auth-url', { ip });
    const answers = await Promise.all(Array.from({ length: 61 }, () => ask('198.51.100.1')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    const refusal = answers.find(({ status }) => status !== 200);
    expect(refusal).toMatchObject({ status: 429, body: refusals.tooMany, headers: { 'retry-after': '60' } });
    expect((await ask('198.51.100.2')).status).toBe(200);
    api.wait(60_000);
    expect((await ask('198.51.100.1')).status).toBe(200);
  });

  it('is unavailable while the provider is, and recovers with it', async () => {
    const { api, provider } = await startGoogle();
    provider.disturb('/.well-known/openid-configuration', 503);
    const answer = await api.call('GET', '/api/google/auth-url');
    expect(answer).toMatchObject({ status: 503, body: refusals.unavailable, headers: { 'retry-after': '2' } });
    expect(api.log()).toContainEqual(expect.objectContaining({ msg: 'Google sign-in: failed' }));
    provider.disturb('/.well-known/openid-configuration', null);
    expect((await api.call('GET', '/api/google/auth-url')).status).toBe(200);
  });
});

describe('the state (S4)', () => {
  it.each([
    ['none', () => ({})],
    ['an empty one', () => ({ state: '' })],
    ['an unknown one', () => ({ state: 'a'.repeat(43) })],
    ['one in other letters', ({ state }: { state: string }) => ({ state: state.toUpperCase() })],
  ])('rejects %s without asking the provider', async (_case, change) => {
    const { consent, databases, finish, provider } = await startGoogle();
    await signInAs(databases, { email });
    const back = await consent();
    expect(await finish({ code: back.code, ...change(back) })).toMatchObject({ status: 401, body: refusals.badState });
    expect(provider.calls('/token')).toBe(0);
    expect((await finish(back)).status).toBe(200);
  });

  it('is good for one call', async () => {
    const { consent, databases, finish, provider } = await startGoogle();
    await signInAs(databases, { email });
    const back = await consent();
    expect((await finish(back)).status).toBe(200);
    expect(await finish(back)).toMatchObject({ status: 401, body: refusals.badState });
    expect(provider.calls('/token')).toBe(1);
  });

  it('is good for one of many calls at the same time', async () => {
    const { consent, databases, finish, provider } = await startGoogle();
    await signInAs(databases, { email });
    const back = await consent();
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => finish(back)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(19);
    expect(provider.calls('/token')).toBe(1);
  });

  it('is over after ten minutes', async () => {
    const { api, consent, databases, finish, provider } = await startGoogle();
    await signInAs(databases, { email });
    const [early, late] = [await consent(), await consent()];
    api.wait(599_999);
    expect((await finish(early)).status).toBe(200);
    api.wait(1);
    expect(await finish(late)).toMatchObject({ status: 401, body: refusals.badState });
    expect(provider.calls('/token')).toBe(1);
  });

  it.each([
    ['a refused code', { code: 'made-up' }, 401],
    ['a missing code', { code: undefined }, 422],
    ['a code that is too long', { code: 'a'.repeat(2049) }, 422],
    ['an unknown key', { remember: true }, 422],
  ])('is used up by a call with %s', async (_case, change, status) => {
    const { consent, databases, finish } = await startGoogle();
    await signInAs(databases, { email });
    const back = await consent();
    expect((await finish({ ...back, ...change })).status).toBe(status);
    expect(await finish(back)).toMatchObject({ status: 401, body: refusals.badState });
  });

  it('is forgotten once it is over', async () => {
    const { api, begin, databases } = await startGoogle();
    await begin();
    api.wait(300_000);
    const { state } = await begin();
    api.wait(300_000);
    await api.maintain();
    expect(await databases.db.selectFrom('google_states').select('expires_at').execute()).toHaveLength(1);
    expect(state).toBeTruthy();
  });
});
