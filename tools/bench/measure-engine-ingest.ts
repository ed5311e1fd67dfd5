import { formatMicroseconds } from '@switchyard/contract/dates';
import { setTimeout as wait } from 'node:timers/promises';
import { type NewEvent, toListedText } from '@switchyard/traffic-store/event-fields';
import { flagsOf } from '@switchyard/traffic-store/event-flags';
import { signInAsServer } from '../../packages/api/test/sign-in-as.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { type BenchContext, engineOf } from './bench-context.ts';
import { sizeOfEvents } from './bench-engine.ts';
import { manyBatches, rate } from './deliver.ts';
import { leastMeasure, type Measure, ratioMeasure, shownMeasure } from './report.ts';
import { storedRow, wireRow } from './traffic-rows.ts';

/** Senders at once, how many batches they send together, and the rows a second they have to reach. */
const loads = [
  { senders: 4, batches: 240, least: 10_000 },
  { senders: 32, batches: 960, least: 15_000 },
] as const;
/** Number of batches in flight for a server, half of its limit. */
const sendersOfServer = 8;
const batchRows = 500;
/** After so long a sender tries again when the console was busy. */
const busyMilliseconds = 2000;
const rawRows = 20_000;
/** Interval at which a batch is sent again with half of the rows of another one. */
const resentEvery = 20;

type Row = ReturnType<typeof wireRow>;

/**
 * Rows a second through the ingestion call, each stored once although some are sent again in another batch, against bare inserts of
 * large blocks by the official client into a table of the same form. Fails when a row was lost or stored twice.
 */
export async function measureEngineIngest(context: BenchContext): Promise<Measure[]> {
  const { api, isQuick } = context;
  const rows = isQuick ? context.batchRows : batchRows;
  const bare = await bareRate(context, isQuick ? rows : rawRows);
  const measures: Measure[] = [];
  await api.forgetPeak();
  for (const { senders, batches, least } of loads) {
    const before = await sizeOfEvents(engineOf(context).raw);
    const fresh = manyBatches({ count: isQuick ? senders : batches, rows }, wireRow);
    const sentBatches = fresh.flatMap((batch, index) =>
      index % resentEvery === 0 ? [batch, overlapping(batch, fresh[index + 1])] : [batch],
    );
    const sums = { accepted: 0, refused: 0 };
    const servers = await Promise.all(Array.from({ length: Math.ceil(senders / sendersOfServer) }, async () => openServer(context)));
    let turn = 0;
    const send = async (batch: readonly Row[]): Promise<void> => {
      const server = servers[(turn += 1) % servers.length] ?? context.server;
      const body = Buffer.from(JSON.stringify({ events: batch }));
      let answer = await server.post('ingest/events', body);
      while (answer.status === 503) {
        sums.refused += 1;
        await wait(busyMilliseconds);
        answer = await server.post('ingest/events', body);
      }
      if (answer.status !== 200)
        throw new Error(`a batch was answered with ${answer.status}: ${JSON.stringify(answer.body).slice(0, 300)}`);
      sums.accepted += answer.body.data.accepted;
    };
    const reachedRate = await rate(rows, sentBatches, send, senders);
    servers.forEach((server) => server.close());
    const storedRows = (await sizeOfEvents(engineOf(context).raw)).rows - before.rows;
    const distinct = fresh.length * rows;
    if (storedRows !== distinct || sums.accepted !== distinct)
      throw new Error(`of ${distinct} rows ${storedRows} are stored and ${sums.accepted} were accepted`);
    measures.push(
      leastMeasure(`ingest_rows_${senders}_senders`, reachedRate, 'rows/s', least),
      shownMeasure(`ingest_busy_${senders}_senders`, sums.refused, 'batches'),
      ratioMeasure(`ingest_rows_${senders}_senders_against_bare`, reachedRate, 'rows/s', { baseline: bare, atLeast: 0.5 }),
    );
  }
  return [...measures, shownMeasure('memory_peak_ingest', (await api.memory()).peak / 2 ** 20, 'MiB')];
}

async function openServer({ api, databases }: BenchContext): Promise<ApiClient> {
  return createApiClient(api.url, (await signInAsServer(databases)).token);
}

/** Half of a batch and half of another. */
function overlapping(batch: readonly Row[], other: readonly Row[] = []): readonly Row[] {
  const half = Math.ceil(batch.length / 2);
  return [...batch.slice(0, half), ...other.slice(0, batch.length - half)];
}

/** Rows a second of bare inserts of this size from four connections. */
async function bareRate(context: BenchContext, rows: number): Promise<number> {
  const engine = engineOf(context).raw;
  await engine.command({ query: 'create table bare_events as events' });
  try {
    const batches = manyBatches({ count: 8, rows }, storedRow).map((events, batch) =>
      events.map((event, index) => bareRow(event, batch * rows + index)),
    );
    return await rate(rows, batches, async (values) =>
      engine.insert({
        table: 'bare_events',
        columns: bareColumns,
        values,
        format: 'JSONCompactEachRow',
        clickhouse_settings: { async_insert: 0 },
      }),
    );
  } finally {
    await engine.command({ query: 'drop table bare_events' });
  }
}

const bareColumns: [string, ...string[]] = [
  'id',
  'batch',
  'uuid',
  'app_id',
  'occurred_at',
  'type',
  'flags',
  'country',
  'stream_uid',
  'bot',
  'ip',
  'client_uid',
  'row',
];

function bareRow(event: NewEvent, id: number): unknown[] {
  const { uuid, app_id: appId, occurred_at: at, type, country, stream_uid: streamUid, bot, ip, client_uid: clientUid } = event;
  return [
    id,
    0,
    uuid,
    appId,
    formatMicroseconds(at),
    type,
    flagsOf(event),
    country,
    streamUid,
    bot,
    ip,
    clientUid,
    toListedText(event, id),
  ];
}
