import { useState, type ChangeEvent, type FocusEvent, type KeyboardEvent, type PointerEvent } from 'react';

/** Neighbouring buckets of a chart, by the index of the first and the last. */
export type Span = { first: number; last: number };

/** How far Page Up and Page Down go. */
const pageStep = 10;

type Input = {
  count: number;
  /** Changes when the buckets are of other times, so that a place on the chart is another time. */
  grid: string;
  /** Absent: nothing is chosen, and the cursor marks one bucket. */
  onChoose?: ((span: Span) => void) | undefined;
  /** Buckets of a row, where Arrow down and up move by rows instead of along the time. */
  rowLength?: number | undefined;
};

/**
 * Chooses buckets of a chart. A press chooses one, a drag several. Arrow keys, Home, End, Page Up and Page Down move the
 * cursor, and extend the choice with Shift; Enter or Space chooses, Escape undoes the extension. A drag or an extension ends when the
 * buckets change to other times: it would choose times that nobody has pointed at.
 */
export function useSpanChoice({ count, grid, onChoose, rowLength }: Input) {
  const [movedTo, setMovedTo] = useState(rowLength === undefined ? count - 1 : 0);
  const [pointedIndex, setPointedIndex] = useState<number | null>(null);
  const [anchor, setAnchor] = useState<number | null>(null);
  const [hasFocus, setFocus] = useState(false);
  const [seenGrid, setSeenGrid] = useState(grid);
  if (seenGrid !== grid) {
    setSeenGrid(grid);
    setAnchor(null);
    setPointedIndex(null);
  }
  const cursor = Math.min(movedTo, count - 1);
  const at = pointedIndex ?? (hasFocus ? cursor : null);
  const markedSpan: Span | null = at === null ? null : { first: Math.min(at, anchor ?? at), last: Math.max(at, anchor ?? at) };

  const indexAt = (event: PointerEvent<HTMLElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(count - 1, Math.floor(((event.clientX - box.left) / box.width) * count)));
  };
  const moveTo = (to: number, isExtended: boolean): void => {
    setAnchor(isExtended ? (anchor ?? cursor) : null);
    setPointedIndex(null);
    setMovedTo(Math.max(0, Math.min(count - 1, to)));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const target = targetOf(event.key, { from: cursor, count, rowLength });
    if (target !== undefined) moveTo(target, event.shiftKey && onChoose !== undefined);
    else if (onChoose !== undefined && (event.key === 'Enter' || event.key === ' ')) {
      setAnchor(null);
      onChoose({ first: Math.min(cursor, anchor ?? cursor), last: Math.max(cursor, anchor ?? cursor) });
    } else if (event.key === 'Escape' && anchor !== null) {
      setAnchor(null);
      event.stopPropagation();
    } else return;
    event.preventDefault();
  };

  return {
    cursor,
    hasFocus,
    marked: markedSpan,
    /** For the element that the buckets fill from side to side. */
    pointing: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setPointedIndex(indexAt(event));
        setAnchor(indexAt(event));
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => setPointedIndex(indexAt(event)),
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        if (anchor === null || pointedIndex === null || event.button !== 0) return;
        const end = indexAt(event);
        setAnchor(null);
        setPointedIndex(null);
        onChoose?.({ first: Math.min(end, anchor), last: Math.max(end, anchor) });
      },
      onPointerCancel: () => {
        setAnchor(null);
        setPointedIndex(null);
      },
      onPointerLeave: () => setPointedIndex(null),
    },
    /** For the control that represents the buckets; `onChange` is for assistive technology that sets the value directly. */
    keys: {
      onKeyDown,
      onChange: (event: ChangeEvent<HTMLInputElement>) => moveTo(event.currentTarget.valueAsNumber - 1, false),
      onFocus: (event: FocusEvent<HTMLElement>) => setFocus(event.currentTarget.matches(':focus-visible')),
      onBlur: () => {
        setFocus(false);
        setAnchor(null);
      },
    },
  };
}

type Move = { from: number; count: number; rowLength: number | undefined };

function targetOf(key: string, { from, count, rowLength }: Move): number | undefined {
  // Without rows, Arrow down goes back, as in every slider.
  const down = rowLength ?? -1;
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: from - 1,
    ArrowDown: from + down,
    ArrowRight: from + 1,
    ArrowUp: from - down,
    PageDown: from - pageStep,
    PageUp: from + pageStep,
    Home: 0,
    End: count - 1,
  };
  return Object.hasOwn(targets, key) ? targets[key] : undefined;
}
