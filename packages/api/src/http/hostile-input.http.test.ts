import { allEndpoints } from '@switchyard/contract/all-endpoints';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newAccountForm } from '../../test/account-form.ts';
import { newAppForm } from '../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../test/build-test-api.ts';
import { signInAs } from '../../test/sign-in-as.ts';
import { createTestDatabase } from '../../test/test-database.ts';

const { databases } = await createTestDatabase();
const startsAt = new Date('2026-11-20T10:11:12Z');
let api: TestApi;
let staff: Record<string, string>;
let appId = 0;
let server: Record<string, string>;
let ids: Readonly<Record<string, string>>;

/** Stands in every secret that the console ever takes. */
const canary = 'kanarienvogel';
const secrets = {
  password: `Aa1-${canary}-password`,
  token: `${canary}-token-${'x'.repeat(32)}`,
  mainHash: `${canary}-main-hash`,
  hash: `${canary}-hash`,
  apiSecret: `${canary}-api-secret`,
};
const createdBody = z.object({ data: z.object({ id: z.number() }) });

async function create(path: string, body: object): Promise<number> {
  const answer = await api.call('POST', `/api/${path}`, { headers: staff, body });
  return createdBody.parse(answer.body, { error: () => JSON.stringify(answer.body) }).data.id;
}

async function uploadPushFile(): Promise<void> {
  const account = {
    type: 'service_account',
    project_id: 'acme-1',
    private_key: `-----BEGIN PRIVATE KEY-----${canary}-push-file-----END PRIVATE KEY-----`,
    client_email: 'push@acme-1.example',
    token_uri: 'https://oauth2.googleapis.com/token',
  };
  const part = (head: string, content: string): string => `--edge\r\ncontent-disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const body = `${part('name="appId"', String(appId))}${part('name="configuration"; filename="acme.json"', JSON.stringify(account))}--edge--\r\n`;
  const headers = { ...staff, 'content-type': 'multipart/form-data; boundary=edge' };
  const answer = await api.call('POST', '/api/app/firebase-configuration', { headers, body });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
}

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-hostile-'));
  api = await buildTestApi({ databases, startsAt, env: { LOG_DIR: folder, APP_LOG_DIR: folder } });
  staff = (await signInAs(databases, { role: 'Super Admin', since: startsAt })).headers;
  appId = await create('apps', newAppForm({ privateKeys: { apiSecret: secrets.apiSecret } }));
  const { token, mainHash, hash, password } = secrets;
  const serverId = await create('servers', { name: 'edge', url: 'https://edge.example', token, mainHash, hash });
  server = { authorization: `Bearer ${token}` };
  const user = await create('users', newAccountForm({ password, email: 'canary@example.com' }));
  const buyer = await create('buyers', newAccountForm({ password, roles: ['Buyer'], email: 'canary-buyer@example.com' }));
  await uploadPushFile();
  await api.maintain();
  const events = [{ app_id: appId, type: 'create', date: '2026-11-20T10:00:00Z', ip: '203.0.113.9' }];
  await api.call('POST', '/api/ingest/events', { headers: server, body: { events } });
  const { body } = await api.call('POST', '/api/sanctum/login', { body: { email: 'canary@example.com', password } });
  ids = {
    apps: String(appId),
    servers: String(serverId),
    users: String(user),
    buyers: String(buyer),
    roles: '1',
    accessToken: body.data.token.accessToken,
  };
  return async () => {
    await api.app.close();
    rmSync(folder, { recursive: true });
  };
});

/** Every GET but signing out and live streams, at what was created. */
const reads = allEndpoints.filter(
  ({ method, number, answer }) =>
    method === 'GET' && number !== 2 && !(answer.kind === 'raw' && answer.contentType === 'text/event-stream'),
);
const urlOf = (path: string): string =>
  (path.startsWith('/') ? path : `/api/${path}`)
    .replace(/(apps|servers|users|buyers|roles)\/\{\w+\}/, (_all, area: string) => `${area}/${ids[area] ?? ''}`)
    .replace('{field}', 'name')
    .replace('{date}', '2026-11-20');
const headersFor = (kind: string) => (kind === 'traffic-server' ? server : staff);

describe('secrets', () => {
  it('[S16] are contained in no answer, no file, no trail and no log, but for the one key that the form of its app shows', async () => {
    const statuses: number[] = [];
    for (const { path, access } of reads) {
      const { status, headers, body: answerBody } = await api.call('GET', urlOf(path), { headers: headersFor(access.kind) });
      statuses.push(status);
      // Accounts that may edit an app may edit this key, too (api [13]).
      const body =
        path === 'apps/{id}' ? JSON.parse(JSON.stringify(answerBody).replace(JSON.stringify(secrets.apiSecret), 'null')) : answerBody;
      expect([path, JSON.stringify([headers, body]).includes(canary)]).toEqual([path, false]);
      expect([path, /\$argon2|"password_hash"|BEGIN PRIVATE/.test(JSON.stringify(body))]).toEqual([path, false]);
    }
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(35);
    const log = JSON.stringify(api.log());
    expect([log.includes(canary), log.includes(ids['accessToken'] ?? '')]).toEqual([false, false]);
  });

  it('[S17] [S3] are nowhere in the database as they were typed, nor are tokens of sessions', async () => {
    const { rows } = await databases.pools.ops.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    let rowCount = 0;
    for (const { name } of rows) {
      const rowTexts = await databases.pools.ops.query<{ text: string }>(`select t::text as text from ${name} t`);
      rowCount += rowTexts.rows.length;
      for (const { text } of rowTexts.rows) {
        expect([name, text.includes(canary), text.includes(ids['accessToken'] ?? '')]).toEqual([name, false, false]);
        expect([name, text.includes(Buffer.from(secrets.token).toString('hex'))]).toEqual([name, false]);
      }
    }
    expect(rowCount).toBeGreaterThan(50);
  });
});

describe('what a caller writes into a query', () => {
  const parameters = z.object({ parameters: z.array(z.object({ name: z.string(), in: z.string() }).partial()).default([]) });

  it('[S15] is never part of a statement: whatever the value of any parameter, no call breaks', async () => {
    const paths = z.record(z.string(), z.record(z.string(), z.unknown())).parse((await api.call('GET', '/api/openapi.json')).body.paths);
    const hostile = [`'; drop table apps; --`, `1) or (1=1`, `%_\\`];
    let calls = 0;
    for (const { path, access } of reads) {
      const operation = parameters.parse(paths[path.startsWith('/') ? path : `/api/${path}`]?.['get'] ?? {});
      for (const { name } of operation.parameters.filter((parameter) => parameter.in === 'query')) {
        for (const value of hostile) {
          const url = `${urlOf(path)}?${new URLSearchParams({ [String(name)]: value }).toString()}`;
          const { status } = await api.call('GET', url, { headers: headersFor(access.kind) });
          calls += 1;
          expect([url, status < 500]).toEqual([url, true]);
        }
      }
    }
    expect(calls).toBeGreaterThan(150);
    expect((await api.call('GET', `/api/apps/${appId}`, { headers: staff })).status).toBe(200);
  });

  it.each([
    ['apps', 'api_secret_sealed'],
    ['servers', 'token_hash'],
    [`all-requests`, 'password_hash'],
  ])('[S14] reveals nothing about hidden columns: %s', async (path, column) => {
    const list = async (query: string) => (await api.call('GET', `/api/${path}?${query}`, { headers: staff })).body;
    const plain = await list('');
    const sortedRows = await list(`orderBy=${column}&orderDirection=asc`);
    if (sortedRows.success === true) expect(sortedRows.data).toEqual(plain.data);
    else expect(Object.keys(sortedRows.errors)).toEqual(['orderBy']);
    const prefix = secrets.token.slice(0, 12);
    for (const query of [`search=${prefix}`, `${column}=${prefix}`, `search=${canary}`]) {
      const foundRows = await list(query);
      const nonsense = await list(query.replace(/=.*/, '=no-such-thing-at-all'));
      expect(foundRows).toEqual(nonsense);
    }
  });

  it('[S14] asks about names, bundles and domains of apps only', async () => {
    for (const field of ['api_secret', 'id', 'push_file_sealed', '__proto__']) {
      const { status } = await api.call('GET', `/api/app/check-not/${field}?search=abc`, { headers: staff });
      expect([field, status]).toEqual([field, 422]);
    }
  });
});

