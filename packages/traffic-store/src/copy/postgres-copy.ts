import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import type { ConsoleDatabase } from '../console-database.ts';
import { eventFields, isJsonField, listedFields, positions } from '../event-fields.ts';
import { listedExpression } from '../postgres/event-page.ts';
import { createPostgresEventStore } from '../postgres/create-event-store.ts';
import { createBatchWriter, inTransaction } from '../postgres/statements.ts';
import { createPartitions } from '../postgres/upkeep/partitions.ts';
import { copyEventsStatement, writeRecords } from '../postgres/write/add-events.ts';
import { type CopiedEvent, type CopiedStore, type EventRange, inBlocks, type SumKey, valueOf } from './copied-events.ts';

/** Events that are read at once. */
const pageRows = 2000;

const inRange = 'occurred_at >= $1 and occurred_at < $2 and id <= $3';
const micro = '(extract(epoch from occurred_at) * 1000000)::bigint';
const sumKeys: Readonly<Record<SumKey, string>> = { kind: 'app_id, type, flags', hour: 'at / 3600000000' };
const sumsBy = (by: SumKey): string => `
  select concat_ws(' ', ${sumKeys[by]}) as part, concat_ws(' ', count(*), sum(id), sum(at), sum(tail)) as sums from (
    select app_id, type, flags, id, ${micro} - (extract(epoch from $1::timestamptz) * 1000000)::bigint as at,
      ('x' || right(uuid::text, 8))::bit(32)::bigint as tail
    from events where ${inRange}
  ) as selected group by ${sumKeys[by]}`;
/** The values of a row as the text of a JSON list without white space, in which JSON stands as it is stored. */
const listedText = `'[' || concat_ws(',', ${listedFields.map((field) => (isJsonField(field) ? `coalesce(${field.name}::text, 'null')` : jsonOf(listedExpression(field)))).join(', ')}) || ']'`;
const pageOfRange = `
  select '[' || concat_ws(',', flags, ${jsonOf('asn')}, ${listedText}) || ']' as text, id, ${micro} as at from events
  where ${inRange} and (occurred_at, id) > ($4, $5) order by occurred_at, id limit ${pageRows}`;

/** Events of PostgreSQL, to be copied from or to; `serverOffset` is the one in which its days are cut. */
export function openPostgresCopy({ pools }: ConsoleDatabase, serverOffset: string): CopiedStore {
  const pool = pools.exports;
  const partitions = createPartitions(pools.ops, serverOffset);
  return {
    name: 'PostgreSQL',
    async oldestDay() {
      // The oldest of the weekly partitions, which have their Mondays in their names.
      const { rows } = await pool.query<{ day: Microseconds | null }>(`
        select (extract(epoch from min(to_date(right(relname, 8), 'YYYYMMDD'))) * 1000000)::bigint as day
        from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'events'::regclass`);
      return rows[0]?.day ?? null;
    },
    async extent(lastId) {
      const ends = ['min', 'max'].map(
        (end) => `(extract(epoch from (select ${end}(occurred_at) from events)) * 1000000)::bigint as ${end}`,
      );
      const { rows } = await pool.query<{ min: Microseconds | null; max: Microseconds; first: number }>(
        `select ${ends.join(', ')}, (select min(id) from events) as first`,
      );
      const [row] = rows;
      return !row || row.min === null || row.first > lastId ? null : { from: row.min, until: row.max + 1 };
    },
    async sums(range, by) {
      const { rows } = await pool.query<{ part: string; sums: string }>(sumsBy(by), valuesOf(range));
      return new Map(rows.map(({ part, sums }) => [part, sums]));
    },
    async ids(range) {
      const { rows } = await pool.query<{ ids: number[] }>(
        `select coalesce(array_agg(id), '{}') as ids from events where ${inRange}`,
        valuesOf(range),
      );
      return new Set(rows[0]?.ids);
    },
    read: (range) => inBlocks(readPages(pool, range)),
    async insert(events) {
      await partitions.ensure(events.map(([, , columns]) => columns[positions.occurred_at]));
      await inTransaction(pool, async (client) => {
        await client.query(`select set_config('switchyard.copies_events', 'on', true)`);
        await client.query(copyEventsStatement, [writeRecords(events.map(toRecord)), serverOffset]);
      });
    },
  };
}

async function* readPages(pool: pg.Pool, range: EventRange): AsyncGenerator<readonly string[]> {
  let last = { at: range.from, id: -1 };
  for (;;) {
    const values = [...valuesOf(range), instant(last.at), last.id];
    const { rows } = await pool.query<{ text: string; id: number; at: Microseconds }>({ name: 'copied-events', text: pageOfRange, values });
    yield rows.map(({ text }) => text);
    const end = rows.at(-1);
    if (!end || rows.length < pageRows) return;
    last = end;
  }
}

function jsonOf(column: string): string {
  return `coalesce(to_json(${column})::text, 'null')`;
}

function toRecord(event: CopiedEvent): Record<string, unknown> {
  return Object.fromEntries(
    eventFields.map(({ name, kind }) => {
      const value = valueOf(name, event);
      return [name, kind === 'instant' && typeof value === 'number' ? instant(value) : value];
    }),
  );
}

function valuesOf({ from, until, lastId }: EventRange): unknown[] {
  return [instant(from), instant(until), lastId];
}

function instant(at: Microseconds): string {
  return `${formatMicroseconds(at)}+00`;
}

/** The newest assigned id. */
export async function newestId(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ id: number }>('select last_value as id from events_id_seq');
  return rows[0]?.id ?? 0;
}

/** The days of events with ids after this one. Their weeks end with Sunday in UTC, as days do. */
export async function daysAfter(client: pg.ClientBase, id: number): Promise<Microseconds[]> {
  const { rows } = await client.query<{ day: Microseconds }>(
    `select distinct (extract(epoch from date_bin('1 day', occurred_at, timestamptz 'epoch')) * 1000000)::bigint as day
     from events where id > $1 order by day`,
    [id],
  );
  return rows.map(({ day }) => day);
}

/**
 * Prepares PostgreSQL to take events: its days are counted in the server's offset, and data that retention or the other store
 * dropped is removed.
 */
export async function preparePostgres(
  databases: ConsoleDatabase,
  options: { serverOffset: string; retentionDays: number; now: Microseconds; oldest: Microseconds | null },
): Promise<void> {
  const { pools } = databases;
  await createPostgresEventStore({ ...options, pools, write: createBatchWriter(pools.ingest) }).maintain(options.now);
  if (options.oldest !== null) await createPartitions(pools.ops, options.serverOffset).dropBefore(options.oldest);
}
