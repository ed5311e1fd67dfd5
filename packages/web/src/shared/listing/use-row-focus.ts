import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { walkedTo } from './walk-rows.ts';

type Input = {
  grid: RefObject<HTMLElement | null>;
  count: number;
  /** Index of the row shown in the side panel, -1 when there is none. */
  openIndex: number;
  /** Brings a row that is not mounted into view. */
  reveal: (index: number) => void;
  /** Enter on a row, and every step while the panel is open. */
  onOpen: ((index: number) => void) | undefined;
};

function rowOf(target: EventTarget): HTMLElement | null {
  return target instanceof HTMLElement ? target.closest<HTMLElement>('[data-index]') : null;
}

/** The row and its controls in order, for walking sideways. */
function stopsOf(row: HTMLElement): HTMLElement[] {
  return [row, ...row.querySelectorAll<HTMLElement>('a[href], button:not(:disabled), [tabindex]')];
}

/**
 * The keyboard of a table: one row is a tab stop, Up, Down, Page Up, Page Down, Home and End walk the rows, Left and
 * Right the controls of the row, Enter opens it. While the side panel is open it follows.
 */
export function useRowFocus({ grid, count, openIndex, reveal, onOpen }: Input) {
  const [active, setActive] = useState(0);
  const wanted = useRef<number | null>(null);
  const current = Math.max(0, Math.min(active, count - 1));

  // The row may be mounted only after the table has scrolled to it, so this is tried after every render.
  useEffect(() => {
    if (wanted.current === null) return;
    const row = grid.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (row === null || row === undefined) return;
    wanted.current = null;
    row.focus();
  });

  const [followed, setFollowed] = useState(openIndex);
  if (followed !== openIndex) {
    setFollowed(openIndex);
    if (openIndex >= 0) setActive(openIndex);
  }
  const revealOpened = useEffectEvent((index: number) => reveal(index));
  const takeFocusBack = useEffectEvent(() => {
    if (document.activeElement !== document.body) return;
    grid.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)?.focus();
  });
  const isOpen = openIndex >= 0;
  useEffect(() => {
    if (openIndex >= 0) revealOpened(openIndex);
  }, [openIndex]);
  // A panel that closes with the focus inside would leave the keyboard at the top of the page.
  useEffect(() => {
    if (!isOpen) return undefined;
    return () => takeFocusBack();
  }, [isOpen]);

  // A row that a change of the list takes away would leave the keyboard at the top of the page; the one in its place gets it.
  const holdsFocus = useRef(false);
  useEffect(() => {
    const { activeElement, body } = document;
    if (activeElement !== body) holdsFocus.current = grid.current?.contains(activeElement) ?? false;
    else if (holdsFocus.current) grid.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)?.focus({ preventScroll: true });
  });

  // A list that has lost its last row shows no table any more.
  useEffect(
    () => () => {
      if (holdsFocus.current && document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true });
    },
    [],
  );

  function walk(index: number): void {
    wanted.current = index;
    setActive(index);
    reveal(index);
    if (openIndex >= 0) onOpen?.(index);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const row = rowOf(event.target);
    if (row === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const index = walkedTo(event.key, current, count);
    if (index !== null) {
      event.preventDefault();
      walk(index);
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      event.preventDefault();
      const stops = stopsOf(row);
      const at = stops.findIndex((stop) => stop === event.target);
      stops[at + (event.key === 'ArrowRight' ? 1 : -1)]?.focus();
    } else if (event.key === 'Enter' && event.target === row) {
      event.preventDefault();
      onOpen?.(current);
    }
  }

  function onFocus(event: { target: EventTarget }): void {
    holdsFocus.current = true;
    const index = Number(rowOf(event.target)?.dataset['index'] ?? '-1');
    if (index >= 0) setActive(index);
  }

  // Not called for an element that is taken away while it has the focus.
  function onBlur(): void {
    holdsFocus.current = false;
  }

  return { active: current, onKeyDown, onFocus, onBlur };
}
