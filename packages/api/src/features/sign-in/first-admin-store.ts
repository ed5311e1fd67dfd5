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
  const realAccount = await tx
    .selectFrom('accounts')
    .select('id')
    .where('is_demo', '=', false)
    .where((eb) =>
      eb.or([eb('deleted_at', 'is', null), eb.not(eb.exists(eb.selectFrom('accounts as d').select('d.id').where('d.is_demo', '=', true)))]),
    )
    .limit(1)
    .executeTakeFirst();
  return realAccount !== undefined;
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
