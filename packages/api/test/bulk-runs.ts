import type { BulkChange, BulkRow, BulkRun } from '@switchyard/contract/bulk';
import { expect } from 'vitest';
import type { Databases } from '../src/database/connect.ts';
import { buildTestApi, type TestApi } from './build-test-api.ts';
import { soon } from './soon.ts';

type Caller = { headers: { authorization: string } };
type Target = { keys: (number | string)[] } | { filter?: string; all?: true; except?: (number | string)[] };

/** How jobs are done in tests of bulk runs. */
export const bulkTimings = { pollSeconds: 0.5, expireSeconds: 30, superviseSeconds: 1 };

/** Starts a console that does its jobs. */
export async function startBulkConsole(databases: Databases, env: Readonly<Record<string, string>> = {}): Promise<TestApi> {
  const console = await buildTestApi({ databases, env, background: { timings: bulkTimings } });
  await console.startJobs();
  return console;
}

/** Leaves the jobs of a console under way to others, and closes it. */
export async function stopBulkConsole(console: TestApi): Promise<void> {
  await console.stopJobs();
  await console.app.close();
}

/** Calls on bulk runs of a console that does its jobs. */
export function bulkRuns(api: () => TestApi) {
  const get = async (id: number, caller: Caller): Promise<BulkRun> => (await api().call('GET', `/api/bulk/runs/${id}`, caller)).body.data;
  const becomes = async (id: number, caller: Caller, ...states: BulkRun['state'][]): Promise<BulkRun> => {
    await expect.poll(async () => (await get(id, caller)).state, soon).toBeOneOf(states);
    return get(id, caller);
  };
  const post = async (path: string, caller: Caller, body: object = {}) => api().call('POST', `/api/bulk/runs${path}`, { ...caller, body });
  const rows = async (id: number, caller: Caller, query = ''): Promise<BulkRow[]> =>
    (await api().call('GET', `/api/bulk/runs/${id}/rows?limit=200&${query}`, caller)).body.data;

  /** Checks a change; gives the run when it is ready. */
  async function check(caller: Caller, change: BulkChange, target: Target): Promise<BulkRun> {
    const answer = await post('', caller, { change, target });
    expect([answer.status, answer.body.message]).toEqual([201, undefined]);
    return becomes(answer.body.data.id, caller, 'ready');
  }
  async function start(caller: Caller, id: number): Promise<BulkRun> {
    const answer = await post(`/${id}/start`, caller);
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    return becomes(id, caller, 'done', 'stopped');
  }
  return {
    get,
    becomes,
    post,
    rows,
    check,
    start,
    run: async (caller: Caller, change: BulkChange, target: Target) => start(caller, (await check(caller, change, target)).id),
    async undo(caller: Caller, id: number): Promise<BulkRun> {
      const answer = await post(`/${id}/undo`, caller);
      expect(answer.status).toBe(201);
      const undo = await becomes(answer.body.data.id, caller, 'ready');
      return start(caller, undo.id);
    },
  };
}
