import { defineEndpoint, publicAccess, trafficServerAccess } from '@switchyard/contract/endpoint';
import { requiredText } from '@switchyard/contract/text-fields';
import type { FastifyInstance } from 'fastify';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bearer, buildEndpointApi, knownTokens } from '../../test/endpoint-api.ts';

const write = defineEndpoint({
  number: 1,
  method: 'POST',
  path: 'write',
  summary: 'Write',
  access: publicAccess,
  body: z.strictObject({ text: requiredText(Infinity) }),
  answer: { kind: 'data', status: 200, schema: z.object({ length: z.int() }) },
});
const deliver = defineEndpoint({
  number: 2,
  method: 'POST',
  path: 'deliver',
  summary: 'Deliver',
  access: trafficServerAccess,
  bodyForm: 'ingest',
  body: z.strictObject({ rows: z.array(z.unknown()) }),
  answer: { kind: 'data', status: 200, schema: z.object({ type: z.string(), length: z.int(), start: z.string() }) },
});

let api: FastifyInstance;

beforeEach(async () => {
  api = await buildEndpointApi([write, deliver], (bind) => {
    bind(write, async ({ body }) => ({ length: body.text.length }));
    bind(deliver, async ({ body }) => ({
      type: body.contentType,
      length: body.bytes.length,
      start: body.bytes.subarray(0, 10).toString(),
    }));
  });
});

const statusOf = { 400: 'Malformed request body', 413: 'The request body is too large', 415: 'Unsupported media type' } as const;

