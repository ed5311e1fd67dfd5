import { devToolsMessages, requestLimits, sendDevRequest } from '@switchyard/contract/dev-tools';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound, HttpError } from '../errors.ts';
import { collect, unsupportedType } from './collect-bytes.ts';
import { contextOf } from './request-context.ts';

/** The call that is served at the domains of apps (api [73]). */
export type AppHost = {
  /** The one web origin that may read the answers. */
  origin: string;
  /** The domain of an app in use that this host name is; null: none. */
  findDomain(host: string): Promise<string | null>;
  /** Counts a call of an address. Throws beyond the limit. */
  admit(ip: string): void;
  /** Throws if the text is no request. */
  answer(domain: string, text: string): Promise<string>;
};

const textType = /^[ \t]*(text\/plain|application\/json)[ \t]*(?:;[ \t]*charset=(?:"(?:utf-8|us-ascii)"|utf-8|us-ascii)[ \t]*)?$/i;
const url = `/api/${sendDevRequest.path}`;
const config = { pattern: sendDevRequest.path };

/**
 * Serves the one call that is made at the domains of apps, from pages of another origin, with text for a body (api [73]).
 * At any other host there is no such path.
 */
export function serveAppHost(api: FastifyInstance, appHost: AppHost): void {
  async function domainOf({ headers }: FastifyRequest): Promise<string> {
    const host = (headers.host ?? '').replace(/:\d*$/, '');
    const domain = host === '' ? null : await appHost.findDomain(host);
    if (domain === null) throw notFound();
    return domain;
  }

  /** Also on errors, so that the page can read the reason. */
  async function allowOrigin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('vary', 'Origin');
    if (request.headers.origin === appHost.origin) reply.header('access-control-allow-origin', appHost.origin);
  }

  api.route({
    method: 'POST',
    url,
    config,
    onRequest: allowOrigin,
    async handler(request, reply) {
      const domain = await domainOf(request);
      appHost.admit(contextOf(request).ip);
      const data = await appHost.answer(domain, await readText(request));
      return reply.type('application/json; charset=utf-8').send(JSON.stringify({ success: true, data }));
    },
  });

  api.route({
    method: 'OPTIONS',
    url,
    config,
    onRequest: allowOrigin,
    async handler(request, reply) {
      await domainOf(request);
      if (request.headers.origin === appHost.origin) {
        reply.headers({ 'access-control-allow-methods': 'POST', 'access-control-allow-headers': 'content-type' });
      }
      return reply.code(204).send();
    },
  });
}

/** The text of a body, which is text or a JSON string. */
async function readText(request: FastifyRequest): Promise<string> {
  const { headers } = request.raw;
  const [, type] = textType.exec(headers['content-type'] ?? '') ?? [];
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  const isAcceptable = type !== undefined && ['', 'identity'].includes(encoding);
  const bytes = await collect(request.raw, {
    limit: requestLimits.bodyBytes,
    rejectBody: isAcceptable ? undefined : unsupportedType,
  });
  const text = bytes.toString('utf8');
  return type?.toLowerCase() === 'application/json' ? stringIn(text) : text;
}

function stringIn(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'string') return value;
  } catch {
    // Also the error for JSON that is no string (api [71]).
  }
  throw new HttpError(400, devToolsMessages.undecodable);
}
