import { formatDateTime, type Microseconds, parseDateTime } from '@switchyard/contract/dates';
import type { ConversionRow } from '@switchyard/contract/conversions';
import type { PushRow } from '@switchyard/contract/pushes';
import type { RequestRow } from '@switchyard/contract/requests';
import { type TimelineKind, type TimelinePage, type TimelineRow, timelineKinds } from '@switchyard/contract/subjects';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { ClientDelivery, DeliveryStore, WithPlace } from '@switchyard/traffic-store/delivery-store';
import { writeCursor } from '@switchyard/traffic-store/event-cursor';
import type { EventStore, EventSubject } from '@switchyard/traffic-store/event-store';
import { subjectFilter } from '@switchyard/traffic-store/event-subject';
import type { LogMentions, Mention } from './log-mentions.ts';
import type { NamePlace } from './places-lookup.ts';
import {
  inTimelineOrder,
  type LogPlace,
  type Newest,
  type Place,
  placeOfKind,
  rankOf,
  readNewest,
  readTimelineCursor,
  writePosition,
} from './timeline-position.ts';

/** Whose timeline is read, which kinds of entries the reader sees, and whether deliveries have their places. */
export type Timeline = { subject: EventSubject; scope: AppScope; kinds: ReadonlySet<TimelineKind>; place?: boolean | undefined };

/** An entry with its exact place, before the name of its app is known. Those of the log belong to no app. */
type Entry = Place & { appId: number; toRow: (at: string, app: { id: number; name: string }) => TimelineRow; log: LogPlace | null };

/** Entries of one kind, newest first; `hasMore`: further ones follow. */
type Part = { entries: Entry[]; hasMore: boolean };

export type TimelineDeps = {
  eventStore: Pick<EventStore, 'listEventsByCursor' | 'listEventsAfter'>;
  deliveryStore: Pick<DeliveryStore, 'listPushesOfClient' | 'listConversionsOfClient' | 'countDeliveriesOfClient'>;
  logs: LogMentions;
  findAppLabels: (ids: readonly number[]) => Promise<ReadonlyMap<number, { name: string }>>;
  findPlaceNames: (rows: readonly WithPlace<object>[]) => Promise<NamePlace>;
  now: () => Date;
};

const newestFirst = { orderBy: 'concatenated_date', orderDirection: 'desc' } as const;
const nothing: Part = { entries: [], hasMore: false };

/** The kinds that a timeline can have: pushes, conversions and log entries name a client but no address. */
export function kindsOf({ subject }: Pick<Timeline, 'subject'>): readonly TimelineKind[] {
  return 'clientUid' in subject ? timelineKinds : ['request'];
}

/** A page of a timeline, newest first, and the cursor of the next one. */
export async function readTimeline(
  deps: TimelineDeps,
  timeline: Timeline,
  { cursor, limit }: { cursor: string | undefined; limit: number },
) {
  const start = readTimelineCursor(cursor);
  const present = cursor === undefined ? await readPresent(deps, timeline) : null;
  const [requests, deliveries] = await Promise.all([
    readRequests(deps, timeline, { place: start.place, limit }),
    readDeliveries(deps, timeline, { place: start.place, limit }),
  ]);
  const parts = [requests, ...deliveries];
  const storedEntries = parts.flatMap(({ entries }) => entries).toSorted(inTimelineOrder);
  const hasMoreStored = storedEntries.length > limit || parts.some(({ hasMore }) => hasMore);
  const notBefore = hasMoreStored ? (storedEntries[limit - 1]?.at ?? -Infinity) : -Infinity;
  const logs =
    timeline.kinds.has('log') && 'clientUid' in timeline.subject
      ? await deps.logs.readBefore({ uid: timeline.subject.clientUid, place: start.log, notBefore, limit: limit + 1 })
      : { entries: [], stoppedIn: null };
  const all = [...storedEntries, ...logs.entries.map(logEntry)].toSorted(inTimelineOrder);
  const page = all.slice(0, limit);
  const hasMore = all.length > limit || hasMoreStored || logs.stoppedIn !== null;
  const newest = present && { ...present, log: present.log && (logs.entries[0]?.place ?? present.log) };
  return {
    rows: await toRows(deps, page),
    newest: newest === null || timeline.kinds.size === 0 ? null : writePosition(newest),
    stoppedIn: logs.stoppedIn,
    next: hasMore ? writePosition(nextCursor(start, page, logs.stoppedIn !== null)) : null,
  };
}

