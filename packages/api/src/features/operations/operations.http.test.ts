import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildTestApi, type TestApi, type TestApiOptions } from '../../../test/build-test-api.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Databases } from '../../database/connect.ts';

let databases: Databases;
const open: TestApi[] = [];

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
});

beforeEach(() => () => Promise.all(open.splice(0).map((api) => api.app.close())));

async function build(env: Record<string, string> = {}, options: Partial<TestApiOptions> = {}): Promise<TestApi> {
  const api = await buildTestApi({ databases, env, ...options });
  open.push(api);
  return api;
}

describe('settings (api [10])', () => {
  it('[AUTH-003] returns the settings that the console needs before sign-in to every caller', async () => {
    const { status, body } = await (await build()).call('GET', '/api/settings');
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: {
          appTitle: 'Switchyard',
          productName: 'Switchyard',
          version: '0.0.0-test',
          loginMethods: 'email',
          hideDocs: false,
          hideOnlyCf: false,
          buyerPanelUrl: null,
        },
      },
    ]);
  });

  it('[AUTH-003, AMB-120] as it was configured', async () => {
    const api = await build({
      APP_TITLE: 'Depot',
      PRODUCT_NAME: 'Depot One',
      BUYER_PANEL_URL: 'https://buyers.example/',
      HIDE_DOCS: '1',
      HIDE_ONLY_CF: '1',
      GOOGLE_CLIENT_ID: 'x',
      GOOGLE_CLIENT_SECRET: 'y',
    });
    expect((await api.call('GET', '/api/settings')).body.data).toMatchObject({
      appTitle: 'Depot',
      productName: 'Depot One',
      loginMethods: 'both',
      hideDocs: true,
      hideOnlyCf: true,
      buyerPanelUrl: 'https://buyers.example',
    });
  });
});

describe('progress of the demo', () => {
  it('[SHELL-065] is what this process has loaded, for signed-in accounts only', async () => {
    const api = await build({}, { demoLoaded: () => 0.25 });
    expect((await api.call('GET', '/api/demo')).status).toBe(401);
    const { headers } = await signInAs(api.databases, { since: api.now() });
    expect((await api.call('GET', '/api/demo', { headers })).body).toEqual({ success: true, data: { loaded: 0.25 } });
  });
});

describe('server time (api [9])', () => {
  it('[API-010] [ENT-023] is the API clock in the configured offset, for signed-in accounts only', async () => {
    const api = await build({ SERVER_UTC_OFFSET: '+02:00' }, { startsAt: new Date('2026-11-20T11:11:59Z') });
    expect((await api.call('GET', '/api/time')).status).toBe(401);
    const { headers } = await signInAs(api.databases, { since: api.now() });
    expect((await api.call('GET', '/api/time', { headers })).body).toEqual({
      success: true,
      data: { time: '2026-11-20 13:11', timezone: 'UTC+02:00', GMT: '+02:00' },
    });
  });
});

describe('probes (api 14)', () => {
  it('[API-005] livez and readyz answer outside the envelope, on shutdown readyz at once 503', async () => {
    const api = await build();
    const live = await api.call('GET', '/livez');
    expect([live.status, live.body, live.headers['content-type']]).toEqual([200, 'ok', 'text/plain; charset=utf-8']);
    // A database that takes two seconds to answer is not ready, and on a busy machine it may.
    const ready = await vi.waitFor(async () => {
      const answer = await api.call('GET', '/readyz');
      expect(answer.status).toBe(200);
      return answer;
    }, soon);
    expect([ready.status, ready.body, ready.headers['content-type']]).toEqual([
      200,
      { status: 'ready', checks: { database: 'ok', migrations: 'ok' } },
      'application/json; charset=utf-8',
    ]);
    const state = expect.stringMatching(/^(ok|low|full|unknown)$/);
    const detailed = await api.call('GET', '/readyz?details=1');
    expect(detailed.body).toEqual({ ...ready.body, storage: { database: 'ok', data: state, logs: state } });
    api.beginShutdown();
    const stopping = await api.call('GET', '/readyz');
    expect([stopping.status, stopping.body]).toEqual([
      503,
      { status: 'unavailable', checks: { database: 'shutdown', migrations: 'shutdown' } },
    ]);
    expect((await api.call('GET', '/livez')).status).toBe(200);
    expect((await api.call('GET', '/api/settings')).body).toEqual({ success: false, message: 'The server is shutting down, try again' });
  });
});

