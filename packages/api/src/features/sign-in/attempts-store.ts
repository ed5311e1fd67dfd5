import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { existing, unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';

/** Why counters of sign-ins have no entries: each sign-in, successful or not, has one of its own. */
const why = 'counters of sign-ins, which have entries of their own';

/** The database, or a transaction of it. */
export type AttemptsDatabase = Kysely<Tables>;

/** The number of attempts of a key in its window, this one included, and the end of the window. */
export type Attempts = { attempts: number; windowEndsAt: Date };

/**
 * Counts an attempt in one statement, so that parallel ones cannot exceed the limit. A window begins with the first attempt;
 * its length is in milliseconds, also if the clock is set back meanwhile.
 */
export async function countAttempt(db: AttemptsDatabase, key: string, { now, window }: { now: Date; window: number }): Promise<Attempts> {
  const { rows } = await sql<Attempts>`
    insert into sign_in_attempts as a (key, attempts, window_ends_at) values (${key}, 1, ${new Date(now.getTime() + window)})
    on conflict (key) do update set
      attempts = case when a.window_ends_at <= ${now} then 1 else a.attempts + 1 end,
      window_ends_at = case when a.window_ends_at <= ${now} then excluded.window_ends_at else least(a.window_ends_at, excluded.window_ends_at) end
    returning attempts, window_ends_at as "windowEndsAt"
  `.execute(unauditedStatement(why, db));
  return existing(rows[0]);
}

/** Takes back an attempt that was not checked. */
export async function deleteLastAttempt(db: AttemptsDatabase, key: string): Promise<void> {
  await sql`update sign_in_attempts set attempts = attempts - 1 where key = ${key} and attempts > 0`.execute(unauditedStatement(why, db));
}

/** Deletes the count of a key. */
export async function deleteAttempts(db: AttemptsDatabase, key: string): Promise<void> {
  await sql`delete from sign_in_attempts where key = ${key}`.execute(unauditedStatement(why, db));
}

/** Deletes counts whose window is over. */
export async function deletePastWindows(db: AttemptsDatabase, now: Date): Promise<void> {
  await sql`delete from sign_in_attempts where window_ends_at <= ${now}`.execute(unauditedStatement(why, db));
}

/** Whether somebody signed in to the account with this e-mail (in lower case) from an address since an instant. */
export async function isKnownAddress(
  db: AttemptsDatabase,
  { email, addressKey, since }: { email: string; addressKey: string; since: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select from known_addresses k join accounts a on a.id = k.account_id
    where lower(a.email) = ${email} and a.deleted_at is null and k.address_key = ${addressKey} and k.last_signed_in_at > ${since}
  `.execute(db);
  return rows.length > 0;
}

/** Whether an account signed in since an instant from an address whose key begins like this. */
export async function isKnownNetwork(
  db: AttemptsDatabase,
  { accountId, keyPrefix, since }: { accountId: number; keyPrefix: string; since: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select from known_addresses
    where account_id = ${accountId} and starts_with(address_key, ${keyPrefix}) and last_signed_in_at > ${since} limit 1
  `.execute(db);
  return rows.length > 0;
}

/** Stores the address from which an account signed in. */
export async function insertKnownAddress(
  db: AttemptsDatabase,
  { accountId, addressKey, now }: { accountId: number; addressKey: string; now: Date },
): Promise<void> {
  await sql`
    insert into known_addresses (account_id, address_key, last_signed_in_at) values (${accountId}, ${addressKey}, ${now})
    on conflict (account_id, address_key) do update set last_signed_in_at = excluded.last_signed_in_at
  `.execute(unauditedStatement(why, db));
}

/** Deletes the addresses of an account except one. */
export async function deleteOtherAddresses(tx: OpenTransaction, { accountId, keptKey }: { accountId: number; keptKey: string | null }) {
  await sql`delete from known_addresses where account_id = ${accountId} and address_key is distinct from ${keptKey}`.execute(tx);
}

/** Deletes addresses from which nobody signed in since an instant. */
export async function deleteKnownAddresses(db: AttemptsDatabase, since: Date): Promise<void> {
  await sql`delete from known_addresses where last_signed_in_at <= ${since}`.execute(unauditedStatement(why, db));
}
