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
  let remaining = skip;
  for (const ownType of types) {
    const ofType = slices.filter((slice) => slice.type === ownType);
    const total = totalOf(ofType);
    if (rows.length < limit && remaining < total) {
      rows.push(...(await readPart({ ownType, slices: ofType, skip: remaining, limit: limit - rows.length })));
    }
    remaining = Math.max(0, remaining - total);
  }
  return rows;
}