async function post(payload: string | Buffer | undefined, headers: Record<string, string>) {
  const answer = await api.inject({ method: 'POST', url: '/api/write', headers, ...(payload === undefined ? {} : { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}

function expectRefused(answer: { status: number; body: unknown }, status: keyof typeof statusOf): void {
  expect(answer).toEqual({ status, body: { success: false, message: statusOf[status] } });
}

/** A valid body of exactly this number of bytes. */
function bodyOf(size: number): string {
  return JSON.stringify({ text: 'x'.repeat(size - '{"text":""}'.length) });
}

describe('JSON bodies (api 0.1)', () => {
  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    ' application/json',
  ])('[API-003] accepts content type %j', async (type) => {
    expect(await post('{"text":"ab"}', { 'content-type': type })).toEqual({ status: 200, body: { success: true, data: { length: 2 } } });
  });

  it.each([
    'application/json\ta',
    'application/json a',
    'application/jsonx',
    'application/vnd.api+json',
    'application/json; charset=utf-16',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json, text/plain',
    'application/json;',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
    '/',
    ';',
  ])('[API-003] rejects a body of content type %j, valid or not', async (type) => {
    expectRefused(await post('{"text":"ab"}', { 'content-type': type }), 415);
    expectRefused(await post('{"text":', { 'content-type': type }), 415);
  });

  it('[API-003] rejects a body without a content type or with a content encoding', async () => {
    const bare = await api.inject({
      method: 'POST',
      url: '/api/write',
      payload: Readable.from(['{"text":"ab"}']),
      headers: { 'transfer-encoding': 'chunked' },
    });
    expectRefused({ status: bare.statusCode, body: bare.json() }, 415);
    const zippedBody = gzipSync('{"text":"ab"}');
    expectRefused(await post(zippedBody, { 'content-type': 'application/json', 'content-encoding': 'gzip' }), 415);
    expect((await post('{"text":"a"}', { 'content-type': 'application/json', 'content-encoding': 'identity' })).status).toBe(200);
  });

  it.each(['{"text":', '{"text":"a"}x', '', ' ', 'null', '[]', '"a"', '5', '{"text":"\u0000"}', "{'text':1}"])(
    '[ERR-012] body %j: broken JSON and anything but an object is 400, nothing at all counts as {}',
    async (payload) => {
      const answer = await post(payload, { 'content-type': 'application/json' });
      if (payload === '') expect([answer.status, answer.body.errors]).toEqual([422, { text: ['The text field is required.'] }]);
      else expectRefused(answer, 400);
    },
  );

  it('[ERR-012] bytes that are not UTF-8 are 400, text that cannot be stored is a field error', async () => {
    const head = Buffer.from('{"text":"');
    expectRefused(
      await post(Buffer.concat([head, Buffer.from([0xc3, 0x28]), Buffer.from('"}')]), { 'content-type': 'application/json' }),
      400,
    );
    for (const text of ['a\\u0000b', 'a\\ud800b']) {
      const answer = await post(`{"text":"${text}"}`, { 'content-type': 'application/json' });
      expect([answer.status, answer.body.errors]).toEqual([422, { text: ['The text field contains invalid characters.'] }]);
    }
  });

  it('[ERR-012, AMB-071] takes 1 MiB and not a byte more, declared or not', async () => {
    const type = { 'content-type': 'application/json' };
    expect((await post(bodyOf(1_048_576), type)).status).toBe(200);
    expectRefused(await post(bodyOf(1_048_577), type), 413);
    const undeclaredAnswer = await api.inject({
      method: 'POST',
      url: '/api/write',
      headers: { ...type, 'transfer-encoding': 'chunked' },
      payload: Readable.from([Buffer.from(bodyOf(1_048_577))]),
    });
    expectRefused({ status: undeclaredAnswer.statusCode, body: undeclaredAnswer.json() }, 413);
    const typeFirst = await post(bodyOf(1_048_577), { 'content-type': 'text/plain' });
    expectRefused(typeFirst, 415);
  });
});

const limit = 5_242_880;

async function deliverTo(payload: Buffer | string | Readable | undefined, headers: Record<string, string>) {
  const all = { ...bearer(knownTokens.server), ...headers };
  const answer = await api.inject({ method: 'POST', url: '/api/deliver', headers: all, ...(payload === undefined ? {} : { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}

describe('ingestion bodies (api 13)', () => {
  it('[API-003] hands over the bytes of JSON and NDJSON, inflated when they came as gzip', async () => {
    const text = '{"rows":[]}';
    const data = (type: string) => ({
      status: 200,
      body: { success: true, data: { type, length: text.length, start: text.slice(0, 10) } },
    });
    expect(await deliverTo(text, { 'content-type': 'application/json' })).toEqual(data('application/json'));
    expect(await deliverTo(text, { 'content-type': 'application/x-ndjson; charset=utf-8' })).toEqual(data('application/x-ndjson'));
    const zippedHeaders = { 'content-type': 'application/x-ndjson', 'content-encoding': 'GZIP' };
    expect(await deliverTo(gzipSync(text), zippedHeaders)).toEqual(data('application/x-ndjson'));
    const members = Buffer.concat([gzipSync(text.slice(0, 4)), gzipSync(text.slice(4))]);
    expect(await deliverTo(members, zippedHeaders)).toEqual(data('application/x-ndjson'));
    expect((await deliverTo(undefined, {})).body.data).toEqual({ type: 'application/json', length: 0, start: '' });
  });

  it('[ERR-012] other types and encodings are 415, broken gzip is 400', async () => {
    const json = { 'content-type': 'application/json' };
    for (const encoding of ['br', 'deflate', 'gzip, gzip', 'x-gzip', 'zstd']) {
      expectRefused(await deliverTo('{}', { ...json, 'content-encoding': encoding }), 415);
    }
    expectRefused(await deliverTo('a,b', { 'content-type': 'text/csv' }), 415);
    const zippedBytes = gzipSync(randomBytes(5000));
    for (const brokenBody of [
      Buffer.from('{"rows":[]}'),
      zippedBytes.subarray(0, 3000),
      Buffer.concat([zippedBytes.subarray(0, 2000), randomBytes(3000)]),
    ]) {
      expectRefused(await deliverTo(brokenBody, { ...json, 'content-encoding': 'gzip' }), 400);
    }
  });

  it('[ERR-012] a zero byte between two members of gzip is broken, zeros at the end are padding', async () => {
    const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
    const [row, zeros] = [gzipSync('{"row":1}\n'), Buffer.alloc(5)];
    const inOne = async (...parts: Buffer[]) => deliverTo(Buffer.concat(parts), headers);
    const inParts = async (...parts: Buffer[]) => deliverTo(Readable.from(parts), { ...headers, 'transfer-encoding': 'chunked' });
    for (const send of [inOne, inParts]) {
      expectRefused(await send(row, zeros, row), 400);
      expectRefused(await send(row, zeros, Buffer.from('x')), 400);
      expect((await send(row, zeros, zeros)).body.data.length).toBe('{"row":1}\n'.length);
    }
    expectRefused(await inParts(row, Buffer.alloc(limit + 1)), 413);
  });

  it('[ERR-012, AMB-071] takes 5 MiB after inflating and not a byte more', async () => {
    const zippedHeaders = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await deliverTo(gzipSync(Buffer.alloc(limit, 'x')), zippedHeaders)).body.data.length).toBe(limit);
    expectRefused(await deliverTo(gzipSync(Buffer.alloc(limit + 1, 'x')), zippedHeaders), 413);
    expectRefused(await deliverTo(Buffer.alloc(limit + 1, 'x'), { 'content-type': 'application/json' }), 413);
  });

  it('[ERR-012] a gzip bomb is rejected while it inflates, at a cost of less than 32 MiB', async () => {
    const bomb = bombOf(1024);
    expect(bomb.length).toBeLessThan(limit);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    // Once beforehand, so that what the process takes anyway for a first call of that size is not counted.
    expectRefused(await deliverTo(bomb, headers), 413);
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 1);
    expectRefused(await deliverTo(bomb, headers), 413);
    clearInterval(watch);
    expect(Math.max(peak, process.memoryUsage().rss) - before).toBeLessThan(32 * 1_048_576);
  });
});

/**
 * Gzip of this number of MiB of zeros, without its end, which nobody reads. It repeats one piece, because compressing all of it
 * takes long.
 */
function bombOf(mebibytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(1_048_576), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const head = gzipSync('').subarray(0, 10);
  return Buffer.concat([head, ...Array.from({ length: mebibytes }, () => piece)]);
}
