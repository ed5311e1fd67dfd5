import type { IncomingMessage } from 'node:http';

/** Spellings that proxies and routers may read differently; no path has them, but for the uid of a client. */
const suspicious = /\/\/|%2f|%5c|[;\\]/i;

/** The part of a path that may hold any text, encoded: the uid of a client, in calls and on its page. */
const clientUid = /^(\/(?:api\/)?clients\/)[^/;\\]+/;

/** The encoded slash of a CIDR block, in calls and on its page, and of a network of the black list. */
const slashOfBlock = /^(\/(?:(?:api\/)?addresses|api\/black-list\/entries)\/(?:[\da-f:.]|%3a)+)%2f(?=\d{1,3}(?:\/|$))/i;

/**
 * Whether a request target is rejected whatever the router makes of it: it has an encoded or doubled slash, a backslash, a
 * `;`, or a trailing slash that the matched route (if any) does not have.
 */
export function isSuspiciousPath(target: string, route: string | undefined): boolean {
  const [path = ''] = target.split('?', 1);
  return (
    suspicious.test(path.replace(clientUid, '$1uid').replace(slashOfBlock, '$1')) ||
    (path.length > 1 && path.endsWith('/') && route?.endsWith('/') !== true)
  );
}

/** Whether a request has more than one Host header. Proxies differ in which of them they read (RFC 9112 3.2). */
export function repeatsHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length > 1;
}
