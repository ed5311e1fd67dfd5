import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { CountedSpan } from './plan-incidents.ts';

/** An app that rules watch. */
export type WatchedApp = { id: number; name: string; vertical: string };

/** Apps that are not archived. */
export async function listWatchedApps(db: Kysely<Tables>): Promise<WatchedApp[]> {
  return db.selectFrom('apps').select(['id', 'name', 'vertical']).where('deleted_at', 'is', null).execute();
}

/** When domains of apps run out, up to a moment. */
export async function listExpiringDomains(db: Kysely<Tables>, until: Date): Promise<{ appId: number; domain: string; at: Date }[]> {
  const { rows } = await sql<{ appId: number; domain: string; at: Date }>`
    select id as "appId", domain, expiration_at as at from apps where deleted_at is null and expiration_at <= ${until}
  `.execute(db);
  return rows;
}

/** The domain of an app on a server. */
type WatchedLink = { appId: number; domain: string; server: string };

/** When certificates of links run out, up to a moment, the earliest first. */
export async function listExpiringCertificates(db: Kysely<Tables>, until: Date): Promise<(WatchedLink & { at: Date })[]> {
  const { rows } = await sql<WatchedLink & { at: Date }>`
    select link.app_id as "appId", app.domain, server.name as server, link.ssl_at as at
    from check_domains as link join traffic_servers as server on server.id = link.server_id join apps as app on app.id = link.app_id
    where link.ssl_at <= ${until} order by link.ssl_at, link.id
  `.execute(db);
  return rows;
}

/** Links that a server could not add, bind or give a certificate. */
export async function listFailedLinks(db: Kysely<Tables>): Promise<(WatchedLink & { status: string })[]> {
  const { rows } = await sql<WatchedLink & { status: string }>`
    select link.app_id as "appId", app.domain, server.name as server, link.status
    from check_domains as link join traffic_servers as server on server.id = link.server_id join apps as app on app.id = link.app_id
    where link.status in ('err_add', 'err_bind', 'err_ssl') order by link.id
  `.execute(db);
  return rows;
}

/**
 * Servers with the moment of their last call. A server that never called counts from its creation on, and only if its token lets it
 * hand in traffic.
 */
export async function listWatchedServers(db: Kysely<Tables>): Promise<{ id: number; name: string; since: Date; hasCalled: boolean }[]> {
  const { rows } = await sql<{ id: number; name: string; since: Date; hasCalled: boolean }>`
    select id, name, coalesce(last_seen_at, created_at) as since, last_seen_at is not null as "hasCalled"
    from traffic_servers where deleted_at is null and (last_seen_at is not null or ingest_enabled)
  `.execute(db);
  return rows;
}

/** Changes of bans and of the black list in a span. The trail also has exports, which change nothing. */
export async function countBanChanges(db: Kysely<Tables>, { from, until }: CountedSpan): Promise<number> {
  const { rows } = await sql<{ changes: number }>`
    select count(*) as changes from audit_entries where at >= ${from} and at < ${until} and entity in ('asn', 'black_ip')
      and action <> 'export'
  `.execute(db);
  return rows[0]?.changes ?? 0;
}

/** Background jobs that failed for good in the last hour by the clock of the database, which the queue uses too. */
export async function countFailedJobs(db: Kysely<Tables>): Promise<number> {
  const { rows: tables } = await sql<{ exists: boolean }>`select to_regclass('jobs.job') is not null as exists`.execute(db);
  // The first start of jobs creates their tables.
  if (tables[0]?.exists !== true) return 0;
  const { rows } = await sql<{ jobs: number }>`
    select count(*) as jobs from jobs.job where state = 'failed' and completed_on > now() - interval '1 hour'
  `.execute(db);
  return rows[0]?.jobs ?? 0;
}
