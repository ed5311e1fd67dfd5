import { allEndpoints } from '@switchyard/contract/all-endpoints';
import type { Endpoint } from '@switchyard/contract/endpoint';
import { permissionCatalogue, type Permission } from '@switchyard/contract/permissions';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../test/build-test-api.ts';
import { startGoogleProvider, trustIn, type GoogleProvider } from '../../test/google-provider.ts';
import { signInAs, signInAsServer, type Account } from '../../test/sign-in-as.ts';
import { createTestDatabase } from '../../test/test-database.ts';

/** A row of the contract's own table: who may make a call, what others get, what an entitled probe gets. */
type MatrixRow = { needs: string[]; without: string; probe: number };

const table = ['specification/api.md', 'further-calls.md']
  .map((file) => readFileSync(new URL(`../../../../docs/${file}`, import.meta.url), 'utf8'))
  .join('\n');
const matrix = new Map<number, MatrixRow>(
  [...table.matchAll(/^\| \[(\d+)\] (?:GET|POST|PUT|DELETE) \S+ \| ([^|]+) \| ([^|]+) \| (\d+)/gm)].map(
    ([, number = '', needs = '', without = '', status = '']) => [
      Number(number),
      {
        needs: needs
          .replace(/\(.*\)/, '')
          .split(',')
          .map((need) => need.trim()),
        without: without.trim(),
        probe: Number(status),
      },
    ],
  ),
);
const allPermissions = permissionCatalogue.filter((permission) => permission.panel === 'user').map((permission) => permission.label);
const sample: Readonly<Record<string, string>> = {
  id: '999999999',
  date: '1999-01-01',
  asn: '4294967290',
  ip: '203.0.113.254',
  field: 'name',
};

function rowOf(endpoint: Endpoint): MatrixRow {
  const row = matrix.get(endpoint.number);
  if (!row) throw new Error(`[${endpoint.number}] is not in the permission matrix`);
  return row;
}

const title = (endpoint: Endpoint) => [`[${endpoint.number}] ${endpoint.method} ${endpoint.path}`, endpoint] as const;
const closed = allEndpoints.filter((endpoint) => endpoint.access.kind !== 'public').map(title);
const gated = allEndpoints.filter((endpoint) => endpoint.access.kind === 'permissions').map(title);
const forAccounts = allEndpoints
  .filter((endpoint) => endpoint.access.kind === 'session' || endpoint.access.kind === 'permissions')
  .map(title);
const forServers = allEndpoints.filter((endpoint) => endpoint.access.kind === 'traffic-server').map(title);

let api: TestApi;
let provider: GoogleProvider;

beforeAll(async () => {
  const { databases } = await createTestDatabase();
  // The probes of the Google calls hold where Google is on (O25).
  provider = await startGoogleProvider();
  api = await buildTestApi({ databases, env: trustIn(provider) });
  await api.maintain();
});
afterAll(async () => {
  await api.app.close();
  await provider.stop();
});

async function probe(endpoint: Endpoint, headers: Record<string, string> = {}): Promise<number> {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => sample[name] ?? '999999999');
  const url = path.startsWith('/') ? path : `/api/${path}`;
  if (isStream(endpoint)) return statusOfStream(url, headers);
  const { status } = await api.call(endpoint.method, url, { headers, ...(endpoint.method === 'GET' ? {} : { body: {} }) });
  return status;
}

function isStream({ answer }: Endpoint): boolean {
  return answer.kind === 'raw' && answer.contentType === 'text/event-stream';
}

/** A stream stays open, so only its beginning is waited for. */
async function statusOfStream(url: string, headers: Record<string, string>): Promise<number> {
  const answer = await api.app.inject({ method: 'GET', url, headers, payloadAsStream: true });
  answer.raw.res.destroy();
  return answer.statusCode;
}

async function headersOf(account: Account): Promise<Record<string, string>> {
  return (await signInAs(api.databases, { since: api.now(), ...account })).headers;
}

