import type { SessionToken } from '@switchyard/contract/session';
import type { Databases } from '../../database/connect.ts';
import type { RequestContext } from '../../http/bind.ts';
import { recordAudit, transaction, type Audited, type AuditEvent, type OpenTransaction } from '../../database/transaction.ts';
import { randomToken, tokenHash } from '../../secret-token.ts';
import type { NotifyOwner } from './security-mails-lookup.ts';
import { deleteOldestSessions, insertSession } from './session-store.ts';
import { normalEmail, type SignInLimits } from './sign-in-limits.ts';

/** The largest number of live sessions of an account. */
const maximumSessions = 50;
/** Characters of a user agent that a mail shows. */
const userAgentCharacters = 200;

export type OpenSessionDependencies = {
  now: () => Date;
  limits: SignInLimits;
  notifyOwner: NotifyOwner;
  sessionHours: number;
  idleMinutes: number;
};

/** What opened a session besides a password or Google. */
type SecondProof = 'totp' | 'recovery_code' | 'passkey';

/**
 * Opens a session of an authenticated account, ends its oldest ones past the maximum, clears its counts of wrong
 * passwords and codes, mails its owner about a new network, stores its address and records the entries. Null, with nothing
 * written, when the account lost access, was deleted or, given the password's hash, changed its password meanwhile.
 */
export async function openSession(
  tx: OpenTransaction,
  deps: OpenSessionDependencies,
  {
    account,
    passwordHash,
    method,
    request,
  }: { account: { id: number; email: string }; passwordHash: string | null; method?: SecondProof; request: RequestContext },
): Promise<Audited<SessionToken> | null> {
  const accessToken = newSessionToken();
  const now = deps.now();
  const expiresAt = new Date(now.getTime() + deps.sessionHours * 3_600_000);
  const entityId = await insertSession(tx, {
    accountId: account.id,
    passwordHash,
    tokenHash: tokenHash(accessToken),
    now,
    expiresAt,
    ip: request.ip,
    userAgent: request.userAgent,
  });
  if (entityId === undefined) return null;
  const common = { actor: account, entity: 'session', entityLabel: account.email, request } as const;
  const idleSince = new Date(now.getTime() - deps.idleMinutes * 60_000);
  for (const ended of await deleteOldestSessions(tx, { accountId: account.id, kept: maximumSessions, now, idleSince }))
    await recordAudit(tx, { ...common, action: 'end', entityId: ended });
  const from = { email: normalEmail(account.email), ip: request.ip };
  await deps.limits.clear(tx, { ...from, proof: 'password' });
  await deps.limits.clear(tx, { ...from, proof: 'factor', accountId: account.id });
  if (!(await deps.limits.isKnownNetwork(tx, account.id, request.ip))) {
    const facts = [['Device', request.userAgent?.slice(0, userAgentCharacters) ?? 'unknown']] as const;
    await deps.notifyOwner(tx, { event: 'new_network', accountId: account.id, actor: account, request, facts });
  }
  await deps.limits.rememberAddress(tx, account.id, request.ip);
  const changes = method === undefined ? [] : [{ field: 'second_factor', from: null, to: method }];
  return recordAudit(tx, { ...common, action: 'login', entityId, changes }, { accessToken, expiresAt: expiresAt.getTime() });
}

/** Records a rejected sign-in; the e-mail is null when it is unknown. */
export async function recordFailedSignIn(db: Databases['db'], email: string | null, request: RequestContext): Promise<void> {
  await transaction(db, async (tx) => recordAudit(tx, failedSignIn(email, request)));
}

/** The audit entry of a rejected sign-in. */
export function failedSignIn(email: string | null, request: RequestContext): AuditEvent {
  return { actor: null, entity: 'session', action: 'login_failed', entityId: null, entityLabel: email, request };
}

const prefix = 'swy_';
const tokenForm = /^swy_[A-Za-z0-9_-]{43}$/;

/** A new token of 256 random bits; the prefix lets secret scanners find a leaked one. */
function newSessionToken(): string {
  return prefix + randomToken();
}

/** Whether a text has the form of a session token; others never reach the database. */
export function isSessionToken(text: string): boolean {
  return tokenForm.test(text);
}
