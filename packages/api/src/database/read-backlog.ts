import type pg from 'pg';

/** Work in the database that is not done yet. The same for all processes. */
export type Backlog = {
  jobs: { queue: string; waiting: number; running: number; failed: number }[];
  /** Seconds since the newest seal of the audit trail; null: there is none. */
  sealAge: number | null;
  /** Entries after the newest seal, 100,000 at most, so that the count stays cheap. */
  unsealedEntries: number;
  openBatches: number;
  /** Number of the oldest open batch of events; null: there is none. */
  oldestOpenBatch: number | null;
  /** Seconds since the oldest check of places of deliveries was due; 0: none is. */
  placesOverdue: number;
};

/** Each part reads an index from its end, a partial index that is nearly empty, or a small table. */
const statement = `
  with seal as (select sealed_at, to_id from audit_seals where id < 4611686018427387904 order by id desc limit 1)
  select
    (select greatest(0, extract(epoch from now() - sealed_at))::float8 from seal) as "sealAge",
    (select count(*) from (
      select from audit_entries where id > coalesce((select to_id from seal), 0) limit 100000
    ) as entries) as "unsealedEntries",
    (select count(*) from event_batches where state = 'open') as "openBatches",
    (select min(seq) from event_batches where state = 'open') as "oldestOpenBatch",
    (select coalesce(greatest(0, extract(epoch from now() - min(due_at))), 0)::float8 from place_checks) as "placesOverdue",
    to_regclass('jobs.queue') is not null as "hasJobs"`;

/** The queue counts its jobs itself, every ten seconds. */
const jobsStatement = `
  select name as queue, queued_count as waiting, active_count as running, failed_count as failed
  from jobs.queue where name not like '\\_\\_%' order by name`;

/** Bytes of the database, with its indexes. */
export async function readDatabaseBytes(pool: pg.Pool, timeoutMs: number): Promise<number> {
  const query = { text: 'select pg_database_size(current_database())::float8 as bytes', query_timeout: timeoutMs };
  const { rows } = await pool.query<{ bytes: number }>(query);
  return rows[0]?.bytes ?? 0;
}

/** Reads what metrics say about the database. Before the first start of jobs there are none. */
export async function readBacklog(pool: pg.Pool, timeoutMs: number): Promise<Backlog> {
  const read = async <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> => {
    const query = { text, query_timeout: timeoutMs };
    return (await pool.query<Row>(query)).rows;
  };
  const [row] = await read<Omit<Backlog, 'jobs'> & { hasJobs: boolean }>(statement);
  if (row === undefined) throw new Error('Backlog: no answer');
  const { hasJobs, ...rest } = row;
  return { ...rest, jobs: hasJobs ? await read<Backlog['jobs'][number]>(jobsStatement) : [] };
}
