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

/** Ways in which an account can finish a sign-in; empty if it has no second factor. */
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

/** SQL: an aggregate over the roles `r` of an account: the instant from which the first of them demands a second factor. */
export const firstRuleOfRoles = `min(coalesce(r.second_factor_from, '-infinity')) filter (where r.requires_second_factor)`;

/**
 * SQL: the instant from which the account `a` needs a second factor, by its roles, as `byRoles` says, or by the rule for all
 * staff; null: never. Demo accounts need none: everybody uses them.
 */
export function factorStart(byRoles: string): string {
  return `case when not a.is_demo then least(${byRoles}, (
    select coalesce(all_staff_from, '-infinity') from sign_in_rules where all_staff_need_second_factor and a.panel = 'user')) end`;
}

const ownStart = factorStart(
  `(select ${firstRuleOfRoles} from account_roles h join roles r on r.id = h.role_id where h.account_id = a.id)`,
);
const isRequired = (now: Date) => sql<boolean>`coalesce(${sql.raw(ownStart)} <= ${now}, false)`;

/** Whether the rules demand a second factor of an account and, if they do so later, from which instant on. */
export async function findFactorRule(db: Kysely<Tables>, id: number, now: Date): Promise<{ required: boolean; from: Date | null }> {
  const later = sql<Date | null>`case when ${sql.raw(ownStart)} > ${now} then ${sql.raw(ownStart)} end`;
  const rule = await db
    .selectFrom('accounts as a')
    .select([isRequired(now).as('required'), later.as('from')])
    .where('a.id', '=', id)
    .executeTakeFirst();
  return rule ?? { required: false, from: null };
}

/** Which accounts have a second factor, and of which the rules demand one now. Without demo accounts, which cannot have one. */
export async function listFactorStates(db: Kysely<Tables>, now: Date): Promise<{ id: number; has_factor: boolean; required: boolean }[]> {
  return db
    .selectFrom('accounts as a')
    .select(['a.id', isRequired(now).as('required')])
    .select(sql<boolean>`exists (select from second_factors f where f.account_id = a.id)`.as('has_factor'))
    .where('a.deleted_at', 'is', null)
    .where('a.is_demo', '=', false)
    .orderBy('a.id')
    .execute();
}

/** Facts about an account on which its second factors depend; undefined for a deleted one. */
export async function findFactorOwner(
  db: Kysely<Tables>,
  id: number,
): Promise<{ is_demo: boolean; has_password: boolean; has_google: boolean } | undefined> {
  return db
    .selectFrom('accounts as a')
    .select('a.is_demo')
    .select([sql<boolean>`a.password_hash is not null`.as('has_password'), sql<boolean>`a.google_subject is not null`.as('has_google')])
    .where('a.id', '=', id)
    .where('a.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Removes all second factors, recovery codes and unfinished sign-ins of an account; false when it had no factor. */
export async function removeAllFactors(tx: OpenTransaction, accountId: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('second_factors').where('account_id', '=', accountId).executeTakeFirst();
  await tx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('sign_in_challenges').where('account_id', '=', accountId).execute();
  return numDeletedRows > 0n;
}
