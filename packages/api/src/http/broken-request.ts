import { messages } from '@switchyard/contract/envelope';
import type { Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import type { RejectionLog } from './rejection-log.ts';
import { standardHeaders } from './standard-headers.ts';

const statuses: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };
/** Not from node:http: importing its values loads the client of WebSockets too, which slows down each start. */
const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/**
 * Responds to invalid HTTP, which reaches no hook or error handler, in the form of every other error, and closes the
 * connection.
 */
export function answerBrokenRequest(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
  { logBrokenRequest }: Pick<RejectionLog, 'logBrokenRequest'>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = hasUnknownMethod(error) ? 404 : (statuses[error.code ?? ''] ?? 400);
  const message = status === 404 ? messages.notFound : status === 431 ? messages.headTooLarge : messages.malformedBody;
  logBrokenRequest(socket, { status, reason: message });
  const body = JSON.stringify({ success: false, message });
  const headers = {
    ...standardHeaders,
    'x-request-id': randomUUID(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${reasonPhrases[status] ?? ''}`, ...head, '', body].join('\r\n'));
}

/** Whether the request is valid except for a method that Node.js does not know. No call has such a method (api 0.1). */
function hasUnknownMethod({ code, rawPacket }: { code?: string; rawPacket?: unknown }): boolean {
  if (code !== 'HPE_INVALID_METHOD' || !Buffer.isBuffer(rawPacket)) return false;
  return /^[\w!#$%&'*+.^`|~-]+ \/\S* HTTP\/1\.[01]\r\n/.test(rawPacket.toString('latin1'));
}
