import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { allFlags, flag } from '../event-flags.ts';
import { type FilterPart, type PartFilter, rollupParts, eventParts } from '../event-filter-rules.ts';
import type { AddressRange, BotLabels, EventFilter, EventSearch } from '../event-store.ts';

/** The parameters of a statement being built: `add` returns the placeholder of a value. */
export type Parameters = { readonly values: unknown[]; add(value: unknown): string };

/** An empty list of parameters; the first one added is `$1`. */
export function newParameters(): Parameters {
  const values: unknown[] = [];
  return {
    values,
    add(value) {
      values.push(value);
      return `$${values.length}`;
    },
  };
}

/** An instant as PostgreSQL reads it, with its microseconds. */
export function timestamp(instant: Microseconds): string {
  return `${formatMicroseconds(instant)}+00`;
}

/** The condition of each part of a filter; events and roll-ups name their columns alike. */
const partConditions: {
  readonly [Part in FilterPart]: (value: NonNullable<PartFilter[Part]>, parameters: Parameters) => readonly string[];
} = {
  ownType: (type, parameters) => [`type = ${parameters.add(type)}::request_type`],
  scope: (scope, parameters) => (scope === 'all' ? [] : [anyOf('app_id', 'integer', scope, parameters)]),
  types: (types, parameters) => [typeCondition(types, parameters)],
  typesNot: (types, parameters) => [`not ${typeCondition(types, parameters)}`],
  countries: (countries, parameters) => [anyOf('country', 'text', countries, parameters)],
  countriesNot: (countries, parameters) => [`country <> all(${parameters.add(countries)}::text[])`],
  streamUids: (uids, parameters) => [anyOf('stream_uid', 'text', uids, parameters)],
  streamUidsNot: (uids, parameters) => [`stream_uid <> all(${parameters.add(uids)}::text[])`],
  bots: (labels, parameters) => [botCondition(labels, parameters)],
  botsNot: (labels, parameters) => [`not ${botCondition(labels, parameters)}`],
  addressesNot: (ranges, parameters) => ranges.map((range) => `not (${rangeCondition(range, parameters)})`),
  emptyPostbacksDomain: (isAsked) => (isAsked ? [withFlag(flag.emptyPostbacksDomain)] : []),
  clientUid: clientConditions,
  search: (searches, parameters) => [anyCondition(cheapestFirst(searches).map((search) => searchCondition(search, parameters)))],
  from: (from, parameters) => [`occurred_at >= ${parameters.add(timestamp(from))}::timestamptz`],
  until: (until, parameters) => [`occurred_at < ${parameters.add(timestamp(until))}::timestamptz`],
};

function conditionsOf<Part extends FilterPart>(part: Part, filter: Pick<PartFilter, Part>, parameters: Parameters): readonly string[] {
  const value = filter[part];
  return value === undefined ? [] : partConditions[part](value, parameters);
}

/**
 * Conditions that events and roll-ups share. A roll-up is only asked for dimensions by which it counts (`rollupFor`).
 */
export function sharedConditions(filter: PartFilter, parameters: Parameters): string[] {
  return rollupParts.flatMap((part) => conditionsOf(part, filter, parameters));
}

/** Conditions that only the events themselves can answer; those on client and IP have indexes. */
export function indexedConditions(filter: PartFilter, parameters: Parameters): string[] {
  return eventParts.flatMap((part) => conditionsOf(part, filter, parameters));
}

/** Conditions on time; the end is exclusive. */
export function timeConditions({ from, until }: Pick<EventFilter, 'from' | 'until'>, parameters: Parameters): string[] {
  const range: PartFilter = { scope: 'all', from, until };
  return [...conditionsOf('from', range, parameters), ...conditionsOf('until', range, parameters)];
}

/** Every condition of a filter, for the events themselves. */
export function matchConditions(filter: PartFilter, parameters: Parameters): string[] {
  return [...sharedConditions(filter, parameters), ...indexedConditions(filter, parameters), ...timeConditions(filter, parameters)];
}

/** A single value is compared by `=`, because only then an index on it keeps the order of its further columns. */
function anyOf(column: string, type: string, values: readonly unknown[], parameters: Parameters): string {
  const [first] = values;
  if (values.length === 1) return `${column} = ${parameters.add(first)}::${type}`;
  return `${column} = any(${parameters.add(values)}::${type}[])`;
}

/** SQL of the condition that a flag is set, as the list of values that contain it, because an index finds values but not bits. */
export function withFlag(bit: number): string {
  const values = Array.from({ length: allFlags + 1 }, (_, value) => value).filter((value) => (value & bit) !== 0);
  return `flags = any('{${values.join(',')}}'::smallint[])`;
}

/** The type error stands for every event with an error, whatever its type. */
function typeCondition(types: readonly string[], parameters: Parameters): string {
  const named = types.filter((type) => type !== 'error');
  const alternatives = [
    ...(named.length > 0 ? [anyOf('type', 'request_type', named, parameters)] : []),
    ...(types.includes('error') ? [withFlag(flag.error)] : []),
  ];
  return `(${alternatives.join(' or ')})`;
}

/** Alternatives are evaluated in this order: comparing addresses takes far less time than lower-casing text. */
function cheapestFirst(searches: readonly EventSearch[]): EventSearch[] {
  return searches.toSorted((a, b) => Number(b.kind === 'ip-range') - Number(a.kind === 'ip-range'));
}

/**
 * The alternatives of a search as conditions that exclude each other, each answered by one index. The rest of the filter is not
 * included.
 */
export function searchWays(filter: EventFilter, parameters: Parameters): string[] {
  if (filter.clientUid !== undefined) return [clientConditions(filter.clientUid, parameters).join(' and ')];
  const ways = filter.search?.map((search) => searchCondition(search, parameters)) ?? [];
  if (ways.length === 0) return ['false'];
  return ways.map((way, index) => [way, ...ways.slice(0, index).map((earlier) => `not (${earlier})`)].join(' and '));
}

function clientConditions(clientUid: string, parameters: Parameters): string[] {
  const uid = parameters.add(clientUid);
  // The first condition uses the index, the second compares the exact text.
  return [`lower(client_uid) collate "C" = lower(${uid}) collate "C"`, `client_uid = ${uid}`];
}

function anyCondition(alternatives: readonly string[]): string {
  return alternatives.length === 0 ? 'false' : `(${alternatives.join(' or ')})`;
}

function rangeCondition({ first, last }: AddressRange, parameters: Parameters): string {
  return `ip between ${parameters.add(first)}::inet and ${parameters.add(last)}::inet`;
}

/** Labels are joined by spaces. */
function botCondition({ labels, none }: BotLabels, parameters: Parameters): string {
  return `(string_to_array(bot, ' ') && ${parameters.add(labels)}::text[]${none ? ` or bot = ''` : ''})`;
}

function searchCondition(search: EventSearch, parameters: Parameters): string {
  if (search.kind === 'ip-range') return rangeCondition(search, parameters);
  // The database lower-cases both sides, because its rules may differ from those of JavaScript. In byte order of UTF-8 every text
  // with this prefix lies between the prefix and the prefix followed by the highest character.
  const [first, last] = [search.prefix, `${search.prefix}\u{10FFFF}`].map((text) => `(lower(${parameters.add(text)}) collate "C")`);
  return `lower(client_uid) collate "C" between ${first} and ${last}`;
}
