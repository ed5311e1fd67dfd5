import { googleMessages, type Consent } from '@switchyard/contract/google-sign-in';
import { signInMessages, type SessionToken, type SessionUser } from '@switchyard/contract/session';
import { ProviderRefused, ProviderUnavailable, signInSecret, type GoogleSignIn } from '../../adapters/google-sign-in.ts';
import type { Databases } from '../../database/connect.ts';
import { notFound, unauthorized, unavailable, type Refusal } from '../../errors.ts';
import type { AccountCaller, RequestContext } from '../../http/bind.ts';
import { insertGoogleState, takeGoogleState } from './google-states-store.ts';
import { matchGoogleAccount } from './match-google-account.ts';
import { openSession, recordFailedSignIn, type OpenSessionDependencies } from './open-session.ts';
import { inTransaction } from './session-store.ts';

export type GoogleSignInDependencies = OpenSessionDependencies & {
  db: Databases['db'];
  /** Null: not configured. */
  provider: GoogleSignIn | null;
  /** Domains whose accounts may sign in, in lower case; empty: any, private accounts too. */
  hostedDomains: readonly string[];
  /** False: accounts of the demo have no access (O35). */
  demoIsOn: boolean;
  findCaller: (token: string) => Promise<AccountCaller | null>;
  /** Told why the provider was of no help, which the person at the screen is not. */
  onProviderFault: (fault: ProviderRefused | ProviderUnavailable) => void;
};

/** How long a begun sign-in may take, in milliseconds (O4). */
const stateLifetime = 600_000;

/** Begins a sign-in: the consent page, and the state with which alone it can be ended (api [8]). */
export async function beginGoogleSignIn(deps: GoogleSignInDependencies): Promise<Consent> {
  const { provider } = deps;
  if (!provider) throw unavailable(googleMessages.notConfigured);
  const begun = { state: signInSecret(), nonce: signInSecret(), verifier: signInSecret() };
  const url = await provider.consentUrl(begun).catch((error: unknown) => {
    throw refusalOf(deps, error);
  });
  const expiresAt = new Date(deps.now().getTime() + stateLifetime);
  await insertGoogleState(deps.db, begun.state, { ...begun, expiresAt });
  return { url, state: begun.state, expiresAt: expiresAt.getTime() };
}

/**
 * Ends a sign-in with what came back from the consent page (api [7]). The state is used up first, whatever comes
 * of it, and without a good one the provider is not called (S4).
 */
export async function signInWithGoogle(
  deps: GoogleSignInDependencies,
  { code, state }: { code: string; state: string },
  request: RequestContext,
): Promise<{ user: SessionUser; token: SessionToken }> {
  const begun = await takeGoogleState(deps.db, state, deps.now());
  if (!begun) throw await refused(deps, null, request, unauthorized(googleMessages.badState));
  if (!deps.provider) throw unavailable(googleMessages.notConfigured);
  const identity = await deps.provider.identify({ ...begun, code }).catch(async (error: unknown) => {
    const refusal = refusalOf(deps, error);
    throw error instanceof ProviderRefused ? await refused(deps, null, request, refusal) : refusal;
  });

  const outcome = await inTransaction(deps.db, async (tx) => {
    const account = await matchGoogleAccount(tx, identity, deps);
    if (!account) return notFound(googleMessages.unknownUser);
    if (!account.has_access) return unauthorized(signInMessages.denied);
    const opened = await openSession(tx, deps, { account, passwordHash: null, request });
    return opened ?? unauthorized(signInMessages.denied);
  });
  if (outcome instanceof Error) throw await refused(deps, identity.email, request, outcome);
  const caller = await deps.findCaller(outcome.accessToken);
  if (!caller) throw unauthorized(signInMessages.denied);
  return { user: caller.account, token: outcome };
}

/** Uses up the state of a call that is refused for its form (api [7]: the first call that carries it). */
export async function discardGoogleState({ db, now }: Pick<GoogleSignInDependencies, 'db' | 'now'>, body: unknown): Promise<void> {
  if (typeof body !== 'object' || body === null || !('state' in body) || typeof body.state !== 'string') return;
  await takeGoogleState(db, body.state, now());
}

async function refused(deps: GoogleSignInDependencies, email: string | null, request: RequestContext, refusal: Refusal): Promise<Refusal> {
  await recordFailedSignIn(deps.db, email, request);
  return refusal;
}

/** What the person is told of a fault of the provider; other errors stay as they are. */
function refusalOf({ onProviderFault }: GoogleSignInDependencies, error: unknown): Refusal {
  if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error;
  onProviderFault(error);
  return error instanceof ProviderRefused ? unauthorized(googleMessages.failed) : unavailable(googleMessages.unavailable);
}
