import { fromDate } from '@switchyard/contract/dates';
import { type EventRow, eventRow, ingestMessages, type IngestResult } from '@switchyard/contract/ingest';
import { ingestLimits } from '@switchyard/contract/limits';
import type { GeoIp } from '../../adapters/geo-ip.ts';
import type { Databases } from '../../database/connect.ts';
import { Refusal } from '../../errors.ts';
import type { IngestBody } from '../../http/bind.ts';
import type { NewRequest, TrafficStore } from '../../traffic-store/traffic-store.ts';
import { findNamedApps } from '../apps/apps-lookup.ts';
import { streamsOfTesters } from '../streams/streams-lookup.ts';
import { judgeEvent, judgeRefused } from './judge-event.ts';
import { readRow, type ReadRow, sentId, type TimeWindow } from './judge-row.ts';
import { type RawRow, readRows } from './read-rows.ts';

export type IngestDeps = {
  db: Databases['db'];
  trafficStore: Pick<TrafficStore, 'addRequests'>;
  geoIp: GeoIp;
  now: () => Date;
  retentionDays: number;
};

/**
 * Stores the good rows of a batch and says what is wrong with the others; accepted + duplicates + rejected is
 * always the number of rows sent (R11). What it answers is committed.
 */
export async function ingestEvents(deps: IngestDeps, body: IngestBody): Promise<IngestResult> {
  const raw = readRows(body, 'events');
  const read = raw.map((row) => readEvent(row));
  const rows = read.flatMap((found) => ('row' in found ? [found.row] : []));
  const named = read.map((found) => ('row' in found ? found.row : found.sent));
  const [apps, testerStreams] = await Promise.all([findNamedApps(deps.db, namesOf(named)), streamsOfTesters(deps.db, unsaidStreams(rows))]);
  const context = { apps, testerStreams, geoIp: deps.geoIp, window: timeWindow(deps) };

  const requests: NewRequest[] = [];
  const rejected: IngestResult['rejected'] = [];
  for (const [index, found] of read.entries()) {
    const outcome = 'row' in found ? judgeEvent(found.row, context) : { errors: judgeRefused(found, context) };
    if ('request' in outcome) requests.push(outcome.request);
    else rejected.push({ index, id: idOf(raw[index]), errors: outcome.errors });
  }
  if (requests.length === 0) throw new Refusal(422, ingestMessages.allRejected, { data: { accepted: 0, duplicates: 0, rejected } });
  return { ...(await deps.trafficStore.addRequests(requests)), rejected };
}

function readEvent(row: RawRow): ReadRow<EventRow> {
  return 'value' in row ? readRow(eventRow, row.value) : { errors: { row: [ingestMessages.invalidJson] }, sent: {} };
}

function idOf(row: RawRow | undefined): unknown {
  return row !== undefined && 'value' in row ? sentId(row.value) : null;
}

function namesOf(rows: readonly Readonly<Record<string, unknown>>[]): { ids: number[]; bundles: string[] } {
  const ids = new Set<number>();
  const bundles = new Set<string>();
  for (const { app_id: id, bundle } of rows) {
    if (Number.isSafeInteger(id)) ids.add(Number(id));
    if (typeof bundle === 'string' && bundle !== '') bundles.add(bundle);
  }
  return { ids: [...ids], bundles: [...bundles] };
}

/** Streams of rows that do not say themselves whether they are QA traffic. */
function unsaidStreams(rows: readonly EventRow[]): string[] {
  return [...new Set(rows.flatMap((row) => (row.is_qa === undefined && row.stream_uid !== null ? [row.stream_uid] : [])))];
}

function timeWindow({ now, retentionDays }: Pick<IngestDeps, 'now' | 'retentionDays'>): TimeWindow {
  const instant = fromDate(now());
  return { oldest: instant - retentionDays * 86_400_000_000, furthest: instant + ingestLimits.hoursAhead * 3_600_000_000, retentionDays };
}
