import { sql, type Kysely, type Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';

export type Tx = Transaction<Tables>;

/** Runs a write in one transaction. */
export async function inTransaction<T>(db: Kysely<Tables>, write: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(write);
}

export type SignInAccount = { id: number; email: string; password_hash: string | null; has_access: boolean };

/** The account with this e-mail in lower case, deleted ones apart; a locked demo account counts as unknown. */
export async function findAccountByEmail(db: Kysely<Tables>, email: string, demoIsOn: boolean): Promise<SignInAccount | undefined> {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'password_hash', 'has_access'])
    .where(sql`lower(email)`, '=', email)
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb.lit(demoIsOn), eb('is_demo', '=', false)]))
    .executeTakeFirst();
}

/** The account with this id, deleted ones apart. */
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
  /** The hash that the password was checked against: a password changed meanwhile opens nothing. Null: none was asked for. */
  passwordHash: string | null;
  tokenHash: Buffer;
  now: Date;
  expiresAt: Date;
  ip: string;
  userAgent: string | null;
};

const userAgentCharacters = 512;

/**
 * Opens a session unless the account lost access, was deleted or changed its password meanwhile; gives its id. The account
 * stays locked until the transaction ends, so that parallel sign-ins count each other's sessions.
 */
export async function insertSession(tx: Tx, session: NewSession): Promise<number | undefined> {
  const account = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', session.accountId)
    .$if(session.passwordHash !== null, (query) => query.where('password_hash', '=', session.passwordHash))
    .where('has_access', '=', true)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!account) return undefined;
  const row = await tx
    .insertInto('sessions')
    .values({
      account_id: session.accountId,
      token_hash: session.tokenHash,
      created_at: session.now,
      last_used_at: session.now,
      expires_at: session.expiresAt,
      ip: session.ip,
      user_agent: session.userAgent?.slice(0, userAgentCharacters) ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/**
 * Locks an account, so that its sign-ins and other ends of its sessions wait, and tells whether one of its sessions is
 * still there.
 */
export async function lockSession(tx: Tx, { accountId, id }: { accountId: number; id: number }): Promise<boolean> {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const session = await tx.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst();
  return session !== undefined;
}

/** Ends a session; false when it had ended already. */
export async function deleteSession(tx: Tx, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('sessions').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends the oldest live sessions of an account past a number and gives their ids. */
export async function deleteOldestSessions(
  tx: Tx,
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

/** Forgets sessions that no token opens any more. */
export async function deleteDeadSessions(db: Kysely<Tables>, limits: { now: Date; idleSince: Date }): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expires_at', '<=', limits.now), eb('last_used_at', '<=', limits.idleSince)]))
    .execute();
}
