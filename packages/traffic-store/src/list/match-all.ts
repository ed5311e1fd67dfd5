import { isIP } from 'node:net';
import { isCounted } from '../event-filter-rules.ts';
import type { EventFilter, EventSearch } from '../event-store.ts';

/** Number of characters of a client uid that roll-ups hold. */
export const countedUid = 8;

/** Whether a search can find few clients or addresses only, so that their index is the right one whatever its values are. */
export function isNarrow(search: EventSearch): boolean {
  if (search.kind === 'ip-range') return search.first === search.last;
  return search.prefix.length > countedUid || isIP(search.prefix) !== 0;
}

/** Whether a search may match everything: one that is narrow cannot. */
export function mayMatchAll({ search, ...filter }: EventFilter): boolean {
  return isCounted(filter) && search?.some((one) => !isNarrow(one)) === true;
}

/** The filter without its search. */
export function withoutSearch(filter: EventFilter): EventFilter {
  return { ...filter, search: undefined };
}
