import pg from 'pg';
import type { Durability } from '@switchyard/embedded-postgres/postgres-settings';
import { startEmbeddedPostgres } from '@switchyard/embedded-postgres/start-embedded-postgres';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { openDatabases } from '../database/connect.ts';
import { restoreLock } from '../database/migrate.ts';
import { keepalive } from '../database/process-connection.ts';
import type { Environment } from '../env.ts';
import type { RowCounts } from './row-counts.ts';

/** A connection to the database that is backed up or restored. */
export type ServerClient = pg.PoolClient;

/** Keys of advisory locks. */
const locks = { backup: 6_120_034, restore: restoreLock } as const;

/** Connects without time limits, and runs `work`. */
export async function withConnection<Result>(url: string, work: (client: ServerClient) => Promise<Result>): Promise<Result> {
  const databases = openDatabases({ url, onError: () => undefined });
  try {
    const client = await databases.pools.exports.connect();
    try {
      await client.query(
        `${keepalive}; set statement_timeout = 0; set lock_timeout = 0; set idle_session_timeout = 0; set idle_in_transaction_session_timeout = 0`,
      );
      return await work(client);
    } finally {
      // Open transactions and locks end with the connection.
      client.release(true);
    }
  } finally {
    await databases.close();
  }
}

/** Parameters of an address that the client programs know, too; `password` is passed on apart, and others belong to the driver alone. */
const sharedParameters =
  /^(ssl(mode|cert|key|rootcert|crl|crldir|sni|certmode|negotiation)|ssl_(min|max)_protocol_version|channel_binding|require_auth|gssencmode|krbsrvname|options|client_encoding|connect_timeout|target_session_attrs|hostaddr|passfile|keepalives(_\w+)?|tcp_user_timeout)$/;

/** Connects a client program of PostgreSQL as the console connects: `address` is an argument of it, `env` its environment. */
export function clientArguments(databaseUrl: string, env: Environment): { address: string; env: Environment } {
  // The driver reads the address, as it takes some that URL and libpq do not, and parameters of its own.
  const { host, port, user, database, password } = new pg.Client({ connectionString: databaseUrl });
  const parameters = new URL(databaseUrl).searchParams;
  const ssl = ['true', '1'].includes(parameters.get('ssl') ?? '') ? { sslmode: 'require' } : {};
  const shared = Object.fromEntries([...parameters].filter(([name]) => sharedParameters.test(name)));
  const unverified = shared['sslmode'] === 'no-verify' ? { sslmode: 'require' } : {};
  const address = Object.entries({ ...ssl, ...shared, ...unverified, host, port, user, dbname: database })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}='${String(value).replaceAll(/[\\']/g, '\\$&')}'`]))
    .join(' ');
  // Other accounts can read the arguments of a program but not its environment.
  return { address, env: typeof password === 'string' ? { ...env, PGPASSWORD: password } : env };
}

/** Starts the database of a data folder, connects to it, runs `work`, and stops it. */
export async function withEmbedded<Result>(
  dataDir: string,
  work: (client: ServerClient, url: string) => Promise<Result>,
  durability: Durability = 'full',
): Promise<Result> {
  const server = await startEmbeddedPostgres({ dataDir, durability, onProblem: () => undefined });
  try {
    return await withConnection(server.url, (client) => work(client, server.url));
  } finally {
    await server.stop();
  }
}

/** Locks the database for a backup or restore until the connection ends. @throws StartupError if another one runs. */
export async function lockFor(kind: keyof typeof locks, client: ServerClient): Promise<void> {
  const { rows } = await client.query<{ isFree: boolean }>('select pg_try_advisory_lock($1) as "isFree"', [locks[kind]]);
  if (rows[0]?.isFree === true) return;
  throw new StartupError(
    `Database: ${kind === 'backup' ? 'another backup is running' : 'another restore, or the start of a console, is running'}`,
  );
}

/** Major version of the server. */
export async function readServerVersion(client: ServerClient): Promise<number> {
  const { rows } = await client.query<{ version: number }>(`select current_setting('server_version_num')::int / 10000 as version`);
  return rows[0]?.version ?? 0;
}

/** Opens a transaction on a snapshot that `pg_dump` can use, and in which no table disappears. @throws StartupError if there are no tables. */
export async function exportSnapshot(client: ServerClient): Promise<{ id: string; tables: readonly string[] }> {
  const tables = await listTables(client);
  if (tables.length === 0) throw new StartupError('DATABASE_URL: the database has no tables (there is nothing to back up)');
  await client.query('begin isolation level repeatable read read only');
  await client.query(`lock table ${tables.join(', ')} in access share mode`);
  const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
  return { id: rows[0]?.id ?? '', tables };
}

/** The tables with rows of their own, with their schemas, quoted for statements. Those of extensions are theirs. */
export async function listTables(client: ServerClient): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname <> 'information_schema' and nspname !~ '^pg_'
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Counts the rows of each table, one table after the other. */
export async function countRows(client: ServerClient, tables: readonly string[], signal: AbortSignal): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    signal.throwIfAborted();
    const { rows } = await client.query<{ count: number }>(`select count(*) from only ${table}`);
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}
