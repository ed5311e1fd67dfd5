import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

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
