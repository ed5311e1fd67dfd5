import { superAdminRoleId } from '@switchyard/contract/permissions';
import { sql } from 'kysely';
import type { OpenTransaction } from '../../database/transaction.ts';

/** Key of the advisory lock that processes take when they start together. */
const firstAccountLock = 7_420_311;

/**
 * Whether the database has, or ever had, an account; locked until the transaction ends. Demo accounts do not count, nor do
 * deleted ones beside them: with the demo off nobody could sign in.
 */
export async function lockFirstAccount(tx: OpenTransaction): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${firstAccountLock})`.execute(tx);
  const { rows } = await sql`
    select from accounts where not is_demo and (deleted_at is null or not exists (select from accounts where is_demo)) limit 1
  `.execute(tx);
  return rows.length > 0;
}

/** Inserts a super admin with access to all apps. */
export async function insertSuperAdmin(
  tx: OpenTransaction,
  { name, email, passwordHash }: { name: string; email: string; passwordHash: string },
): Promise<void> {
  const { id } = await tx
    .insertInto('accounts')
    .values({ panel: 'user', name, email, password_hash: passwordHash, all_apps: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx.insertInto('account_roles').values({ account_id: id, role_id: superAdminRoleId, panel: 'user' }).execute();
}
