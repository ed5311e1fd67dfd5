import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { botLabel } from '@switchyard/contract/requests';
import { assembleConditions, type ComparedColumn } from '../assemble-conditions.ts';
import { allFlags, flag } from '../event-flags.ts';
import { sigma } from '../event-search.ts';
import type { AddressRange, BotLabels, EventFilter, EventSearch } from '../event-store.ts';
import { isNarrow } from '../list/match-all.ts';

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

/**
 * Parameters whose values the planner does not see. It plans a prepared statement for each value as long as it expects to save something by that;
 * where there is only one plan, planning over the partitions takes longer than the statement itself.
 */
export function hideValues(parameters: Parameters): Parameters {
  return { values: parameters.values, add: (value) => `(select ${parameters.add(value)})` };
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
  hasLabel: labelCondition,
  isFrom: (servers, parameters) => `server_id = any(${parameters.add(servers)}::integer[])`,
  isClient: clientConditions,
  isFound: (search, parameters) => searchCondition(search, parameters),
});

/** Every event with a blocking label has the flag of bots, which indexes hold; labels are only in the rows. */
function labelCondition({ labels, none, blocking }: BotLabels, parameters: Parameters): string {
  const flagged = labels.every((label) => botLabel(label).blocks) ? `${hasFlag(flag.bot)} and ` : '';
  const others = `${blocking === true ? ` or ${hasFlag(flag.bot)}` : ''}${none ? ` or bot = ''` : ''}`;
  return `(${flagged}string_to_array(bot, ' ') && ${parameters.add(labels)}::text[]${others})`;
}

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
  const { search: searches = [] } = filter;
  const areNarrow = searches.every((search) => isNarrow(search));
  const ways = searches.map((search) => searchCondition(search, parameters, areNarrow));
  if (ways.length === 0) return ['false'];
  return ways.map((way, index) => [way, ...ways.slice(0, index).map((earlier) => `not (${earlier})`)].join(' and '));
}

function clientConditions(clientUid: string, parameters: Parameters): string[] {
  const uid = parameters.add(clientUid);
  // The first condition uses the index, the second compares the exact text.
  return [`lower(client_uid) collate "C" = lower(${uid}) collate "C"`, `client_uid = ${uid}`];
}

function rangeCondition({ first, last }: AddressRange, parameters: Parameters): string {
  if (first === last) return `ip = ${parameters.add(first)}::inet`;
  return `ip between ${parameters.add(first)}::inet and ${parameters.add(last)}::inet`;
}

/** @param hasHiddenValues whether the planner does not see the values, so that a prepared statement needs no plan for each of them. */
function searchCondition(search: EventSearch, parameters: Parameters, hasHiddenValues = false): string {
  if (search.kind === 'ip-range') return rangeCondition(search, parameters);
  // The database lower-cases both sides, because its rules may differ from those of JavaScript. In byte order of UTF-8 every text
  // with this prefix lies between the prefix and the prefix followed by the highest character.
  const [prefix, end] = [`${parameters.add(search.prefix)}::text`, `${parameters.add(`${search.prefix}\u{10FFFF}`)}::text`];
  const hasSigma = sigma.test(search.prefix);
  // The forms of a sigma follow each other in byte order, so what begins with either lies between that with one and that with the other.
  const lowest = hasSigma ? `replace(lower(${prefix}), 'σ', 'ς')` : `lower(${prefix})`;
  const highest = hasSigma ? folded(end) : `lower(${end})`;
  const [first, last] = [lowest, highest].map((bound) => `(${hasHiddenValues ? 'select ' : ''}${bound} collate "C")`);
  const range = `lower(client_uid) collate "C" between ${first} and ${last}`;
  if (hasSigma) return `(${range} and starts_with(${folded('client_uid')}, ${folded(prefix)}))`;
  if (hasHiddenValues || !letterless.test(search.prefix)) return range;
  // Lower-casing takes longest where many rows are compared, and changes no part of a text that has no letters.
  return `(client_uid collate "C" between ${prefix} and ${end} and ${range})`;
}

/** Lower case with one form of a sigma. */
function folded(text: string): string {
  return `replace(lower(${text}), 'ς', 'σ')`;
}

/** ASCII without letters: digits and punctuation. */
const letterless = /^[ -@[-`{-~]*$/;
