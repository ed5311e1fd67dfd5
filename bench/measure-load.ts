import autocannon from 'autocannon';
import { fromDate } from '@switchyard/contract/dates';
import { bodyLimits, ingestLimits } from '@switchyard/contract/limits';
import { insertRequests } from '../packages/api/src/traffic-store/postgres/add-requests.ts';
import type { BenchContext } from './bench-context.ts';
import { allApps } from './load-events.ts';
import { rawNewest } from './measure-lists.ts';
import { limitMeasure, type Measure, ratioMeasure, shownMeasure } from './report.ts';
import { percentile, sampleInTurn, throughput } from './sample.ts';
import { storedRow, wireRow } from './traffic-rows.ts';

const connections = 10;
const seconds = 8;

/** The list at ten connections against ten loops of the raw driver with a prepared statement. */
export async function measureThroughput({ api, admin, raw }: BenchContext): Promise<Measure[]> {
  const prepared = () => raw.query({ name: 'raw-newest', text: rawNewest });
  await throughput(connections, 1, prepared);
  const baseline = await throughput(connections, seconds, prepared);
  const headers = { authorization: `Bearer ${admin.token}` };
  const run = { url: `${api.url}/api/all-requests`, connections, headers };
  await autocannon({ ...run, duration: 1 });
  const result = await autocannon({ ...run, duration: seconds });
  if (result.errors + result.timeouts + result.non2xx > 0) throw new Error('some of the list calls failed under load');
  return [ratioMeasure('list_throughput_10', result.requests.total / result.duration, 'req/s', { baseline, atLeast: 0.5 })];
}

/** Counters of every app, recomputed. */
export async function measureStatistics({ admin }: BenchContext): Promise<Measure[]> {
  const { all, page } = await sampleInTurn(60, {
    all: () => admin.get('apps/statistics/total?status=all&isCache=0'),
    page: () => admin.get('apps?status=all&isCache=0'),
  });
  return [limitMeasure(`statistics_${allApps}_apps_p50`, all.p50, 'ms', 20), shownMeasure('apps_list_p50', page.p50, 'ms')];
}

/** Memory of the API process before anybody called it, and after the largest request there is: a full batch of 5 MiB. */
export async function measureMemory({ api, server }: BenchContext): Promise<Measure[]> {
  const idle = (await api.memory()) / 2 ** 20;
  const now = fromDate(new Date());
  const rows = ingestLimits.rowsPerCall;
  const room = Math.floor(bodyLimits.ingest / rows) - JSON.stringify(wireRow(now)).length - 80;
  const events = Array.from({ length: rows }, (_, index) => ({ ...wireRow(now - index), additional_data: 'x'.repeat(room) }));
  await deliver(server, Buffer.from(JSON.stringify({ events })), rows);
  return [
    limitMeasure('memory_idle', idle, 'MiB', 200),
    limitMeasure('memory_after_largest_request', (await api.memory()).peak / 2 ** 20, 'MiB', 256),
  ];
}

const batchRows = 1000;
const batches = 40;
const senders = 4;
const turns = 3;

/**
 * Rows a second through the ingestion call, acknowledged and committed, against the same insert with roll-ups by the
 * raw driver. Both send batches of 1,000 rows over 4 connections and take turns.
 */
export async function measureIngest({ raw, server, api, databases }: BenchContext): Promise<Measure[]> {
  const rates: { raw: number[]; http: number[] } = { raw: [], http: [] };
  for (let turn = 0; turn < turns; turn += 1) {
    const stored = manyBatches((at) => storedRow(at));
    rates.raw.push(await rate(stored, (rows) => insertRequests(databases.pools.ingest, rows, '+00:00')));
    const sent = manyBatches((at) => wireRow(at)).map((events) => Buffer.from(JSON.stringify({ events })));
    rates.http.push(await rate(sent, (body) => deliver(server, body, batchRows)));
  }
  const [value, baseline] = [percentile(rates.http, 0.5), percentile(rates.raw, 0.5)];
  const { rows } = await raw.query<{ stored: number; counted: number }>(
    'select (select count(*) from events) as stored, (select sum(requests)::bigint from traffic_days) as counted',
  );
  if (rows[0]?.stored !== rows[0]?.counted) throw new Error(`${rows[0]?.stored} events, but ${rows[0]?.counted} counted`);
  return [
    ratioMeasure('ingest_rows', value, 'rows/s', { baseline, atLeast: 0.5 }),
    shownMeasure('memory_after_load', (await api.memory()) / 2 ** 20, 'MiB'),
  ];
}

/** Rows of the last hour, as they arrive in life. */
function manyBatches<Row>(make: (at: number) => Row): Row[][] {
  const now = fromDate(new Date());
  return Array.from({ length: batches }, () => Array.from({ length: batchRows }, () => make(now - Math.floor(Math.random() * 3.6e9))));
}

async function rate<Batch>(all: readonly Batch[], send: (batch: Batch) => Promise<unknown>): Promise<number> {
  const waiting = [...all];
  const started = performance.now();
  const work = async () => {
    for (let batch = waiting.pop(); batch !== undefined; batch = waiting.pop()) await send(batch);
  };
  await Promise.all(Array.from({ length: senders }, work));
  return (all.length * batchRows) / ((performance.now() - started) / 1000);
}

async function deliver(server: BenchContext['server'], body: Buffer, rows: number): Promise<void> {
  const answer = await server.post('ingest/events', body);
  if (answer.status !== 200 || answer.body.data.accepted !== rows)
    throw new Error(`a batch was answered with ${answer.status}: ${JSON.stringify(answer.body).slice(0, 300)}`);
}
