import { stringifySearch } from '../search-codec.ts';

export type PathParams = Readonly<Record<string, string | number>>;
type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined;
export type CallQuery = Readonly<Record<string, QueryValue>>;

/** Leaves out empty values. Booleans are sent as 1 and 0. */
function queryText(query: CallQuery): string {
  const entries = Object.entries(query).flatMap(([name, value]): [string, unknown][] => {
    if (value === null || value === undefined || value === '') return [];
    if (typeof value === 'boolean') return [[name, value ? '1' : '0']];
    // Lists travel as type[]=a&type[]=b.
    return Array.isArray(value) ? [[`${name}[]`, value]] : [[name, value]];
  });
  return stringifySearch(Object.fromEntries(entries)).replaceAll('%5B%5D=', '[]=');
}

/** Identifies the method and target of a call, without query and body. Notifications of its results use it as their key. */
export function callKey({ method, path }: { readonly method: string; readonly path: string }, params: PathParams = {}): string {
  return `${method} ${endpointUrl(path, params)}`;
}

/**
 * The address of a call: the path of the endpoint with its parameters and query, under `/api/` unless it begins with
 * `/`. Throws TypeError when a path parameter is missing.
 */
export function endpointUrl(path: string, params: PathParams = {}, query: CallQuery = {}): string {
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`The path ${path} needs ${name}`);
    return encodeURIComponent(String(value));
  });
  return (filledPath.startsWith('/') ? filledPath : `/api/${filledPath}`) + queryText(query);
}
