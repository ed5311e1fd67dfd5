import type { SecondFactorMethod } from '@switchyard/contract/session';
import { sql, type Kysely } from 'kysely';
import type { SecondFactorsTable, Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { Selectable } from 'kysely';

export type StoredFactor = Selectable<SecondFactorsTable>;

/** The second factors of an account, oldest first. */
export async function listFactors(db: Kysely<Tables>, accountId: number): Promise<StoredFactor[]> {
  return db.selectFrom('second_factors').selectAll().where('account_id', '=', accountId).orderBy('id').execute();
}

/** What an account can finish a sign-in with; empty when it has no second factor. */
export async function listMethods(db: Kysely<Tables>, accountId: number): Promise<SecondFactorMethod[]> {
  const factors = await listFactors(db, accountId);
  if (factors.length === 0) return [];
  const has = (kind: StoredFactor['kind']): boolean => factors.some((factor) => factor.kind === kind);
  const codes = await countRecoveryCodes(db, accountId);
  return [
    ...(has('passkey') ? ['passkey' as const] : []),
    ...(has('totp') ? ['totp' as const] : []),
    ...(codes > 0 ? ['recovery_code' as const] : []),
  ];
}

/** Recovery codes of an account that are not used yet. */
export async function countRecoveryCodes(db: Kysely<Tables>, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * SQL: whether a role of the account `a`, as `byRole` says, or the rule for all staff demands a second factor. Demo accounts need
 * none: everybody uses them.
 */
export function factorRule(byRole: string): string {
  return `(not a.is_demo and (${byRole} or (a.panel = 'user' and exists (select from sign_in_rules where all_staff_need_second_factor))))`;
}

const needsFactor = sql.raw<boolean>(
  factorRule(
    'exists (select from account_roles h join roles r on r.id = h.role_id where h.account_id = a.id and r.requires_second_factor)',
  ),
);

/** What second factors depend on of an account; undefined for a deleted one. */
export async function findFactorOwner(
  db: Kysely<Tables>,
  id: number,
): Promise<{ email: string; is_demo: boolean; has_password: boolean; has_google: boolean; needs_factor: boolean } | undefined> {
  return db
    .selectFrom('accounts as a')
    .select(['a.email', 'a.is_demo', needsFactor.as('needs_factor')])
    .select([sql<boolean>`a.password_hash is not null`.as('has_password'), sql<boolean>`a.google_subject is not null`.as('has_google')])
    .where('a.id', '=', id)
    .where('a.deleted_at', 'is', null)
    .executeTakeFirst();
}
/** Removes all second factors, recovery codes and begun sign-ins of an account; false when it had no factor. */
export async function removeAllFactors(tx: OpenTransaction, accountId: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('second_factors').where('account_id', '=', accountId).executeTakeFirst();
  await tx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('sign_in_challenges').where('account_id', '=', accountId).execute();
  return numDeletedRows > 0n;
}
