import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';

export type SignInAccount = { id: number; email: string; password_hash: string | null; has_access: boolean };

/** The account with this e-mail in lower case; undefined for a deleted one, and for a demo account while the demo is off. */
export async function findAccountByEmail(db: Kysely<Tables>, email: string, demoIsOn: boolean): Promise<SignInAccount | undefined> {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'password_hash', 'has_access'])
    .where(sql`lower(email)`, '=', email)
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb.lit(demoIsOn), eb('is_demo', '=', false)]))
    .executeTakeFirst();
}

/** The account with this id; undefined for a deleted one. */
export async function findAccountById(db: Kysely<Tables>, id: number): Promise<SignInAccount | undefined> {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'password_hash', 'has_access'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

export type NewSession = {
  accountId: number;
  /** The hash that the password was checked against, so that a password changed meanwhile opens nothing. Null: no password. */
  passwordHash: string | null;
  tokenHash: Buffer;
  now: Date;
  expiresAt: Date;
  ip: string;
  userAgent: string | null;
};

const userAgentCharacters = 512;

/**
 * Inserts a session and gives its id; undefined when the account lost access, was deleted or changed its password meanwhile.
 * Locks the account until the transaction ends, so that parallel sign-ins count each other's sessions.
 */
export async function insertSession(tx: OpenTransaction, session: NewSession): Promise<number | undefined> {
  if (!(await lockSignInAccount(tx, { id: session.accountId, passwordHash: session.passwordHash }))) return undefined;
  const row = await tx
    .insertInto('sessions')
    .values({
      account_id: session.accountId,
      token_hash: session.tokenHash,
      created_at: session.now,
      last_used_at: session.now,
      authenticated_at: session.now,
      expires_at: session.expiresAt,
      ip: session.ip,
      user_agent: session.userAgent?.slice(0, userAgentCharacters) ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Locks an account until the transaction ends; false when it lost access, was deleted or changed its password meanwhile. */
export async function lockSignInAccount(
  tx: OpenTransaction,
  { id, passwordHash }: { id: number; passwordHash: string | null },
): Promise<boolean> {
  const account = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .$if(passwordHash !== null, (query) => query.where('password_hash', '=', passwordHash))
    .where('has_access', '=', true)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return account !== undefined;
}

/**
 * Locks an account, so that its sign-ins and other commands on its sessions wait; false when the given session has ended.
 */
export async function lockSession(tx: OpenTransaction, { accountId, id }: { accountId: number; id: number }): Promise<boolean> {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const session = await tx.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst();
  return session !== undefined;
}

/** Records that the owner of a session confirmed their identity; false when the session has ended. */
export async function renewSession(tx: OpenTransaction, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable('sessions').set({ authenticated_at: now }).where('id', '=', id).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes a session; false when it had ended already. */
export async function deleteSession(tx: OpenTransaction, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('sessions').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes the oldest live sessions of an account past a number and gives their ids. */
export async function deleteOldestSessions(
  tx: OpenTransaction,
  { accountId, kept, now, idleSince }: { accountId: number; kept: number; now: Date; idleSince: Date },
): Promise<number[]> {
  const deleted = await tx
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .where('last_used_at', '>', idleSince)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(kept),
    )
    .returning('id')
    .execute();
  return deleted.map(({ id }) => id);
}

/** Deletes sessions that have expired or were idle for too long. */
export async function deleteDeadSessions(db: Kysely<Tables>, limits: { now: Date; idleSince: Date }): Promise<void> {
  await unauditedStatement('sessions that are over already', db)
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expires_at', '<=', limits.now), eb('last_used_at', '<=', limits.idleSince)]))
    .execute();
}
