import { once } from 'node:events';
import { IncomingMessage, request } from 'node:http';
import { anyPermission, defineEndpoint, publicAccess, trafficServerAccess, type Endpoint } from '@switchyard/contract/endpoint';
import { cursorForm } from '@switchyard/contract/envelope';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { listenForTest } from '../../test/listening-api.ts';
import { soon } from '../../test/soon.ts';
import { timeoutFactor } from '../../test/test-database.ts';
import { createAdmission } from './admission.ts';
import { z } from 'zod';
import { bearer, buildEndpointApi, callerWith, knownTokens } from '../../test/endpoint-api.ts';
import type { ApiDependencies } from '../build-api.ts';
import type { Bind } from './bind.ts';

const list = defineEndpoint({
  number: 1,
  method: 'GET',
  path: 'list',
  summary: 'List',
  access: publicAccess,
  answer: { kind: 'cursor', row: z.object({ id: z.int(), note: z.object({ text: z.string().nullable() }).nullable() }) },
});
const get = defineEndpoint({
  number: 2,
  method: 'GET',
  path: 'get',
  summary: 'Get',
  access: publicAccess,
  answer: {
    kind: 'data',
    status: 200,
    schema: z.object({
      id: z.int(),
      either: z.union([z.string(), z.object({ a: z.int() })]),
      any: z.unknown(),
      map: z.record(z.string(), z.unknown()),
    }),
  },
});
const deliver = defineEndpoint({
  number: 3,
  method: 'POST',
  path: 'deliver',
  summary: 'Deliver',
  access: trafficServerAccess,
  bodyForm: 'ingest',
  answer: { kind: 'empty' },
});

const bindList: (bind: Bind) => void = (bind) =>
  bind(list, async () => ({ rows: [], pagination: cursorForm({ count: 0, limit: 50, previous: null, next: null }) }));

describe('boot', () => {
  it('[API-086] fails when a call of the contract has no handler', async () => {
    await expect(buildEndpointApi([list, get], bindList)).rejects.toThrow('Calls without a handler: [2] GET get');
  });

  it('[API-086] fails when a call is bound twice', async () => {
    const twice = buildEndpointApi([list], (bind) => {
      bindList(bind);
      bindList(bind);
    });
    await expect(twice).rejects.toThrow('[1] GET list is bound twice');
  });

  it('[API-086] fails when a call states no access', async () => {
    const { access: _access, ...rest } = list;
    const open: unknown = rest;
    const isEndpoint = (value: unknown): value is Endpoint => value === open;
    if (!isEndpoint(open)) throw new Error('never');
    await expect(buildEndpointApi([open], (bind) => bind(open, async () => undefined))).rejects.toThrow('[1] GET list states no access');
  });

  it('[API-086] fails when a call is bound that the contract does not list', async () => {
    await expect(buildEndpointApi([], bindList)).rejects.toThrow("[1] GET list is not in the list of the contract's calls");
  });
});

async function answerOf(result: unknown, changes: Partial<ApiDependencies> = {}) {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
  const api = await buildEndpointApi([get], (bind) => bind(get, async () => JSON.parse(JSON.stringify(result))), { logger, ...changes });
  const answer = await api.inject({ url: '/api/get' });
  return { status: answer.statusCode, body: answer.json(), lines };
}

describe('answers are checked against the contract (S16)', () => {
  const good = { id: 1, either: { a: 1 }, any: { deep: [1] }, map: { k: { password: 1 } } };

  it('[API-003] what fits passes unchanged, in and outside production', async () => {
    for (const isProduction of [true, false]) {
      const { status, body, lines } = await answerOf(good, { isProduction });
      expect([status, body, lines]).toEqual([200, { success: true, data: good }, []]);
    }
  });

  it('[API-003] an undeclared key fails the call outside production and is dropped in production', async () => {
    const leaking = { ...good, password_hash: 'x', either: { a: 1, token: 'x' } };
    const loud = await answerOf(leaking);
    expect([loud.status, loud.body.message]).toEqual([500, 'Something went wrong']);
    expect(loud.lines.join('')).toContain('either.token is not declared');
    expect(loud.lines.join('')).toContain('password_hash is not declared');
    const quiet = await answerOf(leaking, { isProduction: true });
    expect([quiet.status, quiet.body]).toEqual([200, { success: true, data: good }]);
  });

  it('[API-003] a wrong type fails the call outside production; in production it is logged and unknown keys are still dropped', async () => {
    const wrong = { ...good, id: 'one', password_hash: 'x' };
    expect((await answerOf(wrong)).status).toBe(500);
    const quiet = await answerOf(wrong, { isProduction: true });
    expect([quiet.status, quiet.body]).toEqual([200, { success: true, data: { ...good, id: 'one' } }]);
    expect(quiet.lines.join('')).toContain('Response: does not match the contract');
    expect(quiet.lines.join('')).not.toContain('"one"');
  });

  it('[API-003] rows of a list are checked like everything else', async () => {
    const pagination = cursorForm({ count: 1, limit: 50, previous: null, next: 'x' });
    const api = await buildEndpointApi([list], (bind) =>
      bind(list, async () => ({
        rows: [
          { id: 1, note: { text: null } },
          { id: 2, note: null },
        ],
        pagination,
      })),
    );
    expect((await api.inject({ url: '/api/list' })).json()).toEqual({
      success: true,
      data: [
        { id: 1, note: { text: null } },
        { id: 2, note: null },
      ],
      pagination,
    });
    const leaking = { id: 1, note: { text: null, secret: 1 } };
    const strict = await buildEndpointApi([list], (bind) => bind(list, async () => ({ rows: [leaking], pagination })));
    expect((await strict.inject({ url: '/api/list' })).statusCode).toBe(500);
    const lenient = await buildEndpointApi([list], (bind) => bind(list, async () => ({ rows: [leaking], pagination })), {
      isProduction: true,
    });
    expect((await lenient.inject({ url: '/api/list' })).json().data).toEqual([{ id: 1, note: { text: null } }]);
  });
});

