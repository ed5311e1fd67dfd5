import { stringifySearch } from '../search-codec.ts';

export type PathParams = Readonly<Record<string, string | number>>;
type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined;
export type CallQuery = Readonly<Record<string, QueryValue>>;

/** Values that stand for "not asked" are left out; booleans travel as 1 and 0 (api 0.6). */
function queryText(query: CallQuery): string {
  const entries = Object.entries(query).flatMap(([name, value]): [string, unknown][] => {
    if (value === null || value === undefined || value === '') return [];
    if (typeof value === 'boolean') return [[name, value ? '1' : '0']];
    // Lists travel as type[]=a&type[]=b (AMB-067).
    return Array.isArray(value) ? [[`${name}[]`, value]] : [[name, value]];
  });
  return stringifySearch(Object.fromEntries(entries)).replaceAll('%5B%5D=', '[]=');
}

/** Names what a call does to one thing, whatever its query and body; notifications of its results have it as their key. */
export function callKey({ method, path }: { readonly method: string; readonly path: string }, params: PathParams = {}): string {
  return `${method} ${endpointUrl(path, params)}`;
}

/**
 * Address of a call: the endpoint's path under `/api/` unless it begins with `/`, with its parameters and
 * query filled in. Throws TypeError when a path parameter is missing, which only a programming slip can cause.
 */
export function endpointUrl(path: string, params: PathParams = {}, query: CallQuery = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`The path ${path} needs ${name}`);
    return encodeURIComponent(String(value));
  });
  return (filled.startsWith('/') ? filled : `/api/${filled}`) + queryText(query);
}
