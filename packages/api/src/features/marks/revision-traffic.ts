import { fromDate, type Microseconds } from '@switchyard/contract/dates';
import { revisionActions } from '@switchyard/contract/history';
import { type getRevisionTraffic, type RevisionTraffic } from '@switchyard/contract/marks';
import type { DeliveryStore } from '@switchyard/traffic-store/delivery-store';
import type { EventStore } from '@switchyard/traffic-store/event-store';
import { bucketStart, day, hour, type Span } from '@switchyard/traffic-store/time-buckets';
import { eventsOr } from '@switchyard/traffic-store/traffic-store';
import type { Databases } from '../../database/connect.ts';
import type { Call } from '../../http/bind.ts';
import { listRevisionRuns } from '../audit/audit-marks-lookup.ts';

export type TrafficDependencies = {
  db: Databases['db'];
  now: () => Date;
  serverOffset: string;
  retentionDays: number;
  eventStore: Pick<EventStore, 'countByBucket'>;
  deliveryStore: Pick<DeliveryStore, 'countConversionHours'>;
};

const hoursOfDay = 24;

/**
 * Counts an app's traffic around revisions in whole hours, because roll-ups by app count by nothing shorter: all hours in one query, however
 * many revisions there are. The hour of a change has traffic of both states, so it counts as neither.
 */
export async function readRevisionTraffic(
  { db, now, serverOffset, retentionDays, eventStore, deliveryStore }: TrafficDependencies,
  { params: { id: appId }, query, caller }: Pick<Call<typeof getRevisionTraffic>, 'params' | 'query' | 'caller'>,
): Promise<RevisionTraffic[]> {
  const ids = query.revision ?? [];
  const found = await listRevisionRuns(db, { appId, actions: revisionActions.app, ids });
  const current = fromDate(now());
  const revisions = found.map(({ at, ...revision }) => {
    const { before, after } = windowsOf(fromDate(at), bucketStart(current, hour, serverOffset), serverOffset);
    return { ...revision, before, after, isKnown: before.until > before.from && before.from >= current - retentionDays * day };
  });
  const known = revisions.filter(({ isKnown }) => isKnown);
  const isCounted = known.length > 0 && caller.account.permissions.includes('manager_app_statistics');
  const range = { from: Math.min(...known.map(({ before }) => before.from)), until: Math.max(...known.map(({ after }) => after.until)) };
  const scope = [appId];
  const buckets = isCounted ? await eventsOr(eventStore.countByBucket({ filter: { scope }, ...range, bucketSeconds: 3600 }), null) : null;
  const requests = buckets && sumByHour(buckets.map(({ at, events }) => [at, events]));
  const conversions = isCounted
    ? sumByHour((await deliveryStore.countConversionHours({ scope, ...range })).map((row) => [row.at, row.conversions]))
    : null;
  return revisions.map(({ id, run, account, before, after, isKnown }) => {
    const compare = (counts: ReadonlyMap<Microseconds, number> | null) =>
      counts !== null && isKnown ? { before: sumOf(counts, before), after: sumOf(counts, after) } : null;
    return {
      id,
      hours: (after.until - after.from) / hour,
      requests: compare(requests),
      conversions: compare(conversions),
      run: run === null ? null : { id: run, is_own: account === caller.account.id },
    };
  });
}

/** The whole hours after the hour of a change up to a day, and the same hours before it. */
function windowsOf(at: Microseconds, currentHour: Microseconds, offset: string): { before: Span; after: Span } {
  const start = bucketStart(at, hour, offset) + hour;
  const hours = Math.max(0, Math.min(hoursOfDay, (currentHour - start) / hour));
  const after = { from: start, until: start + hours * hour };
  // A whole day has every hour once, wherever it begins, so it can end with the hour before the change.
  const shift = hours === hoursOfDay ? day + hour : day;
  return { after, before: { from: after.from - shift, until: after.until - shift } };
}

function sumByHour(rows: readonly (readonly [at: Microseconds, count: number])[]): ReadonlyMap<Microseconds, number> {
  const sums = new Map<Microseconds, number>();
  for (const [at, count] of rows) sums.set(at, (sums.get(at) ?? 0) + count);
  return sums;
}

function sumOf(counts: ReadonlyMap<Microseconds, number>, { from, until }: Span): number {
  let sum = 0;
  for (let at = from; at < until; at += hour) sum += counts.get(at) ?? 0;
  return sum;
}