/** Entries that arrived after the `newest` of an earlier answer, newest first. */
export async function readNewer(
  deps: TimelineDeps,
  timeline: Timeline,
  { after, limit }: { after: string; limit: number },
): Promise<TimelinePage> {
  const { subject, scope, kinds } = timeline;
  const newestPlaces = readNewest(after);
  const present = newestPlaces ?? (await readPresent(deps, timeline));
  const filter = subjectFilter(subject, scope);
  const events = kinds.has('request')
    ? await deps.eventStore.listEventsAfter({ filter, after: newestPlaces?.events ?? undefined, limit })
    : null;
  const [pushes, conversions] = await readNewerDeliveries(deps, timeline, { known: newestPlaces, limit });
  const namePlace = await deps.findPlaceNames([...pushes, ...conversions].map(({ row }) => row));
  const place = newestPlaces?.log ?? null;
  const logs =
    kinds.has('log') && place !== null && 'clientUid' in subject
      ? await deps.logs.readAfter({ uid: subject.clientUid, place })
      : { entries: [], stoppedIn: null };
  const entries = [
    ...(events?.rows ?? []).map(requestEntry),
    ...pushes.map((push) => pushEntry(push, namePlace)),
    ...conversions.map((conversion) => conversionEntry(conversion, namePlace)),
    ...logs.entries.map(logEntry),
  ].toSorted(inTimelineOrder);
  const newest: Newest = {
    events: events?.position ?? null,
    push: newestId(pushes, present.push),
    conversion: newestId(conversions, present.conversion),
    log: logs.entries[0]?.place ?? present.log,
  };
  return {
    rows: await toRows(deps, entries.slice(0, limit)),
    newest: kinds.size === 0 ? null : writePosition(newest),
    has_gap: newestPlaces === null || events?.isWhole === false || entries.length > limit,
    logs_searched_to: logs.stoppedIn,
  };
}

/** So many entries of a kind that follow a place; null: from the newest on. */
type Stretch = { place: Place | null; limit: number };

async function readRequests({ eventStore }: TimelineDeps, { subject, scope, kinds }: Timeline, { place, limit }: Stretch): Promise<Part> {
  if (!kinds.has('request')) return nothing;
  const own = place && placeOfKind(place, 'request');
  // The type only fits a cursor's form: in a list by time it plays no part.
  const cursor = own === null ? undefined : writeCursor(newestFirst, { toward: 'next', id: own.id, occurredAt: own.at, type: 'create' });
  const { rows, next } = await eventStore.listEventsByCursor({
    filter: subjectFilter(subject, scope),
    sort: newestFirst,
    cursor,
    limit,
  });
  return { entries: rows.map(requestEntry), hasMore: next !== null };
}

async function readDeliveries(
  { deliveryStore, findPlaceNames }: TimelineDeps,
  { subject, scope, kinds, place: hasPlace }: Timeline,
  { place, limit }: Stretch,
): Promise<Part[]> {
  if (!('clientUid' in subject)) return [];
  const query = (kind: 'push' | 'conversion') => ({
    clientUid: subject.clientUid,
    scope,
    limit: limit + 1,
    place: hasPlace,
    ...(place === null ? {} : { before: placeOfKind(place, kind) }),
  });
  const [pushes, conversions] = await Promise.all([
    kinds.has('push') ? deliveryStore.listPushesOfClient(query('push')) : [],
    kinds.has('conversion') ? deliveryStore.listConversionsOfClient(query('conversion')) : [],
  ]);
  const namePlace = await findPlaceNames([...pushes, ...conversions].map(({ row }) => row));
  const parts = [pushes.map((push) => pushEntry(push, namePlace)), conversions.map((conversion) => conversionEntry(conversion, namePlace))];
  return parts.map((entries) => ({ entries: entries.slice(0, limit), hasMore: entries.length > limit }));
}

async function toRows({ findAppLabels }: TimelineDeps, entries: readonly Entry[]): Promise<TimelineRow[]> {
  const ids = [...new Set(entries.filter(({ log }) => log === null).map(({ appId }) => appId))];
  const labels = await findAppLabels(ids);
  return entries.map(({ at, appId, toRow }) => toRow(formatDateTime(at), { id: appId, name: labels.get(appId)?.name ?? '' }));
}

