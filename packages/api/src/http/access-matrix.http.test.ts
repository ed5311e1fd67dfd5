import { allEndpoints } from '@switchyard/contract/all-endpoints';
import { decidesRecentSignIn, servesTokens, type Endpoint } from '@switchyard/contract/endpoint';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import type { AbleAccount } from '@switchyard/contract/who-can';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessCallers, type AccessCaller } from '../../test/access-callers.ts';
import { accessTable, needsOf, withGeneratedLists, type AccessRow, type MatrixRow } from '../../test/access-table.ts';
import { buildTestApi, type TestApi } from '../../test/build-test-api.ts';
import { startGoogleProvider, trustIn, type GoogleProvider } from '../../test/google-provider.ts';
import { scopeCases, scopeProbesOf, type ScopeCase, type ScopeProbe } from '../../test/scope-probes.ts';
import { appsToldIn, scopeScene, type ScopeScene } from '../../test/scope-scene.ts';
import { signInAs } from '../../test/sign-in-as.ts';
import { scopeTable, type ScopeAnswer, type ScopeRow } from '../../test/scope-table.ts';
import { createTestDatabase } from '../../test/test-database.ts';

const table = readFileSync(new URL('../../../../docs/specification/api.md', import.meta.url), 'utf8');
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
const sample: Readonly<Record<string, string>> = {
  id: '999999999',
  date: '1999-01-01',
  asn: '4294967290',
  ip: '203.0.113.254',
  field: 'name',
};

/** The row of the specification's table; of a later call what the contract says and an entitled caller got. */
function rowOf(endpoint: Endpoint): MatrixRow {
  const row = matrix.get(endpoint.number) ?? laterRows.get(endpoint);
  if (!row) throw new Error(`[${endpoint.number}] is not in the permission matrix`);
  return row;
}

function laterRowOf({ endpoint, answers }: AccessRow): MatrixRow {
  const entitledCaller =
    endpoint.access.kind === 'public' ? 'no token' : endpoint.access.kind === 'traffic-server' ? 'server' : 'Super Admin';
  const { status = 0 } = answers.find(({ caller }) => caller.name === entitledCaller) ?? {};
  return { needs: needsOf(endpoint), without: endpoint.access.kind === 'permissions' ? '403' : '-', probe: status };
}

const title = ({ number, method, path }: Endpoint) => `[${number}] ${method} ${path}`;

/** The status that the contract's table has for this caller. */
function expectedStatus(endpoint: Endpoint, caller: AccessCaller): number {
  const { needs, without, probe: entitledCaller } = rowOf(endpoint);
  const [need] = needs;
  if (need === 'public') return entitledCaller;
  if (need === 'server token') return caller.kind === 'traffic-server' ? entitledCaller : 401;
  if (caller.kind !== 'account') return 401;
  if (caller.mustSetUpFactor === true && !(endpoint.access.kind === 'session' && endpoint.access.ownSecurity === true)) return 403;
  // Without a mail server the link of an invitation is shown, so tokens may not invite.
  const isShown = endpoint.path.endsWith('/invite');
  if (caller.byToken === true && (isShown || !servesTokens(endpoint.access))) return 403;
  return need === 'session' || needs.some((permission) => caller.permissions.some((heldPermission) => heldPermission === permission))
    ? entitledCaller
    : Number(without);
}

let api: TestApi;
let provider: GoogleProvider;
let accessRows: AccessRow[];
let laterRows: ReadonlyMap<Endpoint, MatrixRow>;
let scene: ScopeScene;
let scopeRows: ScopeRow[];

