import type { SessionToken } from '@switchyard/contract/session';
import type { Databases } from '../../database/connect.ts';
import type { RequestContext } from '../../http/bind.ts';
import { recordAudit } from '../audit/record-audit-lookup.ts';
import { newSessionToken, tokenHash } from './session-token.ts';
import { deleteOldestSessions, inTransaction, insertSession, type Tx } from './session-store.ts';
import { normalEmail, type SignInLimits } from './sign-in-limits.ts';

/** Live sessions that an account may have at once (O40). */
const maximumSessions = 50;

export type OpenSessionDependencies = { now: () => Date; limits: SignInLimits; sessionHours: number; idleMinutes: number };

/**
 * Opens a session of an account that proved who it is, ends its oldest ones past the maximum, clears its count of failed
 * tries, remembers its address and writes the trail. Null when the account lost access, was deleted or, given the
 * password's hash, changed its password meanwhile.
 */
export async function openSession(
  tx: Tx,
  deps: OpenSessionDependencies,
  { account, passwordHash, request }: { account: { id: number; email: string }; passwordHash: string | null; request: RequestContext },
): Promise<SessionToken | null> {
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
  await deps.limits.clear(tx, { email: normalEmail(account.email), ip: request.ip });
  await deps.limits.rememberAddress(tx, account.id, request.ip);
  await recordAudit(tx, { ...common, action: 'login', entityId });
  return { accessToken, expiresAt: expiresAt.getTime() };
}

/** Writes a refused sign-in into the trail; the e-mail is null when nobody knows whose it was. */
export async function recordFailedSignIn(db: Databases['db'], email: string | null, request: RequestContext): Promise<void> {
  await inTransaction(db, (tx) =>
    recordAudit(tx, { actor: null, entity: 'session', action: 'login_failed', entityId: null, entityLabel: email, request }),
  );
}
