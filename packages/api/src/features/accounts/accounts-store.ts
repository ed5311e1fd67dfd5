import { superAdminRoleId, type Panel } from '@switchyard/contract/permissions';
import { sql } from 'kysely';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { AppScope } from '../../traffic-store/traffic-store.ts';
import type { OtherSuperAdmins } from '../access-rules/account-rules-lookup.ts';

export type Tx = OpenTransaction;

/** Everything of an account that a write can change, except its password. */
export type AccountState = {
  name: string;
  email: string;
  hasAccess: boolean;
  isQa: boolean;
  roleIds: readonly number[];
  apps: AppScope;
};

/**
 * Makes writes of accounts wait for each other, because whether the last super admin goes is a question about all of them.
 * Always taken first, then apps by id, then accounts: so nobody waits in a circle, not for the writes of apps either.
 */
export async function takeTurn(tx: Tx): Promise<void> {
  await sql`select from roles where id = ${superAdminRoleId} for no key update`.execute(tx);
}

/** Locks apps by id and gives the ids that exist. Those of buyers count such changes in their own version (api 0.9). */
export async function lockApps(tx: Tx, ids: readonly number[], panel: Panel): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const lock = panel === 'buyer' ? sql`for no key update` : sql`for key share`;
  const { rows } = await sql<{ id: number }>`select id from apps where id = any(${ids}::bigint[]) order by id ${lock}`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

/** Keeps other writes, e.g. of an app's buyers, off the account until the transaction ends; false when it is gone. */
export async function lockAccount(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`select id from accounts where id = ${id} and deleted_at is null for no key update`.execute(tx);
  return rows.length > 0;
}

/** Whether this is still the stored hash of the account's password. */
export async function hasPasswordHash(tx: Tx, id: number, hash: string): Promise<boolean> {
  const { rows } = await sql`select from accounts where id = ${id} and password_hash = ${hash}`.execute(tx);
  return rows.length > 0;
}

/** Super admins with access besides one account. Those of the demo never count: with the demo off nobody could sign in (O35). */
export async function countOtherSuperAdmins(tx: Tx, id: number | null): Promise<OtherSuperAdmins> {
  const { rows } = await sql<OtherSuperAdmins>`
    select count(*)::int as enabled, (count(*) filter (where a.all_apps))::int as "withAllApps"
    from accounts a join account_roles h on h.account_id = a.id
    where h.role_id = ${superAdminRoleId} and a.has_access and a.deleted_at is null and not a.is_demo and a.id <> ${id ?? 0}
  `.execute(tx);
  return rows[0] ?? { enabled: 0, withAllApps: 0 };
}

/** Adds an account without roles and apps and gives its id. */
export async function insertAccount(
  tx: Tx,
  { panel, state, passwordHash, now }: { panel: Panel; state: AccountState; passwordHash: string; now: Date },
): Promise<number> {
  const { id } = await tx
    .insertInto('accounts')
    .values({ panel, ...columnsOf(state), password_hash: passwordHash, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Writes the columns of a locked account and raises its version. With another address whoever signed in with Google no longer does. */
export async function updateAccount(
  tx: Tx,
  {
    id,
    state,
    passwordHash,
    forgetsGoogle,
    now,
  }: { id: number; state: AccountState; passwordHash: string | null; forgetsGoogle: boolean; now: Date },
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set((eb) => ({
      ...columnsOf(state),
      ...(passwordHash === null ? {} : { password_hash: passwordHash }),
      ...(forgetsGoogle ? { google_issuer: null, google_subject: null } : {}),
      updated_at: now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Deletes an account softly: its name and address are free again, its past stays (AMB-178). */
export async function markDeleted(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('accounts')
    .set((eb) => ({ deleted_at: now, updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Gives an account exactly these roles of its panel. */
export async function setRoles(tx: Tx, { id, panel, roleIds }: { id: number; panel: Panel; roleIds: readonly number[] }): Promise<void> {
  await sql`delete from account_roles where account_id = ${id} and role_id <> all(${roleIds}::int[])`.execute(tx);
  await sql`
    insert into account_roles (account_id, role_id, panel) select ${id}::int, role, ${panel}::text from unnest(${roleIds}::int[]) as role
    on conflict do nothing
  `.execute(tx);
}

/** Ties an account to exactly these apps. */
export async function setApps(tx: Tx, { id, panel, apps }: { id: number; panel: Panel; apps: AppScope }): Promise<void> {
  const table = sql.table(panel === 'user' ? 'app_accounts' : 'app_buyers');
  const ids = apps === 'all' ? [] : apps;
  await sql`delete from ${table} where account_id = ${id} and app_id <> all(${ids}::int[])`.execute(tx);
  await sql`
    insert into ${table} (account_id, app_id) select ${id}::int, app from unnest(${ids}::int[]) as app on conflict do nothing
  `.execute(tx);
}

/** A change of an app's buyers counts for the app's version from whichever side it is made (api 0.9). */
export async function raiseAppVersions(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  await sql`update apps set updated_at = ${now}, version = version + 1 where id = any(${ids}::int[])`.execute(tx);
}

/** Ends the sessions of an account, all but one if it is given; their next call is refused (S6). */
export async function endSessions(tx: Tx, accountId: number, exceptId: number | null): Promise<void> {
  await sql`delete from sessions where account_id = ${accountId} and id <> ${exceptId ?? 0}`.execute(tx);
}

function columnsOf({ name, email, hasAccess, isQa, apps }: AccountState) {
  return { name, email, has_access: hasAccess, is_qa: isQa, all_apps: apps === 'all' };
}
