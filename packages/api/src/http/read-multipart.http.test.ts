import type { UploadedFile } from '@switchyard/contract/app-push-file';
import { defineEndpoint, publicAccess } from '@switchyard/contract/endpoint';
import type { FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { buildEndpointApi } from '../../test/endpoint-api.ts';

const limit = 5 * 1024 * 1024;
const boundary = 'x-form-x';
const formHeaders = { 'content-type': `multipart/form-data; boundary=${boundary}` };

const upload = defineEndpoint({
  number: 21,
  method: 'POST',
  path: 'upload',
  summary: 'Upload',
  access: publicAccess,
  bodyForm: 'multipart',
  body: z.record(z.string(), z.unknown()),
  answer: { kind: 'data', status: 200, schema: z.record(z.string(), z.unknown()) },
});

let api: FastifyInstance;

function isFile(value: unknown): value is UploadedFile {
  return typeof value === 'object' && value !== null && 'bytes' in value;
}

function describeValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describeValue);
  return isFile(value) ? { name: value.name, size: value.bytes.length, start: Buffer.from(value.bytes).toString().slice(0, 20) } : value;
}

beforeEach(async () => {
  api = await buildEndpointApi([upload], (bind) => {
    bind(upload, async ({ body }) => Object.fromEntries(Object.entries(body).map(([name, value]) => [name, describeValue(value)])));
  });
});

const field = (name: string, value: string, type?: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n${type === undefined ? '' : `content-type: ${type}\r\n`}\r\n${value}\r\n`;
const file = (name: string, fileName: string, content: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${fileName}"\r\ncontent-type: application/json\r\n\r\n${content}\r\n`;
const end = `--${boundary}--\r\n`;

async function post(payload: string | Buffer | Readable | undefined, headers: Record<string, string> = formHeaders) {
  const answer = await api.inject({ method: 'POST', url: '/api/upload', headers, ...(payload === undefined ? {} : { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}

const refusals = { 400: 'Malformed request body', 413: 'The request body is too large', 415: 'Unsupported media type' } as const;
const refusalOf = (status: keyof typeof refusals) => ({ status, body: { success: false, message: refusals[status] } });
const acceptedAnswer = (data: unknown) => ({ status: 200, body: { success: true, data } });

describe('multipart forms (api 0.1, [21])', () => {
  it('[API-021] reads texts and files by name, in a list when a name comes twice', async () => {
    const form = field('appId', '12') + file('configuration', 'acme.json', '{"a":1}') + field('note', 'ä') + field('note', 'b') + end;
    expect(await post(form)).toEqual(
      acceptedAnswer({ appId: '12', configuration: { name: 'acme.json', size: 7, start: '{"a":1}' }, note: ['ä', 'b'] }),
    );
  });

  it('takes the base name of a path, in any letters, and a type written in capitals', async () => {
    const names = ['/etc/passwd.json', 'C:\\Users\\x\\acme.json', 'ключ — 鍵.json'];
    const form = names.map((name, index) => file(`f${index}`, name, '')).join('') + end;
    const answer = await post(form, { 'content-type': `Multipart/Form-Data; boundary=${boundary}` });
    expect(answer).toEqual(
      acceptedAnswer(
        Object.fromEntries(['passwd.json', 'acme.json', 'ключ — 鍵.json'].map((name, i) => [`f${i}`, { name, size: 0, start: '' }])),
      ),
    );
  });

  it('takes no body, an empty form and one without a single part as a form without fields', async () => {
    for (const form of [undefined, '', end]) expect(await post(form)).toEqual(acceptedAnswer({}));
  });

  it('returns 415 for other content types and encoded forms', async () => {
    for (const type of ['application/json', 'multipart/mixed; boundary=a', 'text/plain', 'multipart/form-dataset; boundary=a'])
      expect(await post(field('a', '1') + end, { 'content-type': type })).toEqual(refusalOf(415));
    expect(await post(field('a', '1') + end, { ...formHeaders, 'content-encoding': 'gzip' })).toEqual(refusalOf(415));
  });

  it('returns 400 for incomplete and invalid forms', async () => {
    const whole = field('appId', '12') + file('configuration', 'acme.json', `{"a":"${'x'.repeat(200_000)}"}`);
    for (const brokenForm of [whole, whole.slice(0, -20_000), whole.slice(0, 90), `--${boundary}`, 'no form at all'])
      expect(await post(brokenForm)).toEqual(refusalOf(400));
    expect(await post(whole + end, { 'content-type': 'multipart/form-data' })).toEqual(refusalOf(400));
  });

  it('returns 400 for names that reach prototypes, and JSON texts with such keys', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(await post(field(name, '1') + end)).toEqual(refusalOf(400));
      expect(await post(file(name, 'a.json', '{}') + end)).toEqual(refusalOf(400));
    }
    expect(await post(field('a', '{"__proto__":{"x":1}}', 'application/json') + end)).toEqual(refusalOf(400));
    expect('x' in {}).toBe(false);
  });

  it('accepts exactly 5 MiB and returns 413 for one byte more, with or without a content length', async () => {
    const around = Buffer.byteLength(file('f', 'a.json', '') + end);
    const form = (size: number) => Buffer.from(file('f', 'a.json', 'x'.repeat(size - around)) + end);
    expect((await post(form(limit))).status).toBe(200);
    expect(await post(form(limit + 1))).toEqual(refusalOf(413));
    expect(await post(form(limit + 1), { ...formHeaders, 'content-length': String(limit + 1) })).toEqual(refusalOf(413));
    expect((await post(form(limit))).status).toBe(200);
    // A form in chunks does not state its size, and none of these parts is too large by itself.
    const inPieces = { ...formHeaders, 'transfer-encoding': 'chunked' };
    const halves = (size: number) => ['f', 'g'].map((name) => file(name, 'a.json', 'x'.repeat(size / 2 - around))).join('') + end;
    expect((await post(Readable.from([halves(limit)]), inPieces)).status).toBe(200);
    expect(await post(Readable.from([halves(limit + 4 * around)]), inPieces)).toEqual(refusalOf(413));
  });

  it('returns 413 for a form of thousands of parts', async () => {
    expect(await post(Array.from({ length: 5000 }, (_, i) => field(`f${i}`, '1')).join('') + end)).toEqual(refusalOf(413));
  });

  it('[S18] leaves nothing behind of uploads that were broken off, and goes on', async () => {
    await api.listen({ port: 0, host: '127.0.0.1' });
    const address = api.server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-uploads-'));
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    });
    const start = `POST /api/upload HTTP/1.1\r\nhost: x\r\ncontent-type: ${formHeaders['content-type']}\r\ncontent-length: 900000\r\n\r\n`;
    for (let round = 0; round < 50; round += 1) {
      const socket = connect(port, '127.0.0.1');
      const closing = once(socket, 'close');
      socket.on('error', () => undefined);
      socket.write(start + file('f', 'a.json', 'x'.repeat(round * 1000)), () => socket.destroy());
      await closing;
    }
    expect((await post(field('a', '1') + end)).status).toBe(200);
    expect(readdirSync(folder)).toEqual([]);
  });
});
