/** The most rows that a live list keeps; older ones are dropped. */
export const maxRows = 500;

type RowWithId = { readonly id: number | string };

/** A row that arrived live. */
export type ArrivedRow<Row> = {
  readonly row: Row;
  /** Counts the arrivals from 1. */
  readonly at: number;
  /** How many rows are missing between it and the row below; null when unknown, absent when none. */
  readonly gapBelow?: number | null;
};

/** Rows that have arrived since a list is live, newest first. */
export type LiveRows<Row extends RowWithId> = {
  readonly shownRows: readonly ArrivedRow<Row>[];
  /** Arrived while the list was held; the reader shows them with a button. */
  readonly waiting: readonly ArrivedRow<Row>[];
  /** How many have arrived in all, and how many of them are shown. */
  readonly arrivedCount: number;
  readonly seenCount: number;
  /** Rows are missing after the newest one that arrived; null when their number is unknown. */
  readonly openGap: number | null | undefined;
  /** Why the list is held; empty when it is not. */
  readonly holds: readonly string[];
};

/** Rows that had arrived on a live list at some time. */
export type LiveMoment = Pick<LiveRows<never>, 'arrivedCount' | 'openGap'>;

export type LiveChange<Row> =
  | { readonly kind: 'reset' }
  /** Oldest first. */
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  | { readonly kind: 'gap'; readonly skipped: number | null }
  | { readonly kind: 'hold'; readonly reason: string; readonly isHeld: boolean }
  | { readonly kind: 'show' }
  /** The list was read again: it contains what had arrived, and what was missing, when it was requested. */
  | ({ readonly kind: 'read' } & LiveMoment);

/** Nothing has arrived. */
export function noLiveRows<Row extends RowWithId>(): LiveRows<Row> {
  return { shownRows: [], waiting: [], arrivedCount: 0, seenCount: 0, openGap: undefined, holds: [] };
}

/** The rows after a change. */
export function changeLiveRows<Row extends RowWithId>(live: LiveRows<Row>, change: LiveChange<Row>): LiveRows<Row> {
  switch (change.kind) {
    case 'reset':
      return { ...noLiveRows<Row>(), holds: live.holds };
    case 'rows':
      return settle(receive(live, change.rows));
    case 'gap':
      return { ...live, openGap: joinGaps(live.openGap, change.skipped) };
    case 'hold': {
      const others = live.holds.filter((reason) => reason !== change.reason);
      return settle({ ...live, holds: change.isHeld ? [...others, change.reason] : others });
    }
    case 'show':
      return flush(live);
    default: {
      const isNewer = ({ at }: ArrivedRow<Row>): boolean => at > change.arrivedCount;
      return {
        ...live,
        shownRows: live.shownRows.filter(isNewer),
        waiting: live.waiting.filter(isNewer),
        seenCount: Math.max(live.seenCount, change.arrivedCount),
        openGap: live.openGap === change.openGap ? undefined : live.openGap,
      };
    }
  }
}

function receive<Row extends RowWithId>(live: LiveRows<Row>, rows: readonly Row[]): LiveRows<Row> {
  const knownIds = new Set([...live.shownRows, ...live.waiting].map(({ row }) => row.id));
  const fresh = rows
    .filter(({ id }) => !knownIds.has(id))
    .map((row, index): ArrivedRow<Row> => ({
      row,
      at: live.arrivedCount + index + 1,
      ...(index === 0 && live.openGap !== undefined ? { gapBelow: live.openGap } : {}),
    }));
  if (fresh.length === 0) return live;
  return {
    ...live,
    waiting: [...fresh.toReversed(), ...live.waiting].slice(0, maxRows),
    arrivedCount: live.arrivedCount + fresh.length,
    openGap: undefined,
  };
}

function settle<Row extends RowWithId>(live: LiveRows<Row>): LiveRows<Row> {
  return live.holds.length > 0 ? live : flush(live);
}

function flush<Row extends RowWithId>(live: LiveRows<Row>): LiveRows<Row> {
  if (live.waiting.length === 0) return live;
  return { ...live, shownRows: [...live.waiting, ...live.shownRows].slice(0, maxRows), waiting: [], seenCount: live.arrivedCount };
}

function joinGaps(former: number | null | undefined, skippedCount: number | null): number | null {
  if (former === undefined) return skippedCount;
  return former === null || skippedCount === null ? null : former + skippedCount;
}

/** The rows to show: those that arrived live above those of the list, at most `maxRows`. */
export function mergedRows<Row extends RowWithId>({ shownRows }: LiveRows<Row>, listedRows: readonly Row[]): readonly Row[] {
  if (shownRows.length === 0) return listedRows;
  const arrivedIds = new Set(shownRows.map(({ row }) => row.id));
  return [...shownRows.map(({ row }) => row), ...listedRows.filter(({ id }) => !arrivedIds.has(id))].slice(
    0,
    Math.max(maxRows, listedRows.length),
  );
}

/** Above which of the shown rows others are missing, and how many; null when unknown. */
export function gapsAbove<Row extends RowWithId>(live: LiveRows<Row>, rows: readonly Row[]): ReadonlyMap<Row['id'], number | null> {
  const gaps = new Map<Row['id'], number | null>();
  const top = live.waiting.length === 0 ? live.openGap : live.waiting.at(-1)?.gapBelow;
  const first = rows[0];
  if (top !== undefined && first !== undefined) gaps.set(first.id, top);
  for (const [index, { gapBelow }] of live.shownRows.entries()) {
    const below = rows[index + 1];
    if (gapBelow !== undefined && below !== undefined) gaps.set(below.id, gapBelow);
  }
  return gaps;
}
