import type { SecondStep, SessionToken, SignInAnswer } from '@switchyard/contract/session';
import type { Databases } from '../../database/connect.ts';
import type { SessionCaller, RequestContext } from '../../http/bind.ts';
import { recordAudit, transaction, type Audited, type AuditEvent, type OpenTransaction } from '../../database/transaction.ts';
import { tokenHash } from '../../secret-keys/secret-token.ts';
import { insertChallenge } from '../second-factors/challenges-lookup.ts';
import { listMethods } from '../second-factors/second-factors-lookup.ts';
import type { NotifyOwner } from '../security-mails/security-mails-lookup.ts';
import { deleteOldestSessions, insertSession, newSessionToken } from '../sessions/sessions-lookup.ts';
import { lockSignInAccount } from './sign-in-accounts-lookup.ts';
import { normalEmail, type SignInLimits } from './sign-in-limits-lookup.ts';

/** The largest number of live sessions of an account. */
const maximumSessions = 50;
/** Characters of a user agent that a mail shows. */
const userAgentCharacters = 200;

export type OpenSessionDependencies = {
  db: Databases['db'];
  now: () => Date;
  limits: SignInLimits;
  notifyOwner: NotifyOwner;
  sessionHours: number;
  idleMinutes: number;
  /** Reads the caller of a new session. */
  findCaller: (token: string) => Promise<SessionCaller | null>;
};

/** The proof beside a password or Google with which a session was opened. */
type SecondProof = 'totp' | 'recovery_code' | 'passkey';

/** An account whose first factor was right; `passwordHash` is null if that was no password. */
type Entering = { account: { id: number; email: string }; passwordHash: string | null; request: RequestContext };

/**
 * Opens a session of an authenticated account, ends its oldest ones past the maximum, clears its counts of wrong
 * passwords and codes, mails its owner about a new network, stores its address and records the entries. Null, with nothing
 * written, when the account lost access, was deleted or, given the password's hash, changed its password meanwhile.
 */
export async function openSession(
  tx: OpenTransaction,
  deps: OpenSessionDependencies,
  { account, passwordHash, method, request }: Entering & { method?: SecondProof },
): Promise<Audited<SessionToken> | null> {
  if (!(await lockSignInAccount(tx, { id: account.id, passwordHash }))) return null;
  const accessToken = newSessionToken();
  const now = deps.now();
  const expiresAt = new Date(now.getTime() + deps.sessionHours * 3_600_000);
  const id = await insertSession(tx, {
    accountId: account.id,
    tokenHash: tokenHash(accessToken),
    now,
    expiresAt,
    ip: request.ip,
    userAgent: request.userAgent,
  });
  const common = { actor: account, entity: 'session', label: account.email, request } as const;
  const idleSince = new Date(now.getTime() - deps.idleMinutes * 60_000);
  for (const sessionId of await deleteOldestSessions(tx, { accountId: account.id, keptCount: maximumSessions, now, idleSince }))
    await recordAudit(tx, { ...common, action: 'end', id: sessionId });
  const from = { email: normalEmail(account.email), ip: request.ip };
  await deps.limits.clear(tx, { ...from, proof: 'password' });
  await deps.limits.clear(tx, { ...from, proof: 'factor', accountId: account.id });
  if (!(await deps.limits.isKnownNetwork(tx, account.id, request.ip))) {
    const facts = [['Device', request.userAgent?.slice(0, userAgentCharacters) ?? 'unknown']] as const;
    await deps.notifyOwner(tx, { event: 'new_network', accountId: account.id, actor: account, request, facts });
  }
  await deps.limits.rememberAddress(tx, account.id, request.ip);
  const changes = method === undefined ? [] : [{ field: 'second_factor', from: null, to: method }];
  return recordAudit(tx, { ...common, action: 'login', id, changes }, { accessToken, expiresAt: expiresAt.getTime() });
}

/** Records a rejected sign-in; the e-mail is null when it is unknown. */
export async function recordFailedSignIn(db: Databases['db'], email: string | null, request: RequestContext): Promise<void> {
  await transaction(db, async (tx) => recordAudit(tx, failedSignIn(email, request)));
}

/** The audit entry of a rejected sign-in. */
export function failedSignIn(email: string | null, request: RequestContext): AuditEvent {
  return { actor: null, entity: 'session', action: 'login_failed', id: null, label: email, request };
}

/** The result of a right first factor: a session or, for an account with a second factor, the second step. */
export type EntryOutcome = SessionToken | { second_factor: SecondStep };

/** Lets an account in, in the transaction in which its first factor was checked; null in the cases of `openSession`. */
export async function enter(tx: OpenTransaction, deps: OpenSessionDependencies, entering: Entering): Promise<Audited<EntryOutcome> | null> {
  return (await beginSecondStep(tx, deps, entering)) ?? openSession(tx, deps, entering);
}

/** The answer to a sign-in; null when the account has lost its access meanwhile. */
export async function answerSignIn(
  { findCaller }: Pick<OpenSessionDependencies, 'findCaller'>,
  outcome: EntryOutcome,
): Promise<SignInAnswer | null> {
  if ('second_factor' in outcome) return outcome;
  const caller = await findCaller(outcome.accessToken);
  return caller && { user: caller.account, token: outcome };
}

/** Begins the second step of an account that has a second factor; null when it has none. */
async function beginSecondStep(
  tx: OpenTransaction,
  { now }: { now: () => Date },
  { account, request }: Entering,
): Promise<Audited<{ second_factor: SecondStep }> | null> {
  const methods = await listMethods(tx, account.id);
  if (methods.length === 0) return null;
  const { token: challenge } = await insertChallenge(tx, { purpose: 'sign_in', accountId: account.id, sessionId: null, now: now() });
  const event = { actor: account, entity: 'session', action: 'second_step', id: null, label: account.email, request } as const;
  return recordAudit(tx, event, { second_factor: { methods, challenge } });
}
