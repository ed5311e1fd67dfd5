import { requestSortKeys, requestTypes } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { flag, flagsOf } from '@switchyard/traffic-store/event-flags';
import { addressRange, readEventSearch } from '@switchyard/traffic-store/event-search';
import type { NewEvent } from '@switchyard/traffic-store/event-fields';
import type { BotLabels, EventFilter, EventSort } from '@switchyard/traffic-store/event-store';
import { type FilteredColumn, valueFilters, type ValuePart, valueParts } from '@switchyard/traffic-store/value-filters';
import { testEpoch } from './arbitrary-events.ts';

const hour = 3_600_000_000;
const day = 24 * hour;

const pick = <T>(values: readonly T[]) => fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined });

/** A part that most filters lack, so that enough of them match something. */
function rarely<T>(part: fc.Arbitrary<T | undefined>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: part });
}

const arbitraryLabels = fc.record({ labels: fc.subarray(['CF', 'BOT', 'L1', 'HLL']), none: fc.boolean(), blocking: fc.boolean() });

const valuesOf: Partial<Record<FilteredColumn, readonly string[]>> = {
  country: ['DE', 'US', 'IT'],
  stream_uid: ['st_1', 'st_9'],
};
/** For other columns a value that many events have, and one that none has. */
const otherValues: Partial<Record<FilteredColumn, readonly string[]>> = { asn: ['', '13335', '0', '64511'] };
const arbitraryValues: { [Part in ValuePart]?: fc.Arbitrary<string[] | undefined> } = {};
for (const part of valueParts) {
  const { column, isExcluding } = valueFilters[part];
  const values = pick(valuesOf[column] ?? otherValues[column] ?? ['', 'x']);
  arbitraryValues[part] = isExcluding || valuesOf[column] === undefined ? rarely(values) : values;
}

const anyFilter: fc.Arbitrary<EventFilter> = fc.record({
  ...arbitraryValues,
  scope: fc.constantFrom<EventFilter['scope']>('all', [1], [1, 3], []),
  types: pick(requestTypes),
  typesNot: rarely(pick(requestTypes)),
  bots: rarely(arbitraryLabels),
  furtherTypes: rarely(fc.array(fc.subarray([...requestTypes], { minLength: 1 }), { minLength: 1, maxLength: 2 })),
  furtherBots: rarely(fc.array(arbitraryLabels, { minLength: 1, maxLength: 2 })),
  botsNot: rarely(arbitraryLabels),
  addressesNot: rarely(
    fc.subarray(
      ['203.0.113.9', '10.0.0.0/8', '::/0'].flatMap((text) => addressRange(text) ?? []),
      { minLength: 1 },
    ),
  ),
  servers: rarely(fc.subarray([1, 9], { minLength: 1 })),
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

/** The filter with systems of addresses, and without what is not counted together with them. */
const filterOfSystems = fc
  .tuple(anyFilter, fc.subarray(['', '13335', '0', '64511'], { minLength: 1 }), fc.boolean())
  .map(([{ scope, types, from, until, search }, asns, isExcluding]): EventFilter => {
    const ownTypes = types?.filter((type) => type !== 'error');
    return { scope, types: ownTypes?.length === 0 ? undefined : ownTypes, from, until, search, [isExcluding ? 'asnsNot' : 'asns']: asns };
  });

/** Filters of which each part names some of the arbitrary requests. */
export const arbitraryFilter: fc.Arbitrary<EventFilter> = fc.oneof(
  { weight: 5, arbitrary: anyFilter },
  { weight: 1, arbitrary: filterOfSystems },
);

export const arbitrarySort: fc.Arbitrary<EventSort> = fc.record({
  orderBy: fc.constantFrom(...requestSortKeys),
  orderDirection: fc.constantFrom('asc' as const, 'desc' as const),
});

/** Whether a row matches a filter, computed without a database. */
export function fits(row: NewEvent, filter: EventFilter): boolean {
  const isSearched = filter.search?.some((search) =>
    search.kind === 'client-uid-prefix'
      ? row.client_uid.toLowerCase().startsWith(search.prefix.toLowerCase())
      : search.first === search.last
        ? row.ip === search.first
        : row.ip.startsWith(search.first.startsWith('203') ? '203.0.113.' : '2001:db8:'),
  );
  return (
    (filter.scope === 'all' || filter.scope.includes(row.app_id)) &&
    [filter.types, ...(filter.furtherTypes ?? [])].every(
      (types) => types === undefined || types.includes(row.type) || (types.includes('error') && (flagsOf(row) & 1) !== 0),
    ) &&
    valueParts.every((part) => {
      const { column, isExcluding } = valueFilters[part];
      return filter[part] === undefined || filter[part].includes(row[column]) !== isExcluding;
    }) &&
    !(filter.typesNot?.some((type) => row.type === type || (type === 'error' && (flagsOf(row) & 1) !== 0)) ?? false) &&
    [filter.bots, ...(filter.furtherBots ?? [])].every((labels) => labels === undefined || hasLabel(row, labels)) &&
    (filter.botsNot === undefined || !hasLabel(row, filter.botsNot)) &&
    !(filter.addressesNot?.some(({ first }) => isExcluded(row.ip, first)) ?? false) &&
    (filter.servers === undefined || (row.server_id !== null && filter.servers.includes(row.server_id))) &&
    (filter.emptyPostbacksDomain !== true || row.postbacks_domain === '') &&
    (filter.from === undefined || row.occurred_at >= filter.from) &&
    (filter.until === undefined || row.occurred_at < filter.until) &&
    (isSearched ?? true) &&
    (filter.clientUid === undefined || row.client_uid === filter.clientUid)
  );
}

function hasLabel(row: NewEvent, { labels, none, blocking }: BotLabels): boolean {
  if (blocking === true && (flagsOf(row) & flag.bot) !== 0) return true;
  return row.bot === '' ? none : row.bot.split(' ').some((label) => labels.includes(label));
}

/** One of the three excluded ranges is a single address, one begins with 10 and one holds all of IPv6. */
function isExcluded(ip: string, first: string): boolean {
  if (first.includes(':')) return ip.includes(':');
  return first === '10.0.0.0' ? ip.startsWith('10.') : ip === first;
}
