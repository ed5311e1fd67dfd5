import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { unauditedStatement } from '../../database/transaction.ts';

/** Why counters of sign-ins have no entries: each sign-in, successful or not, has one of its own. */
const why = 'counters of sign-ins, which have entries of their own';

/** The database, or a transaction of it. */
export type AttemptsDatabase = Kysely<Tables>;

/** The number of attempts of a key in its window, this one included, and the end of the window. */
export type Attempts = { attempts: number; windowEndsAt: Date };

/**
 * Counts an attempt in one statement, so that parallel ones cannot exceed the limit. A window begins with the first attempt;
 * its length is in milliseconds.
 */
export async function countAttempt(db: AttemptsDatabase, key: string, { now, window }: { now: Date; window: number }): Promise<Attempts> {
  const row = await unauditedStatement(why, db)
    .insertInto('sign_in_attempts')
    .values({ key, attempts: 1, window_ends_at: new Date(now.getTime() + window) })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        attempts: sql`case when sign_in_attempts.window_ends_at <= ${now} then 1 else sign_in_attempts.attempts + 1 end`,
        window_ends_at: sql`case when sign_in_attempts.window_ends_at <= ${now} then excluded.window_ends_at else sign_in_attempts.window_ends_at end`,
      }),
    )
    .returning(['attempts', 'window_ends_at'])
    .executeTakeFirstOrThrow();
  return { attempts: row.attempts, windowEndsAt: row.window_ends_at };
}

/** Takes back an attempt that was not checked. */
export async function deleteLastAttempt(db: AttemptsDatabase, key: string): Promise<void> {
  await unauditedStatement(why, db)
    .updateTable('sign_in_attempts')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('key', '=', key)
    .where('attempts', '>', 0)
    .execute();
}

/** Deletes the count of a key. */
export async function deleteAttempts(db: AttemptsDatabase, key: string): Promise<void> {
  await unauditedStatement(why, db).deleteFrom('sign_in_attempts').where('key', '=', key).execute();
}

/** Deletes counts whose window is over. */
export async function deletePastWindows(db: AttemptsDatabase, now: Date): Promise<void> {
  await unauditedStatement(why, db).deleteFrom('sign_in_attempts').where('window_ends_at', '<=', now).execute();
}

/** Whether somebody signed in to the account with this e-mail (in lower case) from an address since an instant. */
export async function isKnownAddress(
  db: AttemptsDatabase,
  { email, addressKey, since }: { email: string; addressKey: string; since: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom('known_addresses as k')
    .innerJoin('accounts as a', 'a.id', 'k.account_id')
    .select('k.account_id')
    .where(sql`lower(a.email)`, '=', email)
    .where('a.deleted_at', 'is', null)
    .where('k.address_key', '=', addressKey)
    .where('k.last_signed_in_at', '>', since)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an account signed in since an instant from an address whose key begins like this. */
export async function isKnownNetwork(
  db: AttemptsDatabase,
  { accountId, keyPrefix, since }: { accountId: number; keyPrefix: string; since: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom('known_addresses')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`starts_with(address_key, ${keyPrefix})`)
    .where('last_signed_in_at', '>', since)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the address from which an account signed in. */
export async function insertKnownAddress(
  db: AttemptsDatabase,
  { accountId, addressKey, now }: { accountId: number; addressKey: string; now: Date },
): Promise<void> {
  await unauditedStatement(why, db)
    .insertInto('known_addresses')
    .values({ account_id: accountId, address_key: addressKey, last_signed_in_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'address_key']).doUpdateSet({ last_signed_in_at: now }))
    .execute();
}

/** Deletes addresses from which nobody signed in since an instant. */
export async function deleteKnownAddresses(db: AttemptsDatabase, since: Date): Promise<void> {
  await unauditedStatement(why, db).deleteFrom('known_addresses').where('last_signed_in_at', '<=', since).execute();
}
