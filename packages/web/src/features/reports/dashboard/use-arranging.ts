import { grid, type Place } from '@switchyard/contract/dashboard';
import { useRef, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { type Direction, type ItemId, moveTo, placeText, resizeTo, step } from './board-layout.ts';

/** Pixels of a row of the grid and of the space between rows and columns, as the style sheet has them. */
const pixels = { row: 32, gap: 12 } as const;

const directions: Readonly<Record<string, Direction>> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' };
const sizes: Readonly<Record<Direction, { w: number; h: number }>> = {
  left: { w: -1, h: 0 },
  right: { w: 1, h: 0 },
  up: { w: 0, h: -1 },
  down: { w: 0, h: 1 },
};

type Kind = 'move' | 'size';
/** What a pointer does: the layout and the position at its begin, the size of a cell, and how many cells it has gone. */
type Gesture = {
  kind: Kind;
  start: readonly Place[];
  place: Place;
  x: number;
  y: number;
  cell: { w: number; h: number };
  columns: number;
  rows: number;
};

type Input = {
  board: RefObject<HTMLElement | null>;
  places: readonly Place[];
  set: (places: readonly Place[]) => void;
  /** Announces where an item is. */
  say: (text: string) => void;
};

/** Handlers for the handles of an item: it follows the pointer in steps of cells, and arrow keys move and size it. */
export function useArranging({ board, places, set, say }: Input) {
  const gesture = useRef<Gesture | null>(null);

  return function handlersOf(of: ItemId, name: string, kind: Kind) {
    const announce = (list: readonly Place[]): void => {
      const place = placeOf(list, of);
      if (place !== undefined) say(`${name}: ${placeText(place)}`);
    };
    return {
      onPointerDown(event: PointerEvent<HTMLElement>): void {
        const place = placeOf(places, of);
        const box = board.current?.getBoundingClientRect();
        if (event.button !== 0 || place === undefined || box === undefined) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const cell = { w: (box.width + pixels.gap) / grid.columns, h: pixels.row + pixels.gap };
        gesture.current = { kind, start: places, place, x: event.clientX, y: event.clientY - box.top, cell, columns: 0, rows: 0 };
      },
      onPointerMove(event: PointerEvent<HTMLElement>): void {
        const box = board.current?.getBoundingClientRect();
        if (gesture.current === null || box === undefined) return;
        const { start, place, x, y, cell } = gesture.current;
        const columns = Math.round((event.clientX - x) / cell.w);
        const rows = Math.round((event.clientY - box.top - y) / cell.h);
        if (columns === gesture.current.columns && rows === gesture.current.rows) return;
        Object.assign(gesture.current, { columns, rows });
        set(
          gesture.current.kind === 'move'
            ? moveTo(start, of, { x: place.x + columns, y: place.y + rows })
            : resizeTo(start, of, { w: place.w + columns, h: place.h + rows }),
        );
      },
      onPointerUp(): void {
        if (gesture.current !== null) announce(places);
        gesture.current = null;
      },
      onPointerCancel(): void {
        if (gesture.current !== null) set(gesture.current.start);
        gesture.current = null;
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>): void {
        if (event.key === 'Escape' && gesture.current !== null) {
          set(gesture.current.start);
          gesture.current = null;
          return;
        }
        const direction = directions[event.key];
        const place = placeOf(places, of);
        if (direction === undefined || place === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        const by = sizes[direction];
        const next =
          kind === 'size' || event.shiftKey ? resizeTo(places, of, { w: place.w + by.w, h: place.h + by.h }) : step(places, of, direction);
        set(next);
        announce(next);
      },
    };
  };
}

function placeOf(places: readonly Place[], of: ItemId): Place | undefined {
  return places.find((place) => place.of === of);
}
