import { dayOf, type Microseconds } from '@switchyard/contract/dates';
import { isIPv4 } from 'node:net';
import { assembleConditions, type ComparedColumn } from '../assemble-conditions.ts';
import { positions } from '../event-fields.ts';
import { flag } from '../event-flags.ts';
import { sigma } from '../event-search.ts';
import type { AddressRange, EventSearch } from '../event-store.ts';
import type { Parameters } from './statement.ts';

/** The traffic server of an event is only in its JSON, where 0 means none. Arrays of the engine begin at 1. */
/** The engine reads no row with a number beyond its own; the server is the last value. */
export const serverOfRow = `if(isValidJSON(row), JSONExtractInt(row, ${positions.server_id + 1}), toInt64OrZero(extract(row, ',([0-9]+)\\\\]$')))`;

/** An instant as the engine holds it, with its microseconds. */
export function instant(at: Microseconds, parameters: Parameters): string {
  return `fromUnixTimestamp64Micro(${parameters.add(at, 'Int64')}, 'UTC')`;
}

/** The date of an instant in UTC. */
export function dateOf(at: Microseconds, parameters: Parameters): string {
  return `toDate(${parameters.add(dayOf(at, '+00:00'), 'String')})`;
}

function typeOf(column: ComparedColumn): string {
  return column === 'app_id' ? 'Int32' : 'String';
}

/** Conditions in the SQL of the engine; events and projections name their columns alike. */
export const { countedConditions, searchConditions, timeConditions, allConditions } = assembleConditions<Parameters>({
  anyOf(column, values, parameters) {
    const [first] = values;
    if (values.length === 1) return `${column} = ${parameters.add(first, typeOf(column))}`;
    return `${column} in ${parameters.add(values, `Array(${typeOf(column)})`)}`;
  },
  noneOf: (column, values, parameters) => `${column} not in ${parameters.add(values, `Array(${typeOf(column)})`)}`,
  instant,
  hasFlag,
  inRange: rangeCondition,
  hasLabel: ({ labels, none, blocking }, parameters) => {
    const others = `${blocking === true ? ` or ${hasFlag(flag.bot)}` : ''}${none ? ` or bot = ''` : ''}`;
    return `(hasAny(splitByChar(' ', bot), ${parameters.add(labels, 'Array(String)')})${others})`;
  },
  isFrom: (servers, parameters) => `${serverOfRow} in ${parameters.add(servers, 'Array(Int64)')}`,
  isClient: (uid, parameters) => {
    const uidParameter = parameters.add(uid, 'String');
    return [`client_key = lowerUTF8(${uidParameter})`, `client_uid = ${uidParameter}`];
  },
  isFound: searchCondition,
});

/** `where` and the conditions, or nothing where there are none. */
export function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
}

/** SQL of the condition that a flag is set. */
export function hasFlag(bit: number): string {
  return `bitAnd(flags, ${bit}) = ${bit}`;
}

/** IPv4 is stored mapped into IPv6, where a wide block of IPv6 must not find it. */
const isMapped = `ip not between toIPv6('::ffff:0.0.0.0') and toIPv6('::ffff:255.255.255.255')`;

function rangeCondition(range: AddressRange, parameters: Parameters): string {
  const [first, last] = [range.first, range.last].map((address) => `toIPv6(${parameters.add(address, 'String')})`);
  const within = `ip between ${first} and ${last}`;
  return isIPv4(range.first) ? within : `(${within} and ${isMapped})`;
}

function searchCondition(search: EventSearch, parameters: Parameters): string {
  if (search.kind === 'ip-range') return rangeCondition(search, parameters);
  const text = withoutDots(search.prefix);
  const usual = isBetween(text, parameters);
  const dotted = Array.from(text.matchAll(/i/gi), ({ index }) => `${text.slice(0, index + 1)}\u0307`);
  const hasSigma = sigma.test(text);
  if (!hasSigma && dotted.length === 0) return usual;
  const isSame = `startsWith(${folded('client_key')}, ${folded(lowered(text, parameters))})`;
  const others = dotted.map((beginning) => `${isBetween(beginning, parameters)} and ${isSame}`);
  return `(${[hasSigma ? `${usual} and ${isSame}` : usual, ...others].join(' or ')})`;
}

/** The engine lower-cases an I with a dot to two characters, PostgreSQL to an i. */
export function withoutDots(text: string): string {
  return text.replaceAll(/\u0130|i\u0307/gi, 'i');
}

function lowered(text: string, parameters: Parameters): string {
  return `lowerUTF8(${parameters.add(text, 'String')})`;
}

/** A key with one form of each letter. */
function folded(key: string): string {
  return `replaceAll(replaceAll(${key}, 'i\u0307', 'i'), 'ς', 'σ')`;
}

/**
 * Whether `client_key` begins with a text. In byte order every key with this prefix lies between it and it with the highest character;
 * the forms of a sigma follow each other, so those between may have either.
 */
function isBetween(text: string, parameters: Parameters): string {
  const key = lowered(text, parameters);
  const [first, last] = sigma.test(text) ? [`replaceAll(${key}, 'σ', 'ς')`, `replaceAll(${key}, 'ς', 'σ')`] : [key, key];
  return `client_key between ${first} and concat(${last}, '\u{10FFFF}')`;
}
