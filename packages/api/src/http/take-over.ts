import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';

/** Begins a 200 answer that the caller writes by himself: with the headers set so far and these, past the framework's own sending. */
export function takeOver(reply: FastifyReply, headers: Readonly<Record<string, string>>): ServerResponse {
  reply.headers(headers);
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(200);
  return raw;
}
