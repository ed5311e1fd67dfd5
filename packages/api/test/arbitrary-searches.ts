import fc from 'fast-check';
import type { NewEvent } from '@switchyard/traffic-store/event-fields';
import type { EventFilter } from '@switchyard/traffic-store/event-store';
import { arbitraryEvent, testEpoch } from './arbitrary-events.ts';

const day = 86_400_000_000;

/** The common prefix of each app's clients: app 3 has none but a few without letters at their beginning, and one day of app 2 differs. */
function placeRow(row: NewEvent, index: number): NewEvent {
  const uid = ['client-1', 'Client-1a', 'CLIENT-1b'][index % 3] ?? '';
  if (row.app_id === 1) return { ...row, client_uid: uid, ip: `10.${index % 8}.255.${index % 256}` };
  if (row.app_id === 2) return { ...row, client_uid: uid, ip: row.occurred_at > testEpoch + 5 * day ? '10.9.0.1' : '2001:db8::7' };
  return index % 4 === 0 ? { ...row, client_uid: '10.1-A' } : row;
}

/** Requests of which most searches match all, or all of a day or an app. */
export const searchedEvents = fc.sample(arbitraryEvent, { numRuns: 400, seed: 31 }).map(placeRow);

/** Searches, and which requests fit them. */
const searches: Readonly<Record<string, (row: NewEvent) => boolean>> = {
  c: (row) => /^c/i.test(row.client_uid),
  'CLIENT-1': (row) => /^client-1/i.test(row.client_uid),
  'client-1a': (row) => /^client-1a/i.test(row.client_uid),
  'client-1ab': () => false,
  '0.0.0.0/0': (row) => !row.ip.includes(':'),
  '::/0': (row) => row.ip.includes(':'),
  '10.': (row) => [row.ip, row.client_uid].some((text) => text.startsWith('10.')),
  '10.1': (row) => row.client_uid.startsWith('10.1'),
  '203.0.113.9': (row) => row.ip === '203.0.113.9',
  '10.0.0.0/13': (row) => /^10\.[0-7]\./.test(row.ip),
  '10.0.0.0/14': (row) => /^10\.[0-3]\./.test(row.ip),
  '10.1.0.0/16': (row) => row.ip.startsWith('10.1.'),
  '2001:db8::/32': (row) => row.ip.startsWith('2001:db8:'),
};

export type SearchFilter = Omit<EventFilter, 'search'> & { text: string };
/** Ranges with no, few and many days that a search may leave something out of. */
export const arbitrarySearch: fc.Arbitrary<SearchFilter> = fc.record({
  text: fc.constantFrom(...Object.keys(searches)),
  scope: fc.constantFrom<EventFilter['scope']>([1], [1], [2], [1, 2], [3], 'all'),
  types: fc.constantFrom<EventFilter['types']>(undefined, ['create', 'track'], ['error']),
  countries: fc.constantFrom<EventFilter['countries']>(undefined, ['DE']),
  clientUid: fc.constantFrom(undefined, undefined, 'client-1'),
  from: fc.constantFrom(undefined, testEpoch - 3 * day, testEpoch + 2 * day, testEpoch + 4 * day, testEpoch + 5 * day + 1),
  until: fc.constantFrom(undefined, testEpoch + 1, testEpoch + 3 * day, testEpoch + 8 * day),
});

/** Whether a row matches a filter with its text, computed without a database. */
export function fitsSearch(row: NewEvent, { text, scope, types, countries, clientUid, from, until }: SearchFilter): boolean {
  const isError = row.type === 'error' || row.error !== null;
  return (
    searches[text]?.(row) === true &&
    (scope === 'all' || scope.includes(row.app_id)) &&
    (types === undefined || types.includes(row.type) || (types.includes('error') && isError)) &&
    (countries === undefined || countries.includes(row.country)) &&
    (clientUid === undefined || row.client_uid === clientUid) &&
    row.occurred_at >= (from ?? -Infinity) &&
    row.occurred_at < (until ?? Infinity)
  );
}
