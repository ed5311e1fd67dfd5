import { parseDateTime } from '@switchyard/contract/dates';
import type { Mark, MarkEntry } from '@switchyard/contract/marks';

/** Times along the axis of a chart in microseconds: where each of its values begins, and where the last one ends. */
export type TimeAxis = { starts: readonly number[]; until: number };

/** Marks that are drawn as one, because they would touch. `share` is their place on the axis, from 0 to 1. */
export type PlacedMark = { share: number; count: number; entries: readonly MarkEntry[] };

/**
 * Places marks on an axis, from left to right. Those in the time of one value are one, and those closer than `gap`, a share of the axis, too;
 * what lies outside the axis is left out. `placeOf` gives the share of a value by its index.
 */
export function placeMarks(
  marks: readonly Mark[],
  { starts, until }: TimeAxis,
  { placeOf, gap }: { placeOf: (index: number) => number; gap: number },
): PlacedMark[] {
  const placed: (PlacedMark & { first: number })[] = [];
  const inOrder = marks.map((mark) => ({ mark, at: parseDateTime(mark.at) })).toSorted((one, other) => one.at - other.at);
  for (const { mark, at } of inOrder) {
    const index = at < until ? starts.findLastIndex((start) => start <= at) : -1;
    if (index === -1) continue;
    const place = placeOf(index);
    const last = placed.at(-1);
    if (last === undefined || place - last.first >= gap)
      placed.push({ share: place, first: place, count: mark.count, entries: mark.entries });
    else
      placed[placed.length - 1] = {
        first: last.first,
        share: (last.first + place) / 2,
        count: last.count + mark.count,
        entries: [...mark.entries, ...last.entries],
      };
  }
  return placed.map(({ share, count, entries }) => ({ share, count, entries }));
}
