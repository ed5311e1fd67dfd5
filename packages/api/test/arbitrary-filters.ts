import { requestTypes } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { flagsOf } from '../src/traffic-store/event-flags.ts';
import { readEventSearch } from '../src/traffic-store/event-search.ts';
import type { NewEvent } from '../src/traffic-store/event-fields.ts';
import type { EventFilter } from '../src/traffic-store/event-store.ts';
import { testEpoch } from './arbitrary-events.ts';

const hour = 3_600_000_000;
const day = 24 * hour;

const pick = <T>(values: readonly T[]) => fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined });

/** Filters of which each part names some of the arbitrary requests. */
export const arbitraryFilter: fc.Arbitrary<EventFilter> = fc.record({
  scope: fc.constantFrom<EventFilter['scope']>('all', [1], [1, 3], []),
  types: pick(requestTypes),
  countries: pick(['DE', 'US']),
  streamUids: pick(['st_1', 'st_9']),
  emptyPostbacksDomain: fc.constantFrom(undefined, true),
  from: fc.constantFrom(undefined, testEpoch - 5 * day, testEpoch, testEpoch - 2 * hour),
  until: fc.constantFrom(undefined, testEpoch + 1, testEpoch + 3 * day),
  search: fc.constantFrom(
    undefined,
    undefined,
    ...['c-1', '203.0.113.', '203.0.113.9', '2001:db8::/32', 'c_', 'c%', 'ü'].map(readEventSearch),
  ),
  clientUid: fc.constantFrom(undefined, undefined, undefined, 'c-1'),
});

/** Whether a filter asks for a request, told without a database. */
export function fits(row: NewEvent, wanted: EventFilter): boolean {
  const isSearched = wanted.search?.some((search) =>
    search.kind === 'client-uid-prefix'
      ? row.client_uid.toLowerCase().startsWith(search.prefix.toLowerCase())
      : search.first === search.last
        ? row.ip === search.first
        : row.ip.startsWith(search.first.startsWith('203') ? '203.0.113.' : '2001:db8:'),
  );
  return (
    (wanted.scope === 'all' || wanted.scope.includes(row.app_id)) &&
    (wanted.types === undefined || wanted.types.includes(row.type) || (wanted.types.includes('error') && (flagsOf(row) & 1) !== 0)) &&
    (wanted.countries === undefined || wanted.countries.includes(row.country)) &&
    (wanted.streamUids === undefined || wanted.streamUids.includes(row.stream_uid)) &&
    (wanted.emptyPostbacksDomain !== true || row.postbacks_domain === '') &&
    (wanted.from === undefined || row.occurred_at >= wanted.from) &&
    (wanted.until === undefined || row.occurred_at < wanted.until) &&
    (isSearched ?? true) &&
    (wanted.clientUid === undefined || row.client_uid === wanted.clientUid)
  );
}
