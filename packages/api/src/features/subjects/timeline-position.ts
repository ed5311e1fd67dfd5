import { fromOpaqueText, toOpaqueText } from '../../opaque-position.ts';
import type { Microseconds } from '@switchyard/contract/dates';
import { type TimelineKind, timelineKinds } from '@switchyard/contract/subjects';
import { z } from 'zod';

/** A place in a timeline: after the entry of this kind and id; log entries have no id. */
export type Place = { at: Microseconds; rank: number; id: number };

/** A place in the app log: after the entry with this id in the file of a day and a process; without a day, after all entries of a time. */
export type LogPlace = { at: Microseconds; date: string; source: string; id: number };

/** Where the next page begins. The log has a place of its own, because its search may be behind. */
export type TimelineCursor = { place: Place | null; log: LogPlace | null };

/** Up to where each kind was read, by arrival; null: the kind was not read. */
export type Newest = { events: string | null; push: number | null; conversion: number | null; log: LogPlace | null };

/** Kinds by their order at the same time. */
export const rankOf = (kind: TimelineKind): number => timelineKinds.indexOf(kind);

/** Newest first; at the same time by kind, then the one that arrived last. */
export function inTimelineOrder(one: Place, other: Place): number {
  return other.at - one.at || one.rank - other.rank || other.id - one.id;
}

/** The place in a kind's own list that matches a place in the timeline. Only entries before it are still to come. */
export function placeOfKind({ at, rank, id }: Place, kind: TimelineKind): { at: Microseconds; id: number } {
  const own = rankOf(kind);
  return { at, id: own === rank ? id : own < rank ? 0 : Number.MAX_SAFE_INTEGER };
}

const logPlace = z.object({ at: z.int(), date: z.string().max(10), source: z.string().max(255), id: z.int() });
const timelineCursor = z.object({
  place: z.object({ at: z.int().min(-8e15).max(8e15), rank: z.int(), id: z.int().min(0) }).nullable(),
  log: logPlace.nullable(),
});
const newest = z.object({
  events: z.string().nullable(),
  push: z.int().nullable(),
  conversion: z.int().nullable(),
  log: logPlace.nullable(),
});

/** The opaque text of a position. */
export function writePosition(position: TimelineCursor | Newest): string {
  return toOpaqueText(position);
}

/** A cursor's place; an invalid one gives the first page. */
export function readTimelineCursor(text: string | undefined): TimelineCursor {
  return parse(timelineCursor, text) ?? { place: null, log: null };
}

/** The position in `after`; null if it is invalid. */
export function readNewest(text: string): Newest | null {
  return parse(newest, text);
}

function parse<S extends z.ZodType>(schema: S, text: string | undefined): z.output<S> | null {
  return text === undefined || text.length > 2000 ? null : fromOpaqueText(schema, text);
}
