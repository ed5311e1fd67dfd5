import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { emptyPort } from '../../test/empty-port.ts';
import { expireTimeoutOnce } from '../../test/expire-timeout.ts';
import { goodClaims, startGoogleProvider, type GoogleProvider } from '../../test/google-provider.ts';
import { createGoogleSignIn, ProviderRejection, ProviderUnavailable, signInSecret, type GoogleSignIn } from './google-sign-in.ts';

const redirectUri = 'https://console.example/oauth/google';
const clientId = 'switchyard-console';

async function newProvider(): Promise<GoogleProvider> {
  const provider = await startGoogleProvider();
  onTestFinished(provider.stop);
  return provider;
}

function signInWith(
  provider: Pick<GoogleProvider, 'issuer'>,
  changes: { allowHttp?: boolean; timeoutSeconds?: number } = {},
): GoogleSignIn {
  return createGoogleSignIn({
    issuer: provider.issuer,
    clientId,
    clientSecret: 'hush',
    redirectUri,
    allowHttp: true,
    timeoutSeconds: 30,
    ...changes,
  });
}

function newSecrets() {
  return { state: signInSecret(), nonce: signInSecret(), verifier: signInSecret() };
}

/** From the consent page to the code, with the secrets that belong to it. */
async function consentTo(provider: GoogleProvider, google: GoogleSignIn) {
  const secrets = newSecrets();
  const { code } = await provider.consent(await google.consentUrl(secrets));
  return { ...secrets, code };
}

describe('the consent page', () => {
  it('[AUTH-050, AUTH-051, AUTH-052, AUTH-053, AUTH-054, AUTH-055] is asked for with exactly these parameters', async () => {
    const provider = await newProvider();
    const page = new URL(await signInWith(provider).consentUrl({ state: 'a-state', nonce: 'a-nonce', verifier: 'a'.repeat(43) }));
    expect(page.origin + page.pathname).toBe(`${provider.issuer}/authorize`);
    expect([...page.searchParams]).toEqual([
      ['client_id', clientId],
      ['response_type', 'code'],
      ['scope', 'openid profile email'],
      ['access_type', 'offline'],
      ['prompt', 'consent'],
      ['redirect_uri', redirectUri],
      ['state', 'a-state'],
      ['nonce', 'a-nonce'],
      ['code_challenge', 'ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA'],
      ['code_challenge_method', 'S256'],
    ]);
  });

  it('of Google itself is known without asking Google, who may be out of reach (api [8])', async () => {
    const fetchSpy = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));
    onTestFinished(() => fetchSpy.mockRestore());
    const page = await signInWith({ issuer: 'https://accounts.google.com' }, { allowHttp: false }).consentUrl(newSecrets());
    expect(page.startsWith(`https://accounts.google.com/o/oauth2/v2/auth?client_id=${clientId}&response_type=code&`)).toBe(true);
    expect(fetchSpy).not.toHaveBeenCalled();
  });

  it('never carries the verifier', async () => {
    const provider = await newProvider();
    const secrets = newSecrets();
    expect(await signInWith(provider).consentUrl(secrets)).not.toContain(secrets.verifier);
  });
});

describe('discovery', () => {
  it('is done once, also for calls that come together', async () => {
    const provider = await newProvider();
    const google = signInWith(provider);
    expect(provider.calls('/.well-known/openid-configuration')).toBe(0);
    await Promise.all([1, 2, 3].map(() => google.consentUrl(newSecrets())));
    await google.consentUrl(newSecrets());
    expect(provider.calls('/.well-known/openid-configuration')).toBe(1);
  });

  it('is tried again by the next call after it failed', async () => {
    const provider = await newProvider();
    const google = signInWith(provider);
    provider.disturb('/.well-known/openid-configuration', 500);
    await expect(google.consentUrl(newSecrets())).rejects.toThrow(ProviderUnavailable);
    provider.disturb('/.well-known/openid-configuration', null);
    expect(await google.consentUrl(newSecrets())).toContain('/authorize?');
  });

  it('rejects metadata of another issuer', async () => {
    const provider = await newProvider();
    provider.onDiscovery(({ body }) => body !== '' && (body['issuer'] = 'https://evil.example'));
    await expect(signInWith(provider).consentUrl(newSecrets())).rejects.toThrow(ProviderUnavailable);
  });

  it('does not use plain HTTP unless it is allowed', async () => {
    const provider = await newProvider();
    await expect(signInWith(provider, { allowHttp: false }).consentUrl(newSecrets())).rejects.toThrow(ProviderUnavailable);
    expect(provider.calls('/.well-known/openid-configuration')).toBe(0);
  });
});

describe('the identity', () => {
  it('comes from the claims of the ID token', async () => {
    const provider = await newProvider();
    const google = signInWith(provider);
    provider.claim({ hd: 'example.com' });
    expect(await google.identify(await consentTo(provider, google))).toEqual({
      issuer: provider.issuer,
      subject: goodClaims.sub,
      email: 'olga@example.com',
      emailVerified: true,
      hostedDomain: 'example.com',
    });
  });

  it.each([
    ['absent claims', { email: undefined, email_verified: undefined }, { email: null, emailVerified: false, hostedDomain: null }],
    ['a verified flag that is a text', { email_verified: 'true' }, { email: 'olga@example.com', emailVerified: false }],
    ['an e-mail that no database takes', { email: 'olga\0@example.com' }, { email: null }],
    ['an e-mail that is too long', { email: `${'o'.repeat(243)}@example.com` }, { email: null }],
    ['claims of a wrong type', { email: ['a@example.com'], hd: 5 }, { email: null, hostedDomain: null }],
  ])('is not embellished: %s', async (_case, claims, expected) => {
    const provider = await newProvider();
    const google = signInWith(provider);
    provider.claim(claims);
    expect(await google.identify(await consentTo(provider, google))).toMatchObject(expected);
  });

  it('is found also where the provider announces an issuer in its callback (RFC 9207)', async () => {
    const provider = await newProvider();
    provider.onDiscovery(({ body }) => body !== '' && (body['authorization_response_iss_parameter_supported'] = true));
    const google = signInWith(provider);
    expect(await google.identify(await consentTo(provider, google))).toMatchObject({ subject: goodClaims.sub });
  });
});

