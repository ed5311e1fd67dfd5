import { writeExactly } from '@switchyard/contract/exact-json';
import type { Endpoint } from '@switchyard/contract/endpoint';
import { pagination } from '@switchyard/contract/envelope';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { versionEtag } from './conditional-headers.ts';

const page = z.object({ rows: z.array(z.unknown()), pagination });
const pagedData = z.object({ data: z.unknown(), pagination });
const raw = z.object({
  body: z.union([z.string(), z.instanceof(Buffer), z.instanceof(Readable)]),
  headers: z.record(z.string(), z.string()).default({}),
  status: z.int().default(200),
});

const versionedBody = z.object({ version: z.int() });

/** Sends a checked result in the form its endpoint declares: envelope, no content, or a body of its own (api 0.2). */
export function sendResult(reply: FastifyReply, { answer }: Endpoint, result: unknown): FastifyReply {
  if (answer.kind === 'data' && answer.etag === true) reply.header('etag', versionEtag(versionedBody.parse(result).version));
  if (answer.kind === 'data') return sendJson(reply.code(answer.status), { success: true, data: result });
  if (answer.kind === 'empty') return reply.code(204).send();
  if (answer.kind === 'raw') {
    const { body, headers, status } = raw.parse(result);
    // Without a body there is nothing that could have a type (RFC 9110 15.4.5).
    if (status === 304) return reply.code(304).headers(headers).send();
    return reply.code(status).type(withCharset(answer.contentType)).headers(headers).send(body);
  }
  if (answer.kind === 'paged-data') return sendJson(reply, { success: true, ...pagedData.parse(result) });
  const { rows, pagination: form } = page.parse(result);
  return sendJson(reply, { success: true, data: rows, pagination: form });
}

function sendJson(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(writeExactly(body));
}

/** Text and JSON are always UTF-8 here (api 0.1). */
export function withCharset(contentType: string): string {
  const isText = contentType.startsWith('text/') || contentType.startsWith('application/json');
  return isText && !contentType.includes('charset=') ? `${contentType}; charset=utf-8` : contentType;
}
