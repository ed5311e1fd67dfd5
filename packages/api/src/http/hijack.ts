import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';

/** Takes a response from Fastify and begins it with 200, the headers set so far and these; the caller writes the body. */
export function hijack(reply: FastifyReply, headers: Readonly<Record<string, string>>): ServerResponse {
  reply.headers(headers);
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(200);
  return raw;
}

/**
 * Waits until the client has taken what was written. Rejects when the signal is aborted, or after `stallTimeout`
 * milliseconds without progress.
 */
export async function waitForDrain(
  response: ServerResponse,
  { signal, stallTimeout }: { signal: AbortSignal; stallTimeout: number },
): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => settle(new Error('The reader took too little for too long')), stallTimeout);
    const onDrain = (): void => settle(null);
    const onAbort = (): void => settle(signal.reason);
    function settle(problem: unknown): void {
      clearTimeout(timer);
      response.off('drain', onDrain);
      signal.removeEventListener('abort', onAbort);
      if (problem === null) resolve();
      else reject(problem);
    }
    response.once('drain', onDrain);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
