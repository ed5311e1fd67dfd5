import { dayOf, dayRange, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import type { AppScope } from '@switchyard/contract/app-scope';
import { collectCounters, type CounterRow, counterFigures } from '../../event-counters.ts';
import type { EventCounters, EventSums, SeenValues } from '../../event-store.ts';
import { hour, type Span } from '../../time-buckets.ts';
import type { EngineClient } from '../engine-client.ts';
import { countedConditions, timeConditions, where } from '../event-conditions.ts';
import { newParameters, type Parameters, using } from '../statement.ts';
import { figureSql, isQa } from '../schema.ts';
import { readDroppedTotals } from '../upkeep/dropped-totals.ts';
import { countByBucket } from './histogram.ts';
import { hourConditions } from './hours.ts';

const figures = counterFigures.map((name) => `${figureSql[name]} as ${name}`).join(', ');

/** Counters by app; an app without events is absent. All-time counters include what retention dropped. */
export async function countByApp(
  { engine, pool }: { engine: EngineClient; pool: pg.Pool },
  offset: string,
  appIds: readonly number[],
  now: Microseconds,
): Promise<Map<number, EventCounters>> {
  if (appIds.length === 0) return new Map();
  const [today, allTime] = await Promise.all([countToday(engine, offset, appIds, now), countAllTime({ engine, pool }, appIds)]);
  return collectCounters([...today, ...allTime]);
}

async function countToday(engine: EngineClient, offset: string, appIds: readonly number[], now: Microseconds): Promise<CounterRow[]> {
  const parameters = newParameters();
  const range = dayRange(dayOf(now, offset), offset);
  const conditions = [...countedConditions({ scope: scopeOf(appIds) }, parameters), ...timeOf(range, parameters)];
  const text = `select app_id, 'today' as part, ${figures} from events ${where(conditions)}
    group by app_id ${using(isOfHours(range) ? 'by_app_hour' : null)}`;
  return ofApps(appIds, await engine.rows<CounterRow>({ text, parameters }));
}

/** Comparing with many apps takes the engine longer than counting all of them. */
function scopeOf(appIds: readonly number[]): AppScope {
  return appIds.length > 20 ? 'all' : appIds;
}

function ofApps<Row extends { app_id: number }>(appIds: readonly number[], rows: readonly Row[]): Row[] {
  const requestedApps = new Set(appIds);
  return rows.filter((row) => requestedApps.has(row.app_id));
}

/**
 * The totals of dropped weeks are read first: a week that is dropped in between is neither counted twice nor missed, because the
 * engine is asked only for later weeks.
 */
async function countAllTime({ engine, pool }: { engine: EngineClient; pool: pg.Pool }, appIds: readonly number[]): Promise<CounterRow[]> {
  const droppedTotals = await readDroppedTotals(pool, appIds);
  const parameters = newParameters();
  const conditions = countedConditions({ scope: scopeOf(appIds) }, parameters);
  if (droppedTotals.until !== null) conditions.push(`_partition_value.1 > toDate(${parameters.add(droppedTotals.until, 'String')})`);
  const text = `select app_id, if(${isQa} = 0, 'others', 'testers') as part, ${figures} from events ${where(conditions)}
    group by app_id, ${isQa} ${using('by_total')}`;
  const storedTotals = await engine.rows<CounterRow>({ text, parameters });
  return [
    ...ofApps(appIds, storedTotals),
    ...droppedTotals.rows.map(({ is_qa: isTester, ...row }) => ({ ...row, part: isTester ? ('testers' as const) : ('others' as const) })),
  ];
}

/** Which of these apps ever had a create or receive event. */
export async function findAppsWithClients(from: { engine: EngineClient; pool: pg.Pool }, appIds: readonly number[]): Promise<Set<number>> {
  if (appIds.length === 0) return new Set();
  const rows = await countAllTime(from, appIds);
  return new Set(rows.filter((row) => row.creates + row.receives > 0).map((row) => row.app_id));
}

/** Creates and receives in spans of whole hours of the server's offset. */
export async function countEventsBySpan(
  engine: EngineClient,
  { scope, spans }: { scope: AppScope; spans: readonly Span[] },
): Promise<EventSums[]> {
  if (spans.length === 0) return [];
  const all = { from: Math.min(...spans.map((span) => span.from)), until: Math.max(...spans.map((span) => span.until)) };
  const bucketSeconds = spans.every(isOfHours) ? 3600 : 900;
  const filter = { scope, types: ['create', 'receive'] as const };
  const buckets = await countByBucket(engine, '+00:00', { filter, ...all, bucketSeconds });
  return spans.map(({ from, until }) => {
    const sums: EventSums = { create: 0, receive: 0 };
    for (const { at, type, events } of buckets) {
      if (at >= from && at < until && (type === 'create' || type === 'receive')) sums[type] += events;
    }
    return sums;
  });
}

/** Countries and streams of an app's events, in no order. */
export async function findSeenValues(engine: EngineClient, appId: number): Promise<SeenValues> {
  const parameters = newParameters();
  const filter = { scope: [appId] };
  const text = `select distinct country, stream_uid from (
      select country, stream_uid, count() from events ${where(countedConditions(filter, parameters))}
      group by country, stream_uid ${using('by_seen')}
    )`;
  const rows = await engine.rows<{ country: string; stream_uid: string }>({ text, parameters });
  return { countries: distinctValues(rows.map((row) => row.country)), streamUids: distinctValues(rows.map((row) => row.stream_uid)) };
}

/** '' is a missing value. */
function distinctValues(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '');
}

/** Projections count hours of UTC, which are not the server's where its offset has odd minutes. */
function isOfHours({ from, until }: Span): boolean {
  return from % hour === 0 && until % hour === 0;
}

function timeOf(range: Span, parameters: Parameters): string[] {
  return isOfHours(range) ? hourConditions(range, parameters) : timeConditions(range, parameters);
}
