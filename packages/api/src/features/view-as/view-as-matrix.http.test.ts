import { allEndpoints } from '@switchyard/contract/all-endpoints';
import type { Endpoint } from '@switchyard/contract/endpoint';
import { seededRoles, type Permission } from '@switchyard/contract/permissions';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { scopeCases, scopeProbesOf } from '../../../test/scope-probes.ts';
import { appsToldIn, scopeScene } from '../../../test/scope-scene.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

let api: TestApi;

beforeAll(async () => {
  api = await buildTestApi({ databases: (await createTestDatabase()).databases });
  await api.maintain();
  await api.startJobs();
  return async () => {
    await api.stopJobs();
    await api.app.close();
  };
});

const title = ({ number, method, path }: Endpoint): string => `[${number}] ${method} ${path}`;
const ofAccounts: readonly Endpoint[] = allEndpoints.filter(({ access }) => access.kind === 'session' || access.kind === 'permissions');

/** Calls that change nothing, hand out no file and are no part of account security. */
function isOpenRead({ method, access, answer }: Endpoint): boolean {
  const isForPeople = 'peopleOnly' in access && access.peopleOnly;
  return method === 'GET' && !isForPeople && !(answer.kind === 'raw' && answer.file === true);
}

async function viewAs(path: string, { headers }: SignedIn): Promise<{ authorization: string }> {
  const { status, body } = await api.call('POST', `/api/${path}/view-as`, { headers });
  expect(status).toBe(201);
  return { authorization: `Bearer ${body.data.token.accessToken}` };
}

/** The status of a call; of a stream, that of its beginning. */
async function ask(endpoint: Endpoint, url: string, { headers, body }: { headers: Record<string, string>; body?: object }) {
  if (endpoint.answer.kind === 'raw' && endpoint.answer.contentType === 'text/event-stream') {
    const answer = await api.app.inject({ method: 'GET', url, headers, payloadAsStream: true });
    answer.raw.res.destroy();
    return { status: answer.statusCode, text: '' };
  }
  const answer = await api.call(endpoint.method, url, { headers, ...(endpoint.method === 'GET' ? {} : { body: body ?? {} }) });
  return { status: answer.status, text: JSON.stringify(answer.body) };
}

function urlOf({ path }: Endpoint, valueOf: (name: string) => string, query = ''): string {
  return `/api/${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueOf(name)))}?${query}`;
}

const sample: Readonly<Record<string, string>> = { date: '1999-01-01', asn: '4294967290', ip: '203.0.113.254', field: 'name' };

/** A digest of every table but that of attempts, which [177] counts before it knows who calls; when a session was used is no change. */
async function digestTables(): Promise<ReadonlyMap<string, string>> {
  const { rows: tables } = await api.databases.pools.ops.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'sign_in_attempts'`,
  );
  const digests = tables.map(async ({ name }) => {
    const row = name === 'sessions' ? `(to_jsonb(t) - 'last_used_at')::text` : 't::text';
    const { rows } = await api.databases.pools.ops.query<{ digest: string }>(
      `select md5(coalesce(string_agg(${row}, E'\\n' order by ${row}), '')) as digest from ${name} t`,
    );
    return [name, rows[0]?.digest ?? ''] as const;
  });
  return new Map(await Promise.all(digests));
}

describe('every call of the contract in a view', () => {
  const few: readonly Permission[] = ['manager_settings_roles', 'manager_app_edit', 'manager_user_edit', 'manager_dev_logs'];

  it.each(seededRoles.map((role) => [role.name, role] as const))(
    '[PERMX-021, PERMX-022] as %s is admitted to reads that the viewer and the role may both make, and to nothing else',
    async (_name, role) => {
      for (const [viewer, held] of [
        [{ role: 'Super Admin' }, seededRoles[0]?.permissions ?? []],
        [{ permissions: few }, few],
      ] as const) {
        const headers = await viewAs(`roles/${role.id}`, await signInAs(api.databases, { ...viewer, since: api.now() }));
        const answers: [string, boolean][] = [];
        const expected: [string, boolean][] = [];
        for (const endpoint of ofAccounts) {
          const { access } = endpoint;
          const { status } = await ask(
            endpoint,
            urlOf(endpoint, (name) => sample[name] ?? '999999999'),
            { headers },
          );
          answers.push([title(endpoint), status !== 401 && status !== 403]);
          const mayBoth =
            access.kind !== 'permissions' || access.anyOf.some((label) => held.includes(label) && role.permissions.includes(label));
          expected.push([title(endpoint), isOpenRead(endpoint) && mayBoth]);
        }
        expect(answers).toEqual(expected);
      }
    },
  );

  it('[PERMX-022] changes no row of any table, and learns nothing of apps outside the scope of the viewer, with calls that would succeed', async () => {
    const scene = await scopeScene(api);
    const { accountId: wide } = await signInAs(api.databases, { role: 'Super Admin', since: api.now() });
    const calls: {
      endpoint: Endpoint;
      url: string;
      body: object | undefined;
      headers: Record<string, string> | undefined;
      isOwn: boolean;
    }[] = [];
    for (const endpoint of ofAccounts) {
      const probes = scopeProbesOf(endpoint);
      const cases =
        typeof probes === 'string' ? [] : scopeCases.flatMap((which) => (probes[which] ? [[which, probes[which]] as const] : []));
      for (const [which, make] of cases) {
        const { id, sessionId, revision, query, body, headers } = await make(scene);
        const parts: Readonly<Record<string, number | undefined>> = { sessionId, revision };
        const url = urlOf(endpoint, (name) => String(parts[name] ?? id), query);
        calls.push({ endpoint, url, body, headers, isOwn: which === 'own' });
      }
      if (cases.length === 0)
        calls.push({ endpoint, url: urlOf(endpoint, (name) => sample[name] ?? '1'), body: {}, headers: {}, isOwn: false });
    }
    const view = await viewAs(`users/${wide}`, scene.caller);
    const before = await digestTables();
    let ownCount = 0;
    for (const { endpoint, url, body, headers, isOwn } of calls) {
      const { status, text } = await ask(endpoint, url, { headers: { ...headers, ...view }, ...(body === undefined ? {} : { body }) });
      if (!isOpenRead(endpoint)) expect([title(endpoint), status]).toEqual([title(endpoint), 403]);
      else if (isOwn) expect([title(endpoint), status < 300]).toEqual([title(endpoint), true]);
      // The list of staff accounts and their pages name apps of others to everybody who may open them.
      if (![46, 48].includes(endpoint.number)) expect([title(endpoint), appsToldIn(text).foreign]).toEqual([title(endpoint), null]);
      if (isOpenRead(endpoint) && isOwn) ownCount += 1;
    }
    expect(ownCount).toBeGreaterThan(25);
    expect(await digestTables()).toEqual(before);
  });
});
