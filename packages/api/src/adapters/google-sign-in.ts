import { isStorableText } from '@switchyard/contract/text-fields';
import { LRUCache } from 'lru-cache';
import type * as OpenId from 'openid-client';
import { randomBytes } from 'node:crypto';

/** The verified claims of an ID token. */
export type GoogleIdentity = {
  issuer: string;
  /** Never changes and is never given to another person, unlike the e-mail. */
  subject: string;
  email: string | null;
  emailVerified: boolean;
  /** The organisation's domain (`hd`); null for a private account. */
  hostedDomain: string | null;
};

/** Values of one sign-in that only this server and, as far as needed, the provider know. */
type SignInSecrets = { nonce: string; verifier: string };

/** Sign-in with Google, or any other OpenID provider, by authorization code with PKCE and nonce. */
export type GoogleSignIn = {
  /** Address of the consent page with its parameters. Needs no request for Google. @throws ProviderUnavailable */
  consentUrl: (input: SignInSecrets & { state: string }) => Promise<string>;
  /**
   * Exchanges a code for the identity behind it. Checked: PKCE, signature, issuer, audience, expiry, nonce. @throws
   * ProviderUnavailable if the provider gave no valid answer, ProviderRejection if code or token are invalid.
   */
  identify: (input: SignInSecrets & { code: string }) => Promise<GoogleIdentity>;
};

/** The provider cannot be reached, is too slow or answers nonsense; the cause says more. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable';
}

/** The provider rejected the code, or its answer failed a check. The cause says which. */
export class ProviderRejection extends Error {
  override name = 'ProviderRejection';
}

/** Loads the library at its first use: most consoles and all commands start without it. */
const loadOpenId = async () => import('openid-client');

const scope = 'openid profile email';
/** Consent pages that need no discovery: api [8] gives Google's address whether Google can be reached or not. */
const knownConsentPages = new Map([['https://accounts.google.com', 'https://accounts.google.com/o/oauth2/v2/auth']]);
/** How long the provider's endpoints are taken as known; they hardly ever change. */
const discoveryMilliseconds = 3_600_000;

/** A secret of 256 random bits for state, nonce or PKCE verifier (RFC 7636 4.1 asks for at least this). */
export function signInSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Contacts the provider lazily and caches the result of discovery for an hour. After a failed discovery the next call tries again.
 * `timeoutSeconds` holds for each request to the provider.
 */
export function createGoogleSignIn(options: {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** `{APP_URL}/oauth/google`. */
  redirectUri: string;
  /** Lets the provider speak plain HTTP; for a provider on this machine only. */
  allowHttp: boolean;
  timeoutSeconds?: number;
}): GoogleSignIn {
  const { issuer, clientId, clientSecret, redirectUri } = options;

  async function discover(): Promise<OpenId.Configuration> {
    // The signature is checked although the token comes straight from the provider, so that a token
    // cannot be forged by anybody in between.
    const openid = await loadOpenId();
    const execute = [openid.enableNonRepudiationChecks, ...(options.allowHttp ? [openid.allowInsecureRequests] : [])];
    const timeout = options.timeoutSeconds ?? 5;
    try {
      return await openid.discovery(new URL(issuer), clientId, clientSecret, undefined, {
        execute,
        timeout,
        [openid.customFetch]: fetchWhole,
      });
    } catch (cause) {
      throw new ProviderUnavailable(`What ${issuer} offers could not be found out`, { cause });
    }
  }

  const configurations = new LRUCache<'provider', OpenId.Configuration>({
    max: 1,
    ttl: discoveryMilliseconds,
    fetchMethod: discover,
  });
  const provider = () => configurations.forceFetch('provider');

  async function consentPage(openid: typeof OpenId): Promise<OpenId.Configuration> {
    const knownPage = knownConsentPages.get(issuer);
    return knownPage === undefined ? await provider() : new openid.Configuration({ issuer, authorization_endpoint: knownPage }, clientId);
  }

  return {
    async consentUrl({ state, nonce, verifier }) {
      const openid = await loadOpenId();
      const parameters = {
        client_id: clientId,
        response_type: 'code',
        scope,
        access_type: 'offline',
        prompt: 'consent',
        redirect_uri: redirectUri,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      };
      return openid.buildAuthorizationUrl(await consentPage(openid), parameters).href;
    },

    async identify({ code, nonce, verifier }) {
      const openid = await loadOpenId();
      const configuration = await provider();
      const callback = new URL(redirectUri);
      // The browser hands over code and state only. With one provider there is none to mix it up with (RFC 9207),
      // and the state was checked against our own records before.
      callback.search = new URLSearchParams({ code, iss: configuration.serverMetadata().issuer }).toString();
      try {
        const tokens = await openid.authorizationCodeGrant(configuration, callback, {
          pkceCodeVerifier: verifier,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new Error('The answer holds no ID token');
        return identityOf(claims);
      } catch (cause) {
        if (cause instanceof Error && cause.cause instanceof ProviderUnavailable) throw cause.cause;
        throw new ProviderRejection('The code or what came for it was refused', { cause });
      }
    },
  };
}

/** Reads answers whole, so that a connection that breaks halfway or a fault of the provider is not mistaken for a rejected code. */
const fetchWhole: OpenId.CustomFetch = async (url, { body, ...options }) => {
  const answer = await readWhole(url, { ...options, body: body ?? null });
  if (answer.status >= 500 || answer.status === 429) throw new ProviderUnavailable(`${new URL(url).origin} answered ${answer.status}`);
  return answer;
};

async function readWhole(url: string, options: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(url, options);
    await answer.clone().arrayBuffer();
    return answer;
  } catch (cause) {
    throw new ProviderUnavailable(`${new URL(url).origin} gave no answer`, { cause });
  }
}

/** Longest subject (OpenID Connect Core 2) and e-mail (RFC 5321) in characters. */
const longest = { subject: 255, email: 254 } as const;

function identityOf({ iss: issuer, sub, email, email_verified: emailVerified, hd }: OpenId.IDToken): GoogleIdentity {
  const subject = textOf(sub, longest.subject);
  if (subject === null) throw new Error('The subject cannot be one');
  return {
    issuer,
    subject,
    email: textOf(email, longest.email),
    // Strictly the boolean: a provider that writes "true" as text has not been checked for what it means by it.
    emailVerified: emailVerified === true,
    hostedDomain: typeof hd === 'string' ? hd : null,
  };
}

function textOf(claim: unknown, max: number): string | null {
  return typeof claim === 'string' && claim !== '' && claim.length <= max && isStorableText(claim) ? claim : null;
}
