/** Spellings that proxies and routers read differently, so no path of ours has them (api 0.1, S32). */
const oddities = /\/\/|%2f|%5c|[;\\]/i;

/**
 * Whether a request target names no path of ours whatever the router makes of it: an encoded or doubled
 * slash, a backslash, a `;`, or a slash at its end that the matched route (if any) does not have.
 */
export function isOddPath(target: string, route: string | undefined): boolean {
  const [path = ''] = target.split('?', 1);
  return oddities.test(path) || (path.length > 1 && path.endsWith('/') && route?.endsWith('/') !== true);
}