/** Up to where each kind is read when a timeline is opened. Taken before its first page is read, so that nothing is missed. */
async function readPresent({ eventStore, deliveryStore, now }: TimelineDeps, { subject, scope, kinds }: Timeline): Promise<Newest> {
  const lastId = async (kind: 'push' | 'conversion') =>
    kinds.has(kind) && 'clientUid' in subject
      ? (await deliveryStore.countDeliveriesOfClient(kind, { clientUid: subject.clientUid, scope })).lastId
      : null;
  const filter = subjectFilter(subject, scope);
  const [events, push, conversion] = await Promise.all([
    kinds.has('request') ? eventStore.listEventsAfter({ filter, after: undefined, limit: 1 }) : null,
    lastId('push'),
    lastId('conversion'),
  ]);
  // Entries of the log have whole seconds: the present one may still get some.
  const second = Math.floor(now().getTime() / 1000) * 1_000_000;
  return { events: events?.position ?? null, push, conversion, log: kinds.has('log') ? timePlace(second - 1) : null };
}

/** Pushes and conversions that arrived after the newest known ones. */
async function readNewerDeliveries(
  { deliveryStore }: TimelineDeps,
  { subject, scope, kinds, place }: Timeline,
  { known, limit }: { known: Newest | null; limit: number },
) {
  const client = 'clientUid' in subject ? { clientUid: subject.clientUid, scope, place, limit: limit + 1 } : null;
  const [push, conversion] = [kinds.has('push') ? known?.push : null, kinds.has('conversion') ? known?.conversion : null];
  return Promise.all([
    client && typeof push === 'number' ? deliveryStore.listPushesOfClient({ ...client, afterId: push }) : [],
    client && typeof conversion === 'number' ? deliveryStore.listConversionsOfClient({ ...client, afterId: conversion }) : [],
  ]);
}

/** Where the page after this one begins. An entry of a log that is behind must not lead the other kinds back. */
function nextCursor(start: ReturnType<typeof readTimelineCursor>, page: readonly Entry[], isLogBehind: boolean) {
  const last = page.at(-1);
  if (last === undefined) return start;
  const isFurther = start.place === null || inTimelineOrder(last, start.place) > 0;
  const place = isFurther ? { at: last.at, rank: last.rank, id: last.id } : start.place;
  const lastPlace = page.findLast(({ log }) => log !== null)?.log ?? null;
  // Without an entry of its own, the log goes on from the page's end, so that later entries do not come in between.
  const log = last.log ?? (isLogBehind ? (lastPlace ?? start.log) : timePlace(last.at));
  return { place, log };
}

function timePlace(at: Microseconds): LogPlace {
  return { at, date: '', source: '', id: 0 };
}

function newestId(rows: readonly ClientDelivery<{ id: number }>[], otherwise: number | null): number | null {
  return rows.length === 0 ? otherwise : Math.max(...rows.map(({ row }) => row.id));
}

function requestEntry(request: RequestRow): Entry {
  return {
    at: parseDateTime(request.concatenated_date),
    rank: rankOf('request'),
    id: request.id,
    appId: request.app_id,
    log: null,
    toRow: (at, app) => ({ kind: 'request', at, app, request }),
  };
}

function pushEntry({ appId, at: exact, row }: ClientDelivery<PushRow>, namePlace: NamePlace): Entry {
  const push = namePlace(row);
  return { at: exact, rank: rankOf('push'), id: push.id, appId, log: null, toRow: (at, app) => ({ kind: 'push', at, app, push }) };
}

function conversionEntry({ appId, at: exact, row }: ClientDelivery<ConversionRow>, namePlace: NamePlace): Entry {
  const conversion = namePlace(row);
  const toRow: Entry['toRow'] = (at, app) => ({ kind: 'conversion', at, app, conversion });
  return { at: exact, rank: rankOf('conversion'), id: conversion.id, appId, log: null, toRow };
}

function logEntry({ at: exact, place, log }: Mention): Entry {
  return { at: exact, rank: rankOf('log'), id: 0, appId: 0, log: place, toRow: (at) => ({ kind: 'log', at, log }) };
}
