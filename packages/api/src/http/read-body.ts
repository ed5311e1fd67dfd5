import { exactJson, jsonMembers } from '@switchyard/contract/exact-json';
import { bodyLimits } from '@switchyard/contract/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { IngestBody } from './bind.ts';
import { collect, collectInflated, malformedBody, unsupportedType } from './collect-bytes.ts';

/** Reads bodies by the rules of api 0.1. Throws 415, 413 or 400, in this order (api 0.3). */
export type BodyReader = {
  /** A JSON object; no body counts as `{}`. The fields of data are to the letter, and keys that reach a prototype are allowed in them. */
  readJson(request: FastifyRequest, dataFields?: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
  /** Rows of ingestion as bytes, decompressed if they are gzip (api 13). */
  readIngest(request: FastifyRequest): Promise<IngestBody>;
};

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
    async readJson(request, dataFields = []) {
      const { headers } = request.raw;
      const isAcceptable = jsonType.test(headers['content-type'] ?? '') && isPlain(headers);
      const bytes = await collect(request.raw, { limit: bodyLimits.json, rejectBody: isAcceptable ? undefined : unsupportedType });
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
