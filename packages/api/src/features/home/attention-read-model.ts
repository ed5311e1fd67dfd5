import { wireDate } from '@switchyard/contract/dates';
import { attention, type Home } from '@switchyard/contract/home';
import { sql, type Kysely, type SqlBool } from 'kysely';
import { isInScope } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import type { AppScope } from '../../app-scope.ts';
import type { StoppedApp } from '../../traffic-store/event-store.ts';

type Section<Name extends keyof Home> = Exclude<Home[Name], null>;
/** The scope of apps, and the time of the query. */
type AttentionQuery = { scope: AppScope; now: Date };

const total = sql<number>`count(*) over ()`.as('total');

/** Apps that are not archived and within the scope. */
function visibleApps(scope: AppScope) {
  return sql<SqlBool>`(apps.deleted_at is null and ${isInScope('apps.id', scope)})`;
}

function expiryLimit(now: Date): Date {
  return new Date(now.getTime() + attention.expiryDays * 86_400_000);
}

type AppColumns = { app_id: number; app_name: string; app_domain: string };
const appColumns = ['apps.id as app_id', 'apps.name as app_name', 'apps.domain as app_domain'] as const;
const appOf = ({ app_id, app_name, app_domain }: AppColumns) => ({ id: app_id, name: app_name, domain: app_domain });

function sectionOf<Found extends { total: number }, Row>(
  items: readonly Found[],
  toRow: (row: Found) => Row,
): { total: number; rows: Row[] } {
  return { total: items[0]?.total ?? 0, rows: items.map(toRow) };
}

/** Domains that ran out or will soon, the earliest first. */
export async function findExpiringDomains(db: Kysely<Tables>, { scope, now }: AttentionQuery): Promise<Section<'expiring_domains'>> {
  const rows = await db
    .selectFrom('apps')
    .select([...appColumns, 'apps.expiration_at', total])
    .where('apps.expiration_at', '<=', expiryLimit(now))
    .where(visibleApps(scope))
    .orderBy('apps.expiration_at')
    .orderBy('apps.id')
    .limit(attention.rows)
    .execute();
  return sectionOf(rows, (row) => ({ app: appOf(row), expires_at: wireDate(row.expiration_at) ?? '' }));
}

function visibleLinks(db: Kysely<Tables>, scope: AppScope) {
  return db
    .selectFrom('check_domains as link')
    .innerJoin('apps', 'apps.id', 'link.app_id')
    .innerJoin('traffic_servers as server', 'server.id', 'link.server_id')
    .select([...appColumns, 'link.id', 'server.id as server_id', 'server.name as server_name', total])
    .where(visibleApps(scope));
}

/** Certificates that ran out or will soon, the earliest first. */
export async function findExpiringCertificates(
  db: Kysely<Tables>,
  { scope, now }: AttentionQuery,
): Promise<Section<'expiring_certificates'>> {
  const rows = await visibleLinks(db, scope)
    .select('link.ssl_at')
    .where('link.ssl_at', '<=', expiryLimit(now))
    .orderBy('link.ssl_at')
    .orderBy('link.id')
    .limit(attention.rows)
    .execute();
  return sectionOf(rows, (row) => ({
    id: row.id,
    app: appOf(row),
    server: { id: row.server_id, name: row.server_name },
    expires_at: wireDate(row.ssl_at) ?? '',
  }));
}

/** Links that a server could not add, bind or give a certificate, the latest first. */
export async function findFailedLinks(db: Kysely<Tables>, { scope }: AttentionQuery): Promise<Section<'failed_links'>> {
  const rows = await visibleLinks(db, scope)
    .select(['link.status', 'link.error', 'link.updated_at'])
    .where('link.status', 'in', ['err_add', 'err_bind', 'err_ssl'])
    .orderBy('link.updated_at', 'desc')
    .orderBy('link.id', 'desc')
    .limit(attention.rows)
    .execute();
  return sectionOf(rows, (row) => ({
    id: row.id,
    app: appOf(row),
    server: { id: row.server_id, name: row.server_name },
    status: row.status,
    error: row.error,
    updated_at: wireDate(row.updated_at),
  }));
}

/**
 * Servers that did not call for a while, those seen last first and those never seen behind them. A server that never called
 * counts from its creation on, and only if its token lets it hand in traffic.
 */
export async function findUnseenServers(db: Kysely<Tables>, now: Date): Promise<Section<'unseen_servers'>> {
  const limit = new Date(now.getTime() - attention.serverMinutes * 60_000);
  const rows = await db
    .selectFrom('traffic_servers')
    .select(['id', 'name', 'last_seen_at', total])
    .where('deleted_at', 'is', null)
    .where(sql<SqlBool>`(last_seen_at <= ${limit} or (last_seen_at is null and ingest_enabled and created_at <= ${limit}))`)
    .orderBy(sql`last_seen_at desc nulls last`)
    .orderBy('id')
    .limit(attention.rows)
    .execute();
  return sectionOf(rows, ({ id, name, last_seen_at }) => ({ id, name, last_seen_at: wireDate(last_seen_at) }));
}

/** Those of the apps that are not archived, with their names, in the order given. */
export async function listStoppedApps(
  db: Kysely<Tables>,
  { scope }: AttentionQuery,
  stoppedApps: readonly StoppedApp[],
): Promise<Section<'stopped_apps'>> {
  if (stoppedApps.length === 0) return { total: 0, rows: [] };
  const ids = stoppedApps.map(({ appId }) => appId);
  const rows = await db
    .selectFrom('apps')
    .select([...appColumns, total])
    .where(sql<SqlBool>`apps.id = any(${ids}::int[])`)
    .where(visibleApps(scope))
    .orderBy(sql`array_position(${ids}::int[], apps.id)`)
    .limit(attention.rows)
    .execute();
  const requests = new Map(stoppedApps.map(({ appId, eventsYesterday }) => [appId, eventsYesterday]));
  return sectionOf(rows, (row) => ({ app: appOf(row), requests_yesterday: requests.get(row.app_id) ?? 0 }));
}
