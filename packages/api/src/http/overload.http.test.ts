import { defineEndpoint, publicAccess, sessionAccess, trafficServerAccess } from '@switchyard/contract/endpoint';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bearer, buildEndpointApi } from '../../test/endpoint-api.ts';
import { soon } from '../../test/soon.ts';
import { timeoutFactor } from '../../test/test-database.ts';
import type { ApiDependencies } from '../build-api.ts';
import { type Admission, createAdmission, scansWith } from './admission.ts';
import type { Authenticators } from './authenticate.ts';

const empty = { kind: 'empty' } as const;
const list = defineEndpoint({ number: 11, method: 'GET', path: 'list', summary: 'A list', access: sessionAccess, answer: empty });
const time = defineEndpoint({ number: 9, method: 'GET', path: 'time', summary: 'The time', access: sessionAccess, answer: empty });
const report = defineEndpoint({ number: 12, method: 'GET', path: 'report', summary: 'A report', access: sessionAccess, answer: empty });
const batch = defineEndpoint({
  number: 90,
  method: 'POST',
  path: 'batch',
  summary: 'A batch',
  access: trafficServerAccess,
  bodyForm: 'ingest',
  body: z.object({}),
  answer: empty,
});

const enter = defineEndpoint({ number: 1, method: 'POST', path: 'enter', summary: 'A sign-in', access: publicAccess, answer: empty });

const busy = [503, '2', { success: false, message: 'The server is busy, try again' }];

/** Tokens are `account-N` and `server-N`. */
function idOf(kind: string, token: string): number | null {
  const [name, id] = token.split('-');
  return name === kind ? Number(id) : null;
}

const authenticators: Authenticators = {
  async account(token) {
    const id = idOf('account', token);
    if (id === null) return null;
    const person = { id, name: 'Olga', email: 'olga@example.com', panel: 'user' as const, roles: [], badges: [], permissions: [] };
    return {
      kind: 'account',
      by: { kind: 'session', sessionId: id, authenticatedAt: new Date() },
      mustSetUpFactor: false,
      account: { ...person, hasAllApps: true, isSuperAdmin: false },
      scope: 'all',
    };
  },
  async trafficServer(token) {
    const id = idOf('server', token);
    return id === null ? null : { kind: 'traffic-server', serverId: id, serverName: 'edge' };
  },
  pollingServer: async () => null,
};

/** An API whose lists and batches end when the test says so. */
async function gatedApi(admission: Admission, changes: Partial<ApiDependencies> = {}) {
  const reports: (() => void)[] = [];
  const gates = { list: Promise.withResolvers<void>(), batch: Promise.withResolvers<void>() };
  const running = { list: [] as number[], batch: [] as number[], report: [] as number[] };
  const api = await buildEndpointApi(
    [list, time, batch, report],
    (bind) => {
      bind(list, async ({ caller }) => {
        running.list.push(caller.account.id);
        if (caller.account.id !== 2) await gates.list.promise;
      });
      const scan = async ({ caller }: { caller: { account: { id: number } } }) => {
        running.report.push(caller.account.id);
        await new Promise<void>((resolve) => reports.push(resolve));
      };
      bind(report, scan, { slots: scansWith('text') });
      bind(time, async () => undefined, { slots: 'none' });
      bind(batch, async ({ caller }) => {
        running.batch.push(caller.serverId);
        await gates.batch.promise;
      });
    },
    { admission, authenticators, ...changes },
  );
  const call = async (method: 'GET' | 'POST', path: string, token: string) => {
    const headers = { ...bearer(token), ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) };
    const answer = await api.inject({ method, url: `/api/${path}`, headers, ...(method === 'POST' ? { payload: '{}' } : {}) });
    return [answer.statusCode, answer.headers['retry-after'], answer.body === '' ? null : answer.json()];
  };
  const many = (count: number, make: () => ReturnType<typeof call>) => Array.from({ length: count }, make);
  return { gates, running, reports, call, many };
}

const servedStatuses = [204, undefined, null];