describe('what a caller writes into a body', () => {
  const rejectionBody = z.object({ errors: z.record(z.string(), z.array(z.string())) });
  /** Google and mail are switched off here, apps are asked at their own domains, and uploads take no JSON. */
  const elsewhere = new Set<number>([7, 21, 73, 202, 444, 445]);
  const writes = allEndpoints.filter(({ method, number }) => method !== 'GET' && !elsewhere.has(number));

  it.each(['constructor', 'toString'])('[S15] is unknown to every call that does not name it, as is %s', async (key) => {
    for (const { method, path, access } of writes) {
      const url = urlOf(path)
        .replace('{ip}', '192.0.2.1')
        .replace(/\{\w+\}/, '1');
      const { status, body } = await api.call(method, url, { headers: headersFor(access.kind), body: { [key]: 1 } });
      expect([method, path, status]).toEqual([method, path, 422]);
      expect([path, Object.entries(rejectionBody.parse(body).errors)]).toEqual([path, expect.arrayContaining([[key, ['Unknown field.']]])]);
    }
    expect(writes.length).toBeGreaterThan(35);
  });
});

describe('ids that the database cannot hold', () => {
  const past = 2_147_483_648;
  const tile = { shape: 'figure', measure: 'requests' };
  const silence = { note: 'x', ends_at: '2026-11-20T12:00:00Z' };
  it.each([
    ['PUT', 'views/default', { list: 'reports', id: past }, ['id']],
    ['PUT', 'dashboard/layout', { places: [], read_version: 0, board_id: past }, ['board_id']],
    ['POST', 'dashboard/tiles', { ...tile, view_id: past }, ['view_id']],
    ['POST', 'dashboard/tiles', { ...tile, name: 'x', query: 'groupBy=app', board_id: past }, ['board_id']],
    ['POST', 'boards', { name: 'x', account_ids: [past], role_ids: [past] }, ['role_ids', 'account_ids']],
    ['POST', 'schedules', { name: 'x', view_id: past, interval: 'day', hour: 1, recipient_ids: [1] }, ['view_id']],
    ['POST', 'alerts/silences', { ...silence, server_id: past }, ['server_id']],
    ['POST', 'alerts/silences', { ...silence, rule_id: past }, ['rule_id']],
  ] as const)('[S15] are rejected by %s %s %j', async (method, path, body, fields) => {
    const answer = await api.call(method, `/api/${path}`, { headers: staff, body });
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, fields]);
  });

  it('[S15] are ids of nothing in a query', async () => {
    expect((await api.call('GET', `/api/dashboard?board=${past}`, { headers: staff })).status).toBe(404);
  });
});