beforeAll(async () => {
  const { databases } = await createTestDatabase();
  // The probes of the Google calls hold where Google is on.
  provider = await startGoogleProvider();
  api = await buildTestApi({ databases, env: trustIn(provider) });
  await api.maintain();
  const callers = await accessCallers(api);
  accessRows = [];
  for (const endpoint of allEndpoints.toSorted((a, b) => a.number - b.number))
    accessRows.push({
      endpoint,
      answers: await Promise.all(callers.map(async (caller, index) => ({ caller, status: await probe(endpoint, caller, index) }))),
    });
  laterRows = new Map(accessRows.flatMap((row) => (matrix.has(row.endpoint.number) ? [] : [[row.endpoint, laterRowOf(row)]])));
});
beforeAll(async () => {
  const scopeApi = await buildTestApi({ databases: (await createTestDatabase()).databases });
  await scopeApi.maintain();
  await scopeApi.startJobs();
  scene = await scopeScene(scopeApi);
  scopeRows = [];
  for (const endpoint of allEndpoints.toSorted((a, b) => a.number - b.number)) {
    const probes = scopeProbesOf(endpoint);
    const answers: Partial<Record<ScopeCase, ScopeAnswer>> = {};
    if (typeof probes !== 'string')
      for (const which of scopeCases) {
        const sceneProbe = await probes[which]?.(scene);
        if (sceneProbe !== undefined) answers[which] = await askInScope(endpoint, sceneProbe);
      }
    scopeRows.push({ endpoint, seen: typeof probes === 'string' ? probes : answers });
  }
  return async () => {
    await scopeApi.stopJobs();
    await scopeApi.app.close();
  };
}, 120_000);
afterAll(async () => {
  await api.app.close();
  await provider.stop();
});

/** Each caller has an address of its own, so that none uses up the attempts of another. It is one of this machine, as /metrics requires. */
async function probe(endpoint: Endpoint, caller: AccessCaller, index: number): Promise<number> {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => sample[name] ?? '999999999');
  const url = path.startsWith('/') ? path : `/api/${path}`;
  const headers = caller.kind === 'account' && isSignOut(endpoint) ? await caller.again() : caller.headers;
  const ip = `127.0.0.${index + 1}`;
  if (isStream(endpoint)) return statusOfStream(url, headers, ip);
  return (await api.call(endpoint.method, url, { headers, ip, ...(endpoint.method === 'GET' ? {} : { body: {} }) })).status;
}

/** A call by the account that sees one app. */
async function askInScope(
  endpoint: Endpoint,
  { id, sessionId, revision, query = '', body, headers = {} }: ScopeProbe,
): Promise<ScopeAnswer> {
  const parts: Readonly<Record<string, number | undefined>> = { sessionId, revision };
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parts[name] ?? id)));
  const url = `/api/${path}?${query}`;
  const sentHeaders = { ...scene.caller.headers, ...headers };
  if (isStream(endpoint)) return { status: await statusOfStream(url, sentHeaders, '10.0.0.1', scene.api), own: false, foreign: null };
  const answer = await scene.api.call(endpoint.method, url, { headers: sentHeaders, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, ...appsToldIn(JSON.stringify(answer.body)) };
}

function isSignOut({ path }: Endpoint): boolean {
  return path === 'sanctum/logout';
}

function isStream({ answer }: Endpoint): boolean {
  return answer.kind === 'raw' && answer.contentType === 'text/event-stream';
}

/** A stream stays open, so only its beginning is waited for. */
async function statusOfStream(url: string, headers: Record<string, string>, remoteAddress: string, of = api): Promise<number> {
  const answer = await of.app.inject({ method: 'GET', url, headers, remoteAddress, payloadAsStream: true });
  answer.raw.res.destroy();
  return answer.statusCode;
}

/** Methods and paths that the router draws as a tree, in which each line adds to the path of the branch it grows from; parameters without names. */
function registeredPaths(tree: string): string[] {
  const branch: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', path = '', methods = ''] = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    branch.splice(indent.length / 4, Infinity, path);
    return methods
      .split(', ')
      .filter(Boolean)
      .map((method) => `${method} ${branch.join('').replaceAll(/:[\w|:]+/g, ':')}`);
  });
}

