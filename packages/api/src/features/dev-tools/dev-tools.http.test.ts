import { writeExactly } from '@switchyard/contract/exact-json';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildTestApi, testRequestCipher as cipher, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const undecodable = { success: false, message: 'The string cannot be decoded' };
const origin = 'https://console.example';

let api: TestApi;
let encoder: SignedIn;
let app: { domain: string };

beforeAll(async () => {
  const { databases } = await createTestDatabase();
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T10:11:12Z') });
  encoder = await signInAs(databases, { permissions: ['manager_dev_request_encryption'], since: api.now() });
  app = await createApp(databases);
});
afterAll(() => api.app.close());

function ask(path: string, body: unknown) {
  return api.call('POST', `/api/dev/${path}`, {
    headers: { ...encoder.headers, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

function refusalOf(message: string) {
  const errors = { data: [message] };
  return { status: 422, body: { success: false, message: 'The given data was invalid.', errors, data: { errors } } };
}

describe('[70] and [71]', () => {
  it('[DEV-005, DEV-008, API-064, API-065] give back what was encoded, in another text each time', async () => {
    for (const data of [{ gaid: '7c1e', list: [1, null] }, '', [], {}, 0, false, null, 'Grüße 🚆']) {
      const [first, second] = [await ask('encode', { data }), await ask('encode', { data })];
      expect([first.status, Object.keys(first.body)]).toEqual([200, ['success', 'data']]);
      expect(first.body.data).not.toBe(second.body.data);
      expect(cipher.decode(first.body.data)).toEqual(data);
      expect(await ask('decode', { data: ` ${second.body.data}\n` })).toMatchObject({ status: 200, body: { success: true, data } });
    }
  });

  it('[DATA-002, DEV-005] give back the text that was encoded, to the letter', async () => {
    const data = String.raw`{"__proto__":{"a":1},"fb_id":12345678901234567890,"sum":19.90,"dup":1,"dup":"\/"}`;
    const { body } = await ask('encode', `{ "data" : ${data} }`);
    const payload = { data: body.data };
    expect((await api.app.inject({ method: 'POST', url: '/api/dev/decode', headers: encoder.headers, payload })).body).toBe(
      `{"success":true,"data":${data}}`,
    );
    const echo = await api.call('POST', '/api/dev', { headers: { host: app.domain, 'content-type': 'text/plain' }, body: body.data });
    expect(writeExactly(cipher.decode(echo.body.data))).toContain(`"received":${data}`);
  });

  it('[DEV-005, API-064] reject data that is missing, too large or nested too deeply', async () => {
    expect(await ask('encode', {})).toMatchObject(refusalOf('The data field is required.'));
    expect(await ask('encode', { data: 'x'.repeat(262_143) })).toMatchObject(refusalOf('The data field is too large.'));
    const startedAt = performance.now();
    for (const depth of [65, 100_000]) {
      expect(await ask('encode', `{"data":${'['.repeat(depth)}${']'.repeat(depth)}}`)).toMatchObject(
        refusalOf('The data field is nested too deeply.'),
      );
    }
    // A moment. Scanning each level from its start would take minutes.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect((await ask('encode', { data: 'x'.repeat(10_485_760) })).status).toBe(413);
    for (const hostile of ['{"data":1,"__proto__":1}', '{"data":1', '[1]']) expect((await ask('encode', hostile)).status).toBe(400);
    expect((await ask('encode', { data: 1, key: 2 })).body.errors).toEqual({ key: ['Unknown field.'] });
    for (const missing of [{}, { data: '' }]) expect(await ask('decode', missing)).toMatchObject(refusalOf('The data field is required.'));
    expect(await ask('decode', { data: 5 })).toMatchObject(refusalOf('The data field must be of type string.'));
  });

  it('[DEV-021, ERR-027, API-065] say the same of every bad string', async () => {
    const bytes = Buffer.from(cipher.encode({ gaid: '7c1e' }), 'base64');
    const alteredTexts = Array.from({ length: bytes.length }, (_, at) => {
      const alteredBytes = Buffer.from(bytes);
      alteredBytes.writeUInt8(alteredBytes.readUInt8(at) ^ (1 << (at % 8)), at);
      return alteredBytes.toString('base64');
    });
    for (const data of [...alteredTexts, ' ', 'no base64!', '\u0000', 'AAAA', bytes.toString('base64url'), 'x'.repeat(500_000)]) {
      expect(await ask('decode', { data })).toMatchObject({ status: 400, body: undecodable });
    }
  });
});

describe('[72]', () => {
  it('[DEV-010, API-066, PERM-046] is the whole guide, as a page that may do nothing', async () => {
    const reader = await signInAs(api.databases, { permissions: ['manager_dev_docs'], since: api.now() });
    const { status, headers, body } = await api.call('GET', '/api/docs/mobile', { headers: reader.headers });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    );
    for (const part of [
      'Request types',
      'Encoding',
      'Errors',
      'Retries',
      '/api/dev',
      'create',
      'receive',
      'token',
      'track',
      'proxy',
      'static',
    ])
      expect(body).toContain(part);
    expect(body).not.toMatch(/<script|\son\w+=|<iframe|<link|<img|javascript:/i);
    const [, encodedText = ''] = /encoded\s+(\S+)<\/pre>/.exec(String(body)) ?? [];
    expect(encodedText).toHaveLength(60);
    expect((await api.call('GET', '/api/docs/mobile', { headers: encoder.headers })).status).toBe(403);
  });
});

describe('[73]', () => {
  let addresses = 0;

  function send(body: string | undefined, headers: Record<string, string> = {}, ip = `10.1.0.${(addresses += 1)}`) {
    const all = { host: app.domain, 'content-type': 'text/plain;charset=UTF-8', ...headers };
    return api.call('POST', '/api/dev', { headers: all, ip, ...(body === undefined ? {} : { body }) });
  }

  it('[DEV-007, DEV-008, API-067] answers at the domain of an app, encoded like the request', async () => {
    const request = cipher.encode({ gaid: '7c1e' });
    const expected = { domain: app.domain, received: { gaid: '7c1e' }, time: '2026-11-20 10:11:12' };
    const answers = [
      await send(request),
      await send(`\n${request} `, { host: `${app.domain.toUpperCase()}:8443` }),
      await send(JSON.stringify(request), { 'content-type': 'application/json' }),
    ];
    for (const { status, headers, body } of answers) {
      expect([status, headers['content-type'], Object.keys(body)]).toEqual([200, 'application/json; charset=utf-8', ['success', 'data']]);
      expect(cipher.decode(body.data)).toEqual(expected);
    }
  });

  it('[API-067] is no path at other hosts, at parts of the domain, and at that of an archived app', async () => {
    const archivedApp = await createApp(api.databases, { deleted_at: api.now() });
    for (const host of ['console.example', `x.${app.domain}`, app.domain.slice(1), '%', 'localhost:3000', archivedApp.domain]) {
      expect(await send(cipher.encode(1), { host })).toMatchObject({ status: 404, body: { success: false, message: 'Not found' } });
      expect((await api.call('OPTIONS', '/api/dev', { headers: { host, origin } })).status).toBe(404);
    }
  });

  it('[API-067, AMB-155] is also the part before the ending that the addresses of apps have', async () => {
    const local = await buildTestApi({ databases: api.databases, env: { APP_HOST_URL: 'http://{domain}.localhost:3000' } });
    onTestFinished(() => local.app.close());
    const statusAt = async (host: string) =>
      (await local.call('POST', '/api/dev', { headers: { host, 'content-type': 'text/plain' }, body: cipher.encode(1) })).status;
    expect(await statusAt(`${app.domain}.localhost:3000`)).toBe(200);
    expect(await statusAt(app.domain)).toBe(200);
    expect(await statusAt('nothing.example.localhost')).toBe(404);
  });

  it('[DEV-020, API-067] rejects text that is no request', async () => {
    const json = { 'content-type': 'application/json' };
    for (const body of [undefined, ' ', 'x', cipher.encode(1).replace('A', 'B')])
      expect(await send(body)).toMatchObject({ status: 400, body: undecodable });
    for (const body of ['{', '{}', '5', '""', '['.repeat(100_000)])
      expect(await send(body, json)).toMatchObject({ status: 400, body: undecodable });
    expect((await send('x'.repeat(262_144))).status).toBe(400);
    for (const size of [262_145, 10_485_760]) {
      expect(await send('x'.repeat(size))).toMatchObject({ status: 413, body: { message: 'The request body is too large' } });
    }
    const gzip = { 'content-encoding': 'gzip' };
    for (const headers of [{ 'content-type': 'text/html' }, { 'content-type': 'text/plain; charset=utf-16' }, gzip])
      expect((await send(cipher.encode(1), headers)).status).toBe(415);
  });

  it("[API-067] lets the console's origin read answers and errors, and no other", async () => {
    const own = await send(cipher.encode(1), { origin });
    expect(own.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: expect.stringContaining('Origin') });
    expect((await send('x', { origin })).headers).toMatchObject({ 'access-control-allow-origin': origin });
    for (const foreign of ['https://evil.example', 'null', `${origin}.evil.example`, `${origin}:444`, 'http://console.example']) {
      const answer = await send(cipher.encode(1), { origin: foreign });
      const preflight = await api.call('OPTIONS', '/api/dev', { headers: { host: app.domain, origin: foreign } });
      expect([answer.status, preflight.status]).toEqual([200, 204]);
      for (const { headers } of [answer, preflight]) expect(Object.keys(headers).join()).not.toContain('access-control');
    }
    const preflightHeaders = {
      host: app.domain,
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const { status, headers, body } = await api.call('OPTIONS', '/api/dev', { headers: preflightHeaders });
    expect([status, body]).toEqual([204, null]);
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    for (const path of ['/api/dev/encode', '/api/apps', '/api/settings', '/api/nothing', '/livez'])
      expect((await api.call('OPTIONS', path, { headers: preflightHeaders })).status).toBe(404);
  });

  it('[API-067] takes 60 calls a minute from an address', async () => {
    const request = cipher.encode(1);
    const statuses = [];
    for (let i = 0; i < 60; i += 1) statuses.push((await send(request, {}, '10.2.0.1')).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    api.wait(20_000);
    const refusal = await send(request, { origin }, '10.2.0.1');
    expect(refusal).toMatchObject({ status: 429, body: { success: false, message: 'Too many attempts. Try again later' } });
    expect(refusal.headers).toMatchObject({ 'retry-after': '40', 'access-control-allow-origin': origin });
    expect((await send(request, {}, '10.2.0.2')).status).toBe(200);
    api.wait(40_000);
    expect((await send(request, {}, '10.2.0.1')).status).toBe(200);
  });

  it('[O40] [S37] takes 60 calls a minute from an IPv6 /64, and 600 from a /48', async () => {
    const request = cipher.encode(1);
    const from = async (count: number, address: (at: number) => string) => {
      const statuses = [];
      for (let at = 0; at < count; at += 1) statuses.push((await send(request, {}, address(at))).status);
      return statuses.filter((status) => status === 200).length;
    };
    expect(await from(70, (at) => `2001:db8:1:2::${at.toString(16)}`)).toBe(60);
    expect(await from(600, (at) => `2001:db8:1:${(at % 20) + 10}::1`)).toBe(540);
    expect((await send(request, {}, '2001:db8:2::1')).status).toBe(200);
    expect((await send(request, {}, '::ffff:10.2.0.9')).status).toBe(200);
  });
});

it('[DEV-002, AMB-155] HIDE_DOCS removes the frame of the developer page; otherwise it sends to APP_HOST_URL', async () => {
  const webRoot = mkdtempSync(join(tmpdir(), 'switchyard-web-'));
  onTestFinished(() => rmSync(webRoot, { recursive: true }));
  for (const name of ['index.html', 'query-frame.html']) writeFileSync(join(webRoot, name), '<meta content="%QUERY_ADDRESS%">');
  const frameOf = async (env: Record<string, string>) => {
    const { app: fastify } = await buildTestApi({
      databases: api.databases,
      webRoot,
      env: { APP_HOST_URL: 'http://{domain}:8080', ...env },
    });
    onTestFinished(() => fastify.close());
    const { statusCode, body } = await fastify.inject('/dev-frame/query?domain=acme-bet.example');
    return [statusCode, body];
  };
  expect(await frameOf({})).toEqual([200, '<meta content="http://acme-bet.example:8080/api/dev">']);
  expect((await frameOf({ HIDE_DOCS: '1' }))[0]).toBe(404);
});
