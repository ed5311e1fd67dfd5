import { tileMessages } from '@switchyard/contract/dashboard';
import { messages } from '@switchyard/contract/envelope';
import { downloadReport, type Report } from '@switchyard/contract/reports';
import { readQuery } from '@switchyard/contract/listing';
import { describe, expect, it } from 'vitest';
import { EventStoreUnavailable } from '@switchyard/traffic-store/event-store-unavailable';
import { FieldErrors } from '../../errors.ts';
import { createLimiter } from '../../overload/limiter.ts';
import type { TileReport } from './tile-report.ts';
import { createTileResults } from './tile-results.ts';

const reportOf = (text: string): TileReport => ({ query: downloadReport.query.parse(readQuery(text)), limit: 5 });
const rollUps = (day: number) => reportOf(`groupBy=day&measure=requests&days=${day}`);
const events = (day: number) => reportOf(`groupBy=app,country&measure=requests&days=${day}`);
const answer: Report = {
  group_by: ['day'],
  columns: [],
  groups: [],
  total_groups: 0,
  totals: { current: {}, compared: null, few: [] },
  pivot: null,
  from: '',
  to: '',
  compared_from: null,
  compared_to: null,
  compared_until: null,
  complete_from: '',
  is_complete: true,
  compared_is_complete: null,
  source: 'roll-ups',
};

/** Results over a store in whose place the test answers. */
function setUp() {
  let now = Date.parse('2026-05-01T12:00:00Z');
  const calls: { days: number; scope: unknown; settle: PromiseWithResolvers<Report> }[] = [];
  const faults: unknown[] = [];
  const scans = createLimiter({ slots: 1 });
  const find = createTileResults({
    readReport: async ({ query, scope }) => {
      const settle = Promise.withResolvers<Report>();
      calls.push({ days: query.days, scope, settle });
      return settle.promise;
    },
    slots: { database: createLimiter({ slots: 6 }), scans },
    now: () => new Date(now),
    onFault: (fault) => faults.push(fault),
  });
  const ask = async (of: TileReport, accountId = 1, scope: 'all' | number[] = 'all') => find({ of, scope, accountId });
  const started = () => calls.map(({ days }) => days);
  return { ask, calls, faults, scans, started, wait: (milliseconds: number) => (now += milliseconds) };
}

describe('reports of tiles', () => {
  it('[DASH-005] counts reports of single events one at a time, and those of roll-ups beside them', async () => {
    const { ask, calls, scans, started } = setUp();
    const scan = await scans.acquire(2);
    const results = [events(1), events(2), rollUps(3), rollUps(4), rollUps(5)].map(async (of) => ask(of));
    await expect.poll(started).toEqual([3, 4]);
    scan();
    await expect.poll(started).toEqual([3, 4, 1]);
    calls[0]?.settle.resolve(answer);
    expect(await results[2]).toEqual({ state: 'ready', report: answer, message: null });
    await expect.poll(started).toEqual([3, 4, 1, 5]);
    calls[3]?.settle.resolve(answer);
    expect((await results[4])?.state).toBe('ready');
    expect(started()).toEqual([3, 4, 1, 5]);
    calls[2]?.settle.resolve(answer);
    await expect.poll(started).toEqual([3, 4, 1, 5, 2]);
  });

  it('[DASH-005] counts equal reports of the same apps once, keeps them for a moment and no longer', async () => {
    const { ask, calls, started, wait } = setUp();
    const first = [ask(rollUps(1), 1, [2, 1]), ask(rollUps(1), 2, [1, 2])];
    await expect.poll(started).toEqual([1]);
    calls[0]?.settle.resolve(answer);
    expect(await Promise.all(first)).toHaveLength(2);
    wait(10_000);
    await ask(rollUps(1), 3, [1, 2]);
    expect(started()).toEqual([1]);
    void ask(rollUps(1), 1, [1]);
    void ask(rollUps(1), 1, 'all');
    await expect.poll(() => calls.map(({ scope }) => scope)).toEqual([[2, 1], [1], 'all']);
    calls[1]?.settle.resolve(answer);
    wait(1);
    void ask(rollUps(1), 1, [1, 2]);
    await expect.poll(started).toEqual([1, 1, 1, 1]);
  });

  it('[DASH-005] keeps no report longer because the clock was set back', async () => {
    const { ask, calls, started, wait } = setUp();
    const first = ask(rollUps(1));
    await expect.poll(started).toEqual([1]);
    calls[0]?.settle.resolve(answer);
    await first;
    wait(-6 * 3_600_000);
    await ask(rollUps(1));
    expect(started()).toEqual([1]);
    wait(10_001);
    void ask(rollUps(1));
    await expect.poll(started).toEqual([1, 1]);
  });

  it('[DASH-006] says in words why a report failed, counts it again soon, and shows nothing of a defect', async () => {
    const { ask, calls, faults, wait } = setUp();
    const failures: [unknown, string][] = [
      [new FieldErrors({ groupBy: ['Too many groups.'] }), 'Too many groups.'],
      [new EventStoreUnavailable(new Error('10.0.0.7')), messages.eventStoreUnavailable],
      [Object.assign(new Error('canceling statement'), { code: '57014' }), tileMessages.tooSlow],
      [Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), messages.databaseUnavailable],
      [new Error('relation "secret" does not exist'), messages.somethingWrong],
    ];
    for (const [at, [error, message]] of failures.entries()) {
      const result = ask(rollUps(1));
      await expect.poll(() => calls.length).toBe(at + 1);
      calls[at]?.settle.reject(error);
      expect(await result).toEqual({ state: 'failed', report: null, message });
      wait(2_001);
    }
    expect(faults).toEqual([failures[3]?.[0], failures[4]?.[0]]);
  });
});
