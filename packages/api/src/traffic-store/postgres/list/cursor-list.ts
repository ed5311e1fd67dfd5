import { requestTypes, type RequestType } from '@switchyard/contract/requests';
import type pg from 'pg';
import { type Position, readCursor, writeCursor } from '../../request-cursor.ts';
import type { AskedSort, CursorPage, RequestFilter } from '../../traffic-store.ts';
import { readInOrder, type ReadingPlan } from './read-in-order.ts';
import type { Reading } from './event-queries.ts';
import { type ListedEvent, toStoredRequest } from '../../event-fields.ts';

export type CursorQuery = { filter: RequestFilter; sort: AskedSort; cursor: string | undefined; limit: number };

/** A page of requests before or after a cursor, in the list's order (api 0.7). */
export async function listByCursor(pool: pg.Pool, plan: ReadingPlan, query: CursorQuery): Promise<CursorPage> {
  const { filter } = query;
  if (filter.scope !== 'all' && filter.scope.length === 0) return { rows: [], previous: null, next: null };
  const { sort, position } = readCursor(query.sort, query.cursor);
  const backwards = position?.toward === 'previous';
  const direction = backwards ? opposite(sort.orderDirection) : sort.orderDirection;
  const reading = { filter, direction, position, wanted: query.limit + 1 };
  const found =
    sort.orderBy === 'type'
      ? await readByType(pool, plan, reading)
      : await readInOrder(pool, plan, { ...reading, order: sort.orderBy === 'id' ? 'arrival' : 'time' });
  const hasMore = found.length > query.limit;
  const page = found.slice(0, query.limit);
  if (backwards) page.reverse();

  const [first, last] = [page[0], page.at(-1)];
  const cursorAt = (row: ListedEvent, toward: Position['toward']): string =>
    writeCursor(sort, { toward, id: row.id, occurredAt: row.occurred_at, type: row.type });
  return {
    rows: page.map(toStoredRequest),
    previous: first && (backwards ? hasMore : position !== null) ? cursorAt(first, 'previous') : null,
    next: last && (backwards || hasMore) ? cursorAt(last, 'next') : null,
  };
}

function opposite(direction: Reading['direction']): Reading['direction'] {
  return direction === 'asc' ? 'desc' : 'asc';
}

/** Types in alphabetical order are lists by arrival one after the other. */
async function readByType(
  pool: pg.Pool,
  plan: ReadingPlan,
  { filter, direction, position, wanted }: Omit<Reading, 'order' | 'position'> & { position: Position | null },
): Promise<ListedEvent[]> {
  const rows: ListedEvent[] = [];
  for (const ownType of typesFrom(position, direction)) {
    if (rows.length >= wanted) break;
    if (!mayHold(filter, ownType)) continue;
    const past = ownType === position?.type ? position : null;
    const part: Reading = { filter: { ...filter, ownType }, order: 'arrival', direction, position: past, wanted: wanted - rows.length };
    rows.push(...(await readInOrder(pool, plan, part)));
  }
  return rows;
}

function typesFrom(position: Position | null, direction: Reading['direction']): RequestType[] {
  const inOrder = requestTypes.toSorted();
  if (direction === 'desc') inOrder.reverse();
  return position === null ? inOrder : inOrder.slice(inOrder.indexOf(position.type));
}

/** The filter type error takes rows of every type that have an error (AMB-133). */
function mayHold({ types }: RequestFilter, type: RequestType): boolean {
  return types === undefined || types.includes(type) || types.includes('error');
}
