import type { FastifyInstance } from 'fastify';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notFound } from '../errors.ts';

/** Settings of the frame from which the developer page sends to the hosts of apps. */
export type QueryFrame = {
  /** The address that a text for this domain is sent to; null: it names no host. */
  addressOf: (domain: string) => string | null;
  /** The one origin whose pages the hosts of apps let read their answers. */
  consoleOrigin: string;
};

const url = '/dev-frame/query';

/**
 * The frame may run its own script and call that one address. It keeps its origin, for hosts let no other read
 * their answers (api [73]); so that it is no way around the console's policy, nothing can become code in it (decision 16).
 */
function framePolicy(address: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `connect-src ${address}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    'sandbox allow-scripts allow-same-origin',
  ].join('; ');
}

/** Serves the frame at a path of its own, for one domain at a time; without its page in the folder there is no such path. */
export function serveQueryFrame(fastify: FastifyInstance, root: string, { addressOf, consoleOrigin }: QueryFrame): void {
  const file = join(root, 'query-frame.html');
  if (!existsSync(file)) return;
  const page = readFileSync(file, 'utf8').replace('%CONSOLE_ORIGIN%', consoleOrigin);
  fastify.get(url, { config: { pattern: url } }, async (request, reply) => {
    const domain = new URL(request.url, consoleOrigin).searchParams.get('domain');
    const address = domain === null ? null : addressOf(domain);
    if (address === null) throw notFound();
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': framePolicy(address),
        // A page with this header can only frame pages that have it, too.
        'cross-origin-embedder-policy': 'credentialless',
      })
      .send(page.replace('%QUERY_ADDRESS%', () => address));
  });
}
