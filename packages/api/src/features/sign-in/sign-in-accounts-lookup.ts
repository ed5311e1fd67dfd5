import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

export type SignInAccount = { id: number; email: string; password_hash: string | null; has_access: boolean };

/** The account with this e-mail in lower case; undefined for a deleted one, and for a demo account while the demo is off. */
export async function findAccountByEmail(db: Kysely<Tables>, email: string, demoIsOn: boolean): Promise<SignInAccount | undefined> {
  const { rows } = await sql<SignInAccount>`
    select id, email, password_hash, has_access from accounts
    where lower(email) = ${email} and deleted_at is null and (${demoIsOn} or not is_demo)
  `.execute(db);
  return rows[0];
}

/** The account with this id; undefined for a deleted one. */
export async function findAccountById(db: Kysely<Tables>, id: number): Promise<SignInAccount | undefined> {
  const { rows } = await sql<SignInAccount>`
    select id, email, password_hash, has_access from accounts where id = ${id} and deleted_at is null
  `.execute(db);
  return rows[0];
}

/** Locks an account until the transaction ends; false when it lost access, was deleted or changed its password meanwhile. */
export async function lockSignInAccount(
  tx: OpenTransaction,
  { id, passwordHash }: { id: number; passwordHash: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    select from accounts
    where id = ${id} and has_access and deleted_at is null and (${passwordHash}::text is null or password_hash = ${passwordHash})
    for no key update
  `.execute(tx);
  return rows.length > 0;
}