const save = defineEndpoint({
  number: 4,
  method: 'PUT',
  path: 'save',
  summary: 'Save',
  access: anyPermission('manager_app_edit'),
  recentSignIn: null,
  body: z.strictObject({ name: z.string() }),
  answer: { kind: 'empty' },
});

it.each([0, 60_000])('[IDN-136] asks again who the caller is if a call was not carried out within %i ms', async (knownMilliseconds) => {
  let lookups = 0;
  let saved = 0;
  let permissions = ['manager_app_edit'];
  const api = await buildEndpointApi([save], (bind) => bind(save, async () => void (saved += 1)), {
    knownMilliseconds,
    authenticators: {
      async account() {
        lookups += 1;
        return permissions.length === 0 ? null : callerWith(permissions);
      },
      trafficServer: async () => null,
      pollingServer: async () => null,
    },
  });
  const url = `${await listenForTest(api)}/api/save`;
  const text = JSON.stringify({ name: 'x'.repeat(100) });
  const begin = async () => {
    const headers = { ...bearer(knownTokens.account), 'content-type': 'application/json', 'content-length': String(text.length) };
    const call = request(url, { method: 'PUT', headers, agent: false });
    const before = lookups;
    call.write(text.slice(0, -1));
    await expect.poll(() => lookups, soon).toBe(before + 1);
    return async () => {
      call.end(text.slice(-1));
      const answers: unknown[] = await once(call, 'response');
      const [answer] = answers;
      if (!(answer instanceof IncomingMessage)) throw new Error('there was no answer');
      answer.resume();
      return answer.statusCode;
    };
  };
  const finish = [await begin(), await begin(), await begin()];
  const isKnown = knownMilliseconds > 0;
  expect(await finish[0]?.()).toBe(204);
  permissions = ['manager_app_create'];
  expect(await finish[1]?.()).toBe(isKnown ? 204 : 403);
  permissions = [];
  expect(await finish[2]?.()).toBe(isKnown ? 204 : 401);
  expect([saved, lookups]).toEqual(isKnown ? [3, 3] : [1, 6]);
});

describe('ingestion in flight (api 0.15)', () => {
  it('[API-085] a server has at most 16 concurrent requests; the next one gets a Retry-After header', async () => {
    const gate = Promise.withResolvers<void>();
    const admission = createAdmission({ timeoutFactor });
    const api = await buildEndpointApi([deliver], (bind) => bind(deliver, async () => gate.promise), { admission });
    const send = () => api.inject({ method: 'POST', url: '/api/deliver', headers: bearer(knownTokens.server) });
    const first = Array.from({ length: 16 }, send);
    await expect.poll(() => admission.ingestion.running() + admission.ingestion.waiting(), soon).toBe(16);
    const refusal = await send();
    expect([refusal.statusCode, refusal.headers['retry-after'], refusal.json().message]).toEqual([
      429,
      '1',
      'Too many attempts. Try again later',
    ]);
    gate.resolve();
    expect((await Promise.all(first)).map((answer) => answer.statusCode)).toEqual(Array(16).fill(204));
    expect((await send()).statusCode).toBe(204);
  });

  it('[API-085] a request whose sender left while its token was checked holds no place', async () => {
    const gate = Promise.withResolvers<void>();
    let callCount = 0;
    const server = { kind: 'traffic-server' as const, serverId: 3, serverName: 'edge' };
    const api = await buildEndpointApi([deliver], (bind) => bind(deliver, async () => undefined), {
      authenticators: {
        account: async () => null,
        async trafficServer() {
          callCount += 1;
          await gate.promise;
          return server;
        },
        pollingServer: async () => null,
      },
    });
    const url = `${await listenForTest(api)}/api/deliver`;
    const leaving = new AbortController();
    const headers = bearer(knownTokens.server);
    const calls = Array.from({ length: 16 }, () => fetch(url, { method: 'POST', headers, signal: leaving.signal }));
    await expect.poll(() => callCount, soon).toBe(16);
    leaving.abort();
    await Promise.allSettled(calls);
    const connections = async () => new Promise<number>((resolve) => api.server.getConnections((_error, count) => resolve(count)));
    await expect.poll(connections, soon).toBe(0);
    gate.resolve();
    const send = async () => (await api.inject({ method: 'POST', url: '/api/deliver', headers })).statusCode;
    await expect.poll(send, soon).toBe(204);
  });
});
