import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type Position, readCursor, writeCursor } from '../request-cursor.ts';
import type { CursorPage, RequestFilter, RequestSort } from '../traffic-store.ts';
import { findMatchingDays, isCounted, narrows, type TimeRange } from './matching-days.ts';
import { indexedConditions, newParameters, type Parameters, sharedConditions, timeConditions, timestamp } from './request-conditions.ts';
import { type EventRecord, eventColumns, toStoredRequest } from './stored-request.ts';

type Direction = RequestSort['orderDirection'];
export type CursorQuery = { filter: RequestFilter; sort: RequestSort; cursor: string | undefined; limit: number };

const sortColumns = { concatenated_date: ['occurred_at', 'id'], id: ['id'], type: ['type', 'id'] } as const;

/** A page of requests before or after a cursor, in the list's order (api 0.7). */
export async function listByCursor(pool: pg.Pool, offset: string, query: CursorQuery): Promise<CursorPage> {
  const position = readCursor(query.sort, query.cursor);
  const backwards = position?.toward === 'previous';
  const direction = backwards ? opposite(query.sort.orderDirection) : query.sort.orderDirection;
  const found = await readRows(pool, { ...query, offset, position, direction, wanted: query.limit + 1 });
  const hasMore = found.length > query.limit;
  const page = found.slice(0, query.limit);
  if (backwards) page.reverse();

  const [first, last] = [page[0], page.at(-1)];
  const cursorAt = (record: EventRecord, toward: Position['toward']): string =>
    writeCursor(query.sort, { toward, id: record.id, occurredAt: record.at, type: record.type });
  return {
    rows: page.map(toStoredRequest),
    previous: first && (backwards ? hasMore : position !== null) ? cursorAt(first, 'previous') : null,
    next: last && (backwards || hasMore) ? cursorAt(last, 'next') : null,
  };
}

function opposite(direction: Direction): Direction {
  return direction === 'asc' ? 'desc' : 'asc';
}

type Reading = {
  filter: RequestFilter;
  sort: RequestSort;
  offset: string;
  position: Position | null;
  direction: Direction;
  /** How many rows are needed at most. */
  wanted: number;
};

async function readRows(pool: pg.Pool, reading: Reading): Promise<EventRecord[]> {
  const filter = narrowToPosition(reading);
  // By date the roll-ups say which days hold matches, so that rare ones are found without reading the days between.
  const byDays = reading.sort.orderBy === 'concatenated_date' && isCounted(filter) && narrows(filter);
  if (!byDays) return run(pool, filter, buildQuery({ ...reading, filter }));
  const days = await findMatchingDays(pool, { filter, offset: reading.offset, direction: reading.direction, wanted: reading.wanted });
  const ranges = joined(days.map((day) => clip(day, filter)));
  return ranges.length === 0 ? [] : run(pool, filter, buildQuery({ ...reading, filter }, ranges));
}

/** In a list by date nothing on the far side of the position can match, which spares whole partitions. */
function narrowToPosition({ filter, sort, position, direction }: Reading): RequestFilter {
  if (position === null || sort.orderBy !== 'concatenated_date') return filter;
  const at = position.occurredAt;
  return direction === 'desc'
    ? { ...filter, until: Math.min(filter.until ?? Infinity, at + 1) }
    : { ...filter, from: Math.max(filter.from ?? -Infinity, at) };
}

type Query = { text: string; values: unknown[] };

function buildQuery(reading: Reading, ranges?: readonly TimeRange[]): Query {
  const { filter, sort, position, direction, wanted } = reading;
  const parameters = newParameters();
  const columns = sortColumns[sort.orderBy];
  const order = columns.map((column) => `${column} ${direction}`).join(', ');
  const limit = parameters.add(wanted);
  const conditions = [...sharedConditions(filter, parameters), ...indexedConditions(filter, parameters)];
  if (position !== null) conditions.push(pastPosition(columns, direction, position, parameters));

  if (ranges === undefined) {
    const where = whereOf([...conditions, ...timeConditions(filter, parameters)]);
    return { text: `select ${eventColumns} from events ${where} order by ${order} limit ${limit}`, values: parameters.values };
  }
  const from = parameters.add(ranges.map((range) => timestamp(range.from)));
  const until = parameters.add(ranges.map((range) => timestamp(range.until)));
  const where = whereOf([...conditions, 'occurred_at >= span.span_from', 'occurred_at < span.span_until']);
  return {
    text: `select ${eventColumns} from (
      select found.* from unnest(${from}::timestamptz[], ${until}::timestamptz[]) as span (span_from, span_until)
      cross join lateral (select events.* from events ${where} order by ${order} limit ${limit}) as found
      order by ${order} limit ${limit}
    ) as page order by ${order}`,
    values: parameters.values,
  };
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
}

function pastPosition(columns: readonly string[], direction: Direction, position: Position, parameters: Parameters): string {
  const values = columns.map((column) => {
    if (column === 'id') return `${parameters.add(position.id)}::bigint`;
    if (column === 'type') return `${parameters.add(position.type)}::request_type`;
    return `${parameters.add(timestamp(position.occurredAt))}::timestamptz`;
  });
  return `(${columns.join(', ')}) ${direction === 'desc' ? '<' : '>'} (${values.join(', ')})`;
}

async function run(pool: pg.Pool, filter: RequestFilter, query: Query): Promise<EventRecord[]> {
  // Planning over the partitions costs more than reading a page, so statements are kept prepared. A search is
  // planned for its own values: a rare IP and a wide block want different indexes.
  const name = isCounted(filter) ? { name: createHash('sha256').update(query.text).digest('hex').slice(0, 40) } : {};
  const { rows } = await pool.query<EventRecord>({ ...name, ...query });
  return rows;
}

function clip(range: TimeRange, filter: RequestFilter): TimeRange {
  return { from: Math.max(range.from, filter.from ?? range.from), until: Math.min(range.until, filter.until ?? range.until) };
}

/** Joins ranges that touch: fewer ranges, fewer look-ups. */
function joined(ranges: readonly TimeRange[]): TimeRange[] {
  const all: TimeRange[] = [];
  for (const range of ranges.filter(({ from, until }) => from < until)) {
    const last = all.at(-1);
    if (last && last.until === range.from) last.until = range.until;
    else if (last && last.from === range.until) last.from = range.from;
    else all.push({ ...range });
  }
  return all;
}
