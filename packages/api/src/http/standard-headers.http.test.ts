import { defineEndpoint, publicAccess, sessionAccess } from '@switchyard/contract/endpoint';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FaultKinds } from './error-handler.ts';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { buildEndpointApi } from '../../test/endpoint-api.ts';
import type { ApiDependencies } from '../build-api.ts';

const big = defineEndpoint({
  number: 1,
  method: 'GET',
  path: 'big',
  summary: 'Much text',
  access: publicAccess,
  answer: { kind: 'data', status: 200, schema: z.object({ text: z.string(), ip: z.string() }) },
});
const closedEndpoint = defineEndpoint({
  number: 2,
  method: 'GET',
  path: 'closed',
  summary: 'Closed',
  access: sessionAccess,
  answer: { kind: 'empty' },
});
const brokenEndpoint = defineEndpoint({
  number: 3,
  method: 'GET',
  path: 'broken',
  summary: 'Broken',
  access: publicAccess,
  answer: { kind: 'empty' },
});
const probe = defineEndpoint({
  number: 4,
  method: 'GET',
  path: '/probe',
  summary: 'Probe',
  access: publicAccess,
  answer: { kind: 'raw', contentType: 'text/plain' },
});

const text = 'Grüße '.repeat(2000);

function build(changes: Partial<ApiDependencies> = {}): Promise<FastifyInstance> {
  return buildEndpointApi(
    [big, closedEndpoint, brokenEndpoint, probe],
    (bind) => {
      bind(big, async ({ request }) => ({ text, ip: request.ip }));
      bind(closedEndpoint, async () => undefined);
      bind(brokenEndpoint, async () => {
        throw new Error('select secret from accounts');
      });
      bind(probe, async () => ({ body: 'ok' }));
    },
    changes,
  );
}

const compressedAsset = brotliCompressSync('export {};');

/** A folder that looks like the built console. */
function consoleFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'switchyard-console-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'assets'));
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>Console</title>');
  writeFileSync(join(root, 'assets', 'main-abc123.js'), 'export {};');
  writeFileSync(join(root, 'assets', 'main-abc123.js.br'), compressedAsset);
  return root;
}

const everywhere = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': expect.stringMatching(/camera=\(\), .*geolocation=\(\), .*microphone=\(\), /),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

