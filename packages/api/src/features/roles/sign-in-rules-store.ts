import type { SignInRules } from '@switchyard/contract/sign-in-rules';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { existing, type OpenTransaction } from '../../database/transaction.ts';

/** Who needs a second factor; null: since the rule was set. */
export type RuleStarts = Pick<SignInRules, 'all_staff' | 'role_ids'> & {
  all_staff_from: Date | null;
  roles_from: readonly { id: number; from: Date }[];
};

type StoredRules = RuleStarts &
  Pick<SignInRules, 'own_factor' | 'version'> & {
    /** Accounts of staff that would have to set up a second factor. */
    staff: number;
    /** Their number by role id; roles without such accounts are left out. */
    withoutFactor: ReadonlyMap<number, number>;
  };

/** SQL: whether the account `a` can sign in and would have to set up a second factor. */
const withoutFactor = sql<boolean>`
  a.deleted_at is null and a.has_access and not a.is_demo and not exists (select from second_factors f where f.account_id = a.id)`;

/** Who needs a second factor, how many accounts have none, and whether the account `callerId` has one. */
export async function getStoredRules(db: Kysely<Tables>, callerId: number): Promise<StoredRules> {
  const { rows: counts } = await sql<{ role_id: number; count: number }>`
    select h.role_id, count(*)::int as count from account_roles h join accounts a on a.id = h.account_id where ${withoutFactor} group by h.role_id
  `.execute(db);
  const { rows } = await sql<Omit<StoredRules, 'withoutFactor' | 'roles_from'>>`
    select all_staff_need_second_factor as all_staff, all_staff_from, version,
      (select count(*)::int from accounts a where a.panel = 'user' and ${withoutFactor}) as staff,
      exists (select from second_factors where account_id = ${callerId}) as own_factor,
      array(select id from roles where requires_second_factor order by id) as role_ids
    from sign_in_rules
  `.execute(db);
  const { rows: starts } = await sql<{ id: number; from: Date }>`
    select id, second_factor_from as "from" from roles where requires_second_factor and second_factor_from is not null order by id
  `.execute(db);
  return { ...existing(rows[0]), roles_from: starts, withoutFactor: new Map(counts.map(({ role_id, count }) => [role_id, count])) };
}

/** Replaces the rules and raises their version. The caller holds the lock of roles. */
export async function updateStoredRules(
  tx: OpenTransaction,
  { all_staff, all_staff_from, role_ids, roles_from }: RuleStarts,
): Promise<void> {
  const [ids, starts] = [roles_from.map(({ id }) => id), roles_from.map(({ from }) => from)];
  await sql`
    update roles set requires_second_factor = id = any(${role_ids}::int[]), second_factor_from = (
      select s.start from unnest(${ids}::int[], ${starts}::timestamptz[]) as s (id, start) where s.id = roles.id)
  `.execute(tx);
  await sql`
    update sign_in_rules set all_staff_need_second_factor = ${all_staff}, all_staff_from = ${all_staff_from}, version = version + 1
  `.execute(tx);
}
