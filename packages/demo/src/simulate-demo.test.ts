import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startFakeIngestion, type FakeIngestion } from '../test/fake-ingestion.ts';
import type { DemoInstallation } from './demo-files.ts';
import { demoStreams } from './demo-streams.ts';
import { demoTraffic } from './simulator-clients.ts';
import { BatchRejected } from './send-batch.ts';
import { simulateDemo } from './simulate-demo.ts';
import { createHistory, hoursOf, planHistory } from './simulator-history.ts';

const installation: DemoInstallation = {
  seed: 'test',
  until: Date.UTC(2026, 10, 20, 10, 30) * 1000,
  days: 1,
  events: 600,
  utcOffset: '+00:00',
  servers: [
    { name: 'edge-fra-1', token: 'first' },
    { name: 'edge-ams-1', token: 'second' },
  ],
};

/** Ids of the whole past, as it is planned. */
function plannedIds(): Set<string> {
  const plan = planHistory(installation);
  const history = createHistory(plan, demoTraffic());
  return new Set(hoursOf(plan).flatMap((hour) => history.rowsOfHour(hour).map((row) => row.id)));
}

describe('the simulator of the demo', () => {
  let api: FakeIngestion;
  beforeEach(async () => {
    api = await startFakeIngestion();
  });
  afterEach(async () => api.stop());

  /** Runs the simulator until it says that the past is complete, or until it is stopped. */
  async function run(stopping = new AbortController(), hours = { done: 0 }, shares: number[] = []): Promise<string[]> {
    const lines: string[] = [];
    const say = (line: string) => {
      lines.push(line);
      if (line.includes('complete')) stopping.abort();
    };
    const files = {
      readHoursDone: async () => hours.done,
      writeHoursDone: async (_: string, hoursDone: number) => {
        hours.done = hoursDone;
      },
    };
    await simulateDemo({
      installation,
      files,
      url: api.url,
      registry: [],
      signal: stopping.signal,
      say,
      onPast: (share) => shares.push(share),
    }).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
    return lines;
  }

  it('[AMB-153] hands in the planned past, row by row', async () => {
    const lines = await run();
    const plannedIdSet = plannedIds();
    expect([...plannedIdSet].filter((id) => !api.ids.has(id))).toEqual([]);
    expect(lines.at(-1)).toContain(`${plannedIdSet.size} events handed in, 0 were there already, 0 refused`);
  });

  it('[AMB-153] reports the posted share of the past, from where an earlier start stopped, and only once', async () => {
    const hours = { done: 0 };
    const first = new AbortController();
    const shares: number[] = [];
    api.whenBatchArrives((count) => {
      if (count === 9) first.abort();
    });
    await run(first, hours, shares);
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBeLessThan(1);
    const resumedHours: number[] = [];
    await run(new AbortController(), hours, resumedHours);
    expect(resumedHours[0]).toBe(shares.at(-1));
    expect(resumedHours.at(-1)).toBe(1);
    expect(resumedHours).toEqual(resumedHours.toSorted((one, other) => one - other));
  });

  it('hands in the streams before anything of theirs, and pushes and conversions beside the events', async () => {
    const rates: (number | undefined)[] = [];
    api.whenBatchArrives(() => rates.push(api.rowsOfKind.get('streams')));
    const lines = await run();
    expect(new Set(rates)).toEqual(new Set([demoStreams.length]));
    expect(api.rowsOfKind.get('pushes')).toBeGreaterThan(20);
    expect(api.rowsOfKind.get('conversions')).toBeGreaterThan(20);
    expect(lines.at(-1)).toMatch(/beside them \d+ pushes and \d+ conversions/);
  });

  it('goes on where an interrupted start stopped, and doubles nothing', async () => {
    const began = Date.now();
    const hours = { done: 0 };
    const first = new AbortController();
    api.whenBatchArrives((count) => {
      if (count === 9) first.abort();
    });
    await run(first, hours);
    expect(hours.done).toBeGreaterThan(0);
    expect(hours.done).toBeLessThan(hoursOf(planHistory(installation)).length);
    const lines = await run(new AbortController(), hours);
    expect(lines[0]).toContain('from where it stopped');
    const plannedIdSet = plannedIds();
    expect([...plannedIdSet].filter((id) => !api.ids.has(id))).toEqual([]);
    // All else is live traffic: none of the past under another id.
    const others = api.events.filter(({ id = '' }) => !plannedIdSet.has(id));
    expect(others.filter(({ date }) => new Date(date).getTime() < began)).toEqual([]);
  });

  it('keeps banned systems and black-listed addresses out of its live traffic as soon as it reads them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'simulator-'));
    onTestFinished(async () => rm(folder, { recursive: true }));
    const registry = [join(folder, 'all.csv')];
    await writeFile(
      join(folder, 'all.csv'),
      '0.0.0.0,255.255.255.255,7,Everybody\n::,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,7,Everybody\n',
    );
    const stopping = new AbortController();
    const files = { readHoursDone: async () => Number.MAX_SAFE_INTEGER, writeHoursDone: async () => undefined };
    const options = { installation, files, url: api.url, signal: stopping.signal, say: () => undefined, liveRate: 60, registry };
    const simulation = simulateDemo(options).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
    onTestFinished(async () => {
      stopping.abort();
      await simulation;
    });
    const types = (rows: FakeIngestion['events']) => new Set(rows.map(({ type }) => type));
    await expect.poll(() => types(api.events).has('create') && types(api.events).has('receive')).toBe(true);

    const blackList = [...new Set(api.events.map(({ ip }) => ip))];
    api.tellEdge({ server: { id: 1, name: 'edge-fra-1' }, apps: [], black_list: blackList, asns: { create: [7], receive: [] } });
    const after = () => api.events.slice(api.toldFrom() ?? Number.POSITIVE_INFINITY);
    await expect.poll(() => types(after()).has('receive')).toBe(true);
    expect(types(after())).not.toContain('create');
    expect(after().filter(({ ip }) => blackList.includes(ip))).toEqual([]);
  });

  it('goes on without a traffic server whose token no longer counts, and ends when none is left', async () => {
    api.refusedTokens.add('second');
    const lines = await run();
    expect(lines.filter((line) => line.includes('edge-ams-1 no longer counts'))).toHaveLength(1);
    expect(lines.at(-1)).toContain('complete');
    api.refusedTokens.add('first');
    await expect(run()).rejects.toThrow(BatchRejected);
  });
});
