import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { assembleConditions, type ComparedColumn } from '../assemble-conditions.ts';
import { allFlags } from '../event-flags.ts';
import type { AddressRange, EventFilter, EventSearch } from '../event-store.ts';

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

function typeOf(column: ComparedColumn): string {
  return column === 'app_id' ? 'integer' : column === 'type' ? 'request_type' : 'text';
}

/** Conditions in the SQL of PostgreSQL. */
export const { countedConditions, searchConditions, timeConditions, allConditions } = assembleConditions<Parameters>({
  anyOf(column, values, parameters) {
    const [first] = values;
    // A single value is compared by `=`, because only then an index on it keeps the order of its further columns.
    if (values.length === 1) return `${column} = ${parameters.add(first)}::${typeOf(column)}`;
    return `${column} = any(${parameters.add(values)}::${typeOf(column)}[])`;
  },
  noneOf: (column, values, parameters) => `${column} <> all(${parameters.add(values)}::${typeOf(column)}[])`,
  instant: (at, parameters) => `${parameters.add(timestamp(at))}::timestamptz`,
  hasFlag,
  inRange: rangeCondition,
  hasLabel: ({ labels, none }, parameters) =>
    `(string_to_array(bot, ' ') && ${parameters.add(labels)}::text[]${none ? ` or bot = ''` : ''})`,
  isClient: clientConditions,
  isFound: searchCondition,
});

/** SQL of the condition that a flag is set, as the list of values that contain it, because an index finds values but not bits. */
export function hasFlag(bit: number): string {
  const values = Array.from({ length: allFlags + 1 }, (_, value) => value).filter((value) => (value & bit) !== 0);
  return `flags = any('{${values.join(',')}}'::smallint[])`;
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

function rangeCondition({ first, last }: AddressRange, parameters: Parameters): string {
  return `ip between ${parameters.add(first)}::inet and ${parameters.add(last)}::inet`;
}

function searchCondition(search: EventSearch, parameters: Parameters): string {
  if (search.kind === 'ip-range') return rangeCondition(search, parameters);
  // The database lower-cases both sides, because its rules may differ from those of JavaScript. In byte order of UTF-8 every text
  // with this prefix lies between the prefix and the prefix followed by the highest character.
  const [first, last] = [search.prefix, `${search.prefix}\u{10FFFF}`].map((text) => `(lower(${parameters.add(text)}) collate "C")`);
  return `lower(client_uid) collate "C" between ${first} and ${last}`;
}
