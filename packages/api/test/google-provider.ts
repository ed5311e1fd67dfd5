import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { OAuth2Issuer, OAuth2Service, type MutableResponse, type MutableToken } from 'oauth2-mock-server';

/** Paths of the provider that tests watch or disturb. */
type ProviderPath = '/.well-known/openid-configuration' | '/token' | '/jwks';
/** A status to answer with, silence, or an answer that breaks off halfway. */
type Fault = number | 'silent' | 'cut';

type Claims = Readonly<Record<string, unknown>>;

/** A real OpenID provider on a free port, whose claims and faults a test chooses. */
export type GoogleProvider = {
  issuer: string;
  /** Changes to the good claims of every token that is signed from now on; a function is called for each. */
  claim: (claims: Claims | (() => Claims)) => void;
  /** Calls that reached a path so far, rejected ones included. */
  calls: (path: ProviderPath) => number;
  /** Gives consent as a person does on the page at the address; the result is what the callback receives. */
  consent: (url: string) => Promise<{ code: string; state: string }>;
  /** Makes a path misbehave, or behave again. */
  disturb: (path: ProviderPath, fault: Fault | null) => void;
  /** Changes the provider's configuration before it is sent. */
  onDiscovery: (change: (answer: MutableResponse) => void) => void;
  /** Changes the answer of the token endpoint before it is sent. */
  onTokens: (change: (answer: MutableResponse) => void) => void;
  /** A token signed by the provider, or by a key that is not the provider's. */
  sign: (claims: Claims, by: 'provider' | 'stranger') => Promise<string>;
  stop: () => Promise<void>;
};

/** Whom the provider vouches for unless a test says otherwise. */
export const goodClaims = { sub: '110169484474386276334', email: 'olga@example.com', email_verified: true } as const;

/** Made once, because making an RSA key takes a tenth of a second; both have the same name. */
const keys = Promise.all([newKey(), newKey()]);

async function newKey() {
  return new OAuth2Issuer().keys.generate('RS256', { kid: 'the-key' });
}

async function issuerWith(url: string, key: Awaited<ReturnType<typeof newKey>>): Promise<OAuth2Issuer> {
  const issuer = new OAuth2Issuer();
  issuer.url = url;
  await issuer.keys.add(key);
  return issuer;
}

/** Settings with which the API trusts a provider. */
export function trustIn({ issuer }: Pick<GoogleProvider, 'issuer'>) {
  return { GOOGLE_ISSUER: issuer, GOOGLE_CLIENT_ID: 'switchyard-console', GOOGLE_CLIENT_SECRET: 'hush' };
}

/** Starts a provider; stop it when the test is over. */
export async function startGoogleProvider(): Promise<GoogleProvider> {
  const calledPaths: string[] = [];
  const faults = new Map<string, Fault>();
  const silencedAnswers: ServerResponse[] = [];
  let claims: Claims | (() => Claims) = {};

  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The provider has no port');
  const url = `http://127.0.0.1:${address.port}`;
  const [ownKey, strangeKey] = await keys;
  const issuer = await issuerWith(url, ownKey);
  const stranger = await issuerWith(url, strangeKey);
  const service = new OAuth2Service(issuer);
  service.on('beforeTokenSigning', (token: MutableToken) => {
    Object.assign(token.payload, goodClaims, typeof claims === 'function' ? claims() : claims);
  });

  server.on('request', (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    calledPaths.push(path);
    const fault = faults.get(path);
    if (fault === 'silent') silencedAnswers.push(response);
    else if (fault === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"access_token":', () => response.destroy());
    } else if (fault === undefined) service.requestHandler(request, response);
    else response.writeHead(fault, { 'content-type': 'application/json' }).end('{"error":"disturbed"}');
  });

  async function stop(): Promise<void> {
    for (const response of silencedAnswers) response.destroy();
    server.closeAllConnections();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  }
  return {
    issuer: url,
    claim: (changedClaims) => void (claims = changedClaims),
    calls: (path) => calledPaths.filter((one) => one === path).length,
    async consent(page) {
      const answer = await fetch(page, { redirect: 'manual' });
      const callback = new URL(answer.headers.get('location') ?? '');
      return { code: callback.searchParams.get('code') ?? '', state: callback.searchParams.get('state') ?? '' };
    },
    disturb: (path, fault) => void (fault === null ? faults.delete(path) : faults.set(path, fault)),
    onDiscovery: (change) => void service.on('beforeWellKnownOpenIdConfiguration', change),
    onTokens: (change) => void service.on('beforeResponse', change),
    sign: (payload, by) =>
      (by === 'provider' ? issuer : stranger).buildToken({ scopesOrTransform: (_header, base) => Object.assign(base, payload) }),
    stop,
  };
}
