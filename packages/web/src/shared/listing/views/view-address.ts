import { readQuery } from '@switchyard/contract/listing';
import type { SavedView } from '@switchyard/contract/saved-views';
import { z } from 'zod';
import { parseSearch, stringifySearch, type Search } from '../../search-codec.ts';
import { parseListQuery, writeListQuery, type ListSchema, type UrlParameters } from '../list-query.ts';
import type { AnyQuery } from '../filter.ts';

/** The parameter with the id of the view that a list was opened with, or `none`. It is no part of any query. */
const viewParameter = 'view';

/** Opens a list without a view although one is the default. */
const noView = 'none';

/** The parameter of a page that names its open tab; a list in a tab begins with it. */
const tabParameter = 'startTabName';

/** The view that an address names: an id, `none`, or nothing. */
export type NamedView = number | 'none' | null;

/** Query and view in the address of a list. */
export type ListAddress = {
  namedView: NamedView;
  /** The list is opened without a parameter, so the default view applies. */
  isBare: boolean;
  /** The address names a view and nothing else of the list, so the view fills in the rest. */
  isReference: boolean;
};

/** Reads what the address of a list asks for; `query` is the query string. */
export function readListAddress(schema: ListSchema, query: string): ListAddress {
  const search = parseSearch(query);
  const value = search[viewParameter];
  const isId = typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value);
  const viewId = value === noView ? noView : isId ? Number(value) : null;
  return {
    namedView: viewId,
    isBare: Object.keys(search).every((name) => name === tabParameter),
    isReference: isId && ownParameters(schema, query).length === 0,
  };
}

/** The address of a list that opens with a view, which fills in the rest. */
export function withView(path: string, id: number): string {
  return `${path}${path.includes('?') ? '&' : '?'}${viewParameter}=${id}`;
}

function ownParameters(schema: ListSchema, query: string): string[] {
  return Object.keys(readQuery(query)).filter((name) => Object.hasOwn(schema.shape, name));
}

/** Filters, sort and page size of a list as a view stores them; equal for equal states. */
export function captureQuery(schema: ListSchema, { page: _page, cursor: _cursor, ...query }: AnyQuery): string {
  const parameters = Object.entries(writeListQuery(schema, query)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return stringifySearch(Object.fromEntries(parameters)).slice(1);
}

/** The query of a view without what the list does not know. */
export function knownQuery(schema: ListSchema, query: string): string {
  return captureQuery(schema, parseListQuery(schema, query));
}

/** The parameters of an address of the list that a view opens. The page's tab stays, and nothing else. */
export function viewAddress(schema: ListSchema, current: string, view: Pick<SavedView, 'id' | 'query'>): Search {
  return { ...tabOf(current), ...parseSearch(knownQuery(schema, view.query)), [viewParameter]: String(view.id) };
}

/** The parameters of an address of the list without a view; `isMarked` if a bare address would open the default one. */
export function plainAddress(current: string, isMarked: boolean): Search {
  return { ...tabOf(current), ...(isMarked && { [viewParameter]: noView }) };
}

function tabOf(query: string): Search {
  const tab = parseSearch(query)[tabParameter];
  return tab === undefined ? {} : { [tabParameter]: tab };
}

/**
 * The parameters after a change of the list. Removing the last filter must neither open the default view nor fill in the
 * one that the address names, so it leaves the view.
 */
export function keepUnfiltered(
  schema: ListSchema,
  parameters: UrlParameters,
  { hasDefault, active }: { hasDefault: boolean; active: Pick<SavedView, 'query'> | undefined },
): UrlParameters {
  const { isBare, isReference } = readListAddress(schema, stringifySearch(parameters));
  const isEmptyView = active !== undefined && knownQuery(schema, active.query) === '';
  if (!isBare && (!isReference || isEmptyView)) return parameters;
  const { [viewParameter]: _view, ...others } = parameters;
  return hasDefault ? { ...others, [viewParameter]: noView } : others;
}

/** Parameters whose invalid values the schemas replace by the default. */
const replacedKeys: ReadonlySet<string> = new Set(['limit', 'orderBy', 'orderDirection']);

/** The parameters of a view's query that the list does not have, or whose values it rejects, as `name=value`. */
export function unknownParameters(schema: ListSchema, query: string): string[] {
  const raw = readQuery(query);
  const parsedQuery = parseListQuery(schema, query);
  return Object.entries(raw).flatMap(([name, values]) => {
    const text = values.filter((value) => value.trim() !== '').join(',');
    if (text === '' || name === 'page' || name === 'cursor') return [];
    const parameter = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    const isKnown =
      parameter !== undefined &&
      (replacedKeys.has(name) ? String(parsedQuery[name]) === values.at(-1) : z.safeParse(parameter, values).success);
    return isKnown ? [] : [`${name}=${text}`];
  });
}
