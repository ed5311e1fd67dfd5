import { fromDate } from '@switchyard/contract/dates';
import type { FieldErrorMap } from '@switchyard/contract/envelope';
import { type EventRow, eventRow, ingestMessages, type IngestResult } from '@switchyard/contract/ingest';
import { ingestLimits } from '@switchyard/contract/limits';
import type { GeoIp } from '../../adapters/geo-ip.ts';
import type { Databases } from '../../database/connect.ts';
import { Refusal } from '../../errors.ts';
import type { IngestBody } from '../../http/bind.ts';
import type { NewRequest, TrafficStore } from '../../traffic-store/traffic-store.ts';
import { findNamedApps } from '../apps/apps-lookup.ts';
import { streamsOfTesters } from '../streams/streams-lookup.ts';
import { judgeEvent } from './judge-event.ts';
import { type Judged, readRow, sentId, type TimeWindow } from './judge-row.ts';
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
  const rows = read.flatMap((judged) => ('row' in judged ? [judged.row] : []));
  const [apps, testerStreams] = await Promise.all([findNamedApps(deps.db, namesOf(rows)), streamsOfTesters(deps.db, unsaidStreams(rows))]);
  const context = { apps, testerStreams, geoIp: deps.geoIp, window: timeWindow(deps) };

  const requests: NewRequest[] = [];
  const rejected: IngestResult['rejected'] = [];
  for (const [index, judged] of read.entries()) {
    const outcome = 'row' in judged ? judgeEvent(judged.row, context) : judged;
    if ('request' in outcome) requests.push(outcome.request);
    else rejected.push({ index, id: idOf(raw[index]), errors: outcome.errors });
  }
  if (requests.length === 0) throw new Refusal(422, ingestMessages.allRejected, { data: { accepted: 0, duplicates: 0, rejected } });
  return { ...(await deps.trafficStore.addRequests(requests)), rejected };
}

function readEvent(row: RawRow): Judged<EventRow> | { errors: FieldErrorMap } {
  return 'value' in row ? readRow(eventRow, row.value) : { errors: { row: [ingestMessages.invalidJson] } };
}

function idOf(row: RawRow | undefined): unknown {
  return row !== undefined && 'value' in row ? sentId(row.value) : null;
}

function namesOf(rows: readonly EventRow[]): { ids: number[]; bundles: string[] } {
  const ids = new Set<number>();
  const bundles = new Set<string>();
  for (const row of rows) {
    if (row.app_id !== undefined) ids.add(row.app_id);
    if (row.bundle !== undefined && row.bundle !== '') bundles.add(row.bundle);
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
