import { request as send, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';

/** Address of an API that a test reaches over the network, because it tests connections. */
export async function listenForTest(app: FastifyInstance): Promise<string> {
  const address = app.server.address();
  if (address !== null && typeof address === 'object') return `http://127.0.0.1:${address.port}`;
  return app.listen({ host: '127.0.0.1', port: 0 });
}

/** Begins a GET and gives the answer as soon as its head is there; the connection is cut when the test ends. */
export async function openAnswer(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const call = send(url, { headers, agent: false });
  onTestFinished(() => void call.destroy());
  call.end();
  const responses: unknown[] = await once(call, 'response');
  const [answer] = responses;
  if (!isAnswer(answer)) throw new Error('there was no answer');
  // A cut connection is detected while the body is read.
  call.on('error', () => undefined);
  answer.on('error', () => undefined);
  return answer;
}

function isAnswer(value: unknown): value is IncomingMessage {
  return typeof value === 'object' && value !== null && 'statusCode' in value;
}
