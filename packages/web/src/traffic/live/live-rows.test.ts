import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeLiveRows, gapsAbove, maxRows, mergedRows, noLiveRows, type LiveChange, type LiveRows } from './live-rows.ts';

type Row = { id: number };
const rows = (...ids: number[]): Row[] => ids.map((id) => ({ id }));
const idsOf = (live: LiveRows<Row>, listedRows: readonly Row[] = []): number[] => mergedRows(live, listedRows).map(({ id }) => id);
const after = (...changes: LiveChange<Row>[]): LiveRows<Row> => changes.reduce(changeLiveRows<Row>, noLiveRows<Row>());
const scrollHold: LiveChange<Row> = { kind: 'hold', reason: 'scroll', isHeld: true };
const back: LiveChange<Row> = { kind: 'hold', reason: 'scroll', isHeld: false };

describe('rows of a live list', () => {
  it('are above those of the list, newest first, each once', () => {
    const live = after({ kind: 'rows', rows: rows(4, 5) }, { kind: 'rows', rows: rows(5, 6) });
    expect(idsOf(live, rows(4, 3, 2))).toEqual([6, 5, 4, 3, 2]);
    expect(live.arrivedCount).toBe(3);
  });

  it('wait while the list is held still, whatever holds it, and come all at once', () => {
    const panel: LiveChange<Row> = { kind: 'hold', reason: 'panel', isHeld: true };
    const heldRows = after({ kind: 'rows', rows: rows(1) }, scrollHold, panel, { kind: 'rows', rows: rows(2, 3) }, back);
    expect(idsOf(heldRows)).toEqual([1]);
    expect(heldRows.arrivedCount - heldRows.seenCount).toBe(2);
    expect(idsOf(changeLiveRows(heldRows, { kind: 'hold', reason: 'panel', isHeld: false }))).toEqual([3, 2, 1]);
    const shownRows = changeLiveRows(heldRows, { kind: 'show' });
    expect(idsOf(shownRows), 'asked for in spite of the panel').toEqual([3, 2, 1]);
    expect(idsOf(changeLiveRows(shownRows, { kind: 'rows', rows: rows(4) })), 'which still holds those that follow').toEqual([3, 2, 1]);
  });

  it('are distinguished if others were left out between them', () => {
    const live = after(
      { kind: 'rows', rows: rows(2) },
      { kind: 'gap', skipped: 5 },
      { kind: 'gap', skipped: 7 },
      { kind: 'rows', rows: rows(3, 4) },
      { kind: 'gap', skipped: null },
    );
    const shownRows = mergedRows(live, rows(1));
    expect(shownRows).toEqual(rows(4, 3, 2, 1));
    expect([...gapsAbove(live, shownRows)]).toEqual([
      [4, null],
      [2, 12],
    ]);
  });

  it('shows a gap above what is held still, before the rows that follow it', () => {
    const live = after({ kind: 'rows', rows: rows(1) }, scrollHold, { kind: 'gap', skipped: 3 }, { kind: 'rows', rows: rows(2) });
    expect([...gapsAbove(live, rows(1))]).toEqual([[1, 3]]);
  });

  it('make room for the list when it is reloaded, which contains all that had arrived before', () => {
    const live = after({ kind: 'rows', rows: rows(2, 3) }, { kind: 'gap', skipped: 1 }, { kind: 'read', arrivedCount: 1, openGap: 1 });
    expect(idsOf(live, rows(2, 1))).toEqual([3, 2, 1]);
    expect([...gapsAbove(live, rows(3, 2, 1))]).toEqual([]);
    const heldRows = after(scrollHold, { kind: 'rows', rows: rows(2, 3, 4) }, { kind: 'read', arrivedCount: 2, openGap: undefined });
    expect(heldRows.arrivedCount - heldRows.seenCount).toBe(1);
    const since = after({ kind: 'gap', skipped: 4 }, { kind: 'read', arrivedCount: 0, openGap: undefined });
    expect([...gapsAbove(since, rows(1))], 'a gap since the list was asked for').toEqual([[1, 4]]);
  });

  it('start again with nothing but the reasons to hold', () => {
    const live = after({ kind: 'rows', rows: rows(1) }, scrollHold, { kind: 'reset' });
    expect(live).toEqual({ ...noLiveRows(), holds: ['scroll'] });
  });

  it('are never more than are kept, never out of order, and lose none of the newest', () => {
    const change = fc.oneof(
      fc.nat({ max: 400 }).map((count) => ({ kind: 'count', count }) as const),
      fc.boolean().map((isHeld) => ({ kind: 'hold', reason: 'scroll', isHeld }) as const),
      fc.constant({ kind: 'show' } as const),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        let newest = 0;
        let live = noLiveRows<Row>();
        for (const one of changes) {
          if (one.kind === 'count') {
            const arrivedRows = Array.from({ length: one.count }, (_, at) => ({ id: newest + at + 1 }));
            newest += one.count;
            live = changeLiveRows(live, { kind: 'rows', rows: arrivedRows });
          } else live = changeLiveRows(live, one);
          expect(live.waiting.length).toBeLessThanOrEqual(maxRows);
        }
        const all = changeLiveRows(live, { kind: 'show' });
        expect(all.arrivedCount).toBe(newest);
        expect(idsOf(all)).toEqual(Array.from({ length: Math.min(maxRows, newest) }, (_, at) => newest - at));
        expect(mergedRows(all, rows(0))).toHaveLength(Math.min(maxRows, newest + 1));
      }),
    );
  });
});
