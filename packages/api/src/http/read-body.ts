import { exactJson, jsonMembers } from '@switchyard/contract/exact-json';
import { messages } from '@switchyard/contract/envelope';
import { boundMessages } from '@switchyard/contract/field-errors';
import { bodyLimits } from '@switchyard/contract/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { FieldErrors, HttpError } from '../errors.ts';
import type { IngestBody } from './bind.ts';
import { collect, collectInflated, malformedBody, unsupportedType } from './collect-bytes.ts';

/** Reads bodies by the rules of api 0.1. Throws 415, 413 or 400, in this order (api 0.3). */
export type BodyReader = {
  /** A JSON object; no body counts as `{}`. The fields of data are to the letter, and keys that reach a prototype are allowed in them. */
  readJson(request: FastifyRequest, options?: JsonOptions): Promise<Readonly<Record<string, unknown>>>;
  /** Rows of ingestion as bytes, decompressed if they are gzip (api 13). */
  readIngest(request: FastifyRequest): Promise<IngestBody>;
};

/** `isPublic`: anybody may send it, so it is small. */
type JsonOptions = { dataFields?: readonly string[]; isPublic?: boolean };

const tail = '[ \\t]*(?:;[ \\t]*charset=(?:"(?:utf-8|us-ascii)"|utf-8|us-ascii)[ \\t]*)?$';
const jsonType = new RegExp(`^[ \\t]*application/json${tail}`, 'i');
const linesType = new RegExp(`^[ \\t]*application/x-ndjson${tail}`, 'i');

/** Creates a body reader with Fastify's JSON parser, which rejects keys that could pollute prototypes (api 16.16). */
export function createBodyReader(fastify: FastifyInstance): BodyReader {
  const parse = fastify.getDefaultJsonParser('error', 'error');

  async function parseObject(
    request: FastifyRequest,
    bytes: Buffer,
    dataFields: readonly string[],
  ): Promise<Readonly<Record<string, unknown>>> {
    if (!isUtf8(bytes)) throw malformedBody();
    const { text, data } = splitData(bytes.toString('utf8'), dataFields);
    const value = await new Promise<unknown>((resolve, reject) => {
      void parse(request, text, (error, body: unknown) => (error ? reject(malformedBody()) : resolve(body)));
    });
    if (!isObject(value)) throw malformedBody();
    return { ...value, ...data };
  }

  return {
    async readJson(request, { dataFields = [], isPublic = false } = {}) {
      const { headers } = request.raw;
      const isAcceptable = jsonType.test(headers['content-type'] ?? '') && isPlain(headers);
      const bytes = await collect(request.raw, { limit: bodyLimits.json, rejectBody: isAcceptable ? undefined : unsupportedType });
      if (isPublic) rejectLarge(bytes);
      return bytes.length === 0 ? {} : parseObject(request, bytes, dataFields);
    },

    async readIngest(request) {
      const { headers } = request.raw;
      const type = headers['content-type'] ?? '';
      const contentType = linesType.test(type) ? 'application/x-ndjson' : 'application/json';
      const isGzip = headers['content-encoding']?.trim().toLowerCase() === 'gzip';
      const isAcceptable = (linesType.test(type) || jsonType.test(type)) && (isGzip || isPlain(headers));
      const options = { limit: bodyLimits.ingest, rejectBody: isAcceptable ? undefined : unsupportedType };
      return { contentType, bytes: await (isGzip ? collectInflated : collect)(request.raw, options) };
    },
  };
}

/** Parts and bytes of a body that anybody may send: parsing and validating more would hold up the process. */
const mostOfPublic = { parts: 10_000, bytes: 1_048_576 };

function rejectLarge(bytes: Buffer): void {
  let parts = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    // Commas and opening brackets.
    if (byte === 44 || byte === 91 || byte === 123) parts += 1;
    if (parts > mostOfPublic.parts) throw new FieldErrors({ body: [boundMessages.keys] });
  }
  if (bytes.length > mostOfPublic.bytes) throw new HttpError(413, messages.bodyTooLarge);
}

/** The text without the members of data, and their values. */
function splitData(text: string, dataFields: readonly string[]): { text: string; data: Readonly<Record<string, unknown>> } {
  if (dataFields.length === 0) return { text, data: {} };
  const isData = (key: string | null): key is string => key !== null && dataFields.includes(key);
  try {
    JSON.parse(text);
  } catch {
    throw malformedBody();
  }
  const members = jsonMembers(text);
  if (members === null || members.isList) throw malformedBody();
  const others = members.list.filter(({ key }) => !isData(key)).map((member) => `${JSON.stringify(member.key)}:${member.text}`);
  const data = members.list.flatMap((member) => (isData(member.key) ? [[member.key, exactJson(member.text)]] : []));
  return { text: `{${others.join(',')}}`, data: Object.fromEntries(data) };
}

function isPlain(headers: IncomingMessage['headers']): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  return encoding === undefined || encoding === '' || encoding === 'identity';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
