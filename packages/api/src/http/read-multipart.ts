import type { UploadedFile } from '@switchyard/contract/app-push-file';
import { bodyLimits } from '@switchyard/contract/limits';
import type { FastifyRequest } from 'fastify';
import { buffer } from 'node:stream/consumers';
import { HttpError } from '../errors.ts';
import { malformedBody, tooLarge, unsupportedType } from './collect-bytes.ts';

/** A form as its schema expects it: texts and files by name, as a list if a name occurs more than once. */
export type FormBody = Readonly<Record<string, unknown>>;

/** Maximum number of parts, above that of any form; more are rejected with 413. */
const mostParts = 100;

const formType = /^[ \t]*multipart\/form-data[ \t]*(?:;|$)/i;

/**
 * Reads a multipart form into memory, never into a file; no body counts as an empty form. Rejects other
 * content types (415), a request of more than `maximumBytes`, counted while it arrives (413), and a form that is incomplete,
 * malformed or has names that could pollute prototypes (400).
 */
export async function readMultipart(request: FastifyRequest, maximumBytes: number = bodyLimits.multipart): Promise<FormBody> {
  const { raw } = request;
  const { 'content-type': type = '', 'content-length': length, 'transfer-encoding': transfer, 'content-encoding': encoding } = raw.headers;
  if (transfer === undefined && Number(length ?? 0) === 0) return {};
  try {
    if (!formType.test(type) || !/^(identity)?$/i.test(encoding?.trim() ?? '')) throw unsupportedType();
    if (Number(length ?? 0) > maximumBytes) throw tooLarge();
    return await collectWithinLimit(request, maximumBytes);
  } catch (error) {
    // The rest is read and discarded, so that a client that writes before it reads still gets the response.
    raw.on('error', () => undefined).unpipe();
    raw.resume();
    throw error instanceof HttpError ? error : errorOf(error);
  }
}

async function collectWithinLimit(request: FastifyRequest, maximumBytes: number): Promise<FormBody> {
  const { promise: overLimit, reject } = Promise.withResolvers<never>();
  const parts = collectParts(request, maximumBytes);
  // The promise that loses the race must not cause an unhandled rejection.
  for (const loser of [parts, overLimit]) loser.catch(() => undefined);
  let size = 0;
  function count(chunk: Buffer): void {
    size += chunk.length;
    if (size > maximumBytes) reject(tooLarge());
  }
  request.raw.on('data', count);
  try {
    return await Promise.race([parts, overLimit]);
  } finally {
    request.raw.off('data', count);
  }
}

async function collectParts(request: FastifyRequest, maximumBytes: number): Promise<FormBody> {
  const values = new Map<string, unknown[]>();
  const limits = { fileSize: maximumBytes + 1, fieldSize: maximumBytes, fieldNameSize: 255, parts: mostParts };
  for await (const part of request.parts({ limits })) {
    const value: unknown = part.type === 'file' ? await readUpload(part) : part.value;
    values.set(part.fieldname, [...(values.get(part.fieldname) ?? []), value]);
  }
  return Object.fromEntries([...values].map(([name, partsOfName]) => [name, partsOfName.length === 1 ? partsOfName[0] : partsOfName]));
}

async function readUpload(part: { filename: string | undefined; file: NodeJS.ReadableStream }): Promise<UploadedFile> {
  return { name: part.filename ?? '', bytes: await buffer(part.file) };
}

/** Errors of the parser that the client caused: too many parts, or an invalid form. */
function errorOf(error: unknown): HttpError {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return status === 413 ? tooLarge() : malformedBody();
}
