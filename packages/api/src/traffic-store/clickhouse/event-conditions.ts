import type { Microseconds } from '@switchyard/contract/dates';
import { isIPv4 } from 'node:net';
import { type FilterPart, type PartFilter, rollupParts, searchParts } from '../event-filter-rules.ts';
import { flag } from '../event-flags.ts';
import type { EventSearch } from '../event-store.ts';
import type { TimeRange } from '../read-time-range.ts';
import type { Parameters } from './statement.ts';

/** An instant as the engine holds it, with its microseconds. */
export function instant(at: Microseconds, parameters: Parameters): string {
  return `fromUnixTimestamp64Micro(${parameters.add(at, 'Int64')}, 'UTC')`;
}

/** The condition of each part of a filter; events and projections name their columns alike. */
const partConditions: {
  readonly [Part in FilterPart]: (value: NonNullable<PartFilter[Part]>, parameters: Parameters) => readonly string[];
} = {
  ownType: (type, parameters) => [`type = ${parameters.add(type, 'String')}`],
  scope: (scope, parameters) => (scope === 'all' ? [] : [anyOf('app_id', 'Int32', scope, parameters)]),
  types: (types, parameters) => [typeCondition(types, parameters)],
  countries: (countries, parameters) => [anyOf('country', 'String', countries, parameters)],
  streamUids: (uids, parameters) => [anyOf('stream_uid', 'String', uids, parameters)],
  emptyPostbacksDomain: (isAsked) => (isAsked ? [withFlag(flag.emptyPostbacksDomain)] : []),
  clientUid: (uid, parameters) => {
    const given = parameters.add(uid, 'String');
    return [`client_key = lowerUTF8(${given})`, `client_uid = ${given}`];
  },
  search: (searches, parameters) => [`(${searches.map((search) => searchCondition(search, parameters)).join(' or ')})`],
  from: (from, parameters) => [`occurred_at >= ${instant(from, parameters)}`],
  until: (until, parameters) => [`occurred_at < ${instant(until, parameters)}`],
};

function conditionsOf<Part extends FilterPart>(part: Part, filter: Pick<PartFilter, Part>, parameters: Parameters): readonly string[] {
  const value = filter[part];
  return value === undefined ? [] : partConditions[part](value, parameters);
}

/** Conditions that events and the projections that count them share. */
export function countedConditions(filter: PartFilter, parameters: Parameters): string[] {
  return rollupParts.flatMap((part) => conditionsOf(part, filter, parameters));
}

/** Conditions on client and address. */
function searchConditions(filter: PartFilter, parameters: Parameters): string[] {
  return searchParts.flatMap((part) => conditionsOf(part, filter, parameters));
}

/** Conditions on time; the end is exclusive. */
export function timeConditions({ from, until }: TimeRange, parameters: Parameters): string[] {
  const range: PartFilter = { scope: 'all', from, until };
  return [...conditionsOf('from', range, parameters), ...conditionsOf('until', range, parameters)];
}

/** Every condition of a filter. */
export function allConditions(filter: PartFilter, parameters: Parameters): string[] {
  return [...countedConditions(filter, parameters), ...searchConditions(filter, parameters), ...timeConditions(filter, parameters)];
}

/** `where` and the conditions, or nothing where there are none. */
export function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
}

function anyOf(column: string, type: string, values: readonly unknown[], parameters: Parameters): string {
  const [first] = values;
  return values.length === 1 ? `${column} = ${parameters.add(first, type)}` : `${column} in ${parameters.add(values, `Array(${type})`)}`;
}

function withFlag(bit: number): string {
  return `bitAnd(flags, ${bit}) = ${bit}`;
}

/** The type error stands for every event with an error, whatever its type. */
function typeCondition(types: readonly string[], parameters: Parameters): string {
  const named = types.filter((type) => type !== 'error');
  const alternatives = [
    ...(named.length > 0 ? [anyOf('type', 'String', named, parameters)] : []),
    ...(types.includes('error') ? [withFlag(flag.error)] : []),
  ];
  return `(${alternatives.join(' or ')})`;
}

/** IPv4 is stored mapped into IPv6, where a wide block of IPv6 must not find it. */
const mapped = `ip not between toIPv6('::ffff:0.0.0.0') and toIPv6('::ffff:255.255.255.255')`;

function searchCondition(search: EventSearch, parameters: Parameters): string {
  if (search.kind === 'ip-range') {
    const [first, last] = [search.first, search.last].map((address) => `toIPv6(${parameters.add(address, 'String')})`);
    const within = `ip between ${first} and ${last}`;
    return isIPv4(search.first) ? within : `(${within} and ${mapped})`;
  }
  // The engine lower-cases both sides. In byte order every text with this prefix lies between it and it with the highest character.
  const prefix = `lowerUTF8(${parameters.add(search.prefix, 'String')})`;
  return `client_key between ${prefix} and concat(${prefix}, '\u{10FFFF}')`;
}
