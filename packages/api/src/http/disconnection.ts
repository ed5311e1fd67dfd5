import type { FastifyReply } from 'fastify';

/** Is aborted when the client disconnects, or has the response. */
export function disconnectionOf(reply: FastifyReply): AbortSignal {
  const disconnect = new AbortController();
  reply.raw.once('close', () => disconnect.abort());
  if (reply.raw.destroyed) disconnect.abort();
  return disconnect.signal;
}
