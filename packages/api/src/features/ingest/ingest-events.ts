import { type EventRow, eventRow, type IngestResult } from '@switchyard/contract/ingest';
import type { GeoIp } from '../../adapters/geo-ip.ts';
import type { Databases } from '../../database/connect.ts';
import type { IngestBody } from '../../http/bind.ts';
import type { TrafficStore } from '../../traffic-store/traffic-store.ts';
import { streamsOfTesters } from '../streams/streams-lookup.ts';
import { ingestBatch } from './ingest-batch.ts';
import { judgeEvent, judgeRefused } from './judge-event.ts';
import { timeWindow, type WindowDeps } from './judge-row.ts';

export type IngestEventsDeps = WindowDeps & {
  db: Databases['db'];
  trafficStore: Pick<TrafficStore, 'addRequests'>;
  geoIp: GeoIp;
};

/** Stores what end clients asked of a traffic server (api [90]). */
export async function ingestEvents(deps: IngestEventsDeps, body: IngestBody): Promise<IngestResult> {
  return ingestBatch(deps, body, {
    kind: 'events',
    schema: eventRow,
    load: async (rows) => ({
      testerStreams: await streamsOfTesters(deps.db, unsaidStreams(rows)),
      geoIp: deps.geoIp,
      window: timeWindow(deps),
    }),
    judge: judgeEvent,
    judgeRefused,
    store: async (requests) => deps.trafficStore.addRequests(requests),
  });
}

/** Streams of rows that do not say themselves whether they are QA traffic. */
function unsaidStreams(rows: readonly EventRow[]): string[] {
  return [...new Set(rows.flatMap((row) => (row.is_qa === undefined && row.stream_uid !== null ? [row.stream_uid] : [])))];
}
