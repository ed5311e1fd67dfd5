import { readQuery, type SortDirection, unknownNames } from '@switchyard/contract/listing';
import { z } from 'zod';
import { stringifySearch } from '../search-codec.ts';
import { arrangements, type AnyQuery } from './filter.ts';

/** The query schema of a list call, as the contract declares it. */
export type ListSchema<Query = AnyQuery> = z.ZodObject & z.ZodType<Query>;

/** Query parameters as the router writes them into the URL. */
export type UrlParameters = Readonly<Record<string, string | readonly string[]>>;

/** Parameters that move within a result; any other change goes back to its first page. */
const positions = ['page', 'cursor'] as const;

/** Parameters that keep the open row: other rows of the same result. */
const paging: ReadonlySet<string> = new Set([...positions, 'limit']);

/**
 * The parameter with the id of the row in the side panel. It is no part of any query, so filters, saved sorts and downloads
 * do not contain it.
 */
export const openRowParameter = 'request';

/** Parameters of pages around their lists: tab, view, open row, chart, dialogs, compared sides. */
const pageParameters: ReadonlySet<string> = new Set(
  `startTabName view ${openRowParameter} by chart mode run add addApp addServer copy parts one other do`.split(' '),
);

const arranging: ReadonlySet<string> = new Set(arrangements);

/**
 * Reads the state of a list from the query string of the URL with the list's schema. An invalid parameter counts as absent,
 * so a broken link shows the default list instead of an error.
 */
export function parseListQuery<Query>(schema: ListSchema<Query>, search: string): Query {
  const raw = readQuery(search);
  const valid = Object.entries(schema.shape).filter(([name, parameter]) => z.safeParse(parameter, raw[name]).success);
  return schema.parse(Object.fromEntries(valid.map(([name]) => [name, raw[name]])));
}

/** Parameters of an address that a list does not have, and those whose values it cannot read; neither has an effect. */
export function ignoredParameters(schema: ListSchema, search: string): { unknown: string[]; unreadable: string[] } {
  const raw = readQuery(search);
  return {
    unknown: unknownNames(schema, search).filter((name) => !pageParameters.has(name)),
    unreadable: Object.entries(schema.shape)
      .filter(([name, parameter]) => Object.hasOwn(raw, name) && !z.safeParse(parameter, raw[name]).success)
      .map(([name]) => name),
  };
}

function write(value: unknown): string | string[] | undefined {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(String);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The URL parameters of a query; values that equal the list's defaults are left out. */
export function writeListQuery(schema: ListSchema, query: AnyQuery): UrlParameters {
  const defaults = new Map(Object.entries(schema.parse({})));
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const text = write(value);
      return text === undefined || sameText(text, write(defaults.get(name))) ? [] : [[name, text]];
    }),
  );
}

function sameText(a: string | string[], b: string | string[] | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * The URL parameters after a change of the list. Page and cursor are dropped unless the change names one; parameters that
 * are not the list's own (a tab's name) stay.
 */
export function changeListQuery(schema: ListSchema, search: string, patch: AnyQuery): UrlParameters {
  const own = Object.keys(schema.shape);
  const foreign = Object.entries(readQuery(search)).filter(([name]) => !own.includes(name));
  const start = Object.fromEntries(positions.filter((name) => own.includes(name)).map((name) => [name, undefined]));
  const nextQuery = { ...parseListQuery(schema, search), ...start, ...patch };
  return { ...Object.fromEntries(foreign), ...writeListQuery(schema, nextQuery) };
}

/** The URL parameters after a change by the reader, who closes the side panel by changing filters or sort. */
export function changeListAddress(schema: ListSchema, search: string, patch: AnyQuery): UrlParameters {
  const { [openRowParameter]: openRow, ...others } = changeListQuery(schema, search, patch);
  const isPaging = Object.keys(patch).every((name) => paging.has(name));
  return isPaging && openRow !== undefined ? { ...others, [openRowParameter]: openRow } : others;
}

/** The change that resets every filter to its default and keeps sort and page size. */
export function withoutFilters(schema: ListSchema): AnyQuery {
  return Object.fromEntries(Object.entries(emptyQuery(schema)).filter(([name]) => !arranging.has(name)));
}

/** Every parameter of the list at its default. */
function emptyQuery(schema: ListSchema): AnyQuery {
  const names = Object.keys(schema.shape).map((name) => [name, undefined]);
  return { ...Object.fromEntries(names), ...schema.parse({}) };
}

/** The filters in effect as a query string; equal for states with equal filters. */
export function filterFingerprint(schema: ListSchema, query: AnyQuery): string {
  const filters = Object.entries(writeListQuery(schema, query)).filter(([name]) => !arranging.has(name));
  return stringifySearch(Object.fromEntries(filters.sort(([a], [b]) => a.localeCompare(b)))).replace('?', '');
}

/** Whether any filter differs from its default. */
export function hasFilters(schema: ListSchema, query: AnyQuery): boolean {
  return filterFingerprint(schema, query) !== '';
}

/** By which column rows are sorted: its key and a direction. */
export type SortOrder = { orderBy: string; orderDirection: SortDirection };

/**
 * The sort after a click on a header: the same column reverses the direction, another column starts descending.
 */
export function nextSort(current: SortOrder, clickedKey: string): SortOrder {
  const descending = current.orderBy === clickedKey && current.orderDirection === 'desc';
  return { orderBy: clickedKey, orderDirection: descending ? 'asc' : 'desc' };
}

/** Sort and page size of a list; without them null and 0. */
export type Arrangement = {
  sort: SortOrder | null;
  /** What cards write before the name of the column, instead of *Sort by*. */
  sortWord?: string;
  limit: number;
  defaultLimit: number;
};

/** The sort and page size that a query gives. */
export function readArrangement(schema: ListSchema, query: AnyQuery): Arrangement {
  const { orderBy, orderDirection, limit } = query;
  const defaultLimit = schema.parse({})['limit'];
  const isSorted = typeof orderBy === 'string' && (orderDirection === 'asc' || orderDirection === 'desc');
  return {
    sort: isSorted ? { orderBy, orderDirection } : null,
    limit: typeof limit === 'number' ? limit : 0,
    defaultLimit: typeof defaultLimit === 'number' ? defaultLimit : 0,
  };
}
