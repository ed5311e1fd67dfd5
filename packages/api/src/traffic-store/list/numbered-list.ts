import { type RequestType, requestTypes } from '@switchyard/contract/requests';
import type { AskedOrigin } from '../event-fields.ts';
import type { EventFilter, EventSort } from '../event-store.ts';
import { type Slice, totalOf } from './slices.ts';

export type PageQuery = AskedOrigin & { filter: EventFilter; sort: EventSort; page: number; limit: number };

/** The rows `skip` to `skip + limit` of the list of one type, by arrival and newest first. */
export type PartOfType<One> = { ownType: RequestType; slices: One[]; skip: number; limit: number };

/** A page of a list by type: a list by arrival for each type, in alphabetical order and newest first. */
export async function readByType<One extends Slice & { type: RequestType | null }, Row>(
  slices: readonly One[],
  { direction, skip, limit }: { direction: 'asc' | 'desc'; skip: number; limit: number },
  readPart: (part: PartOfType<One>) => Promise<Row[]>,
): Promise<Row[]> {
  const types = requestTypes.toSorted();
  if (direction === 'desc') types.reverse();
  const rows: Row[] = [];
  let left = skip;
  for (const ownType of types) {
    const ofType = slices.filter((slice) => slice.type === ownType);
    const total = totalOf(ofType);
    if (rows.length < limit && left < total) {
      rows.push(...(await readPart({ ownType, slices: ofType, skip: left, limit: limit - rows.length })));
    }
    left = Math.max(0, left - total);
  }
  return rows;
}
