import { type EventRow, eventRow, type IngestResult } from '@switchyard/contract/ingest';
import type { GeoIp } from '../../adapters/geo-ip.ts';
import type { IngestBody } from '../../http/bind.ts';
import type { TrafficStore } from '../../traffic-store/traffic-store.ts';
import { ingestBatch } from './ingest-batch.ts';
import { judgeEvent, judgeRefused } from './judge-event.ts';
import { timeWindow, type WindowDeps } from './judge-row.ts';
import type { NamesInBatches } from './names-in-batches.ts';

export type IngestEventsDeps = WindowDeps & {
  names: NamesInBatches;
  trafficStore: Pick<TrafficStore, 'addRequests'>;
  geoIp: GeoIp;
};

/** Stores what end clients asked of a traffic server (api [90]). */
export async function ingestEvents(deps: IngestEventsDeps, body: IngestBody): Promise<IngestResult> {
  return ingestBatch(deps, body, {
    kind: 'events',
    schema: eventRow,
    load: async (rows) => ({
      testerStreams: await deps.names.testerStreams(unsaidStreams(rows)),
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
