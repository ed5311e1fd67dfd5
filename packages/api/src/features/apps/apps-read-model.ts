import type { appColumnKeys, AppsQuery, AppsTotalQuery, domainStates } from '@switchyard/contract/apps';
import { domainExpiryHours } from '@switchyard/contract/limits';
import type { SortDirection } from '@switchyard/contract/listing';
import { sql, type Kysely, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import { containsComparable, inNaturalOrder, isInScope } from '../../database/sql-conditions.ts';
import type { AppsTable, Tables } from '../../database/tables.ts';
import { totalOfPage } from '../../database/total-of-page.ts';
import type { AppScope } from '@switchyard/contract/app-scope';

export type AppsFilter = Omit<AppsTotalQuery, 'isCache' | 'traffic'> & { scope: AppScope; now: Date };

type App = Selectable<AppsTable>;

/** An app in a row of the list. */
export type ListedApp = Pick<App, 'id' | 'name' | 'bundle' | 'domain' | 'vertical' | 'app_mode' | 'response_mode' | 'cloak_mode'> &
  Pick<App, 'monitor_name' | 'monitor_status' | 'expiration_at' | 'created_at' | 'updated_at' | 'deleted_at'>;

const listedColumns = sql`
  id, name, bundle, domain, vertical, app_mode, response_mode, cloak_mode, monitor_name, monitor_status,
  expiration_at, created_at, updated_at, deleted_at`;

type ColumnKey = (typeof appColumnKeys)[number];
/** An order by a column of the apps themselves. */
export type ColumnSort = { orderBy: ColumnKey; orderDirection: SortDirection };

const sortColumns = {
  keyId: sql`id`,
  keyName: inNaturalOrder('name'),
  keyBundle: inNaturalOrder('bundle'),
  keyDomain: inNaturalOrder('domain'),
  keyV: inNaturalOrder('vertical'),
} as const satisfies Record<ColumnKey, unknown>;

/** One page of the apps that match, and their total. Ties are in order of id, newest first. */
export async function listAppsPage(
  db: Kysely<Tables>,
  query: AppsFilter & ColumnSort & Pick<AppsQuery, 'page' | 'limit'>,
): Promise<{ apps: ListedApp[]; total: number }> {
  const found = sql`from apps where ${matches(query)}`;
  const { rows } = await sql<ListedApp & { total: number }>`
    select ${listedColumns}, count(*) over () as total ${found}
    order by ${orderOf(query)} limit ${query.limit} offset ${(query.page - 1) * query.limit}
  `.execute(db);
  return { apps: rows, total: await totalOfPage(db, { rows, page: query.page, found }) };
}

function orderOf({ orderBy, orderDirection }: ColumnSort) {
  const direction = sql.raw(orderDirection);
  return sql`${sortColumns[orderBy]} ${direction}, id ${orderBy === 'keyId' ? direction : sql`desc`}`;
}

/** Ids of every app that matches, newest first unless sorted by something else. */
export async function listMatchingAppIds(db: Kysely<Tables>, filter: AppsFilter & Partial<ColumnSort>): Promise<number[]> {
  const sort: ColumnSort = { orderBy: 'keyId', orderDirection: 'desc', ...filter };
  const { rows } = await sql<{ id: number }>`select id from apps where ${matches(filter)} order by ${orderOf(sort)}`.execute(db);
  return rows.map((row) => row.id);
}

/** The apps with these ids, in their order. */
export async function listAppsById(db: Kysely<Tables>, ids: readonly number[]): Promise<ListedApp[]> {
  const { rows } = await sql<ListedApp>`select ${listedColumns} from apps where id = any(${ids}::int[])`.execute(db);
  const byId = new Map(rows.map((app) => [app.id, app]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Number of buyers by app id; deleted ones do not count, and an app without buyers is absent. */
export async function countBuyersByApp(db: Kysely<Tables>, appIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ app_id: number; buyers: number }>`
    select b.app_id, count(*) as buyers from app_buyers b join accounts a on a.id = b.account_id
    where a.deleted_at is null and b.app_id = any(${appIds}::int[]) group by b.app_id
  `.execute(db);
  return new Map(rows.map((row) => [row.app_id, row.buyers]));
}

function matches({ scope, status, search, vertical, buyerId, serverId, domainState, now }: AppsFilter) {
  const parts = [isInScope('id', scope)];
  if (status === 'active') parts.push(sql`deleted_at is null`);
  if (status === 'deleted') parts.push(sql`deleted_at is not null`);
  if (search !== undefined) parts.push(contains(search));
  if (vertical !== undefined) parts.push(sql`vertical = any(${vertical}::text[])`);
  if (buyerId !== undefined)
    parts.push(sql`exists (
      select from app_buyers b join accounts a on a.id = b.account_id
      where b.app_id = apps.id and a.deleted_at is null and a.id = any(${buyerId}::int[])
    )`);
  if (serverId !== undefined) parts.push(hasLink(sql`server.id = any(${serverId}::int[])`));
  if (domainState !== undefined)
    parts.push(
      sql`(${sql.join(
        domainState.map((state) => hasDomainState(state, now)),
        sql` or `,
      )})`,
    );
  return sql.join(parts, sql` and `);
}

/** Links to deleted traffic servers do not count, as in the rows. */
function hasLink(condition: RawBuilder<SqlBool>) {
  return sql<SqlBool>`exists (
    select from check_domains link join traffic_servers server on server.id = link.server_id
    where link.app_id = apps.id and server.deleted_at is null and ${condition}
  )`;
}

function hasDomainState(state: (typeof domainStates)[number], now: Date) {
  const expiring = new Date(now.getTime() + domainExpiryHours * 3_600_000);
  const conditions = {
    expired: sql`expiration_at < ${now}`,
    expiring: sql`expiration_at >= ${now} and expiration_at < ${expiring}`,
    no_certificate: hasLink(sql`(link.ssl_at is null or link.ssl_at < ${now})`),
    not_bound: sql`(${hasLink(sql`not link.is_bind`)} or not ${hasLink(sql`true`)})`,
  };
  return conditions[state];
}

/** Substring of name, bundle or domain, in any of its forms; digits also match an id. `strpos` has no wildcards. */
function contains(search: string) {
  const asId = /^\d+$/.test(search) ? sql`id::text = ${search}` : sql`false`;
  return sql<SqlBool>`(${containsComparable(sql<string>`found_by`, search)} or ${asId})`;
}
