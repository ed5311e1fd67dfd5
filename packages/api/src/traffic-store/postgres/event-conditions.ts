import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { allFlags, flag } from '../request-flags.ts';
import type { RequestType } from '@switchyard/contract/requests';
import type { RequestFilter, RequestSearch } from '../traffic-store.ts';

/** A filter of a part of a list: `ownType` asks for the row's own type, while `types` may ask for errors of any type. */
export type Wanted = RequestFilter & { ownType?: RequestType };

/** SQL with numbered parameters in the making: `add` gives the placeholder of a value. */
export type Parameters = { readonly values: unknown[]; add(value: unknown): string };

/** No parameters yet; the first one added is `$1`. */
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

/**
 * Conditions that events and roll-ups share: their columns have the same names. A table without country and
 * stream is asked only when the filter names neither.
 */
export function sharedConditions(filter: Wanted, parameters: Parameters): string[] {
  const conditions: string[] = [];
  if (filter.ownType !== undefined) conditions.push(`type = ${parameters.add(filter.ownType)}::request_type`);
  if (filter.scope !== 'all') conditions.push(anyOf('app_id', 'integer', filter.scope, parameters));
  if (filter.types !== undefined) conditions.push(typeCondition(filter.types, parameters));
  if (filter.countries !== undefined) conditions.push(anyOf('country', 'text', filter.countries, parameters));
  if (filter.streamUids !== undefined) conditions.push(anyOf('stream_uid', 'text', filter.streamUids, parameters));
  if (filter.emptyPostbacksDomain === true) conditions.push(withFlag(flag.emptyPostbacksDomain));
  return conditions;
}

/** One value is asked for by itself, because only then an index on it keeps the order of its further columns. */
function anyOf(column: string, type: string, values: readonly unknown[], parameters: Parameters): string {
  const [first] = values;
  if (values.length === 1) return `${column} = ${parameters.add(first)}::${type}`;
  return `${column} = any(${parameters.add(values)}::${type}[])`;
}

/** A flag as the list of values that hold it, because an index can look for values but not for bits. */
function withFlag(bit: number): string {
  const values = Array.from({ length: allFlags + 1 }, (_, value) => value).filter((value) => (value & bit) !== 0);
  return `flags = any('{${values.join(',')}}'::smallint[])`;
}

/** The type error stands for every request with an error, whatever its type (AMB-133). */
function typeCondition(types: readonly string[], parameters: Parameters): string {
  const named = types.filter((type) => type !== 'error');
  const alternatives = [
    ...(named.length > 0 ? [anyOf('type', 'request_type', named, parameters)] : []),
    ...(types.includes('error') ? [withFlag(flag.error)] : []),
  ];
  return `(${alternatives.join(' or ')})`;
}

/** Conditions that only the events themselves can answer, by their indexes on client and IP. */
export function indexedConditions(filter: RequestFilter, parameters: Parameters): string[] {
  return [
    ...clientConditions(filter, parameters),
    ...(filter.search === undefined
      ? []
      : [anyCondition(cheapestFirst(filter.search).map((search) => searchCondition(search, parameters)))]),
  ];
}

/** A row is asked in this order until one fits: comparing addresses costs far less than lowering text. */
function cheapestFirst(searches: readonly RequestSearch[]): RequestSearch[] {
  return searches.toSorted((a, b) => Number(b.kind === 'ip-range') - Number(a.kind === 'ip-range'));
}

/**
 * The ways to a search's matches: each is a condition that one index answers, and no row fits two of them. The rest of
 * the filter is not among them.
 */
export function searchWays(filter: RequestFilter, parameters: Parameters): string[] {
  if (filter.clientUid !== undefined) return [clientConditions(filter, parameters).join(' and ')];
  const ways = filter.search?.map((search) => searchCondition(search, parameters)) ?? [];
  if (ways.length === 0) return ['false'];
  return ways.map((way, index) => [way, ...ways.slice(0, index).map((earlier) => `not (${earlier})`)].join(' and '));
}

function clientConditions({ clientUid }: RequestFilter, parameters: Parameters): string[] {
  if (clientUid === undefined) return [];
  const uid = parameters.add(clientUid);
  // The first part is what the index knows, the second is the exact text.
  return [`lower(client_uid) collate "C" = lower(${uid}) collate "C"`, `client_uid = ${uid}`];
}

function anyCondition(alternatives: readonly string[]): string {
  return alternatives.length === 0 ? 'false' : `(${alternatives.join(' or ')})`;
}

function searchCondition(search: RequestSearch, parameters: Parameters): string {
  if (search.kind === 'ip-range') {
    return `ip between ${parameters.add(search.first)}::inet and ${parameters.add(search.last)}::inet`;
  }
  // The database lowers both sides, since its rules may differ from ours. In byte order of UTF-8 everything with this
  // prefix lies between it and it followed by the highest character.
  const [first, last] = [search.prefix, `${search.prefix}\u{10FFFF}`].map((text) => `(lower(${parameters.add(text)}) collate "C")`);
  return `lower(client_uid) collate "C" between ${first} and ${last}`;
}

/** Conditions on time; the end is exclusive. */
export function timeConditions(filter: Pick<RequestFilter, 'from' | 'until'>, parameters: Parameters): string[] {
  return [
    ...(filter.from === undefined ? [] : [`occurred_at >= ${parameters.add(timestamp(filter.from))}::timestamptz`]),
    ...(filter.until === undefined ? [] : [`occurred_at < ${parameters.add(timestamp(filter.until))}::timestamptz`]),
  ];
}

/** Whether the roll-ups can count the matches of a filter: it asks for no client and no address. */
export function isCounted(filter: RequestFilter): boolean {
  return filter.search === undefined && filter.clientUid === undefined;
}

/** Whether a filter leaves out rows of a time range, so that looking where its matches lie can save work. */
export function narrows(filter: Wanted): boolean {
  return (
    filter.scope !== 'all' ||
    filter.types !== undefined ||
    filter.countries !== undefined ||
    filter.streamUids !== undefined ||
    filter.emptyPostbacksDomain === true
  );
}
