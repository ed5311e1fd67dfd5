import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import { fromDate } from '@switchyard/contract/dates';
import { bodyLimits, ingestLimits } from '@switchyard/contract/limits';
import type { BenchContext } from './bench-context.ts';
import { allApps } from './load-events.ts';
import { deliver } from './deliver.ts';
import { limitMeasure, type Measure, ratioMeasure, shownMeasure } from './report.ts';
import { median, sampleInTurn, throughput } from './sample.ts';
import { wireRow } from './traffic-rows.ts';

const connections = 10;
const seconds = 4;
const turns = 3;
const mebibyte = 2 ** 20;

/** So much of what Fastify and the driver reach without the product the list has to reach. */
const leastOfFloor = 0.85;

/**
 * The list at ten connections, in turns with ten loops of the raw driver (a prepared statement where there is such a thing) and, where
 * events are in PostgreSQL, with the same rows through Fastify alone. All of them share this machine's processors with the clients.
 */
export async function measureThroughput(context: BenchContext): Promise<Measure[]> {
  const { api, admin, events, engine, repeat, lasting } = context;
  const direct = () => (events.preparedQueries ?? events).newest();
  const bare = engine === null ? await context.startBare() : null;
  const rates: Record<'raw' | 'api' | 'floor', number[]> = { raw: [], api: [], floor: [] };
  for (let turn = 0; turn < repeat(turns); turn += 1) {
    await throughput(connections, lasting(1), direct);
    rates.raw.push(await throughput(connections, lasting(seconds), direct));
    if (bare !== null) rates.floor.push(await callsPerSecond(context, bare.url));
    rates.api.push(await callsPerSecond(context, `${api.url}/api/all-requests`, admin.token));
  }
  await bare?.stop();
  const [list, raw, floor] = [median(rates.api), median(rates.raw), median(rates.floor)];
  if (bare === null) return [ratioMeasure('list_throughput_10', list, 'req/s', { baseline: raw, atLeast: 0.5 })];
  return [
    ratioMeasure('list_throughput_10', list, 'req/s', { baseline: floor, atLeast: leastOfFloor }),
    ratioMeasure('list_throughput_10_against_driver', list, 'req/s', { baseline: raw }),
    ratioMeasure('fastify_throughput_10', floor, 'req/s', { baseline: raw }),
  ];
}

/** Calls per second that ten connections reach, after a warm-up. */
export async function callsPerSecond({ lasting }: BenchContext, url: string, token?: string): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await autocannon({ url, connections, headers, duration: lasting(1) });
  const result = await autocannon({ url, connections, headers, duration: lasting(seconds) });
  if (result.errors + result.timeouts + result.non2xx > 0) throw new Error('some of the list calls failed under load');
  return result.requests.total / result.duration;
}

/** Counters of every app, recomputed, against the same sums over the events themselves. */
export async function measureStatistics({ admin, events, targets, repeat }: BenchContext): Promise<Measure[]> {
  const { all, page } = await sampleInTurn(repeat(60), {
    all: () => admin.get('apps/statistics/total?status=all&isCache=0'),
    page: () => admin.get('apps?status=all&isCache=0'),
  });
  const { direct } = await sampleInTurn(repeat(3), { direct: () => events.countAll() });
  return [
    ratioMeasure(`statistics_${allApps}_apps_p50_against_events`, all.p50, 'ms', { baseline: direct.p50, atMost: 0.2 }),
    {
      ...limitMeasure(`statistics_${allApps}_apps_p50`, all.p50, 'ms', targets.statistics),
      baseline: direct.p50,
      ratio: all.p50 / direct.p50,
    },
    shownMeasure('apps_list_p50', page.p50, 'ms'),
  ];
}

/**
 * Memory of the console before anybody called it, and at most while it works on the largest calls, one at a time: the
 * longest list page, all counters, and a full batch of 5 MiB.
 */
export async function measureMemory({ api, admin, server, lasting }: BenchContext): Promise<Measure[]> {
  await wait(lasting(5) * 1000);
  const idle = (await api.memory()).now;
  await api.forgetPeak();
  const rows = ingestLimits.rowsPerCall;
  await admin.get('all-requests?limit=200');
  await admin.get('apps/statistics/total?status=all&isCache=0');
  await deliver(server, 'events', { body: fullBatch(rows), rows });
  const { peak } = await api.memory();
  return [limitMeasure('memory_idle', idle / mebibyte, 'MiB', 200), limitMeasure('memory_peak_one_call', peak / mebibyte, 'MiB', 256)];
}

/** As many rows as a call may have, in as many bytes as it may have. */
function fullBatch(rows: number): Buffer {
  const now = fromDate(new Date());
  const room = Math.floor(bodyLimits.ingest / rows) - JSON.stringify(wireRow(now)).length - 80;
  const events = Array.from({ length: rows }, (_, index) => ({ ...wireRow(now - index), additional_data: 'x'.repeat(room) }));
  return Buffer.from(JSON.stringify({ events }));
}
