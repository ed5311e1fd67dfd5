import { retryOnDeadlock } from '../database-errors.ts';
import { maximumLimit } from '@switchyard/contract/limits';
import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { Pools } from '../console-database.ts';
import type { StoredBatch } from '../event-store.ts';

/** A statement and the values of its placeholders. */
export type Query = { text: string; values: unknown[] };

const names = new Map<string, string>();

/** The name of a prepared statement, derived from its text. Only for statements with few variants. */
export function keptName(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 40);
  names.set(text, name);
  return name;
}

/** Anything that runs statements: a pool, or one connection of it. */
export type Reader = Pick<pg.Pool, 'query'>;

/**
 * Runs a statement that an abort cancels on the server: closing the connection would not end it. Connections of `sessions` are soon free,
 * when all others are busy too.
 */
export async function queryUntil<Row extends pg.QueryResultRow>(
  { ui, sessions }: Pick<Pools, 'ui' | 'sessions'>,
  statement: Query,
  signal: AbortSignal | undefined,
): Promise<pg.QueryResult<Row>> {
  if (signal === undefined) return ui.query<Row>(statement);
  signal.throwIfAborted();
  const client = await ui.connect();
  let cancelling: Promise<unknown> = Promise.resolve();
  const cancel = (): void => {
    cancelling = pid.then(async (backend) => sessions.query('select pg_cancel_backend($1)', [backend])).catch(() => undefined);
  };
  const pid = client.query<{ pid: number }>('select pg_backend_pid() as pid').then(({ rows }) => rows[0]?.pid);
  const result = client.query<Row>(statement);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await result;
  } finally {
    signal.removeEventListener('abort', cancel);
    // A cancellation that comes late would end the next statement of this connection.
    await cancelling;
    client.release();
  }
}

/**
 * Reads columns by their names, each as one JSON array: of a hundred thousand rows the driver takes several times as long. The statement is
 * planned for its own values, because a generic plan expects few rows of a range of days.
 */
export async function readColumns<Columns extends object>(
  run: (query: Query) => Promise<{ rows: Columns[] }>,
  { text, values }: Query,
  columnNames: readonly string[],
): Promise<Columns> {
  const arrays = columnNames.map((name) => `coalesce(json_agg(${name}), '[]') as ${name}`).join(', ');
  const { rows } = await run({ text: `select ${arrays} from (${text}) as selected`, values });
  const [columns] = rows;
  if (columns === undefined) throw new Error('columns: no row (an aggregate has one)');
  return columns;
}

/**
 * Runs statements in one snapshot, so that a total and its rows agree while others write.
 */
export async function inSnapshot<T>(pool: pg.Pool, work: (reader: Reader) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A connection that fails to end its transaction cannot be reused.
  const end = async (how: 'commit' | 'rollback'): Promise<void> =>
    client.query(how).then(
      () => client.release(),
      () => client.release(true),
    );
  try {
    await client.query('begin isolation level repeatable read read only');
    const result = await work(client);
    // Nothing was written, so the caller need not wait for the commit.
    void end('commit');
    return result;
  } catch (error) {
    await end('rollback');
    throw error;
  }
}

/** Runs statements that commit together; if one fails, all are rolled back. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // A connection that fails to end its transaction cannot be reused.
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}

/** Options that the stores on PostgreSQL share. */
export type PostgresStoreOptions = {
  pools: Pools;
  /** Offset in which the server cuts days. */
  serverOffset: string;
  retentionDays: number;
  /** So many rows of an export may be sorted at once. */
  sortable?: number | undefined;
  write: BatchWriter;
};

/** The default of `sortable`: a sort of more rows would fill the disk. */
export const sortableRows = 50_000;

/** Stores a batch: `insert` gives how many rows were new, and may run several times. */
export type BatchWriter = (rows: readonly unknown[], insert: () => Promise<number>) => Promise<StoredBatch>;

/**
 * The writer of all stores that insert through the pool. It starts no more batches than there are connections: a wait for a
 * connection ends after two seconds, while a batch that has begun may wait for others as long as they take.
 */
export function createBatchWriter(pool: pg.Pool): BatchWriter {
  const limit = pLimit(pool.options.max);
  return async (rows, insert) => {
    if (rows.length === 0) return { accepted: 0, duplicates: 0 };
    const acceptedCount = await limit(async () => retryOnDeadlock(insert));
    return { accepted: acceptedCount, duplicates: rows.length - acceptedCount };
  };
}

/**
 * A statement about the apps in $1. A page of apps is looked up by a prepared statement. For more apps, reading all rows is
 * faster, which no generic plan does, and a join with the ids takes less time to plan than a comparison with a thousand.
 */
export function aboutApps(
  name: string,
  appIds: readonly number[],
  statement: (isAsked: string) => string,
): { name?: string; text: string } {
  return appIds.length > maximumLimit
    ? { text: statement('app_id in (select unnest($1::integer[]))') }
    : { name, text: statement('app_id = any($1::integer[])') };
}
