import type { appColumnKeys, AppsQuery, AppsTotalQuery } from '@switchyard/contract/apps';
import type { SortDirection } from '@switchyard/contract/listing';
import { sql, type Kysely, type Selectable, type SqlBool } from 'kysely';
import { isInScope } from '../../database/sql-conditions.ts';
import type { AppsTable, Tables } from '../../database/tables.ts';
import type { AppScope } from '../../app-scope.ts';

export type AppsFilter = Pick<AppsTotalQuery, 'status' | 'search'> & { scope: AppScope };

/** The columns of an app in a row of the list. */
const listedColumns = [
  'id',
  'name',
  'bundle',
  'domain',
  'vertical',
  'expiration_at',
  'app_mode',
  'response_mode',
  'cloak_mode',
  'monitor_name',
  'monitor_status',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies readonly (keyof AppsTable)[];

export type ListedApp = Pick<Selectable<AppsTable>, (typeof listedColumns)[number]>;

type ColumnKey = (typeof appColumnKeys)[number];
/** An order by a column of the apps themselves. */
export type ColumnSort = { orderBy: ColumnKey; orderDirection: SortDirection };

const sortColumns = {
  keyId: sql`apps.id`,
  // Byte order of the lower-case text: the same on every database, whatever its locale.
  keyName: sql`lower(apps.name) collate "C"`,
  keyBundle: sql`lower(apps.bundle) collate "C"`,
  keyDomain: sql`lower(apps.domain) collate "C"`,
  keyV: sql`lower(apps.vertical) collate "C"`,
} as const satisfies Record<ColumnKey, unknown>;

/** One page of the apps that match, and their total. Ties are in order of id, newest first. */
export async function listAppsPage(
  db: Kysely<Tables>,
  query: AppsFilter & ColumnSort & Pick<AppsQuery, 'page' | 'limit'>,
): Promise<{ apps: ListedApp[]; total: number }> {
  const rows = await db
    .selectFrom('apps')
    .select(listedColumns)
    .select(sql<number>`count(*) over ()`.as('total'))
    .where(matches(query))
    .orderBy(sortColumns[query.orderBy], query.orderDirection)
    .orderBy('id', query.orderBy === 'keyId' ? query.orderDirection : 'desc')
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .execute();
  const [first] = rows;
  if (first) return { apps: rows, total: first.total };
  return { apps: [], total: query.page === 1 ? 0 : await countApps(db, query) };
}

async function countApps(db: Kysely<Tables>, filter: AppsFilter): Promise<number> {
  const row = await db
    .selectFrom('apps')
    .select(sql<number>`count(*)`.as('total'))
    .where(matches(filter))
    .executeTakeFirstOrThrow();
  return row.total;
}

/** Ids of every app that matches, newest first unless sorted by something else. */
export async function listMatchingAppIds(db: Kysely<Tables>, filter: AppsFilter & Partial<ColumnSort>): Promise<number[]> {
  const { orderBy = 'keyId', orderDirection = 'desc' } = filter;
  const rows = await db
    .selectFrom('apps')
    .select('id')
    .where(matches(filter))
    .orderBy(sortColumns[orderBy], orderDirection)
    .orderBy('id', orderBy === 'keyId' ? orderDirection : 'desc')
    .execute();
  return rows.map((row) => row.id);
}

/** The apps with these ids, in their order. */
export async function listAppsById(db: Kysely<Tables>, ids: readonly number[]): Promise<ListedApp[]> {
  const rows = await db
    .selectFrom('apps')
    .select(listedColumns)
    .where(sql<SqlBool>`apps.id = any(${ids}::int[])`)
    .execute();
  const byId = new Map(rows.map((app) => [app.id, app]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Number of buyers by app id; deleted ones do not count, and an app without buyers is absent. */
export async function countBuyersByApp(db: Kysely<Tables>, appIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('app_buyers')
    .innerJoin('accounts', 'accounts.id', 'app_buyers.account_id')
    .select(['app_buyers.app_id', sql<number>`count(*)`.as('buyers')])
    .where('accounts.deleted_at', 'is', null)
    .where(sql<SqlBool>`app_buyers.app_id = any(${appIds}::int[])`)
    .groupBy('app_buyers.app_id')
    .execute();
  return new Map(rows.map((row) => [row.app_id, row.buyers]));
}

function matches({ scope, status, search }: AppsFilter) {
  const parts = [isInScope('apps.id', scope)];
  if (status === 'active') parts.push(sql<SqlBool>`apps.deleted_at is null`);
  if (status === 'deleted') parts.push(sql<SqlBool>`apps.deleted_at is not null`);
  if (search !== undefined) parts.push(contains(search));
  return sql<SqlBool>`(${sql.join(parts, sql` and `)})`;
}

/** Substring of name, bundle or domain; digits also match an id. `strpos` has no wildcards. */
function contains(search: string) {
  const asId = /^\d+$/.test(search) ? sql<SqlBool>`apps.id::text = ${search}` : sql<SqlBool>`false`;
  return sql<SqlBool>`(
    strpos(lower(apps.name), lower(${search})) > 0 or strpos(lower(apps.bundle), lower(${search})) > 0
    or strpos(lower(apps.domain), lower(${search})) > 0 or ${asId}
  )`;
}
