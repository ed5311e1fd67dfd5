import { sizeOfEvents } from './bench-engine.ts';
import { type BenchContext, engineOf } from './bench-context.ts';
import { askEngine } from './raw-events.ts';
import { limitMeasure, type Measure } from './report.ts';
import { against, timeCalls } from './time-calls.ts';

const rounds = 60;
const noClient = 'c-nobody';

/** Bytes on disk, and what ClickHouse answers from its projections against the same from the events. */
export async function measureEngine(context: BenchContext): Promise<Measure[]> {
  const { admin, events, busiestApp, repeat } = context;
  const engine = engineOf(context).raw;
  const { rows, bytes } = await sizeOfEvents(engine);
  const clients = await events.someClients();
  const clientAt = (round: number) => clients[round % clients.length]?.client_uid ?? '';
  const size = limitMeasure('disk_per_million', (bytes / rows) * 1e-3, 'GB', 0.3);
  const ofClient = { preferred_optimize_projection_name: 'of_client' };
  return [
    size,
    ...(await timeCalls(repeat(rounds), {
      client_found: [(round) => admin.get(`all-requests?clientId=${clientAt(round)}`), against('raw', 1.5)],
      raw: [(round) => askEngine(engine, newestOfClient, { client: clientAt(round) }, ofClient)],
    })),
    ...(await timeCalls(repeat(rounds / 20), {
      client_not_found: [() => admin.get(`all-requests?clientId=${noClient}`), against('scan', 0.1)],
      scan: [() => askEngine(engine, 'select count() from events where client_uid = {client:String}', { client: noClient })],
      filter_values: [
        () => admin.get(`apps/${busiestApp}/postbacks/filters`),
        against('values_of_events', 0.6, { as: 'p50_against_events' }),
      ],
      values_of_events: [
        () => askEngine(engine, 'select distinct country, stream_uid from events where app_id = {app:Int32}', { app: busiestApp }),
      ],
    })),
  ];
}

/** By the index of clients, and then the events by their key, in one statement. */
const newestOfClient = `
select row from events where (toStartOfHour(occurred_at), app_id, occurred_at) in (
    select toStartOfHour(occurred_at), app_id, occurred_at from events where client_key = lowerUTF8({client:String}) and client_uid = {client:String}
    order by occurred_at desc limit 50
  ) order by occurred_at desc limit 50`;
