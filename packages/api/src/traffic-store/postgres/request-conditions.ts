import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { flag } from '../request-flags.ts';
import type { RequestFilter, RequestSearch } from '../traffic-store.ts';

/** SQL with numbered parameters in the making: `add` gives the placeholder of a value. */
export type Parameters = { readonly values: unknown[]; add(value: unknown): string };

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
export function sharedConditions(filter: RequestFilter, parameters: Parameters): string[] {
  const conditions: string[] = [];
  if (filter.scope !== 'all') conditions.push(`app_id = any(${parameters.add(filter.scope)}::integer[])`);
  if (filter.types !== undefined) conditions.push(typeCondition(filter.types, parameters));
  if (filter.countries !== undefined) conditions.push(`country = any(${parameters.add(filter.countries)}::text[])`);
  if (filter.streamUids !== undefined) conditions.push(`stream_uid = any(${parameters.add(filter.streamUids)}::text[])`);
  if (filter.emptyPostbacksDomain === true) conditions.push(`flags & ${flag.emptyPostbacksDomain} <> 0`);
  return conditions;
}

/** The type error stands for every request with an error, whatever its type (AMB-133). */
function typeCondition(types: readonly string[], parameters: Parameters): string {
  const named = types.filter((type) => type !== 'error');
  const alternatives = [
    ...(named.length > 0 ? [`type = any(${parameters.add(named)}::request_type[])`] : []),
    ...(types.includes('error') ? [`flags & ${flag.error} <> 0`] : []),
  ];
  return `(${alternatives.join(' or ')})`;
}

/** Conditions that only the events themselves can answer, by their indexes on client and IP. */
export function indexedConditions(filter: RequestFilter, parameters: Parameters): string[] {
  const conditions: string[] = [];
  if (filter.clientUid !== undefined) {
    const uid = parameters.add(filter.clientUid);
    // The first part is what the index knows, the second is the exact text.
    conditions.push(`lower(client_uid) collate "C" = lower(${uid}) collate "C"`, `client_uid = ${uid}`);
  }
  if (filter.search !== undefined) {
    conditions.push(
      filter.search.length === 0 ? 'false' : `(${filter.search.map((search) => searchCondition(search, parameters)).join(' or ')})`,
    );
  }
  return conditions;
}

function searchCondition(search: RequestSearch, parameters: Parameters): string {
  if (search.kind === 'ip-range') {
    return `ip between ${parameters.add(search.first)}::inet and ${parameters.add(search.last)}::inet`;
  }
  const prefix = search.prefix.toLowerCase();
  // In byte order of UTF-8 everything with this prefix lies between it and it followed by the highest character.
  return `lower(client_uid) collate "C" between ${parameters.add(prefix)} and ${parameters.add(`${prefix}\u{10FFFF}`)}`;
}

/** Conditions on time; the end is exclusive. */
export function timeConditions(filter: Pick<RequestFilter, 'from' | 'until'>, parameters: Parameters): string[] {
  return [
    ...(filter.from === undefined ? [] : [`occurred_at >= ${parameters.add(timestamp(filter.from))}::timestamptz`]),
    ...(filter.until === undefined ? [] : [`occurred_at < ${parameters.add(timestamp(filter.until))}::timestamptz`]),
  ];
}