describe('the calls of the contract', () => {
  it('[API-001] have each a number, and a path and method, of their own', () => {
    expect(new Set(allEndpoints.map((endpoint) => endpoint.number)).size).toBe(allEndpoints.length);
    expect(new Set(allEndpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`)).size).toBe(allEndpoints.length);
  });

  it.each(allEndpoints.map(title))('[API-001] %s is registered', (_title, { method, path }) => {
    const url = (path.startsWith('/') ? path : `/api/${path}`).replaceAll(/\{(\w+)\}/g, ':$1');
    expect(api.app.hasRoute({ method, url })).toBe(true);
  });
});

describe('permission matrix (api 15)', () => {
  it.each(allEndpoints.map(title))('[API-086] %s states the access of the matrix', (_title, endpoint) => {
    const { needs } = rowOf(endpoint);
    const stated =
      endpoint.access.kind === 'permissions'
        ? [...endpoint.access.anyOf]
        : [endpoint.access.kind === 'traffic-server' ? 'server token' : endpoint.access.kind];
    expect(stated.toSorted()).toEqual(needs.toSorted());
  });

  it.each(closed)('[API-085] %s is 401 without a token, with an unknown, an expired and an idle one', async (_title, endpoint) => {
    const hour = 3_600_000;
    const expired = await headersOf({ role: 'Super Admin', since: new Date(api.now().getTime() - hour), lifetime: hour - 1 });
    const idle = await headersOf({ role: 'Super Admin', since: new Date(api.now().getTime() - hour) });
    const unknown = { authorization: `Bearer swy_${'x'.repeat(43)}` };
    expect(await Promise.all([probe(endpoint), probe(endpoint, unknown), probe(endpoint, expired), probe(endpoint, idle)])).toEqual([
      401, 401, 401, 401,
    ]);
  });

  it.each(forAccounts)('[API-085] %s is 401 with the token of a traffic server', async (_title, endpoint) => {
    expect(await probe(endpoint, (await signInAsServer(api.databases)).headers)).toBe(401);
  });

  it.each(forServers)('[API-085] %s is 401 with the token of an account, of a deleted and of a barred server', async (_title, endpoint) => {
    const account = await headersOf({ role: 'Super Admin' });
    const deleted = await signInAsServer(api.databases, { deletedAt: new Date() });
    const barred = await signInAsServer(api.databases, { ingestEnabled: false });
    expect(await Promise.all([account, deleted.headers, barred.headers].map((headers) => probe(endpoint, headers)))).toEqual([
      401, 401, 401,
    ]);
    expect(await probe(endpoint, (await signInAsServer(api.databases)).headers)).toBe(rowOf(endpoint).probe);
  });

  it.each(gated)('[API-086] [PERM-002] %s needs any one of its permissions', async (_title, endpoint) => {
    const { needs, without, probe: expected } = rowOf(endpoint);
    const lacking = await headersOf({ permissions: allPermissions.filter((permission) => !needs.includes(permission)) });
    expect(await probe(endpoint, lacking)).toBe(Number(without));
    expect(await probe(endpoint, await headersOf({ role: 'Super Buyer', panel: 'buyer' }))).toBe(403);
    expect(await probe(endpoint, await headersOf({}))).toBe(403);
    for (const permission of needs.filter((need): need is Permission => allPermissions.some((known) => known === need))) {
      expect([permission, await probe(endpoint, await headersOf({ permissions: [permission] }))]).toEqual([permission, expected]);
    }
  });

  it.each(allEndpoints.filter((endpoint) => endpoint.access.kind === 'session').map(title))(
    '[API-085] %s is open to every signed-in account, buyers included',
    async (_title, endpoint) => {
      expect(await probe(endpoint, await headersOf({}))).toBe(rowOf(endpoint).probe);
      expect(await probe(endpoint, await headersOf({ role: 'QA', panel: 'buyer' }))).toBe(rowOf(endpoint).probe);
    },
  );

  it.each(allEndpoints.filter((endpoint) => endpoint.access.kind === 'public').map(title))(
    '[API-085] %s is open to anybody',
    async (_title, endpoint) => {
      expect(await probe(endpoint)).toBe(rowOf(endpoint).probe);
      expect(await probe(endpoint, { authorization: 'Bearer nonsense' })).toBe(rowOf(endpoint).probe);
    },
  );
});
