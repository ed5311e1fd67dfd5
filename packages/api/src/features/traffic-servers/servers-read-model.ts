import type { PickedServer } from '@switchyard/contract/pick-lists';
import type { ServerActivity, ServersQuery } from '@switchyard/contract/traffic-servers';
import { wireDate } from '@switchyard/contract/dates';
import { sql, type Kysely, type Selectable, type SqlBool } from 'kysely';
import type { Tables, TrafficServersTable } from '../../database/tables.ts';
import type { AppScope } from '../../traffic-store/traffic-store.ts';

/** A server as it is stored; dates of its secrets are null where none is set. */
export type StoredServer = Omit<Selectable<TrafficServersTable>, 'deleted_at' | 'last_seen_at'>;

const columns = [
  'id',
  'name',
  'url',
  'region',
  'token_hash',
  'ingest_enabled',
  'main_hash_sealed',
  'hash_sealed',
  'token_set_at',
  'main_hash_set_at',
  'hash_set_at',
  'version',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof TrafficServersTable)[];

const sortColumns = {
  keyId: sql`id`,
  // Byte order of the lower-case text: the same on every database, whatever its locale.
  keyName: sql`lower(name) collate "C"`,
  keyUrl: sql`lower(url) collate "C"`,
  keyRegion: sql`lower(region) collate "C"`,
  keyC: sql`created_at`,
  keyU: sql`updated_at`,
} as const satisfies Record<ServersQuery['orderBy'], unknown>;

function stored(db: Kysely<Tables>) {
  return db
    .selectFrom('traffic_servers')
    .select(columns)
    .select(sql<string | null>`host(ip)`.as('ip'))
    .where('deleted_at', 'is', null);
}

/** One page of the servers that were not deleted, and how many there are (api [64]); ties by id, newest first. */
export async function listServersPage(db: Kysely<Tables>, query: ServersQuery): Promise<{ servers: StoredServer[]; total: number }> {
  const direction = sql.raw(query.orderDirection);
  const servers = await stored(db)
    .orderBy(sql`${sortColumns[query.orderBy]} ${direction} nulls last`)
    .orderBy('id', query.orderBy === 'keyId' ? query.orderDirection : 'desc')
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .execute();
  const { total } = await db
    .selectFrom('traffic_servers')
    .select(sql<number>`count(*)`.as('total'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { servers, total };
}

/** A server; undefined when it does not exist or was deleted. */
export async function findServer(db: Kysely<Tables>, id: number): Promise<StoredServer | undefined> {
  return stored(db).where('id', '=', id).executeTakeFirst();
}

/** Servers that were not deleted, by name whatever its case (api [69]). */
export async function listServersToPick(db: Kysely<Tables>): Promise<PickedServer[]> {
  return db
    .selectFrom('traffic_servers')
    .select(['id', 'name', sql<string | null>`host(ip)`.as('ip')])
    .where('deleted_at', 'is', null)
    .orderBy(sql`lower(name) collate "C"`)
    .orderBy('id')
    .execute();
}

/** When each server was last seen, and its events in the 60 whole minutes before `now` and since, by id. */
export async function listActivity(db: Kysely<Tables>, now: Date): Promise<ServerActivity[]> {
  const rows = await db
    .selectFrom('traffic_servers as server')
    .leftJoin('traffic_server_minutes as counted', (join) =>
      join.onRef('counted.server_id', '=', 'server.id').on('counted.minute', '>=', new Date(now.getTime() - 3_600_000)),
    )
    .select(['server.id', 'server.last_seen_at', sql<number>`coalesce(sum(counted.events), 0)::int`.as('events_last_hour')])
    .where('server.deleted_at', 'is', null)
    .groupBy('server.id')
    .orderBy('server.id')
    .execute();
  return rows.map((row) => ({ ...row, last_seen_at: wireDate(row.last_seen_at) }));
}

/** The links of a server with their apps, by app name; `isVisible` tells whether the app lies within the scope. */
export async function listLinksOfServer(db: Kysely<Tables>, serverId: number, scope: AppScope) {
  return db
    .selectFrom('check_domains as link')
    .innerJoin('apps', 'apps.id', 'link.app_id')
    .select(['link.id', 'link.status', 'apps.id as app_id', 'apps.name', 'apps.domain', 'apps.deleted_at'])
    .select((scope === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`apps.id = any(${scope}::int[])`).as('is_visible'))
    .where('link.server_id', '=', serverId)
    .orderBy(sql`lower(apps.name) collate "C"`)
    .orderBy('link.id')
    .execute();
}
