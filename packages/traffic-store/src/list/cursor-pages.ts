import { type RequestType, requestTypes } from '@switchyard/contract/requests';
import { type Position, readCursor, writeCursor } from '../event-cursor.ts';
import { type AskedOrigin, positions, type ListedEvent, toRequestRows } from '../event-fields.ts';
import type { PartFilter } from '../event-filter-rules.ts';
import type { AskedSort, CursorPage, EventFilter } from '../event-store.ts';
import type { ListOrder } from './slices.ts';

export type CursorQuery = AskedOrigin & { filter: EventFilter; sort: AskedSort; cursor: string | undefined; limit: number };

/** A part of a list in one order: by time or by arrival (id). */
export type Reading = ListOrder & {
  filter: PartFilter;
  /** Only rows past it in the direction; null: from the beginning. */
  position: Pick<Position, 'id' | 'occurredAt'> | null;
  /** How many rows are needed; a few more may come. */
  limit: number;
};

/** The first rows of a part past its position, in order. */
export type ReadInOrder = (reading: Reading) => Promise<ListedEvent[]>;

/** A page of events before or after a cursor, in the list's order, from what an engine reads in order. */
export async function listByCursor(query: CursorQuery, readInOrder: ReadInOrder): Promise<CursorPage> {
  const { filter } = query;
  const { sort, position } = readCursor(query.sort, query.cursor);
  const backwards = position?.toward === 'previous';
  const direction = backwards ? opposite(sort.orderDirection) : sort.orderDirection;
  const reading = { filter, direction, position, limit: query.limit + 1 };
  const listedEvents =
    sort.orderBy === 'type'
      ? await readByType(reading, readInOrder)
      : await readInOrder({ ...reading, order: sort.orderBy === 'id' ? 'arrival' : 'time' });
  const hasMore = listedEvents.length > query.limit;
  const page = listedEvents.slice(0, query.limit);
  if (backwards) page.reverse();

  const [first, last] = [page[0], page.at(-1)];
  const cursorAt = (row: ListedEvent, toward: Position['toward']): string =>
    writeCursor(sort, { toward, id: row[positions.id], occurredAt: row[positions.occurred_at], type: row[positions.type] });
  return {
    rows: toRequestRows(page, query),
    previous: first && (backwards ? hasMore : position !== null) ? cursorAt(first, 'previous') : null,
    next: last && (backwards || hasMore) ? cursorAt(last, 'next') : null,
  };
}

function opposite(direction: Reading['direction']): Reading['direction'] {
  return direction === 'asc' ? 'desc' : 'asc';
}

/** A list by type is a list by arrival for each type, in alphabetical order. */
async function readByType(
  { filter, direction, position, limit }: Omit<Reading, 'order' | 'position'> & { position: Position | null },
  readInOrder: ReadInOrder,
): Promise<ListedEvent[]> {
  const rows: ListedEvent[] = [];
  for (const ownType of typesFrom(position, direction)) {
    if (rows.length >= limit) break;
    if (!mayHold(filter, ownType)) continue;
    const past = ownType === position?.type ? position : null;
    const part: Reading = { filter: { ...filter, ownType }, order: 'arrival', direction, position: past, limit: limit - rows.length };
    rows.push(...(await readInOrder(part)));
  }
  return rows;
}

function typesFrom(position: Position | null, direction: Reading['direction']): RequestType[] {
  const inOrder = requestTypes.toSorted();
  if (direction === 'desc') inOrder.reverse();
  return position === null ? inOrder : inOrder.slice(inOrder.indexOf(position.type));
}

/** Whether a type can match: the type filter `error` also matches rows of other types that have an error. */
function mayHold({ types }: EventFilter, type: RequestType): boolean {
  return types === undefined || types.includes(type) || types.includes('error');
}

/** In a list by time nothing before the position can match, which excludes whole partitions. */
export function narrowToPosition({ filter, position, direction, order }: Reading): PartFilter {
  if (position === null || order === 'arrival') return filter;
  const at = position.occurredAt;
  return direction === 'desc'
    ? { ...filter, until: Math.min(filter.until ?? Infinity, at + 1) }
    : { ...filter, from: Math.max(filter.from ?? -Infinity, at) };
}