describe('the calls of the contract', () => {
  it('[API-001] have each a number, and a path and method, of their own', () => {
    expect(new Set(allEndpoints.map((endpoint) => endpoint.number)).size).toBe(allEndpoints.length);
    expect(new Set(allEndpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`)).size).toBe(allEndpoints.length);
  });

  it('[API-001] are all that the server answers, besides the files of the reference and the one call that other origins may ask about', () => {
    const statedPaths = allEndpoints.flatMap(({ method, path }) => {
      const route = `${method} ${path.startsWith('/') ? '' : '/api/'}${path.replaceAll(/\{\w+\}/g, ':')}`;
      return path.length > 1 && path.endsWith('/') ? [route, route.slice(0, -1)] : [route];
    });
    const routes = registeredPaths(api.app.printRoutes({ commonPrefix: false })).filter(
      (route) => !/^(GET|HEAD) \/api\/docs\/(?!mobile$)/.test(route),
    );
    expect(routes.toSorted()).toEqual([...statedPaths, 'OPTIONS /api/dev'].toSorted());
  });
});

describe('permission matrix (api 15)', () => {
  it('[API-086, AMB-070] is what each call of the specification states as its access', () => {
    const specifiedCalls = allEndpoints.filter(({ number }) => matrix.has(number));
    expect(specifiedCalls.map((endpoint) => [title(endpoint), needsOf(endpoint).toSorted()])).toEqual(
      specifiedCalls.map((endpoint) => [title(endpoint), rowOf(endpoint).needs.toSorted()]),
    );
    expect(specifiedCalls).toHaveLength(matrix.size);
  });

  it.each(allEndpoints.map((endpoint) => [title(endpoint), endpoint] as const))(
    '[API-085, API-086, IDN-025] %s answers everybody as the contract says',
    (_title, endpoint) => {
      const answers = accessRows.find((row) => row.endpoint === endpoint)?.answers ?? [];
      expect(answers.map(({ caller, status }) => [caller.name, status])).toEqual(
        answers.map(({ caller }) => [caller.name, expectedStatus(endpoint, caller)]),
      );
    },
  );

  it('[IDN-051] lets API tokens make every call but those that are for people', () => {
    const people = [2, 3, 5, 6, 47, 57, 110, 112, 113, 114, 116, 156, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 180, 181, 182, 183];
    // Without a mail server: with one, tokens may invite.
    const tokens = [
      187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 205, 208, 210, 211, 212, 215, 216, 260, 261, 270, 271, 272, 340, 341,
      342, 343, 344, 346, 347, 348, 349, 373, 374, 375, 388, 392, 434, 435, 456, 458, 459, 460,
    ];
    const refusingRows = accessRows.filter(({ answers }) =>
      answers.some(({ caller, status }) => caller.name === 'API token' && status === 403),
    );
    expect(refusingRows.map(({ endpoint }) => endpoint.number)).toEqual([...people, ...tokens]);
  });

  it('[PERMX-002] is what Who can says of every account, token and call', async () => {
    const reader = await signInAs(api.databases, { role: 'Super Admin', since: api.now() });
    const able = new Map<string, { accounts: ReadonlySet<number>; tokens: ReadonlySet<number> }>();
    for (const { label } of permissionCatalogue) {
      const { data } = (await api.call('GET', `/api/roles/who-can?permission=${label}`, reader)).body;
      const idsOf = (rows: AbleAccount[]) => new Set(rows.filter(({ obstacle }) => obstacle === null).map(({ id }) => id));
      able.set(label, { accounts: idsOf(data.accounts), tokens: idsOf(data.tokens) });
    }
    const calls = accessRows.flatMap(({ endpoint, answers }) => {
      const { access } = endpoint;
      // Without a mail server the link of an invitation is shown, so tokens may not invite.
      const serves = servesTokens(access) && !endpoint.path.endsWith('/invite');
      if (access.kind !== 'permissions') return [];
      return answers.flatMap(({ caller, status }) => {
        if (caller.kind !== 'account') return [];
        const kind = caller.byToken === true ? 'tokens' : 'accounts';
        const can = (kind === 'accounts' || serves) && access.anyOf.some((label) => able.get(label)?.[kind].has(caller.id));
        return [{ call: `${title(endpoint)} by ${caller.name}`, can, isAdmitted: status !== 401 && status !== 403 }];
      });
    });
    expect(calls.filter(({ can, isAdmitted }) => can !== isAdmitted)).toEqual([]);
    expect(new Set(calls.map(({ can }) => can)).size).toBe(2);
  });

  it('[PERM-001, PERM-008, PERM-014, PERM-052, PERM-053, PERM-054, PERM-055] is the one that was reviewed', async () => {
    const staff = permissionCatalogue.filter(({ panel }) => panel === 'user');
    expect(accessRows[0]?.answers.filter(({ caller }) => caller.kind === 'account' && caller.single !== undefined)).toHaveLength(
      staff.length,
    );
    await expect(`${accessTable(accessRows)}\n${scopeTable(scopeRows)}`).toMatchFileSnapshot('../../../../docs/access-matrix.md');
  });

  it('[IDN-106] states for each writing call of accounts whether it needs a recent sign-in, and docs/further-calls.md lists these and all later calls', async () => {
    const endpoints: readonly Endpoint[] = allEndpoints.toSorted((a, b) => a.number - b.number);
    expect(endpoints.filter((endpoint) => decidesRecentSignIn(endpoint) && endpoint.recentSignIn === undefined)).toEqual([]);
    const page = readFileSync(new URL('../../../../docs/further-calls.md', import.meta.url), 'utf8');
    await expect(withGeneratedLists(page, endpoints, laterRows)).toMatchFileSnapshot('../../../../docs/further-calls.md');
  });
});

describe('an account with every permission that sees one app', () => {
  const answersOf = (which: ScopeCase) =>
    scopeRows.flatMap(({ endpoint, seen: answers }) => {
      const answer = typeof answers === 'string' ? undefined : answers[which];
      return answer === undefined ? [] : [{ number: endpoint.number, ...answer }];
    });
  const numbersOf = (which: ScopeCase, test: (answer: ScopeAnswer) => boolean) =>
    answersOf(which)
      .filter(test)
      .map(({ number }) => number);

  it('[O36, O37] makes every call on the app in scope, and fails on no call by a defect', () => {
    expect(numbersOf('own', ({ status }) => status >= 300)).toEqual([]);
    for (const which of scopeCases) expect(numbersOf(which, ({ status }) => status >= 500)).toEqual([]);
  });

  it('[O36, O37] learns nothing of another app, besides those that staff accounts see', () => {
    for (const which of scopeCases) {
      expect([48]).toEqual(expect.arrayContaining(numbersOf(which, ({ foreign }) => foreign === 'data')));
      expect([46]).toEqual(expect.arrayContaining(numbersOf(which, ({ foreign }) => foreign === 'id')));
    }
    expect(numbersOf('mixed', ({ own, foreign }) => own && foreign === null)).toEqual(
      expect.arrayContaining([11, 22, 33, 34, 63, 89, 121, 148]),
    );
  });

  it('[O36, O37] changes nothing outside the scope', () => {
    const withStatus = (which: ScopeCase, wantedStatus: number) => numbersOf(which, ({ status }) => status === wantedStatus);
    expect(withStatus('foreign', 404)).toEqual([
      6, 13, 14, 15, 16, 20, 21, 24, 25, 26, 27, 28, 29, 30, 100, 101, 141, 149, 192, 193, 194, 240, 241, 242, 260, 271, 322, 323, 324, 327,
      328, 331, 380, 387, 431, 434, 450, 451,
    ]);
    expect(withStatus('foreign', 403)).toEqual([
      40, 47, 49, 50, 51, 53, 54, 55, 57, 59, 60, 61, 114, 180, 182, 183, 188, 191, 195, 196, 197, 198, 211, 212, 245, 248, 371, 372, 385,
    ]);
    expect(withStatus('foreign', 422)).toEqual([19, 384, 449]);
    expect(withStatus('mixed', 403)).toEqual([
      40, 47, 49, 50, 51, 53, 54, 55, 57, 59, 60, 61, 65, 67, 68, 114, 180, 182, 183, 188, 191, 195, 196, 197, 198, 211, 212, 245, 248, 300,
      301, 302, 303, 304, 305, 306, 307, 308, 321, 323, 324, 325, 330, 331, 371, 372, 381, 410, 411,
    ]);
  });

  it.each([
    ['apps/statistics/total?isCache=0&search=', ''],
    ['all-requests/histogram?clientId=', 'c_'],
  ])('[O36] counts by %s nothing of another app', async (path, prefix) => {
    const [own, foreign, nothing] = await Promise.all(
      ['insider', 'outsider', 'nowhere'].map(
        async (mark) => (await scene.api.call('GET', `/api/${path}${prefix}${mark}`, scene.caller)).body.data,
      ),
    );
    expect(foreign).toEqual(nothing);
    expect(own).not.toEqual(nothing);
  });
});
