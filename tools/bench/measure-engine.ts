import { sizeOfEvents } from './bench-engine.ts';
import { type BenchContext, engineOf } from './bench-context.ts';
import { askEngine } from './raw-events.ts';
import { limitMeasure, type Measure, ratioMeasure } from './report.ts';
import { sampleInTurn } from './sample.ts';

const rounds = 60;
const noClient = 'c-nobody';

/** Bytes on disk, and what ClickHouse answers from its projections against the same from the events. */
export async function measureEngine(context: BenchContext): Promise<Measure[]> {
  const { admin, events, busiestApp, repeat } = context;
  const engine = engineOf(context).raw;
  const { rows, bytes } = await sizeOfEvents(engine);
  const clients = await events.someClients();
  const clientAt = (round: number) => clients[round % clients.length]?.client_uid ?? '';
  const durations = await sampleInTurn(repeat(rounds), {
    client: (round) => admin.get(`all-requests?clientId=${clientAt(round)}`),
    rawClient: (round) =>
      askEngine(engine, newestOfClient, { client: clientAt(round) }, { preferred_optimize_projection_name: 'of_client' }),
    none: () => admin.get(`all-requests?clientId=${noClient}`),
    filters: () => admin.get(`apps/${busiestApp}/postbacks/filters`),
  });
  const scans = await sampleInTurn(repeat(rounds / 20), {
    none: () => askEngine(engine, 'select count() from events where client_uid = {client:String}', { client: noClient }),
    filters: () => askEngine(engine, 'select distinct country, stream_uid from events where app_id = {app:Int32}', { app: busiestApp }),
  });
  return [
    limitMeasure('disk_per_million', (bytes / rows) * 1e-3, 'GB', 0.3),
    ratioMeasure('client_found_p50', durations.client.p50, 'ms', { baseline: durations.rawClient.p50, atMost: 1.5 }),
    ratioMeasure('client_not_found_p50', durations.none.p50, 'ms', { baseline: scans.none.p50, atMost: 0.1 }),
    ratioMeasure('filter_values_p50_against_events', durations.filters.p50, 'ms', { baseline: scans.filters.p50, atMost: 0.6 }),
  ];
}

/** By the index of clients, and then the events by their key, in one statement. */
const newestOfClient = `
select row from events where (toStartOfHour(occurred_at), app_id, occurred_at) in (
    select toStartOfHour(occurred_at), app_id, occurred_at from events where client_key = lowerUTF8({client:String}) and client_uid = {client:String}
    order by occurred_at desc limit 50
  ) order by occurred_at desc limit 50`;
