import type { Microseconds } from '@switchyard/contract/dates';
import { isIPv4 } from 'node:net';
import { type FilterPart, type PartFilter, rollupParts, eventParts } from '../event-filter-rules.ts';
import { flag } from '../event-flags.ts';
import type { AddressRange, BotLabels, EventSearch } from '../event-store.ts';
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
  typesNot: (types, parameters) => [`not ${typeCondition(types, parameters)}`],
  countries: (countries, parameters) => [anyOf('country', 'String', countries, parameters)],
  countriesNot: (countries, parameters) => [`country not in ${parameters.add(countries, 'Array(String)')}`],
  streamUids: (uids, parameters) => [anyOf('stream_uid', 'String', uids, parameters)],
  streamUidsNot: (uids, parameters) => [`stream_uid not in ${parameters.add(uids, 'Array(String)')}`],
  bots: (labels, parameters) => [botCondition(labels, parameters)],
  botsNot: (labels, parameters) => [`not ${botCondition(labels, parameters)}`],
  addressesNot: (ranges, parameters) => ranges.map((range) => `not (${rangeCondition(range, parameters)})`),
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

/** Conditions that no projection counts: on client, address and label. */
export function searchConditions(filter: PartFilter, parameters: Parameters): string[] {
  return eventParts.flatMap((part) => conditionsOf(part, filter, parameters));
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

/** SQL of the condition that a flag is set. */
export function withFlag(bit: number): string {
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

function rangeCondition(range: AddressRange, parameters: Parameters): string {
  const [first, last] = [range.first, range.last].map((address) => `toIPv6(${parameters.add(address, 'String')})`);
  const within = `ip between ${first} and ${last}`;
  return isIPv4(range.first) ? within : `(${within} and ${mapped})`;
}

/** Labels are joined by spaces. */
function botCondition({ labels, none }: BotLabels, parameters: Parameters): string {
  return `(hasAny(splitByChar(' ', bot), ${parameters.add(labels, 'Array(String)')})${none ? ` or bot = ''` : ''})`;
}

function searchCondition(search: EventSearch, parameters: Parameters): string {
  if (search.kind === 'ip-range') return rangeCondition(search, parameters);
  // The engine lower-cases both sides. In byte order every text with this prefix lies between it and it with the highest character.
  const prefix = `lowerUTF8(${parameters.add(search.prefix, 'String')})`;
  return `client_key between ${prefix} and concat(${prefix}, '\u{10FFFF}')`;
}
