import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import type { BenchContext } from './bench-context.ts';
import { deliver, manyBatches, rate, senders } from './deliver.ts';
import { newConversion, newPush, wireConversion, wirePush } from './delivery-rows.ts';
import { type Measure, ratioMeasure } from './report.ts';
import { median } from './sample.ts';
import { against, each, timeCalls, within } from './time-calls.ts';

const rounds = 100;
const batches = 20;
const turns = 3;

/** Lists of pushes and conversions of an app that has half of all: pages with their exact totals, sorted and filtered. */
export async function measureDeliveryLists({ admin, raw, busiestApp, repeat }: BenchContext): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const [name, table, arranged] of [
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
    const newest = `select * from ${table} where app_id = $1 order by id desc limit 50`;
    const arrangedCalls = Object.entries(arranged).map(([part, query]) => [`${name}_${part}`, () => list(query)] as const);
    measures.push(
      ...(await timeCalls(repeat(rounds), {
        [`${name}_first`]: [() => list(''), against('raw', 3)],
        [`${name}_middle`]: [() => list(`page=${Math.ceil(last / 2)}`), within(25)],
        [`${name}_last`]: [() => list(`page=${last}`), against(`${name}_first`, 2)],
        raw: [() => raw.query(newest, [busiestApp])],
      })),
      ...(await timeCalls(repeat(rounds / 5), each(Object.fromEntries(arrangedCalls), within(25)))),
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
