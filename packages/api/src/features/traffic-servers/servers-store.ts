import { wireDate } from '@switchyard/contract/dates';
import type { PickedServer } from '@switchyard/contract/pick-lists';
import type { ServerActivity, ServersQuery, TrafficServer } from '@switchyard/contract/traffic-servers';
import { sql, type Kysely, type Selectable, type Updateable } from 'kysely';
import type { AppScope } from '../../app-scope.ts';
import { isInScope } from '../../database/sql-conditions.ts';
import type { Tables, TrafficServersTable } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

/** A stored server; the date of a secret is null where none is set. */
export type StoredServer = Omit<Selectable<TrafficServersTable>, 'deleted_at' | 'last_seen_at'>;

const storedColumns = [
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

function selectServers(db: Kysely<Tables>) {
  return db
    .selectFrom('traffic_servers')
    .select(storedColumns)
    .select(sql<string | null>`host(ip)`.as('ip'))
    .where('deleted_at', 'is', null);
}

/** One page of the servers and their total, deleted ones left out. Ties are in order of id, newest first. */
export async function listServersPage(db: Kysely<Tables>, query: ServersQuery): Promise<{ servers: StoredServer[]; total: number }> {
  const direction = sql.raw(query.orderDirection);
  const servers = await selectServers(db)
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
  return selectServers(db).where('id', '=', id).executeTakeFirst();
}

/** Servers in order of name, ignoring case; deleted ones are left out. */
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

/** The links of a server with their apps in order of app name; `is_visible`: the app lies within the scope. */
export async function listLinksOfServer(db: Kysely<Tables>, serverId: number, scope: AppScope) {
  return db
    .selectFrom('check_domains as link')
    .innerJoin('apps', 'apps.id', 'link.app_id')
    .select(['link.id', 'link.status', 'apps.id as app_id', 'apps.name', 'apps.domain', 'apps.deleted_at'])
    .select(isInScope('apps.id', scope).as('is_visible'))
    .where('link.server_id', '=', serverId)
    .orderBy(sql`lower(apps.name) collate "C"`)
    .orderBy('link.id')
    .execute();
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

/** Columns of a server that a command may set. */
export type ServerColumns = Pick<
  Updateable<TrafficServersTable>,
  | 'name'
  | 'url'
  | 'region'
  | 'ip'
  | 'token_hash'
  | 'ingest_enabled'
  | 'main_hash_sealed'
  | 'hash_sealed'
  | 'token_set_at'
  | 'main_hash_set_at'
  | 'hash_set_at'
>;

/** Whether a server that was not deleted, other than `exceptId`, has this token. */
export async function isTokenUsed(tx: OpenTransaction, tokenHash: Buffer, exceptId: number | null): Promise<boolean> {
  const row = await tx
    .selectFrom('traffic_servers')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('deleted_at', 'is', null)
    .$if(exceptId !== null, (query) => query.where('id', '!=', exceptId ?? 0))
    .executeTakeFirst();
  return row !== undefined;
}

/** Inserts a server without secrets and gives its id, which is needed to seal them. */
export async function insertServer(
  tx: OpenTransaction,
  server: { name: string; url: string; region: string | null; ip: string | null; now: Date },
): Promise<number> {
  const { now, ...columns } = server;
  const { id } = await tx
    .insertInto('traffic_servers')
    .values({ ...columns, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Sets secrets of a server that was just inserted; its version stays. */
export async function updateSecrets(tx: OpenTransaction, id: number, columns: ServerColumns): Promise<void> {
  if (Object.keys(columns).length === 0) return;
  await tx.updateTable('traffic_servers').set(columns).where('id', '=', id).execute();
}

/** The server, locked until the transaction ends; undefined when it does not exist or was deleted. */
export async function lockServer(tx: OpenTransaction, id: number): Promise<StoredServer | undefined> {
  await sql`select from traffic_servers where id = ${id} for update`.execute(tx);
  return findServer(tx, id);
}

/** Writes columns of a server and raises its version. */
export async function updateServer(tx: OpenTransaction, { id, columns, now }: { id: number; columns: ServerColumns; now: Date }) {
  await tx
    .updateTable('traffic_servers')
    .set((eb) => ({ ...columns, updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Marks a server as deleted, deletes its links and gives their ids, ascending. Pending jobs of these links do nothing. */
export async function deleteStoredServer(tx: OpenTransaction, id: number, now: Date): Promise<number[]> {
  await tx
    .updateTable('traffic_servers')
    .set((eb) => ({ deleted_at: now, updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
  const links = await tx.deleteFrom('check_domains').where('server_id', '=', id).returning('id').execute();
  return links.map((link) => link.id).toSorted((a, b) => a - b);
}