describe('a hostile or broken answer is rejected', () => {
  const past = Math.floor(Date.now() / 1000) - 3600;

  it.each([
    ['wrong audience', { aud: 'another-console' }],
    ['several audiences without an authorised party', { aud: [clientId, 'another-console'] }],
    ['another authorised party', { aud: [clientId, 'another-console'], azp: 'another-console' }],
    ['wrong issuer', { iss: 'https://evil.example' }],
    ['wrong nonce', { nonce: 'somebody-elses' }],
    ['no nonce', { nonce: undefined }],
    ['expired', { iat: past - 60, exp: past }],
    ['no expiry', { exp: undefined }],
    ['not valid yet', { nbf: Math.floor(Date.now() / 1000) + 3600 }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a subject that is too long', { sub: '1'.repeat(256) }],
    ['a subject that no database takes', { sub: '1\0' }],
  ])('%s', async (_case, claims) => {
    const provider = await newProvider();
    const google = signInWith(provider);
    provider.claim(claims);
    await expect(google.identify(await consentTo(provider, google))).rejects.toThrow(ProviderRejection);
    expect(provider.calls('/token')).toBe(1);
  });

  it('a token that a stranger signed with a key of the same name', async () => {
    const provider = await newProvider();
    const google = signInWith(provider);
    const secrets = await consentTo(provider, google);
    const forgedToken = await provider.sign({ ...goodClaims, aud: clientId, nonce: secrets.nonce }, 'stranger');
    provider.onTokens(({ body }) => body !== '' && (body['id_token'] = forgedToken));
    await expect(google.identify(secrets)).rejects.toThrow(ProviderRejection);
  });

  it('a token without a signature', async () => {
    const provider = await newProvider();
    const google = signInWith(provider);
    const secrets = await consentTo(provider, google);
    const [, payload] = (await provider.sign({ ...goodClaims, aud: clientId, nonce: secrets.nonce }, 'provider')).split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    provider.onTokens(({ body }) => body !== '' && (body['id_token'] = `${header}.${payload}.`));
    await expect(google.identify(secrets)).rejects.toThrow(ProviderRejection);
  });

  it('no ID token at all', async () => {
    const provider = await newProvider();
    const google = signInWith(provider);
    provider.onTokens(({ body }) => body !== '' && delete body['id_token']);
    await expect(google.identify(await consentTo(provider, google))).rejects.toThrow(ProviderRejection);
  });

  it('a code that is used twice, and one the provider never gave', async () => {
    const provider = await newProvider();
    const google = signInWith(provider);
    const secrets = await consentTo(provider, google);
    await google.identify(secrets);
    await expect(google.identify(secrets)).rejects.toThrow(ProviderRejection);
    await expect(google.identify({ ...secrets, code: 'made-up' })).rejects.toThrow(ProviderRejection);
  });

  it('a code that belongs to another verifier', async () => {
    const provider = await newProvider();
    const google = signInWith(provider);
    const secrets = await consentTo(provider, google);
    await expect(google.identify({ ...secrets, verifier: signInSecret() })).rejects.toThrow(ProviderRejection);
  });
});

describe('treats a provider without a valid answer as unavailable', () => {
  it('when nothing listens', async () => {
    const google = signInWith({ issuer: `http://127.0.0.1:${emptyPort}` });
    await expect(google.consentUrl(newSecrets())).rejects.toThrow(ProviderUnavailable);
  });

  it('when it becomes unavailable before the exchange', async () => {
    const provider = await newProvider();
    const google = signInWith(provider);
    const secrets = await consentTo(provider, google);
    await provider.stop();
    await expect(google.identify(secrets)).rejects.toThrow(ProviderUnavailable);
  });

  it.each(['/.well-known/openid-configuration', '/token', '/jwks'] as const)('when %s stays silent', async (path) => {
    const provider = await newProvider();
    const times = expireTimeoutOnce(() => provider.calls(path) > 0);
    const google = signInWith(provider, { timeoutSeconds: 0.2 });
    const isDiscovery = path === '/.well-known/openid-configuration';
    const secrets = isDiscovery ? { ...newSecrets(), code: 'any' } : await consentTo(provider, google);
    provider.disturb(path, 'silent');
    await expect(google.identify(secrets)).rejects.toThrow(ProviderUnavailable);
    expect(provider.calls(path)).toBe(1);
    expect(new Set(times)).toEqual(new Set([200]));
  });

  it.each([500, 503, 429, 'cut'] as const)('when the token endpoint answers %s', async (fault) => {
    const provider = await newProvider();
    const google = signInWith(provider);
    const secrets = await consentTo(provider, google);
    provider.disturb('/token', fault);
    await expect(google.identify(secrets)).rejects.toThrow(ProviderUnavailable);
  });
});
