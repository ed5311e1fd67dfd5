import type { UploadedFile } from '@switchyard/contract/app-push-file';
import { bodyLimits } from '@switchyard/contract/limits';
import type { FastifyRequest } from 'fastify';
import { buffer } from 'node:stream/consumers';
import { Refusal } from '../errors.ts';
import { malformedBody, tooLarge, unsupportedType } from './collect-bytes.ts';

/** A form as its schema reads it: texts and files by name, in a list when a name came more than once. */
export type FormBody = Readonly<Record<string, unknown>>;

/** More parts than any form of ours has; what is beyond is refused with 413. */
const mostParts = 100;

const formType = /^[ \t]*multipart\/form-data[ \t]*(?:;|$)/i;

/**
 * Reads a multipart form into memory, never into a file (S18); no body counts as an empty form. Refused are other
 * content types (415), a request of more than 5 MiB, counted while it arrives (413), and a form that breaks off, is
 * malformed or names what reaches prototypes (400).
 */
export async function readMultipart(request: FastifyRequest): Promise<FormBody> {
  const { raw } = request;
  const { 'content-type': type = '', 'content-length': length, 'transfer-encoding': transfer, 'content-encoding': encoding } = raw.headers;
  if (transfer === undefined && Number(length ?? 0) === 0) return {};
  try {
    if (!formType.test(type) || !/^(identity)?$/i.test(encoding?.trim() ?? '')) throw unsupportedType();
    if (Number(length ?? 0) > bodyLimits.multipart) throw tooLarge();
    return await collectWithinLimit(request);
  } catch (error) {
    // What is left is read and dropped, so that a sender which writes before it reads still gets the answer.
    raw.on('error', () => undefined).unpipe();
    raw.resume();
    throw error instanceof Refusal ? error : refusalOf(error);
  }
}

async function collectWithinLimit(request: FastifyRequest): Promise<FormBody> {
  const { promise: overLimit, reject } = Promise.withResolvers<never>();
  const parts = collectParts(request);
  // Whichever loses the race must not end the process by rejecting unheard.
  for (const loser of [parts, overLimit]) loser.catch(() => undefined);
  let size = 0;
  function count(chunk: Buffer): void {
    size += chunk.length;
    if (size > bodyLimits.multipart) reject(tooLarge());
  }
  request.raw.on('data', count);
  try {
    return await Promise.race([parts, overLimit]);
  } finally {
    request.raw.off('data', count);
  }
}

async function collectParts(request: FastifyRequest): Promise<FormBody> {
  const values = new Map<string, unknown[]>();
  const limits = { fileSize: bodyLimits.multipart + 1, fieldSize: bodyLimits.multipart, fieldNameSize: 255, parts: mostParts };
  for await (const part of request.parts({ limits })) {
    const value: unknown = part.type === 'file' ? await uploaded(part) : part.value;
    values.set(part.fieldname, [...(values.get(part.fieldname) ?? []), value]);
  }
  return Object.fromEntries([...values].map(([name, given]) => [name, given.length === 1 ? given[0] : given]));
}

async function uploaded(part: { filename: string | undefined; file: NodeJS.ReadableStream }): Promise<UploadedFile> {
  return { name: part.filename ?? '', bytes: await buffer(part.file) };
}

/** What the parser found is the sender's fault: too many parts, or a form that is none. */
function refusalOf(error: unknown): Refusal {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return status === 413 ? tooLarge() : malformedBody();
}