describe('headers of every answer (api 0.1)', () => {
  it('[API-003] are set on success, on every kind of error and on defects', async () => {
    const api = await build();
    const expected = {
      '/api/big': 200,
      '/api/closed': 401,
      '/api/nothing': 404,
      '/api/%zz': 404,
      '/api/broken': 500,
      '//api/big': 404,
      '/probe': 200,
    };
    for (const [url, status] of Object.entries(expected)) {
      const answer = await api.inject({ url });
      expect([url, answer.statusCode]).toEqual([url, status]);
      expect(answer.headers).toMatchObject(everywhere);
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(answer.headers).not.toHaveProperty('x-powered-by');
    }
  });

  it('[API-003, S31, IDN-121] require HTTPS of this host alone where the console is reached so, on errors too', async () => {
    const plain = await build();
    const secure = await build({ isHttps: true });
    for (const url of ['/api/big', '/api/closed', '/api/nothing', '/api/broken', '/probe']) {
      expect((await plain.inject({ url })).headers).not.toHaveProperty('strict-transport-security');
      expect((await secure.inject({ url })).headers).toHaveProperty('strict-transport-security', 'max-age=31536000');
    }
  });

  it('[API-003] [AMB-071] [S32] let pages of the one configured origin read answers, and those of no other', async () => {
    const api = await build({ webOrigin: 'https://front.example' });
    const ask = (url: string, origin: string, more: InjectOptions = {}) =>
      api.inject({ url, ...more, headers: { origin, ...more.headers } });
    for (const url of ['/api/big', '/api/closed', '/api/nothing']) {
      expect((await ask(url, 'https://front.example')).headers).toMatchObject({
        'access-control-allow-origin': 'https://front.example',
        'access-control-expose-headers': 'etag, x-request-id, retry-after, content-disposition',
        vary: expect.stringContaining('Origin'),
      });
      for (const origin of ['https://front.example.evil', 'http://front.example', 'null'])
        expect((await ask(url, origin)).headers).not.toHaveProperty('access-control-allow-origin');
    }
    const question = { method: 'OPTIONS', headers: { 'access-control-request-method': 'PUT' } } as const;
    const answer = await ask('/api/closed', 'https://front.example', question);
    expect([answer.statusCode, answer.headers['access-control-allow-methods']]).toEqual([204, 'GET, POST, PUT, DELETE']);
    expect(answer.headers['access-control-allow-headers']).toContain('authorization');
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    expect((await ask('/api/closed', 'https://evil.example', question)).statusCode).toBe(404);
    expect((await (await build()).inject({ url: '/api/closed', ...question })).statusCode).toBe(404);
  });

  it.each(['/api//big', '/api/big/', '/api%2Fbig', '/api/big%2f', '/api/big;x', '/api/big;x=1', '/API/big', '/api/Big', '/api/big%5c'])(
    '[API-085] the odd spelling %s is no path of ours',
    async (url) => {
      const answer = await (await build()).inject({ url });
      expect([answer.statusCode, answer.json()]).toEqual([404, { success: false, message: 'Not found' }]);
    },
  );

  it('[ERR-012] a defect shows its request id and nothing else', async () => {
    const lines: string[] = [];
    const api = await build({ logger: pino({ level: 'warn' }, { write: (line) => lines.push(line) }) });
    const answer = await api.inject({ url: '/api/broken', headers: { 'x-request-id': 'order-66.retry_2' } });
    expect(answer.json()).toEqual({ success: false, message: 'Something went wrong', request_id: 'order-66.retry_2' });
    expect(answer.headers['x-request-id']).toBe('order-66.retry_2');
    const [entry] = lines.map((line) =>
      z.object({ request_id: z.string(), err: z.object({ message: z.string() }) }).parse(JSON.parse(line)),
    );
    expect(entry).toEqual({ request_id: 'order-66.retry_2', err: { message: 'select secret from accounts' } });
    expect(lines).toHaveLength(1);
  });

  it.each(['short', 'x'.repeat(65), 'has space in it', 'new\tline-in-it', 'ünïcödé-12'])(
    '[API-003] the request id %j is replaced',
    async (id) => {
      const answer = await (await build()).inject({ url: '/api/big', headers: { 'x-request-id': id } });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('[ERR-012] [O41] a database out of reach, a full storage and an overload are 503, each with its text', async () => {
    const faults = {
      isDatabaseUnavailable: () => false,
      isPoolTimeout: () => false,
      isDatabaseReachable: async () => true,
      isStorageFull: () => false,
      isStatementTimeout: () => false,
    };
    let fullCount = 0;
    const unavailable = async (fault: keyof typeof faults, changes: Partial<FaultKinds> = {}) => {
      const api = await build({ faults: { ...faults, [fault]: () => true, ...changes }, onStorageFull: () => (fullCount += 1) });
      const answer = await api.inject({ url: '/api/broken' });
      return [answer.statusCode, answer.headers['retry-after'], answer.json()];
    };
    expect(await unavailable('isDatabaseUnavailable')).toEqual([
      503,
      '2',
      { success: false, message: 'Database is unavailable, try again' },
    ]);
    expect(await unavailable('isStorageFull')).toEqual([503, '2', { success: false, message: 'Storage is full' }]);
    expect(fullCount).toBe(1);
    const busy = [503, '2', { success: false, message: 'The server is busy, try again' }];
    expect(await unavailable('isStatementTimeout')).toEqual(busy);
    expect(await unavailable('isPoolTimeout')).toEqual(busy);
    expect(await unavailable('isPoolTimeout', { isDatabaseReachable: async () => false })).toEqual([
      503,
      '2',
      { success: false, message: 'Database is unavailable, try again' },
    ]);
    expect(fullCount).toBe(1);
  });

  it('[ERR-012] while the process stops, calls are rejected and probes go on', async () => {
    const api = await build({ isStopping: () => true });
    const answer = await api.inject({ url: '/api/big' });
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
      503,
      '2',
      { success: false, message: 'The server is shutting down, try again' },
    ]);
    expect((await api.inject({ url: '/probe' })).body).toBe('ok');
  });

  it('[API-005, DATA-007] bytes that are no HTTP request get the form of every other error', async () => {
    const api = await build();
    const port = Number(new URL(await api.listen({ port: 0, host: '127.0.0.1' })).port);
    const answer = await talk(port, 'GET / HTTP/1.1\r\nbroken header\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer.toLowerCase()).toContain("content-security-policy: default-src 'none'");
    expect(answer).toContain('{"success":false,"message":"Malformed request body"}');
    const overflow = await talk(port, `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`);
    expect(overflow).toMatch(/^HTTP\/1\.1 431 .*"The address or a header of the request is too long\. Choose a shorter filter\."/s);
    const smuggled = await talk(
      port,
      'POST /api/probe HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    );
    expect(smuggled).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  it.each([
    ['a method nobody knows', 'FOO /probe HTTP/1.1\r\nhost: x\r\n\r\n', /^HTTP\/1\.1 404 /, '{"success":false,"message":"Not found"}'],
    ['no Host header', 'GET /probe HTTP/1.1\r\nconnection: close\r\n\r\n', /^HTTP\/1\.1 400 /, '"Malformed request body"'],
    [
      'two Host headers',
      'GET /probe HTTP/1.1\r\nhost: x\r\nHost: y\r\nconnection: close\r\n\r\n',
      /^HTTP\/1\.1 400 /,
      '"Malformed request body"',
    ],
    ['one Host header twice', 'GET /probe HTTP/1.0\r\nhost: x\r\nhost: x\r\n\r\n', /^HTTP\/1\.1 400 /, '"Malformed request body"'],
    ['no version', 'GET /probe\r\n\r\n', /^HTTP\/1\.1 400 /, '"Malformed request body"'],
    ['no version and a Host header', 'GET /probe\r\nhost: x\r\n\r\n', /^HTTP\/1\.1 400 /, '"Malformed request body"'],
    ['version 0.9', 'GET /probe HTTP/0.9\r\nhost: x\r\n\r\n', /^HTTP\/1\.1 400 /, '"Malformed request body"'],
    ['version 2.0 without HTTP/2', 'GET /probe HTTP/2.0\r\nhost: x\r\n\r\n', /^HTTP\/1\.1 400 /, '"Malformed request body"'],
    ['a strange expectation', 'GET /nope HTTP/1.1\r\nhost: x\r\nexpect: y\r\nconnection: close\r\n\r\n', /^HTTP\/1\.1 404 /, '"Not found"'],
  ])('[API-005, IDN-120] [S44] %s is answered in the form of every other call', async (_name, bytes, status, body) => {
    const api = await build();
    const answer = await talk(Number(new URL(await api.listen({ port: 0, host: '127.0.0.1' })).port), bytes);
    expect(answer).toMatch(status);
    expect(answer).toMatch(/x-request-id: [\w-]{36}\r\n/);
    expect(answer).toContain("content-security-policy: default-src 'none'; frame-ancestors 'none'\r\n");
    expect(answer).toContain(body);
  });
});

describe('addresses and compression', () => {
  it('[API-085] a forwarded address counts only from a configured proxy', async () => {
    const forwardedHeaders = { 'x-forwarded-for': '198.51.100.7' };
    const ipOf = async (changes: Partial<ApiDependencies>, remoteAddress: string, headers = forwardedHeaders) =>
      (await (await build(changes)).inject({ url: '/api/big', headers, remoteAddress })).json().data.ip;
    expect(await ipOf({}, '203.0.113.9')).toBe('203.0.113.9');
    expect(await ipOf({}, '::ffff:203.0.113.9')).toBe('203.0.113.9');
    expect(await ipOf({ trustedProxies: ['10.0.0.0/8'] }, '203.0.113.9')).toBe('203.0.113.9');
    expect(await ipOf({ trustedProxies: ['10.0.0.0/8'] }, '10.2.3.4')).toBe('198.51.100.7');
    expect(await ipOf({ trustedProxies: ['10.0.0.0/8'] }, '10.2.3.4', { 'x-forwarded-for': "nonsense'; --" })).toBe('10.2.3.4');
    expect(await ipOf({}, 'fe80::1%eth0')).toBe('fe80::1');
    const spelledHeaders = { 'x-forwarded-for': '2001:DB8:0::00aF' };
    expect(await ipOf({ trustedProxies: ['10.0.0.0/8'] }, '10.2.3.4', spelledHeaders)).toBe('2001:db8::af');
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('[API-003] a large answer in %s reads back unchanged', async (encoding, decompress) => {
    const api = await build();
    const plain = await api.inject({ url: '/api/big' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const packedAnswer = await api.inject({ url: '/api/big', headers: { 'accept-encoding': encoding } });
    expect(packedAnswer.headers).toMatchObject({ ...everywhere, 'content-encoding': encoding, vary: 'accept-encoding' });
    expect(packedAnswer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 10);
    expect(decompress(packedAnswer.rawPayload).toString()).toBe(plain.body);
  });
});

describe('the built console', () => {
  it('[API-001] pages and assets are served beside the API, each with its own policy and age', async () => {
    const routes: string[] = [];
    const api = await build({ webRoot: consoleFolder(), onFinished: ({ route }) => routes.push(route) });
    const html = { accept: 'text/html,application/xhtml+xml' };
    for (const url of ['/', '/index.html', '/login', '/apps/12/edit?startTabName=events', '/oauth/google?code=x']) {
      const answer = await api.inject({ url, headers: html });
      expect([url, answer.statusCode, answer.body]).toEqual([url, 200, '<!doctype html><title>Console</title>']);
      expect(answer.headers['cache-control']).toBe('no-cache');
      expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers).toMatchObject({ 'cross-origin-opener-policy': everywhere['cross-origin-opener-policy'] });
      expect(answer.headers).toMatchObject({ 'permissions-policy': everywhere['permissions-policy'] });
    }
    const asset = await api.inject({ url: '/assets/main-abc123.js' });
    expect([asset.statusCode, asset.body]).toEqual([200, 'export {};']);
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const head = await api.inject({ method: 'HEAD', url: '/assets/main-abc123.js' });
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '10', '']);
    for (const name of ['gone-1.js', 'main-abc123.js.br']) expect((await api.inject({ url: `/assets/${name}` })).statusCode).toBe(404);
    // Metrics have no names of files.
    expect(routes.slice(-4)).toEqual(['console', 'console', 'unknown', 'unknown']);
  });

  it('[OPS-025] an asset is sent as the build compressed it, to who can read that', async () => {
    const api = await build({ webRoot: consoleFolder() });
    const get = async (encodings: string) => api.inject({ url: '/assets/main-abc123.js', headers: { 'accept-encoding': encodings } });
    const packed = await get('gzip, deflate, br');
    expect(packed.headers).toMatchObject({
      'content-encoding': 'br',
      vary: 'accept-encoding',
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe('export {};');
    expect(packed.rawPayload).toEqual(compressedAsset);
    for (const encodings of ['identity', 'gzip;q=0', 'br;q=0']) expect((await get(encodings)).body).toBe('export {};');
  });

  it.each([
    [true, "img-src 'self' https:"],
    [false, "img-src 'self'"],
  ])('[PUSH-008] pictures of pushes come over https without cookies, or not at all (%s)', async (loadsPushImages, images) => {
    const { headers } = await (
      await build({ webRoot: consoleFolder(), loadsPushImages })
    ).inject({ url: '/', headers: { accept: 'text/html' } });
    expect(String(headers['content-security-policy']).split('; ')).toContain(images);
    expect(headers['cross-origin-embedder-policy']).toBe('credentialless');
  });

  it.each([
    '/api',
    '/api/nothing',
    '/assets/gone-1.js',
    '/livez/x/',
    '/metrics',
    '/apps//x',
    '/assets/..%2findex.html',
    '/..%2f..%2fetc/passwd',
  ])('[API-005] %s is never answered by a page', async (url) => {
    const answer = await (await build({ webRoot: consoleFolder() })).inject({ url, headers: { accept: 'text/html' } });
    expect([answer.statusCode, answer.json()]).toEqual([404, { success: false, message: 'Not found' }]);
  });

  it('[API-005] what asks for no page gets none', async () => {
    const api = await build({ webRoot: consoleFolder() });
    expect((await api.inject({ url: '/login', headers: { accept: 'application/json' } })).statusCode).toBe(404);
    expect((await api.inject({ method: 'POST', url: '/login', headers: { accept: 'text/html' }, payload: { a: 1 } })).statusCode).toBe(404);
    const port = Number(new URL(await api.listen({ port: 0, host: '127.0.0.1' })).port);
    for (const name of ['%2e%2e', '%00', 'a'.repeat(500)]) {
      const answer = await talk(port, `GET /assets/${name} HTTP/1.1\r\nhost: x\r\naccept: text/html\r\nconnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 404 [^]*"Not found"/);
    }
  });
});

/** The output of the server on a connection that sends these bytes, until it ends. */
function talk(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes));
    socket.on('data', (chunk) => (answer += chunk.toString()));
    // The server may cut off what it did not read; what it said before counts.
    socket.on('error', () => undefined).on('close', () => resolve(answer));
  });
}
