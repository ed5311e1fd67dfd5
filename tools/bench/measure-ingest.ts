import { gzipSync } from 'node:zlib';
import { addEventsStatement, toRecords } from '@switchyard/traffic-store/postgres/write/add-events';
import type { BenchContext } from './bench-context.ts';
import { deliver, manyBatches, rate, senders } from './deliver.ts';
import { registryLoaded } from './measure-administration.ts';
import { type Measure, ratioMeasure, shownMeasure } from './report.ts';
import { median } from './sample.ts';
import { storedRow, wireRow } from './traffic-rows.ts';

const batches = 40;
const turns = 5;

/**
 * Rows a second through the ingestion call, acknowledged and committed, plain and as gzip, against the very same
 * statement by the raw driver with its JSON made before. Each sends batches of 1,000 rows over 4 connections; they
 * take turns.
 */
export async function measureIngest(context: BenchContext): Promise<Measure[]> {
  const { server, api, databases, raw, repeat, batchRows: rows } = context;
  // Its load takes processor time, and the system of each event is decided from it.
  await registryLoaded(raw);
  const rates: Record<'raw' | 'plain' | 'gzip', number[]> = { raw: [], plain: [], gzip: [] };
  const size = { count: Math.max(senders, repeat(batches)), rows };
  const send = async (body: Buffer, headers = {}) => deliver(server, 'events', { body, rows, headers });
  await api.forgetPeak();
  for (let turn = 0; turn < repeat(turns); turn += 1) {
    const records = manyBatches(size, storedRow).map(toRecords);
    const store = (json: string) =>
      databases.pools.ingest.query({ name: 'add-requests', text: addEventsStatement, values: [json, '+00:00'] });
    rates.raw.push(await rate(rows, records, store));
    const plain = manyBatches(size, wireRow).map(toBody);
    rates.plain.push(await rate(rows, plain, send));
    const gzip = manyBatches(size, wireRow).map((events) => gzipSync(toBody(events)));
    rates.gzip.push(await rate(rows, gzip, (body) => send(body, { 'content-encoding': 'gzip' })));
  }
  await requireExactCounts(context);
  const baseline = median(rates.raw);
  return [
    ratioMeasure('ingest_rows', median(rates.plain), 'rows/s', { baseline, atLeast: 0.5 }),
    ratioMeasure('ingest_rows_gzip', median(rates.gzip), 'rows/s', { baseline, atLeast: 0.5 }),
    shownMeasure('memory_peak_ingest', (await api.memory()).peak / 2 ** 20, 'MiB'),
  ];
}

function toBody(events: readonly unknown[]): Buffer {
  return Buffer.from(JSON.stringify({ events }));
}

/** A figure is worth nothing when rows were lost or counted twice on the way. */
async function requireExactCounts({ raw }: BenchContext): Promise<void> {
  const { rows } = await raw.query<{ stored: number; counted: number }>(
    'select (select count(*) from events) as stored, (select sum(requests)::bigint from traffic_days) as counted',
  );
  if (rows[0]?.stored !== rows[0]?.counted) throw new Error(`${rows[0]?.stored} events, but ${rows[0]?.counted} counted`);
}