describe('metrics (api [97])', () => {
  it('[API-005] count requests by pattern and hold no id', async () => {
    const api = await build();
    const { headers } = await signInAs(api.databases, { since: api.now() });
    await api.call('GET', '/api/time', { headers });
    await api.call('GET', '/api/unknown/918273');
    const { status, body, headers: responseHeaders } = await api.call('GET', '/metrics');
    expect([status, responseHeaders['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(body).toContain('switchyard_build_info{version="0.0.0-test",commit="unknown"} 1');
    expect(body).toContain('http_requests_total{method="GET",route="time",status="200"} 1');
    expect(body).toContain('http_requests_total{method="GET",route="unknown",status="404"} 1');
    for (const series of [
      'http_request_duration_seconds_bucket{',
      'db_pool_connections{pool="ui",state="idle"}',
      'sse_connections 0',
      '# TYPE ingest_rows_total counter',
      'process_resident_memory_bytes ',
    ]) {
      expect(body).toContain(series);
    }
    expect(body).not.toContain('918273');
  });

  it.each(['127.0.0.1', '127.9.8.7', '::1', '::ffff:127.0.0.1'])('[S41] answer %s without a token', async (ip) => {
    expect((await (await build()).call('GET', '/metrics', { ip })).status).toBe(200);
  });

  it('[S41] reject everybody else if no token is configured', async () => {
    const api = await build();
    for (const ip of ['203.0.113.9', '10.0.0.1', '192.168.0.7', 'fe80::1', '::', '2001:db8::1', '::ffff:10.0.0.1']) {
      const { status, body } = await api.call('GET', '/metrics', { ip });
      expect([ip, status, body]).toEqual([ip, 401, { success: false, message: 'You are not authorized' }]);
    }
    const { headers } = await signInAs(api.databases, { role: 'Super Admin', since: api.now() });
    expect((await api.call('GET', '/metrics', { headers, ip: '203.0.113.9' })).status).toBe(401);
  });

  it.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'])(
    '[S41] reject a call that an untrusted proxy on this machine passed on with %s',
    async (name) => {
      const api = await build();
      for (const value of ['203.0.113.9', '127.0.0.1', '127.0.0.1, 127.0.0.1', 'for=127.0.0.1', '']) {
        expect([value, (await api.call('GET', '/metrics', { headers: { [name]: value } })).status]).toEqual([value, 401]);
        // The proxy is trusted, but it is not the peer.
        const other = await build({ TRUSTED_PROXIES: '10.0.0.1' });
        expect([value, (await other.call('GET', '/metrics', { headers: { [name]: value } })).status]).toEqual([value, 401]);
      }
    },
  );

  it('[S41] apply to the client that a trusted proxy on this machine names', async () => {
    const api = await build({ TRUSTED_PROXIES: '127.0.0.1,10.0.0.1' });
    const through = async (headers: Record<string, string>, ip = '127.0.0.1') =>
      (await api.call('GET', '/metrics', { headers, ip })).status;
    expect(await through({})).toBe(200);
    expect(await through({ 'x-forwarded-for': '127.0.0.2', 'x-forwarded-proto': 'https' })).toBe(200);
    expect(await through({ 'x-forwarded-for': '203.0.113.9' })).toBe(401);
    expect(await through({ 'x-forwarded-for': '127.0.0.2, 203.0.113.9' })).toBe(401);
    expect(await through({ 'x-forwarded-for': '203.0.113.9, 10.0.0.1' })).toBe(401);
    expect(await through({ 'x-forwarded-for': 'nonsense' })).toBe(401);
    expect(await through({ 'x-forwarded-proto': 'https' })).toBe(401);
    expect(await through({ forwarded: 'for=127.0.0.1' })).toBe(401);
    expect(await through({}, '10.0.0.1')).toBe(401);
    expect(await through({ 'x-forwarded-for': '127.0.0.2' }, '203.0.113.9')).toBe(401);
  });

  it('[S41] [API-005] need their token where one is configured, from this machine too', async () => {
    const api = await build({ METRICS_TOKEN: 'scrape-me-if-you-can' });
    const bearer = { authorization: 'Bearer scrape-me-if-you-can' };
    expect((await api.call('GET', '/metrics', { headers: bearer, ip: '203.0.113.9' })).status).toBe(200);
    expect((await api.call('GET', '/metrics', { headers: { authorization: 'Bearer other' } })).status).toBe(401);
    expect((await api.call('GET', '/metrics')).body).toEqual({ success: false, message: 'You are not authorized' });
    const { headers } = await signInAs(api.databases, { role: 'Super Admin', since: api.now() });
    expect((await api.call('GET', '/metrics', { headers })).status).toBe(401);
    expect((await api.call('GET', '/metrics', { headers: { authorization: 'Bearer scrape-me-if-you-can' } })).status).toBe(200);
  });
});

describe('reference (api [98], [99])', () => {
  it('[API-003] is OpenAPI 3.1 as an independent validator reads it', async () => {
    const { status, headers, body } = await (await build()).call('GET', '/api/openapi.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const validator = new Validator();
    expect(await validator.validate(body)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('[API-005] the page and all its files come from this origin under a policy of their own', async () => {
    const api = await build();
    const page = await api.call('GET', '/api/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/);
    const files = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      expect(file).toMatch(/^\/api\/docs\/static\//);
      expect([file, (await api.call('GET', file)).status]).toEqual([file, 200]);
    }
    const theme = files.find((file) => file.endsWith('theme.js')) ?? '';
    expect((await api.call('GET', theme)).body).toContain('prefers-color-scheme: dark');
    expect((await api.call('GET', '/api/docs/static/nothing.js')).body).toEqual({ success: false, message: 'Not found' });
    expect((await api.call('GET', '/api/docs/')).status).toBe(404);
    const { body: document } = await api.call('GET', '/api/openapi.json');
    expect((await api.call('GET', '/api/docs/json')).body).toEqual(document);
    expect((await api.call('GET', '/api/docs/yaml')).body).toMatch(/^openapi: 3\.1\.0\n/);
  });

  it('[API-005] can be switched off', async () => {
    const api = await build({ HIDE_REFERENCE: '1' });
    for (const url of ['/api/docs', '/api/openapi.json', '/api/docs/static/swagger-ui.css', '/api/docs/json']) {
      expect([url, (await api.call('GET', url)).body]).toEqual([url, { success: false, message: 'Not found' }]);
    }
  });
});
