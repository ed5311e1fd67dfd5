import { type ReportQuery, severalFiltersOf } from '@switchyard/contract/reports';
import { type Kysely, sql } from 'kysely';
import { type AppScope, withinScope } from '@switchyard/contract/app-scope';
import type { Tables } from '../../database/tables.ts';

/** The fields of an app that groups need. Deleted buyers are left out. */
export type ReportedApp = { id: number; vertical: string; buyers: number[] };

/** The apps in scope that a query asks for, archived ones too. */
export async function findReportedApps(
  db: Kysely<Tables>,
  scope: AppScope,
  query: Pick<ReportQuery, 'appId' | 'vertical' | 'buyerId' | 'within'>,
): Promise<ReportedApp[]> {
  const { appId, vertical } = query;
  const buyers = severalFiltersOf(query).flatMap(({ buyerId }) => (buyerId === undefined ? [] : [buyerId]));
  const ids = appId === undefined ? scope : withinScope(appId.map(Number), scope);
  const { rows } = await sql<ReportedApp>`
    select apps.id, apps.vertical, coalesce(array_agg(accounts.id order by accounts.id) filter (where accounts.id is not null), '{}') as buyers
    from apps left join app_buyers on app_buyers.app_id = apps.id
    left join accounts on accounts.id = app_buyers.account_id and accounts.deleted_at is null
    where true
      ${ids === 'all' ? sql`` : sql`and apps.id = any(${ids}::integer[])`}
      ${vertical === undefined ? sql`` : sql`and apps.vertical = any(${vertical}::text[])`}
      ${sql.join(
        buyers.map((anyOf) => sql`and apps.id in (select app_id from app_buyers where account_id = any(${anyOf}::integer[]))`),
        sql` `,
      )}
    group by apps.id
  `.execute(db);
  return rows;
}

/** Buyers by id, deleted ones too. */
export async function findBuyerLabels(db: Kysely<Tables>, ids: readonly number[]): Promise<ReadonlyMap<number, { name: string }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; name: string }>`select id, name from accounts where id = any(${ids}::integer[])`.execute(db);
  return new Map(rows.map((account) => [account.id, account]));
}
