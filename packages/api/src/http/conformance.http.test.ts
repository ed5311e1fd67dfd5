import fc from 'fast-check';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { buildTestApi, testPasswords } from '../../test/build-test-api.ts';
import { requestsFor, rightRequestsFor, type Request } from '../../test/conformance/arbitrary-requests.ts';
import { createAnswerValidator, type Answer } from '../../test/conformance/validate-answer.ts';
import { readOperations, type Operation } from '../../test/conformance/read-operations.ts';
import { conformance } from '../../test/conformance/rounds.ts';
import { createSeenValues } from '../../test/conformance/seen-values.ts';
import { createApp } from '../../test/factories/app.ts';
import { signInAs, signInAsServer } from '../../test/sign-in-as.ts';
import { createTestDatabase } from '../../test/test-database.ts';

const now = new Date('2026-11-20T12:00:00Z');
const { databases } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'switchyard-conformance-'));
const folders = { LOG_DIR: join(folder, 'logs'), APP_LOG_DIR: join(folder, 'app-logs') };
const api = await buildTestApi({ databases, startsAt: now, env: folders });

/** Calls that cannot succeed here: Google is off, no seal is missing, no view is under way, and no call comes to the host of an app. */
const elsewhere = [
  'POST /api/sanctum/second-factor',
  'POST /api/sanctum/second-factor/passkey',
  'POST /api/sanctum/passkey',
  'POST /api/sanctum/second-factors/totp/confirm',
  'POST /api/sanctum/second-factors/passkey/confirm',
  'PUT /api/sanctum/second-factors/{id}',
  'DELETE /api/sanctum/second-factors/{id}',
  'POST /api/sanctum/recovery-codes',
  'DELETE /api/sanctum/tokens/{id}',
  'DELETE /api/schedules/received/{id}',
  'DELETE /api/view-as',
  'POST /api/google/login',
  'GET /api/google/auth-url',
  'POST /api/sanctum/invitation',
  'POST /api/sanctum/accept-invitation',
  'POST /api/sanctum/forgot-password',
  'POST /api/sanctum/reset-password',
  'POST /api/sanctum/reset-password/show',
  // Each caller is a new account, which has no runs.
  'GET /api/bulk/runs/{id}',
  'GET /api/bulk/runs/{id}/blocked',
  'GET /api/bulk/runs/{id}/belongings',
  'GET /api/bulk/runs/{id}/rows',
  'POST /api/bulk/runs/{id}/start',
  'POST /api/bulk/runs/{id}/cancel',
  'POST /api/bulk/runs/{id}/undo',
  // They need a mail server and a view of the caller's own, and belong to the account that made them.
  'POST /api/schedules',
  'POST /api/schedules/{id}/send',
  'GET /api/schedules/{id}',
  'PUT /api/schedules/{id}',
  'DELETE /api/schedules/{id}',
  // They need a tile or a board of the caller's own.
  'PUT /api/boards/{id}',
  'DELETE /api/boards/{id}',
  'PUT /api/dashboard/tiles/{id}',
  'DELETE /api/dashboard/tiles/{id}',
  // No message has failed.
  'POST /api/channels/messages/{id}/resend',
  'DELETE /api/users/{id}/second-factors',
  'DELETE /api/users/{id}/invitation',
  'POST /api/audit/seal/acknowledge',
  'POST /api/dev',
];
/** Whether a call names a part of an entity by two ids, such as a session or a revision: random requests match them only by chance. */
const namesPart = (title: string): boolean => /\{.*\{/.test(title);

/** Hash of the password of the examples. */
const passwordHash = await testPasswords.hash('Str0ngPassw0rd');
/** The callers, created again for every call, because some calls end what the caller has. */
const callers = {
  'super admin': async () => (await signInAs(databases, { role: 'Super Admin', passwordHash, since: now })).headers,
  'restricted account': async (apps: readonly number[]) => (await signInAs(databases, { role: 'Admin', apps, since: now })).headers,
  stranger: async () => ({}),
} as const;

describe('conformance to the OpenAPI document', () => {
  it(
    '[API-003, API-085] every call answers as it is described, whatever it is asked and by whom',
    { timeout: 120_000 + conformance.rounds * 30_000 },
    async ({ onTestFinished }) => {
      await api.startJobs();
      onTestFinished(async () => {
        await api.stopJobs();
        await api.app.close();
        rmSync(folder, { recursive: true, force: true });
      });
      const { body: document } = await api.call('GET', '/api/openapi.json');
      const operations = readOperations(document);
      const validate = createAnswerValidator(document);
      const seenValues = createSeenValues();
      const apps = await fill();
      const server = await signInAsServer(databases);
      const outcome = { requests: 0, succeeded: new Set<string>(), statuses: new Map<number, number>(), failures: new Set<string>() };

      async function make(operation: Operation, caller: string, request: Request, credentials: Record<string, string>): Promise<void> {
        outcome.requests += 1;
        const answer = await send(request, credentials, outcome.requests);
        outcome.statuses.set(answer.status, (outcome.statuses.get(answer.status) ?? 0) + 1);
        if (answer.status < 300) outcome.succeeded.add(operation.title);
        if (operation.title === 'PUT /api/sign-in-rules') await demandNoFactor();
        if (answer.status < 300 && isJson(answer)) seenValues.take(JSON.parse(answer.text), operation.path);
        const fault = validate(operation, answer);
        if (fault !== null)
          outcome.failures.add(
            `${operation.title} by ${caller} ${fault}\n  ${request.url} ${JSON.stringify(request.headers)} ${request.body?.slice(0, 400) ?? ''}`,
          );
      }

      const first = await callers['super admin']();
      for (const operation of operations.filter(({ method, path }) => method === 'GET' && !path.includes('{') && !path.endsWith('/logout')))
        await make(operation, 'super admin', plain(operation.path), first);

      for (const [index, operation] of inOrder(operations).entries()) {
        const byServer = operation.security === 'trafficServer' ? { 'traffic server': async () => server.headers } : {};
        const seed = conformance.seed + index * 1000;
        for (const [caller, credentials] of Object.entries({ ...callers, ...byServer })) {
          const headers = await credentials([apps[0]?.id ?? 0]);
          await look(operations, operation, async (list) => make(list, caller, plain(list.path), headers));
          const numRuns = Math.ceil(conformance.rounds * (caller === 'stranger' ? 0.2 : operation.method === 'GET' ? 0.5 : 1));
          const requests = fc.sample(requestsFor(operation, seenValues), { numRuns, seed });
          for (const request of requests) await make(operation, caller, request, headers);
        }
        // Calls that no random request got accepted are made with valid input, so that each call succeeds at least once.
        const [caller, credentials] = Object.entries({ ...byServer, ...callers })[0] ?? ['', callers.stranger];
        const headers = await credentials([]);
        const isOwed = () => ![...outcome.succeeded, ...elsewhere].includes(operation.title) && !namesPart(operation.title);
        if (isOwed()) await look(operations, operation, async (list) => make(list, caller, plain(list.path), headers));
        for (let more = 1; more < 100 && isOwed(); more += 1) {
          const [request] = fc.sample(rightRequestsFor(operation, seenValues), { numRuns: 1, seed: seed + more });
          if (request) await make(operation, caller, request, headers);
        }
      }
      process.stdout.write(
        `${operations.length} calls described, ${outcome.succeeded.size} of them succeeded; ${outcome.requests} requests, ${outcome.failures.size} failures\n`,
      );
      expect([...outcome.failures]).toEqual([]);
      const owed = operations.map(({ title }) => title).filter((title) => !outcome.succeeded.has(title) && !namesPart(title));
      expect(new Set(owed)).toEqual(new Set(elsewhere));
    },
  );
});

/** Creating calls before reading ones. Deleting calls come last, and parts before the whole. */
function inOrder(operations: readonly Operation[]): Operation[] {
  const order = ['POST', 'GET', 'PUT', 'DELETE'];
  return operations.toSorted(
    (a, b) => order.indexOf(a.method) - order.indexOf(b.method) || (a.method === 'DELETE' ? b.path.length - a.path.length : 0),
  );
}

/** Reads the list before a call that names one of its items, so that the caller knows which ones exist. */
async function look(operations: readonly Operation[], { path }: Operation, make: (list: Operation) => Promise<void>): Promise<void> {
  const collection = path.slice(0, Math.max(0, path.indexOf('{') - 1));
  const list = operations.find((candidate) => candidate.method === 'GET' && candidate.path === collection);
  if (list) await make(list);
}

function plain(url: string): Request {
  return { method: 'GET', url, headers: {}, body: undefined };
}

/** Data that no call can create: logs, shared views, autonomous systems and a known password, and the entities that the examples name. */
async function fill() {
  const entry = JSON.stringify({ level: 'error', time: '2026-11-19T10:00:01.123Z', msg: 'Failed' });
  for (const dir of Object.values(folders)) {
    mkdirSync(dir);
    for (const day of ['2026-11-17', '2026-11-18', '2026-11-19']) writeFileSync(join(dir, `console-${day}.log`), `${entry}\n`.repeat(3));
  }
  await databases.db
    .insertInto('asns')
    .values([{ code: 13_335, name: 'CLOUDFLARENET', domain: 'cloudflare.com' }])
    .execute();
  const { accountId: ownerId } = await signInAs(databases, { role: 'Super Admin', email: 'olga@example.com', passwordHash });
  const sharedView = { list: 'requests', query: '', columns: '{"hidden":[],"widths":{}}', sharing: 'everyone' } as const;
  await databases.db
    .insertInto('saved_views')
    .values(['Errors', 'Germany', 'Today'].map((name) => ({ ...sharedView, owner_id: ownerId, name })))
    .execute();
  await databases.pools.ops.query(
    `insert into incidents (rule_id, rule_name, kind, severity, subject_id, affected, names, reason, is_silenced, started_at)
     select rule.id, rule.name, rule.kind, 'critical', n, 1, '{Disk}', 'It is full.', false, $1
     from generate_series(1, 20) as n, alert_rules as rule where rule.kind = 'log_disk'`,
    [now],
  );
  await databases.pools.ops.query(
    `insert into silences (note, starts_at, ends_at) select 'Move', $1::timestamptz, $1::timestamptz + interval '1 day' from generate_series(1, 20)`,
    [now],
  );
  await signInAs(databases, { role: 'Buyer', panel: 'buyer', email: 'ivan@example.com' });
  return [await createApp(databases, { bundle: 'com.acme.bet', domain: 'acme-bet.example' }), await createApp(databases)];
}

/** Undoes sign-in rules, which would close all other calls to the callers. */
async function demandNoFactor(): Promise<void> {
  await databases.db.updateTable('sign_in_rules').set({ all_staff_need_second_factor: false }).execute();
  await databases.db.updateTable('roles').set({ requires_second_factor: false }).execute();
}

async function send({ method, url, headers, body }: Request, credentials: Record<string, string>, count: number): Promise<Answer> {
  const answer = await api.app.inject({
    method,
    url,
    headers: { ...headers, ...credentials },
    ...(body === undefined ? {} : { payload: body }),
    // From many addresses, so that limits by address are met, but not always.
    remoteAddress: `127.1.${Math.floor(count / 40) % 250}.7`,
    payloadAsStream: true,
  });
  const { statusCode: status, headers: responseHeaders } = answer;
  const isEndless = String(responseHeaders['content-type']).startsWith('text/event-stream');
  const text = isEndless ? await firstPart(answer.stream()) : await textOf(answer.stream());
  if (isEndless) answer.raw.res.destroy();
  return { status, headers: responseHeaders, text };
}

function isJson({ headers }: Answer): boolean {
  return String(headers['content-type']).startsWith('application/json');
}

async function textOf(stream: Readable): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

async function firstPart(stream: Readable): Promise<string> {
  for await (const part of stream) return String(part);
  return '';
}
