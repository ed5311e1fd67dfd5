import { grid, place as placeSchema, type Place, tileShapes } from '@switchyard/contract/dashboard';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrange, inReadingOrder, moveInOrder, moveTo, placeText, resizeTo, setHidden, step } from './board-layout.ts';

const at = (of: number, x: number, y: number, w: number, h: number): Place => ({ of, x, y, w, h, is_hidden: false });
/** Three figures in a row, a chart below them with a table beside it. */
const board = [at(1, 0, 0, 3, 4), at(2, 3, 0, 3, 4), at(3, 6, 0, 6, 4), at(4, 0, 4, 8, 7), at(5, 8, 4, 4, 7)];
const cells = (places: readonly Place[]) => inReadingOrder(places).map(({ of, x, y }) => [of, x, y]);

/** A valid layout of up to nine items, some of them hidden. */
const layouts = fc
  .array(
    fc.record({
      w: fc.integer({ min: 1, max: 12 }),
      h: fc.integer({ min: 1, max: 9 }),
      x: fc.nat(11),
      y: fc.nat(30),
      is_hidden: fc.boolean(),
    }),
    {
      minLength: 1,
      maxLength: 9,
    },
  )
  .map((places) =>
    arrange(
      places.map((_, of) => ({ of, kind: 'figure' as const })),
      places.map(({ x, ...place }, of) => ({ ...place, of, x: Math.min(x, grid.columns - place.w) })),
    ),
  );
const changes = fc.oneof(
  fc.record({ kind: fc.constant('move' as const), x: fc.integer({ min: -5, max: 20 }), y: fc.integer({ min: -5, max: 40 }) }),
  fc.record({ kind: fc.constant('size' as const), w: fc.integer({ min: -5, max: 20 }), h: fc.integer({ min: -5, max: 60 }) }),
  fc.record({ kind: fc.constant('step' as const), to: fc.constantFrom('left' as const, 'right' as const, 'up' as const, 'down' as const) }),
  fc.record({ kind: fc.constant('order' as const), by: fc.constantFrom(-1 as const, 1 as const) }),
  fc.record({ kind: fc.constant('hide' as const), isHidden: fc.boolean() }),
);

describe('the layout of a board', () => {
  it('[DASH-107] covers no cell twice, leaves the grid nowhere and loses no item, whatever is moved, sized and hidden', () => {
    fc.assert(
      fc.property(layouts, fc.array(fc.tuple(fc.nat(8), changes), { maxLength: 12 }), (start, steps) => {
        let places = start;
        for (const [of, change] of steps) {
          if (change.kind === 'move') places = moveTo(places, of, change);
          else if (change.kind === 'size') places = resizeTo(places, of, change);
          else if (change.kind === 'step') places = step(places, of, change.to);
          else if (change.kind === 'order') places = moveInOrder(places, of, change.by);
          else places = setHidden(places, of, change.isHidden);
          expect(new Set(places.map((place) => place.of))).toEqual(new Set(start.map((place) => place.of)));
          expect(places).toHaveLength(start.length);
          const taken = new Set<string>();
          for (const place of inReadingOrder(places)) {
            expect(placeSchema.safeParse(place).success).toBe(true);
            for (let x = place.x; x < place.x + place.w; x += 1)
              for (let y = place.y; y < place.y + place.h; y += 1) {
                expect(taken.has(`${x} ${y}`)).toBe(false);
                taken.add(`${x} ${y}`);
              }
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('[DASH-107] takes stored places, and adds new tiles below them in rows', () => {
    const items = [...board.map(({ of }) => of), 6, 7].map((of) => ({ of, kind: 'figure' as const }));
    const places = arrange(items, [...board, at(99, 0, 0, 12, 3)]);
    expect(cells(places)).toEqual([...cells(board), [6, 0, 11], [7, 3, 11]]);
    const usual = arrange([...tileShapes.map((kind, of) => ({ of, kind })), { of: 'today', kind: 'today' }], []);
    expect(usual).toEqual([at(0, 0, 0, 3, 4), at(1, 3, 0, 6, 8), at(2, 0, 8, 6, 7), { ...at(0, 0, 15, 12, 4), of: 'today' }]);
  });

  it('[DASH-108] steps past neighbours in four directions, and stays at the edges', () => {
    expect(cells(step(board, 1, 'right')).slice(0, 2)).toEqual([
      [2, 0, 0],
      [1, 3, 0],
    ]);
    expect(cells(step(board, 5, 'left')).slice(3)).toEqual([
      [5, 0, 4],
      [4, 4, 4],
    ]);
    expect(cells(step(board, 1, 'down'))).toContainEqual([1, 0, 11]);
    expect(cells(step(board, 5, 'up'))).toEqual([
      [1, 0, 0],
      [2, 3, 0],
      [5, 8, 0],
      [4, 0, 4],
      [3, 6, 11],
    ]);
    for (const direction of ['left', 'up'] as const) expect(cells(step(board, 1, direction))).toEqual(cells(board));
    expect(cells(step(board, 5, 'right'))).toEqual(cells(board));
    expect(cells(step([at(1, 0, 0, 3, 4)], 1, 'right'))).toEqual([[1, 1, 0]]);
    expect(cells(step(board, 77, 'down'))).toEqual(cells(board));
  });

  it('[DASH-107] puts a dragged tile above one whose upper half it covers, and below otherwise', () => {
    expect(cells(moveTo(board, 1, { x: 0, y: 6 }))).toEqual(
      [
        [2, 3, 0],
        [3, 6, 0],
        [1, 0, 0],
        [4, 0, 4],
        [5, 8, 4],
      ].toSorted(([, a = 0, b = 0], [, c = 0, d = 0]) => b - d || a - c),
    );
    expect(cells(moveTo(board, 1, { x: 0, y: 9 }))).toContainEqual([1, 0, 11]);
    expect(cells(moveTo(board, 5, { x: 8, y: 1 }))).toContainEqual([5, 8, 0]);
  });

  it('[DASH-104] exchanges tiles in reading order, which phones show', () => {
    const order = (places: readonly Place[]) => inReadingOrder(places).map(({ of }) => of);
    expect(order(moveInOrder(board, 4, -1))).toEqual([1, 2, 4, 3, 5]);
    expect(order(moveInOrder(board, 1, -1))).toEqual([1, 2, 3, 4, 5]);
    expect(order(moveInOrder(board, 5, 1))).toEqual([1, 2, 3, 4, 5]);
  });

  it('[DASH-108] is told in words', () => {
    expect(placeText(at(1, 3, 4, 1, 1))).toBe('Column 4 of 12, row 5, 1 column wide, 1 row high');
    expect(placeText(at(1, 0, 0, 12, 4))).toBe('Column 1 of 12, row 1, 12 columns wide, 4 rows high');
  });
});
