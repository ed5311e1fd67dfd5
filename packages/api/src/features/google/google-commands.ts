import { asciiEmail } from '@switchyard/contract/account-rules';
import { googleMessages, type Consent } from '@switchyard/contract/google-sign-in';
import { signInMessages, type SignInAnswer } from '@switchyard/contract/session';
import {
  ProviderRejection,
  ProviderUnavailable,
  signInSecret,
  type GoogleIdentity,
  type GoogleSignIn,
} from '../../adapters/google-sign-in.ts';
import { transaction, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { notFound, unauthorized, unavailable, type HttpError } from '../../errors.ts';
import type { RequestContext } from '../../http/bind.ts';
import {
  insertGoogleState,
  isLinkedAccount,
  updateGoogleIdentity,
  lockAccountByEmail,
  lockLinkedAccount,
  deleteGoogleState,
  type GoogleAccount,
} from './google-store.ts';
import {
  answerSignIn,
  enter,
  recordFailedSignIn,
  type OpenSessionDependencies,
  type EntryOutcome,
} from '../sign-in/open-session-lookup.ts';

export type GoogleSignInDependencies = OpenSessionDependencies & {
  /** Null: not configured. */
  provider: GoogleSignIn | null;
  /** Domains whose accounts may sign in, in lower case; empty: any, including private accounts. */
  hostedDomains: readonly string[];
  /** False: demo accounts have no access. */
  demoIsOn: boolean;
  /** Called with the reason of a fault of the provider, which the user does not see. */
  onProviderFault: (fault: ProviderRejection | ProviderUnavailable) => void;
};

/** The longest time of a sign-in, in milliseconds. */
const stateLifetime = 600_000;

/** Begins a sign-in: gives the consent page and the state that its end needs. */
export async function beginGoogleSignIn(deps: GoogleSignInDependencies): Promise<Consent> {
  const { provider } = deps;
  if (!provider) throw unavailable(googleMessages.notConfigured);
  const secrets = { state: signInSecret(), nonce: signInSecret(), verifier: signInSecret() };
  const url = await provider.consentUrl(secrets).catch((error: unknown) => {
    throw answerOf(deps, error);
  });
  const expiresAt = new Date(deps.now().getTime() + stateLifetime);
  await insertGoogleState(deps.db, secrets.state, { ...secrets, expiresAt });
  return { url, state: secrets.state, expiresAt: expiresAt.getTime() };
}

/**
 * Ends a sign-in with the code and the state from the consent page. The state is used up first, whatever the result, and
 * without a valid one the provider is not called. The identity is one factor: an account with a second one gets its second step.
 */
export async function signInWithGoogle(
  deps: GoogleSignInDependencies,
  { code, state }: { code: string; state: string },
  request: RequestContext,
): Promise<SignInAnswer> {
  const pending = await deleteGoogleState(deps.db, state, deps.now());
  if (!pending) throw await reject(deps, null, request, unauthorized(googleMessages.badState));
  if (!deps.provider) throw unavailable(googleMessages.notConfigured);
  const identity = await deps.provider.identify({ ...pending, code }).catch(async (error: unknown) => {
    const answer = answerOf(deps, error);
    throw error instanceof ProviderRejection ? await reject(deps, null, request, answer) : answer;
  });

  const outcome = await transaction<EntryOutcome | HttpError>(deps.db, async (tx) => {
    const account = await matchGoogleAccount(tx, identity, deps);
    if (!account) return unchanged(notFound(googleMessages.unknownUser));
    if (!account.has_access) return unchanged(unauthorized(signInMessages.denied));
    return (await enter(tx, deps, { account, passwordHash: null, request })) ?? unchanged(unauthorized(signInMessages.denied));
  });
  if (outcome instanceof Error) throw await reject(deps, identity.email, request, outcome);
  const answer = await answerSignIn(deps, outcome);
  if (!answer) throw unauthorized(signInMessages.denied);
  return answer;
}

export type GoogleProofDependencies = Pick<GoogleSignInDependencies, 'db' | 'now' | 'provider' | 'hostedDomains' | 'onProviderFault'>;

/** Whether the code of a consent page is of the identity that an account is linked to. The state is used up. */
export async function provesGoogleAccount(
  deps: GoogleProofDependencies,
  { accountId, code, state }: { accountId: number; code: string; state: string },
): Promise<boolean> {
  const pending = await deleteGoogleState(deps.db, state, deps.now());
  if (!pending || !deps.provider) return false;
  const identity = await deps.provider.identify({ ...pending, code }).catch((error: unknown) => {
    const answer = answerOf(deps, error);
    if (error instanceof ProviderRejection) return null;
    throw answer;
  });
  return identity !== null && isAccepted(identity, deps.hostedDomains) && isLinkedAccount(deps.db, accountId, identity);
}

/** Uses up the state of a call whose body is invalid: only the first call with a state may use it. */
export async function discardGoogleState({ db, now }: Pick<GoogleSignInDependencies, 'db' | 'now'>, body: unknown): Promise<void> {
  if (typeof body !== 'object' || body === null || !('state' in body) || typeof body.state !== 'string') return;
  await deleteGoogleState(db, body.state, now());
}

async function reject(deps: GoogleSignInDependencies, email: string | null, request: RequestContext, error: HttpError): Promise<HttpError> {
  await recordFailedSignIn(deps.db, email, request);
  return error;
}

/** The answer to the user for a fault of the provider; throws other errors as they are. */
function answerOf({ onProviderFault }: Pick<GoogleSignInDependencies, 'onProviderFault'>, error: unknown): HttpError {
  if (!(error instanceof ProviderUnavailable || error instanceof ProviderRejection)) throw error;
  onProviderFault(error);
  return error instanceof ProviderRejection ? unauthorized(googleMessages.failed) : unavailable(googleMessages.unavailable);
}

/**
 * The account that an identity opens: the one linked to it; without a link the one with its e-mail, which is linked now if
 * it has access and no other link. Null: none. Never creates an account.
 */
async function matchGoogleAccount(
  tx: OpenTransaction,
  identity: GoogleIdentity,
  { hostedDomains, demoIsOn }: { hostedDomains: readonly string[]; demoIsOn: boolean },
): Promise<GoogleAccount | null> {
  const email = identity.email === null ? null : asciiEmail(identity.email);
  if (email === null || !isAccepted(identity, hostedDomains)) return null;
  const linkedAccount = await lockLinkedAccount(tx, identity, demoIsOn);
  if (linkedAccount) return linkedAccount;
  const account = await lockAccountByEmail(tx, email, demoIsOn);
  if (!account || !isSameEmail(account.email, email)) return null;
  // Linked to another identity, or to this one by a call that came at the same time.
  if (account.google_subject !== null) return isLinkedTo(account, identity) ? account : null;
  if (account.has_access) await updateGoogleIdentity(tx, account.id, identity);
  return account;
}

function isAccepted({ emailVerified, hostedDomain }: GoogleIdentity, allowedDomains: readonly string[]): boolean {
  return emailVerified && (allowedDomains.length === 0 || (hostedDomain !== null && allowedDomains.includes(hostedDomain.toLowerCase())));
}

function isLinkedTo(account: GoogleAccount, { issuer, subject }: GoogleIdentity): boolean {
  return account.google_issuer === issuer && account.google_subject === subject;
}

/**
 * Whether two e-mails differ in the case of ASCII letters at most. Full case folding would take the Kelvin sign
 * for a k, and so another person's mailbox for this one.
 */
function isSameEmail(one: string, other: string): boolean {
  return asciiLowerCase(one) === asciiLowerCase(other);
}

function asciiLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
