import { superAdminRoleId } from '@switchyard/contract/permissions';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** Any number; processes that start together take turns on it. */
const firstAccountLock = 7_420_311;

/**
 * Creates a super admin with access to all apps unless the database has, or ever had, an account (O7). Accounts of a demo do not count,
 * nor do deleted ones beside them: with the demo off nobody could sign in (O35).
 * The account is made from what `prepare` gives, which is asked only when it is needed; null: none was made.
 */
export async function insertFirstAdmin<T extends { name: string; email: string; passwordHash: string }>(
  db: Kysely<Tables>,
  prepare: () => Promise<T>,
): Promise<T | null> {
  return db.transaction().execute(async (tx) => {
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
    if (realAccount) return null;
    const admin = await prepare();
    const { id } = await tx
      .insertInto('accounts')
      .values({ panel: 'user', name: admin.name, email: admin.email, password_hash: admin.passwordHash, all_apps: true })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx.insertInto('account_roles').values({ account_id: id, role_id: superAdminRoleId, panel: 'user' }).execute();
    return admin;
  });
}
