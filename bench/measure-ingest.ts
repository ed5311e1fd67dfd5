import { gzipSync } from 'node:zlib';
import { fromDate } from '@switchyard/contract/dates';
import { addRequestsStatement, toRecords } from '../packages/api/src/traffic-store/postgres/add-requests.ts';
import type { BenchContext } from './bench-context.ts';
import { type Measure, ratioMeasure, shownMeasure } from './report.ts';
import { percentile } from './sample.ts';
import { storedRow, wireRow } from './traffic-rows.ts';

const batchRows = 1000;
const batches = 40;
const senders = 4;
const turns = 5;

/**
 * Rows a second through the ingestion call, acknowledged and committed, plain and as gzip, against the very same
 * statement by the raw driver with its JSON made before. Each sends batches of 1,000 rows over 4 connections; they
 * take turns.
 */
export async function measureIngest(context: BenchContext): Promise<Measure[]> {
  const { server, api, databases, repeat } = context;
  const rates: Record<'raw' | 'plain' | 'gzip', number[]> = { raw: [], plain: [], gzip: [] };
  const count = Math.max(senders, repeat(batches));
  await api.forgetPeak();
  for (let turn = 0; turn < repeat(turns); turn += 1) {
    const records = manyBatches(count, storedRow).map(toRecords);
    const store = (json: string) =>
      databases.pools.ingest.query({ name: 'add-requests', text: addRequestsStatement, values: [json, '+00:00'] });
    rates.raw.push(await rate(records, store));
    const plain = manyBatches(count, wireRow).map(toBody);
    rates.plain.push(await rate(plain, (body) => deliver(server, body, batchRows)));
    const gzip = manyBatches(count, wireRow).map((events) => gzipSync(toBody(events)));
    rates.gzip.push(await rate(gzip, (body) => deliver(server, body, batchRows, { 'content-encoding': 'gzip' })));
  }
  await requireExactCounts(context);
  const baseline = percentile(rates.raw, 0.5);
  return [
    ratioMeasure('ingest_rows', percentile(rates.plain, 0.5), 'rows/s', { baseline, atLeast: 0.5 }),
    ratioMeasure('ingest_rows_gzip', percentile(rates.gzip, 0.5), 'rows/s', { baseline, atLeast: 0.5 }),
    shownMeasure('memory_peak_ingest', (await api.memory()).peak / 2 ** 20, 'MiB'),
  ];
}

/** Delivers a batch, of which every row has to be taken. */
export async function deliver(
  server: BenchContext['server'],
  body: Buffer,
  rows: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answer = await server.post('ingest/events', body, { 'content-type': 'application/json', ...headers });
  if (answer.status !== 200 || answer.body.data.accepted !== rows)
    throw new Error(`a batch was answered with ${answer.status}: ${JSON.stringify(answer.body).slice(0, 300)}`);
}

function toBody(events: readonly unknown[]): Buffer {
  return Buffer.from(JSON.stringify({ events }));
}

/** Rows of the last hour, as they arrive in life. */
function manyBatches<Row>(count: number, make: (at: number) => Row): Row[][] {
  const now = fromDate(new Date());
  return Array.from({ length: count }, () => Array.from({ length: batchRows }, () => make(now - Math.floor(Math.random() * 3.6e9))));
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

/** A figure is worth nothing when rows were lost or counted twice on the way. */
async function requireExactCounts({ raw }: BenchContext): Promise<void> {
  const { rows } = await raw.query<{ stored: number; counted: number }>(
    'select (select count(*) from events) as stored, (select sum(requests)::bigint from traffic_days) as counted',
  );
  if (rows[0]?.stored !== rows[0]?.counted) throw new Error(`${rows[0]?.stored} events, but ${rows[0]?.counted} counted`);
}
