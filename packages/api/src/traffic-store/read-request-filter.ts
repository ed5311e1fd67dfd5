import { dayRange, isPlainDay, parseDateTime, type Microseconds } from '@switchyard/contract/dates';
import { startAfterEnd, type RequestFilters } from '@switchyard/contract/requests';
import { FieldErrors } from '../errors.ts';
import { readRequestSearch } from './request-search.ts';
import type { AppScope, RequestFilter } from './traffic-store.ts';

/**
 * The filter that a query asks for (api 0.13). A plain day means that day in the server's offset; the end day and an
 * end date-time are included. Throws FieldErrors when the range ends before it starts.
 */
export function readRequestFilter(query: RequestFilters, options: { scope: AppScope; serverOffset: string }): RequestFilter {
  const from = query.startDate === undefined ? undefined : startOf(query.startDate, options.serverOffset);
  const until = query.endDate === undefined ? undefined : endOf(query.endDate, options.serverOffset);
  if (from !== undefined && until !== undefined && from >= until) throw new FieldErrors({ startDate: [startAfterEnd] });
  return {
    scope: options.scope,
    search: query.search === undefined ? undefined : readRequestSearch(query.search),
    clientUid: query.clientId,
    types: query.type,
    countries: query.geo,
    streamUids: query.streamUid,
    from: from === undefined ? undefined : withinStorable(from),
    until: until === undefined ? undefined : withinStorable(until),
    emptyPostbacksDomain: query.emptyPostbacksDomain === true ? true : undefined,
  };
}

/** No request is older than 1970 or younger than the year 9000, and PostgreSQL reads only years of four digits. */
const storable = { from: 0, until: Date.UTC(9000, 0) * 1000 } as const;

function withinStorable(instant: Microseconds): Microseconds {
  return Math.min(Math.max(instant, storable.from), storable.until);
}

function startOf(text: string, offset: string): Microseconds {
  return isPlainDay(text) ? dayRange(text, offset).from : parseDateTime(text);
}

/** The exclusive end: the midnight after an end day, one microsecond after an end date-time. */
function endOf(text: string, offset: string): Microseconds {
  return isPlainDay(text) ? dayRange(text, offset).until : parseDateTime(text) + 1;
}