describe('calls that anybody may make', () => {
  it('[API-088] take slots by address: the flood of one waits or is rejected, and others are served', async () => {
    const gate = Promise.withResolvers<void>();
    const admission = createAdmission({ timeoutFactor });
    let runningCount = 0;
    const api = await buildEndpointApi(
      [enter],
      (bind) =>
        bind(enter, async ({ request }) => {
          runningCount += 1;
          if (request.ip !== '192.0.2.9') await gate.promise;
        }),
      { admission },
    );
    const send = async (remoteAddress: string) => (await api.inject({ method: 'POST', url: '/api/enter', remoteAddress })).statusCode;
    // One IPv6 customer has many addresses.
    const flood = Array.from({ length: 40 }, async (_, index) => send(`2001:db8::${index + 1}`));
    await expect.poll(() => admission.publicCalls.waiting(), soon).toBe(32);
    expect(runningCount).toBe(2);
    expect(await send('192.0.2.9')).toBe(204);
    gate.resolve();
    const statuses = await Promise.all(flood);
    expect([204, 503].map((status) => statuses.filter((one) => one === status).length)).toEqual([34, 6]);
  });
});

describe('overload', () => {
  it('[S46] [R4] a flood of one account leaves other accounts and short calls served, and its excess is rejected at once', async () => {
    const admission = createAdmission({ timeoutFactor });
    const { gates, running, call, many } = await gatedApi(admission);
    const flood = many(200, () => call('GET', 'list', 'account-1'));
    const rejections = flood.map(async (answer) => (await answer)[0] === 503);
    await expect.poll(() => admission.interactive.database.waiting(), soon).toBe(128);
    expect(running.list).toEqual([1, 1, 1]);
    // None of the account's calls has ended: what it may not do is to take every slot.
    expect(await call('GET', 'list', 'account-2')).toEqual(servedStatuses);
    expect(await call('GET', 'time', 'account-1')).toEqual(servedStatuses);
    expect(await call('GET', 'list', 'account-1')).toEqual(busy);
    gates.list.resolve();
    expect((await Promise.all(rejections)).filter(Boolean)).toHaveLength(200 - 3 - 128);
  });

  it('[IDN-123] scans of many accounts leave short calls their slots, run two at a time, and take turns by account', async () => {
    const admission = createAdmission({ timeoutFactor });
    const { running, reports, call, many } = await gatedApi(admission);
    const floods = [11, 12, 13, 14, 15, 16].map((id) => many(10, async () => call('GET', 'report?text=a', `account-${id}`)));
    await expect.poll(() => admission.interactive.scans.waiting(), soon).toBe(58);
    // Short calls still have four slots, and a flood has none of them.
    expect((await call('GET', 'list', 'account-2'))[0]).toBe(204);
    expect(admission.interactive.database.running()).toBe(0);
    for (let endedCount = 0; endedCount < 58; endedCount += 1) {
      reports.shift()?.();
      await expect.poll(() => running.report.length, soon).toBe(endedCount + 3);
      expect(admission.interactive.scans.running()).toBe(2);
    }
    for (const end of reports) end();
    for (const answers of floods) for (const answer of await Promise.all(answers)) expect(answer[0]).toBe(204);
    // Each account gets a turn in each round, in whichever order they came.
    for (let start = 0; start < 48; start += 1) expect(new Set(running.report.slice(start, start + 12)).size).toBe(6);
  });

  it('[IDN-123] a list is a scan only with a filter that no index answers', async () => {
    const admission = createAdmission({ timeoutFactor });
    const { running, reports, call } = await gatedApi(admission);
    const calls = ['report', 'report?text=', 'report?other=a', 'report?text=a'].map(async (path) => call('GET', path, 'account-1'));
    await expect.poll(() => running.report.length, soon).toBe(4);
    expect([admission.interactive.scans.running(), admission.interactive.database.running()]).toEqual([1, 3]);
    for (const end of reports) end();
    await Promise.all(calls);
  });

  it('[IDN-123] exports take slots of scans, but never the last one', async () => {
    const admission = createAdmission({ timeoutFactor });
    const [first, second] = [await admission.downloads.acquire(1), await admission.downloads.acquire(2)];
    const { scans, database } = admission.interactive;
    const scan = scans.tryAcquire(3);
    expect([scan === null, scans.tryAcquire(4)]).toEqual([false, null]);
    first();
    await expect.poll(() => admission.downloads.running(), soon).toBe(1);
    expect(scans.tryAcquire(4)).not.toBeNull();
    // Short calls use the rest of the connections.
    for (const caller of [5, 5, 6, 6]) expect(database.tryAcquire(caller)).not.toBeNull();
    expect(database.tryAcquire(7)).toBeNull();
    second();
  });

  it('[S46] [O41] a batch that waits too long is rejected before anything of it was read', async () => {
    const { gates, running, call, many } = await gatedApi(createAdmission({ timeoutFactor: 0.2 }));
    const first = many(4, () => call('POST', 'batch', 'server-1'));
    await expect.poll(() => running.batch.length, soon).toBe(4);
    const rejectedCalls = [...many(12, () => call('POST', 'batch', 'server-1')), call('POST', 'batch', 'server-2')];
    expect(await Promise.all(rejectedCalls)).toEqual(Array.from({ length: 13 }, () => busy));
    expect(running.batch).toEqual([1, 1, 1, 1]);
    gates.batch.resolve();
    expect(await Promise.all(first)).toEqual(Array.from({ length: 4 }, () => servedStatuses));
    expect(await call('POST', 'batch', 'server-2')).toEqual(servedStatuses);
  });

  it('[S46] servers with waiting batches take turns', async () => {
    const admission = createAdmission({ timeoutFactor });
    const { gates, running, call, many } = await gatedApi(admission);
    const flood = many(7, () => call('POST', 'batch', 'server-1'));
    await expect.poll(() => admission.ingestion.waiting(), soon).toBe(3);
    const other = call('POST', 'batch', 'server-2');
    await expect.poll(() => admission.ingestion.waiting(), soon).toBe(4);
    gates.batch.resolve();
    expect(await Promise.all([...flood, other])).toEqual(Array.from({ length: 8 }, () => servedStatuses));
    expect(running.batch).toEqual([1, 1, 1, 1, 1, 2, 1, 1]);
  });

  it('[S46] more batches are begun where the store takes those that wait as one group', async () => {
    const admission = createAdmission({ timeoutFactor, groupsBatches: true });
    const { gates, running, call, many } = await gatedApi(admission);
    const batches = [1, 2, 3].flatMap((server) => many(11, () => call('POST', 'batch', `server-${server}`)));
    await expect.poll(() => admission.ingestion.waiting(), soon).toBe(1);
    expect(running.batch).toHaveLength(32);
    gates.batch.resolve();
    expect(await Promise.all(batches)).toEqual(Array.from({ length: 33 }, () => servedStatuses));
  });

  it('[S46] only one batch at a time is begun while people wait', async () => {
    const admission = createAdmission({ timeoutFactor });
    const { gates, running, call, many } = await gatedApi(admission);
    const people = [...many(3, () => call('GET', 'list', 'account-1')), ...many(4, () => call('GET', 'list', 'account-3'))];
    await expect.poll(() => admission.interactive.database.waiting(), soon).toBe(1);
    const batches = [1, 2].map((server) => call('POST', 'batch', `server-${server}`));
    await expect.poll(() => admission.ingestion.waiting(), soon).toBe(1);
    expect(running.batch).toHaveLength(1);
    gates.list.resolve();
    gates.batch.resolve();
    expect(await Promise.all([...people, ...batches])).toEqual(Array.from({ length: 9 }, () => servedStatuses));
  });

  it('[O41] a call that waited too long gets an error about the database only if the database does not answer', async () => {
    let isReachable = true;
    const faults = {
      isDatabaseUnavailable: () => false,
      isPoolTimeout: () => false,
      isDatabaseReachable: async () => isReachable,
      isStorageFull: () => false,
      isStatementTimeout: () => false,
    };
    const { gates, call, many } = await gatedApi(createAdmission({ timeoutFactor: 0.01 }), { faults });
    const heldCalls = many(3, () => call('GET', 'list', 'account-1'));
    expect(await call('GET', 'list', 'account-1')).toEqual(busy);
    isReachable = false;
    expect(await call('GET', 'list', 'account-1')).toEqual([503, '2', { success: false, message: 'Database is unavailable, try again' }]);
    gates.list.resolve();
    expect(await Promise.all(heldCalls)).toEqual(Array.from({ length: 3 }, () => servedStatuses));
  });
});
