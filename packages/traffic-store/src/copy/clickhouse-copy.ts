import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { writeExactly } from '@switchyard/contract/exact-json';
import type pg from 'pg';
import { ownColumns } from '../clickhouse/write/add-events.ts';
import { insertName, type Engine, voidBatch } from '../clickhouse/write/settle-batches.ts';
import { instant } from '../clickhouse/event-conditions.ts';
import { newParameters, type Parameters, using } from '../clickhouse/statement.ts';
import { type CopiedEvent, type CopiedStore, type EventRange, inBlocks, valueOf } from './copied-events.ts';

/** Copies answer to nobody, so they may be stopped only by the operator. */
const noSignal = new AbortController().signal;

/** Events of ClickHouse, to be copied from or to. `batch` is the number that `openCopy` gave. */
export function openEngineCopy({ engine }: Engine, pool: pg.Pool, batch: number): CopiedStore {
  async function select(columns: string, range: EventRange, rest = ''): Promise<string[]> {
    const parameters = newParameters();
    return engine.lines({ text: `select ${columns} ${inRange(range, parameters)} ${rest} ${using(null)}`, parameters });
  }
  return {
    name: 'ClickHouse',
    async oldestDay() {
      const { rows } = await pool.query<{ day: Microseconds | null }>(
        `select (extract(epoch from max(week) + 7) * 1000000)::bigint as day from event_weeks`,
      );
      return rows[0]?.day ?? null;
    },
    async extent(lastId) {
      const parameters = newParameters();
      const ends = ['min', 'max'].map((end) => `toUnixTimestamp64Micro(${end}(occurred_at))`);
      const text = `select count(), ${ends.join(', ')} from events where id <= ${parameters.add(lastId, 'UInt64')} ${using(null)}`;
      const [line = '0'] = await engine.lines({ text, parameters });
      const [count = 0, from = 0, last = 0] = line.split('\t').map(Number);
      return count === 0 ? null : { from, until: last + 1 };
    },
    async sums(range, by) {
      const parameters = newParameters();
      const at = `toUnixTimestamp64Micro(occurred_at) - ${parameters.add(range.from, 'Int64')}`;
      const sums = ['count()', 'sum(id)', `sum(${at})`, 'sum(reinterpretAsUInt32(reverse(substring(UUIDToNum(uuid), 13, 4))))'];
      const keys = by === 'kind' ? ['app_id', 'type', 'flags'] : [`intDiv(${at}, 3600000000)`];
      const text = `select concat(${joinWithSpaces(keys)}, ''), concat(${joinWithSpaces(sums)}) ${inRange(range, parameters)}
        group by ${keys.join(', ')} ${using(null)}`;
      return new Map((await engine.lines({ text, parameters })).map((line) => [cut(line, 0), cut(line, 1)]));
    },
    ids: async (range) => new Set((await select('id', range)).map(Number)),
    read(range) {
      const parameters = newParameters();
      const text = `select concat('[', toString(flags), ',"', asn, '",', row, ']') ${inRange(range, parameters)} ${using(null)}`;
      return inBlocks(flatten(engine.stream({ text, parameters }, noSignal)));
    },
    async insert(events) {
      const values = events.map((event) => rowOf(event, batch));
      await engine.insert({ table: 'events', columns: ['id', 'batch', ...ownColumns, 'row'], values, queryId: insertName(engine, batch) });
    },
  };
}

async function* flatten(opening: Promise<AsyncIterable<string[]>>): AsyncGenerator<string[]> {
  yield* await opening;
}

function joinWithSpaces(values: readonly string[]): string {
  return values.map((value) => `toString(${value})`).join(`, ' ', `);
}

function cut(line: string, column: number): string {
  return line.split('\t')[column] ?? '';
}

function inRange({ from, until, lastId }: EventRange, parameters: Parameters): string {
  return `from events where occurred_at >= ${instant(from, parameters)} and occurred_at < ${instant(until, parameters)}
    and id <= ${parameters.add(lastId, 'UInt64')}`;
}

function rowOf(event: CopiedEvent, batch: number): unknown[] {
  const own = ownColumns.map((column) => {
    const value = valueOf(column, event);
    return column === 'occurred_at' && typeof value === 'number' ? formatMicroseconds(value) : value;
  });
  return [valueOf('id', event), batch, ...own, writeExactly(event[2])];
}

/**
 * Takes the number under which a copy inserts, and voids that of the previous copy: if it was killed, an insert of its own that
 * arrives late would store events twice. The lock of copies must be held.
 */
export async function openCopy(to: Engine, client: pg.ClientBase): Promise<number> {
  const before = await client.query<{ copy_batch: number | null }>('select copy_batch from event_home');
  const abandonedBatch = before.rows[0]?.copy_batch ?? null;
  if (abandonedBatch !== null) await voidBatch(to, abandonedBatch);
  const copyRow = await client.query<{ copy_batch: number }>(
    `update event_home set copy_batch = nextval('event_batches_seq') returning copy_batch`,
  );
  return copyRow.rows[0]?.copy_batch ?? 0;
}

/** The Mondays of the weeks before this day that the engine holds. */
export async function weeksBefore({ engine }: Engine, day: Microseconds): Promise<string[]> {
  const parameters = newParameters();
  const text = `select distinct _partition_value.1 from events where _partition_value.1 < toDate(${instant(day, parameters)}) ${using(null)}`;
  return engine.lines({ text, parameters });
}

/** The days of events with ids after this one. */
export async function engineDaysAfter({ engine }: Engine, id: number): Promise<Microseconds[]> {
  const parameters = newParameters();
  const text = `select distinct toUnixTimestamp(toStartOfDay(occurred_at)) as day from events
    where id > ${parameters.add(id, 'UInt64')} order by day ${using(null)}`;
  return (await engine.lines({ text, parameters })).map((seconds) => Number(seconds) * 1_000_000);
}
