import type { SecondFactorMethod } from '@switchyard/contract/session';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { SecondFactorsTable, Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

export type StoredFactor = Selectable<SecondFactorsTable>;

/** The second factors of an account, oldest first. */
export async function listFactors(db: Kysely<Tables>, accountId: number): Promise<StoredFactor[]> {
  const { rows } = await sql<StoredFactor>`select * from second_factors where account_id = ${accountId} order by id`.execute(db);
  return rows;
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
  const { rows } = await sql<{ count: number }>`
    select count(*) from recovery_codes where account_id = ${accountId} and used_at is null
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** SQL: an aggregate over the roles `r` of an account: the instant from which the first of them demands a second factor. */
export const firstRuleOfRoles = `min(coalesce(r.second_factor_from, '-infinity')) filter (where r.requires_second_factor)`;

/**
 * SQL: the instant from which the account `a` needs a second factor, by its roles, as `byRoles` says, or by the rule for all
 * staff; null: never. Demo accounts need none: everybody uses them.
 */
export function factorStart(byRoles: string): string {
  return `case when not a.is_demo then least(${byRoles}, case when a.panel = 'user' then (
    select coalesce(all_staff_from, '-infinity') from sign_in_rules where all_staff_need_second_factor) end) end`;
}

const ownStart = sql.raw(
  factorStart(`(select ${firstRuleOfRoles} from account_roles h join roles r on r.id = h.role_id where h.account_id = a.id)`),
);

/** Whether the rules demand a second factor of an account and, if they do so later, from which instant on. */
export async function findFactorRule(db: Kysely<Tables>, id: number, now: Date): Promise<{ required: boolean; from: Date | null }> {
  const { rows } = await sql<{ required: boolean; from: Date | null }>`
    select coalesce(start <= ${now}, false) as required, case when start > ${now} then start end as "from"
    from (select ${ownStart} as start from accounts a where a.id = ${id}) as rule
  `.execute(db);
  return rows[0] ?? { required: false, from: null };
}

/** Which accounts have a second factor, and of which the rules demand one now. Without demo accounts, which cannot have one. */
export async function listFactorStates(
  db: Kysely<Tables>,
  now: Date,
  ids?: readonly number[],
): Promise<{ id: number; has_factor: boolean; required: boolean }[]> {
  const { rows } = await sql<{ id: number; has_factor: boolean; required: boolean }>`
    select a.id, exists (select from second_factors f where f.account_id = a.id) as has_factor,
      coalesce(${ownStart} <= ${now}, false) as required
    from accounts a
    where a.deleted_at is null and not a.is_demo and (${ids ?? null}::int[] is null or a.id = any(${ids ?? null}::int[])) order by a.id
  `.execute(db);
  return rows;
}

type FactorOwner = { is_demo: boolean; has_password: boolean; has_google: boolean };

/** Facts about an account on which its second factors depend; undefined for a deleted one. */
export async function findFactorOwner(db: Kysely<Tables>, id: number): Promise<FactorOwner | undefined> {
  const { rows } = await sql<FactorOwner>`
    select is_demo, password_hash is not null as has_password, google_subject is not null as has_google
    from accounts where id = ${id} and deleted_at is null
  `.execute(db);
  return rows[0];
}

/** Removes all second factors, recovery codes and unfinished sign-ins of an account; false when it had no factor. */
export async function removeAllFactors(tx: OpenTransaction, accountId: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from second_factors where account_id = ${accountId}`.execute(tx);
  await sql`delete from recovery_codes where account_id = ${accountId}`.execute(tx);
  await sql`delete from sign_in_challenges where account_id = ${accountId}`.execute(tx);
  return numAffectedRows > 0n;
}
