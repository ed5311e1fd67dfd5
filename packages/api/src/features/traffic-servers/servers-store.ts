import { wireDate } from '@switchyard/contract/dates';
import type { PickedServer } from '@switchyard/contract/pick-lists';
import { silentMinutes, type ServerActivity, type ServersQuery, type TrafficServer } from '@switchyard/contract/traffic-servers';
import { sql, type Kysely, type Selectable, type SqlBool } from 'kysely';
import type { AppScope } from '@switchyard/contract/app-scope';
import { containsAlike, inNaturalOrder, isInScope } from '../../database/sql-conditions.ts';
import type { AppsTable, CheckDomainsTable, Tables, TrafficServersTable } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { updateRow } from '../../entities/entity-store.ts';

/** A stored server; the date of a secret is null where none is set. */
export type StoredServer = Omit<Selectable<TrafficServersTable>, 'deleted_at' | 'last_seen_at'>;

const storedColumns = sql`
  id, name, url, region, host(ip) as ip, ingest_enabled, token_hash, token_set_at, main_hash_sealed, main_hash_set_at,
  hash_sealed, hash_set_at, version, created_at, updated_at`;

const sortColumns = {
  keyId: sql`id`,
  keyName: inNaturalOrder('name'),
  keyUrl: inNaturalOrder('url'),
  keyRegion: inNaturalOrder('region'),
  keyC: sql`created_at`,
  keyU: sql`updated_at`,
} as const satisfies Record<ServersQuery['orderBy'], unknown>;

/** One page of the servers that match and their total, deleted ones left out. Ties are in order of id, newest first. */
export async function listServersPage(
  db: Kysely<Tables>,
  query: ServersQuery,
  now: Date,
): Promise<{ servers: StoredServer[]; total: number }> {
  const { orderBy, orderDirection, page, limit } = query;
  const matching = conditionOf(query, now);
  const { rows: servers } = await sql<StoredServer>`
    select ${storedColumns} from traffic_servers where ${matching}
    order by ${sortColumns[orderBy]} ${sql.raw(orderDirection)} nulls last, id ${sql.raw(orderBy === 'keyId' ? orderDirection : 'desc')}
    limit ${limit} offset ${(page - 1) * limit}
  `.execute(db);
  const { rows } = await sql<{ total: number }>`select count(*) as total from traffic_servers where ${matching}`.execute(db);
  return { servers, total: rows[0]?.total ?? 0 };
}

function conditionOf({ search, region, silent, linked }: ServersQuery, now: Date) {
  const parts = [sql<SqlBool>`deleted_at is null`];
  if (search !== undefined) parts.push(containsAlike(sql`concat_ws(E'\n', name, url, region, host(ip))`, search));
  if (region !== undefined) parts.push(containsAlike(sql`coalesce(region, '')`, region));
  if (silent !== undefined) {
    const calledAfter = new Date(now.getTime() - silentMinutes * 60_000);
    parts.push(sql<SqlBool>`(last_seen_at is not null and last_seen_at > ${calledAfter}) is distinct from ${silent}`);
  }
  if (linked !== undefined) parts.push(sql<SqlBool>`exists (select from check_domains where server_id = traffic_servers.id) = ${linked}`);
  return sql.join(parts, sql` and `);
}

/** A server; undefined when it does not exist or was deleted. */
export async function findServer(db: Kysely<Tables>, id: number): Promise<StoredServer | undefined> {
  const { rows } = await sql<StoredServer>`
    select ${storedColumns} from traffic_servers where id = ${id} and deleted_at is null
  `.execute(db);
  return rows[0];
}

/** Servers in order of name, ignoring case; deleted ones are left out. */
export async function listServersToPick(db: Kysely<Tables>): Promise<PickedServer[]> {
  const { rows } = await sql<PickedServer>`
    select id, name, host(ip) as ip from traffic_servers where deleted_at is null order by ${inNaturalOrder('name')}, id
  `.execute(db);
  return rows;
}

/** When each server was last seen, and its events in the 60 whole minutes before `now` and since, by id. */
export async function listActivity(db: Kysely<Tables>, now: Date): Promise<ServerActivity[]> {
  const { rows } = await sql<{ id: number; last_seen_at: Date | null; events_last_hour: number }>`
    select server.id, server.last_seen_at, coalesce(sum(counted.events), 0)::int as events_last_hour
    from traffic_servers server
    left join traffic_server_minutes counted
      on counted.server_id = server.id and counted.minute >= ${new Date(now.getTime() - 3_600_000)}
    where server.deleted_at is null group by server.id order by server.id
  `.execute(db);
  return rows.map((row) => ({ ...row, last_seen_at: wireDate(row.last_seen_at) }));
}

type LinkOfServer = Pick<Selectable<CheckDomainsTable>, 'id' | 'status' | 'app_id'> &
  Pick<Selectable<AppsTable>, 'name' | 'domain' | 'deleted_at'> & { is_visible: boolean };

/** The links of a server with their apps in order of app name; `is_visible`: the app lies within the scope. */
export async function listLinksOfServer(db: Kysely<Tables>, serverId: number, scope: AppScope): Promise<LinkOfServer[]> {
  const { rows } = await sql<LinkOfServer>`
    select link.id, link.status, link.app_id, apps.name, apps.domain, apps.deleted_at, ${isInScope('apps.id', scope)} as is_visible
    from check_domains link join apps on apps.id = link.app_id
    where link.server_id = ${serverId} order by ${inNaturalOrder('apps.name')}, link.id
  `.execute(db);
  return rows;
}

/** The TrafficServer of the wire: of its secrets only whether they are set. */
export function toTrafficServer(server: StoredServer): TrafficServer {
  return {
    id: server.id,
    name: server.name,
    url: server.url,
    region: server.region,
    ip: server.ip,
    token: null,
    mainHash: null,
    hash: null,
    has_token: server.token_hash !== null,
    has_main_hash: server.main_hash_sealed !== null,
    has_hash: server.hash_sealed !== null,
    ingest_enabled: server.ingest_enabled,
    created_at: wireDate(server.created_at),
    updated_at: wireDate(server.updated_at),
    version: server.version,
  };
}

/** Whether a server that was not deleted, other than `exceptId`, has this token. */
export async function isTokenUsed(tx: OpenTransaction, tokenHash: Buffer, exceptId: number | null): Promise<boolean> {
  const { rows } = await sql`
    select from traffic_servers
    where token_hash = ${tokenHash} and deleted_at is null and id is distinct from ${exceptId}::bigint limit 1
  `.execute(tx);
  return rows.length > 0;
}

/** The server, locked until the transaction ends; undefined when it does not exist or was deleted. */
export async function lockServer(tx: OpenTransaction, id: number): Promise<StoredServer | undefined> {
  await sql`select from traffic_servers where id = ${id} for update`.execute(tx);
  return findServer(tx, id);
}

/** Marks a server as deleted, deletes its links and gives their ids, ascending. Pending jobs of these links do nothing. */
export async function deleteStoredServer(tx: OpenTransaction, id: number, now: Date): Promise<number[]> {
  await updateRow(tx, 'traffic_servers', id, { deleted_at: now }, now);
  const { rows: links } = await sql<{ id: number }>`delete from check_domains where server_id = ${id} returning id`.execute(tx);
  return links.map((link) => link.id).toSorted((a, b) => a - b);
}
