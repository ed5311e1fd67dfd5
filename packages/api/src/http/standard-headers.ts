import type { IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';

/** What a body outside HTML may do in a browser: nothing (api 0.1). */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Headers of every answer, whatever its status (api 0.1, S31); pages replace the policy by their own. */
export const standardHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': dataPolicy,
} as const;

/**
 * Headers of every answer where the console is reached over https: a year from its last visit a browser asks for it in no other way (ASVS 3.4.1, S31).
 */
export const transportHeaders = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } as const;

const acceptable = /^[A-Za-z0-9._-]{8,64}$/;

/** The request's own id when it is one that may stand in logs and headers, otherwise a new UUID (api 0.1). */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && acceptable.test(sent) ? sent : randomUUID();
}
