import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { day, hour, type Span } from '../time-buckets.ts';
import type { CopiedEvent, CopiedStore, EventRange, SumKey } from './copied-events.ts';

/** The store that holds the events, and the one that is to hold them. */
export type CopyDirection = { source: CopiedStore; target: CopiedStore };

/** A day that agrees in both stores: how many of its events were missing in the target, and its place among all days. */
export type CopiedDay = { day: string; copiedEvents: number; doneDays: number; days: number };

/**
 * Copies what the target is missing, oldest day first, up to an id: all events up to it must be visible. Days that agree are skipped. May
 * be stopped at any time and run again.
 * @throws StartupError naming the day if the target holds events that the source does not, or others with the same ids.
 */
export async function copyDays(stores: CopyDirection, lastId: number, onDay: (day: CopiedDay) => void): Promise<void> {
  const days = await daysOf(stores, lastId);
  for (const [index, from] of days.entries()) {
    const copiedEvents = await copyDay(stores, { from, until: from + day, lastId });
    onDay({ day: nameOf(from), copiedEvents: copiedEvents, doneDays: index + 1, days: days.length });
  }
}

/** Copies what a day that begins at `from` lacks. @returns how many events were missing */
export async function copyDay(stores: CopyDirection, range: EventRange): Promise<number> {
  if (await agrees(stores, range)) return 0;
  const copiedEvents = await copyMissing(stores, await hoursThatDiffer(stores, range));
  if (await agrees(stores, range)) return copiedEvents;
  // A week that retention drops meanwhile differs with good reason.
  if (await isDropped(stores, range)) return copiedEvents;
  const { source, target } = stores;
  throw new StartupError(`Events of ${nameOf(range.from)}: ${source.name} and ${target.name} hold different events with the same ids`);
}

/** The first day from an instant on that does not agree; null: all do. */
export async function findDifference(
  stores: CopyDirection,
  { lastId, from: oldest }: { lastId: number; from: Microseconds },
): Promise<string | null> {
  for (const from of await daysOf(stores, lastId)) {
    if (from < oldest) continue;
    const range = { from, until: from + day, lastId };
    if (!(await agrees(stores, range)) && !(await isDropped(stores, range))) return nameOf(from);
  }
  return null;
}

/** Days of UTC with events in either store, without those that retention dropped in the source. */
async function daysOf({ source, target }: CopyDirection, lastId: number): Promise<Microseconds[]> {
  const extents = [await source.extent(lastId), await target.extent(lastId)].filter((extent): extent is Span => extent !== null);
  if (extents.length === 0) return [];
  const oldest = (await source.oldestDay()) ?? 0;
  const first = Math.max(oldest, Math.floor(Math.min(...extents.map(({ from }) => from)) / day) * day);
  const until = Math.max(...extents.map((extent) => extent.until));
  return Array.from({ length: Math.max(0, Math.ceil((until - first) / day)) }, (_, index) => first + index * day);
}

async function agrees(stores: CopyDirection, range: EventRange): Promise<boolean> {
  return (await keysThatDiffer(stores, range, 'kind')).length === 0;
}

async function keysThatDiffer({ source, target }: CopyDirection, range: EventRange, by: SumKey): Promise<string[]> {
  const [one, other] = await Promise.all([source.sums(range, by), target.sums(range, by)]);
  return [...new Set([...one.keys(), ...other.keys()])].filter((key) => one.get(key) !== other.get(key));
}

/** The part of a day from the first hour that differs to the last, so that few late events do not read all of it. */
async function hoursThatDiffer(stores: CopyDirection, range: EventRange): Promise<EventRange> {
  const hours = (await keysThatDiffer(stores, range, 'hour')).map(Number);
  // None if only flags or types differ.
  if (hours.length === 0) return range;
  return { ...range, from: range.from + Math.min(...hours) * hour, until: range.from + (Math.max(...hours) + 1) * hour };
}

async function isDropped({ source }: CopyDirection, { until }: EventRange): Promise<boolean> {
  return until <= ((await source.oldestDay()) ?? 0);
}

async function copyMissing({ source, target }: CopyDirection, range: EventRange): Promise<number> {
  const storedIds = await target.ids(range);
  const unmatchedIds = new Set(storedIds);
  let copiedEvents = 0;
  for await (const block of source.read(range)) {
    const missingEvents: CopiedEvent[] = [];
    for (const event of block) {
      const [, , { 0: id }] = event;
      unmatchedIds.delete(id);
      if (!storedIds.has(id)) missingEvents.push(event);
    }
    if (missingEvents.length > 0) await target.insert(missingEvents);
    copiedEvents += missingEvents.length;
  }
  if (unmatchedIds.size === 0 || (await isDropped({ source, target }, range))) return copiedEvents;
  throw new StartupError(
    `Events of ${nameOf(range.from)}: ${target.name} holds ${unmatchedIds.size} that ${source.name} does not, e.g. id ${Math.min(...[...unmatchedIds].slice(0, 1000))} (nothing was deleted)`,
  );
}

function nameOf(start: Microseconds): string {
  return formatMicroseconds(start).slice(0, 'YYYY-MM-DD'.length);
}
