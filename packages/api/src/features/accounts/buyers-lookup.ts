import { permissionId } from '@switchyard/contract/permissions';
import type { findPickBuyers, PickedBuyer } from '@switchyard/contract/pick-lists';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { containsAlike, inNaturalOrder } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import { totalOfPage } from '../../database/total-of-page.ts';
import type { Call } from '../../http/bind.ts';
import { getAccount } from './accounts-store.ts';

/** SQL: buyers that are not deleted, of those that a condition on accounts `a` finds; `role` is the badges of their roles, joined by a comma. */
const buyersWith = (condition: RawBuilder<unknown>) => sql`(
  select a.id, a.name, a.email, coalesce(string_agg(roles.badge, ', ' order by roles.id), '') as role, a.has_access
  from accounts a left join account_roles on account_roles.account_id = a.id left join roles on roles.id = account_roles.role_id
  where a.panel = 'buyer' and a.deleted_at is null and ${condition} group by a.id
) as buyers`;
const ofApp = (appId: number) => sql`a.id in (select account_id from app_buyers where app_id = ${appId}::bigint)`;

/** Buyers in order of id, with `appId` only those with access to this app. */
export async function listBuyers(db: Kysely<Tables>, { appId }: { appId?: number } = {}): Promise<PickedBuyer[]> {
  const { rows } = await sql<PickedBuyer>`
    select * from ${buyersWith(appId === undefined ? sql`true` : ofApp(appId))} order by id
  `.execute(db);
  return rows;
}

/** A page of buyers by name, and their total; `exceptApp` leaves out those with access to an app. */
export async function listBuyersPage(
  db: Kysely<Tables>,
  { search, ids, exceptApp, page, limit }: Call<typeof findPickBuyers>['query'],
): Promise<{ buyers: PickedBuyer[]; total: number }> {
  const conditions = [
    sql`true`,
    ...(search === undefined ? [] : [containsAlike(sql`concat_ws(' · ', name, email, role)`, search)]),
    ...(ids === undefined ? [] : [sql`id = any(${ids}::int[])`]),
  ];
  const found = sql`from ${buyersWith(exceptApp === undefined ? sql`true` : sql`not ${ofApp(exceptApp)}`)} where ${sql.join(conditions, sql` and `)}`;
  const { rows } = await sql<PickedBuyer & { total: number }>`
    select *, (count(*) over ())::int as total ${found} order by ${inNaturalOrder('name')}, id limit ${limit} offset ${(page - 1) * limit}
  `.execute(db);
  return { buyers: rows.map(({ total: _total, ...buyer }) => buyer), total: await totalOfPage(db, { rows, page, found }) };
}

/** Ids of the buyers with access to an app, ascending; deleted ones are left out. */
export async function listBuyerIds(db: Kysely<Tables>, appId: number): Promise<{ id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    select a.id from app_buyers b join accounts a on a.id = b.account_id where b.app_id = ${appId} and a.deleted_at is null order by a.id
  `.execute(db);
  return rows;
}

/** The first of these ids that is no buyer or a deleted one; undefined when all are buyers. */
export async function findUnknownBuyer(db: Kysely<Tables>, ids: readonly number[]): Promise<number | undefined> {
  if (ids.length === 0) return undefined;
  const { rows } = await sql<{ id: number }>`
    select id from accounts where id = any(${ids}::bigint[]) and panel = 'buyer' and deleted_at is null
  `.execute(db);
  const knownIds = new Set(rows.map((row) => row.id));
  return ids.find((id) => !knownIds.has(id));
}

const viewAllStreams = permissionId('buyer_stream_view_all');

/** Whether a buyer's roles show the streams of all buyers. Throws 404 if there is no such buyer. */
export async function seesAllStreams(db: Kysely<Tables>, id: number): Promise<boolean> {
  const { roles } = await getAccount(db, { id, panel: 'buyer' });
  return roles.some(({ permissionIds }) => permissionIds.includes(viewAllStreams));
}
