import { readQuery } from '@switchyard/contract/listing';
import { z } from 'zod';
import type { SortOrder } from './sort-order.ts';

/** The query schema of a list call, as the contract declares it. */
export type ListSchema = z.ZodObject;

/** Query parameters as the router writes them into the URL. */
export type UrlParameters = Readonly<Record<string, string | readonly string[]>>;

/** What moves within a result; every other change starts the result anew (REQ-029, REQ-030, AMB-081). */
const positions = ['page', 'cursor'] as const;

/** What arranges a result without choosing other rows. */
const arrangements = new Set<string>([...positions, 'limit', 'orderBy', 'orderDirection']);

/**
 * The state of a list out of the query string of the URL, read by the list's own query schema. A parameter
 * that the schema refuses counts as absent, so a broken link shows the default list instead of an error.
 */
export function parseListQuery<S extends ListSchema>(schema: S, search: string): z.output<S> {
  const raw = readQuery(search);
  const sound = Object.entries(schema.shape).filter(([name, parameter]) => z.safeParse(parameter, raw[name]).success);
  return schema.parse(Object.fromEntries(sound.map(([name]) => [name, raw[name]])));
}

function written(value: unknown): string | string[] | undefined {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(String);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The parameters that say what `query` says; whatever equals the list's default is left out. */
export function writeListQuery(schema: ListSchema, query: Readonly<Record<string, unknown>>): UrlParameters {
  const defaults = new Map(Object.entries(schema.parse({})));
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const text = written(value);
      return text === undefined || sameText(text, written(defaults.get(name))) ? [] : [[name, text]];
    }),
  );
}

function sameText(a: string | string[], b: string | string[] | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * The parameters of the URL after a change of the list. Unless the change itself names a page or cursor, both are
 * dropped; parameters of the URL that are not the list's own (a tab's name) stay.
 */
export function changeListQuery(schema: ListSchema, search: string, patch: Readonly<Record<string, unknown>>): UrlParameters {
  const own = Object.keys(schema.shape);
  const foreign = Object.entries(readQuery(search)).filter(([name]) => !own.includes(name));
  const start = Object.fromEntries(positions.filter((name) => own.includes(name)).map((name) => [name, undefined]));
  const changed = { ...parseListQuery(schema, search), ...start, ...patch };
  return { ...Object.fromEntries(foreign), ...writeListQuery(schema, changed) };
}

/** The change that gives every filter its default and keeps sort and page size (AMB-082). */
export function withoutFilters(schema: ListSchema): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(emptyQuery(schema)).filter(([name]) => !arrangements.has(name)));
}

/** Every parameter of the list at its default. */
function emptyQuery(schema: ListSchema): Readonly<Record<string, unknown>> {
  const names = Object.keys(schema.shape).map((name) => [name, undefined]);
  return { ...Object.fromEntries(names), ...schema.parse({}) };
}

/** The filters in effect, as one text: two states with the same filters give the same text. */
export function filterFingerprint(schema: ListSchema, query: Readonly<Record<string, unknown>>): string {
  const filters = Object.entries(writeListQuery(schema, query)).filter(([name]) => !arrangements.has(name));
  return JSON.stringify(filters.sort(([a], [b]) => a.localeCompare(b)));
}

/** Whether any filter differs from its default, that is, whether "nothing found" may be the filters' doing. */
export function hasFilters(schema: ListSchema, query: Readonly<Record<string, unknown>>): boolean {
  return filterFingerprint(schema, query) !== '[]';
}

/** How the rows of a list are arranged: their sort and the page size, and its default, where the list has them. */
export type Arrangement = { sort: SortOrder | null; limit: number; defaultLimit: number };

/** The arrangement that a list's query says. */
export function readArrangement(schema: ListSchema, query: Readonly<Record<string, unknown>>): Arrangement {
  const { orderBy, orderDirection, limit } = query;
  const defaultLimit = schema.parse({})['limit'];
  const isSorted = typeof orderBy === 'string' && (orderDirection === 'asc' || orderDirection === 'desc');
  return {
    sort: isSorted ? { orderBy, orderDirection } : null,
    limit: typeof limit === 'number' ? limit : 0,
    defaultLimit: typeof defaultLimit === 'number' ? defaultLimit : 0,
  };
}
