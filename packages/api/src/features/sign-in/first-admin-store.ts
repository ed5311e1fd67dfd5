import { superAdminRoleId } from '@switchyard/contract/permissions';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { transaction, unaudited, unchanged } from '../../database/transaction.ts';

/** Key of the advisory lock that processes take when they start together. */
const firstAccountLock = 7_420_311;

/**
 * Creates a super admin with access to all apps unless the database has, or ever had, an account; null when it has. Demo
 * accounts do not count, nor do deleted ones beside them: with the demo off nobody could sign in. `prepare` gives the
 * account and is called only when it is needed.
 */
export async function insertFirstAdmin<T extends { name: string; email: string; passwordHash: string }>(
  db: Kysely<Tables>,
  prepare: () => Promise<T>,
): Promise<T | null> {
  return transaction<T | null>(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${firstAccountLock})`.execute(tx);
    const realAccount = await tx
      .selectFrom('accounts')
      .select('id')
      .where('is_demo', '=', false)
      .where((eb) =>
        eb.or([
          eb('deleted_at', 'is', null),
          eb.not(eb.exists(eb.selectFrom('accounts as d').select('d.id').where('d.is_demo', '=', true))),
        ]),
      )
      .limit(1)
      .executeTakeFirst();
    if (realAccount) return unchanged(null);
    const admin = await prepare();
    const { id } = await tx
      .insertInto('accounts')
      .values({ panel: 'user', name: admin.name, email: admin.email, password_hash: admin.passwordHash, all_apps: true })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx.insertInto('account_roles').values({ account_id: id, role_id: superAdminRoleId, panel: 'user' }).execute();
    return unaudited('nobody acts: the first start creates the account and prints it', admin);
  });
}
