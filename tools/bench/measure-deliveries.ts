import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import type { BenchContext } from './bench-context.ts';
import { deliver, manyBatches, rate, senders } from './deliver.ts';
import { newConversion, newPush, wireConversion, wirePush } from './delivery-rows.ts';
import { limitMeasure, type Measure, ratioMeasure } from './report.ts';
import { median, sampleInTurn } from './sample.ts';

const rounds = 100;
const batches = 20;
const turns = 3;

/** Lists of pushes and conversions of an app that has half of all: pages with their exact totals, sorted and filtered. */
export async function measureDeliveryLists({ admin, raw, busiestApp, repeat }: BenchContext): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const [name, table, further] of [
    [
      'push',
      'pushes',
      { sort_status: 'orderBy=keyStatus&orderDirection=asc', filter_text: 'pushId=p-77', filter_campaign: 'pushCampaignUid=pc-7' },
    ],
    [
      'conversion',
      'conversions',
      { sort_client: 'orderBy=keyClient&orderDirection=asc', filter_text: 'clientUid=c-7', filter_status: 'status=error&isSend=1' },
    ],
  ] as const) {
    const list = (query: string) => admin.get(`apps/${busiestApp}/${table}?limit=50&${query}`);
    const last = Math.max(1, Math.ceil(((await list('')).body.pagination.total ?? 0) / 50));
    const text = `select * from ${table} where app_id = $1 order by id desc limit 50`;
    const samples = await sampleInTurn(repeat(rounds), {
      first: () => list(''),
      middle: () => list(`page=${Math.ceil(last / 2)}`),
      last: () => list(`page=${last}`),
      raw: () => raw.query(text, [busiestApp]),
    });
    const parts = Object.entries(further).map(([part, query]) => [part, () => list(query)] as const);
    const filteredDurations = await sampleInTurn(repeat(rounds / 5), Object.fromEntries(parts));
    measures.push(
      ratioMeasure(`${name}_first_p50`, samples.first.p50, 'ms', { baseline: samples.raw.p50, atMost: 3 }),
      limitMeasure(`${name}_middle_p50`, samples.middle.p50, 'ms', 25),
      ratioMeasure(`${name}_last_p50`, samples.last.p50, 'ms', { baseline: samples.first.p50, atMost: 2 }),
      ...Object.entries(filteredDurations).map(([part, durations]) => limitMeasure(`${name}_${part}_p50`, durations.p50, 'ms', 25)),
    );
  }
  return measures;
}

/**
 * Pushes and conversions a second through their ingestion calls, against the store's own transaction for the same rows: the
 * difference is HTTP, reading and validation. Batches of 1,000 rows over 4 connections; they take turns.
 */
export async function measureDeliveryIngest({ server, databases, repeat, batchRows: rows }: BenchContext): Promise<Measure[]> {
  const store = createTrafficStore({ pools: databases.pools, serverOffset: '+00:00', retentionDays: 90 }).deliveries;
  const size = { count: Math.max(senders, repeat(batches)), rows };
  const rates: Record<'push' | 'storedPush' | 'conversion' | 'storedConversion', number[]> = {
    push: [],
    storedPush: [],
    conversion: [],
    storedConversion: [],
  };
  for (let turn = 0; turn < repeat(turns); turn += 1) {
    rates.storedPush.push(await rate(rows, manyBatches(size, newPush), (batch) => store.insertPushes(batch)));
    const pushes = manyBatches(size, wirePush).map((batch) => Buffer.from(JSON.stringify({ pushes: batch })));
    rates.push.push(await rate(rows, pushes, (body) => deliver(server, 'pushes', { body, rows })));
    rates.storedConversion.push(await rate(rows, manyBatches(size, newConversion), (batch) => store.insertConversions(batch)));
    const conversions = manyBatches(size, wireConversion).map((batch) => Buffer.from(JSON.stringify({ conversions: batch })));
    rates.conversion.push(await rate(rows, conversions, (body) => deliver(server, 'conversions', { body, rows })));
  }
  return [
    ratioMeasure('ingest_pushes', median(rates.push), 'rows/s', { baseline: median(rates.storedPush), atLeast: 0.5 }),
    ratioMeasure('ingest_conversions', median(rates.conversion), 'rows/s', { baseline: median(rates.storedConversion), atLeast: 0.5 }),
  ];
}
