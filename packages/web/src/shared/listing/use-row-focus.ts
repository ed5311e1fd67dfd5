import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { localSettings } from '../local-settings.ts';

/** How many rows Page Up and Page Down pass. */
const pageStep = 10;

type Input = {
  grid: RefObject<HTMLElement | null>;
  count: number;
  /** Index of the row shown in the side panel, -1 when there is none. */
  openIndex: number;
  /** Brings a row that is not mounted into view. */
  reveal: (index: number) => void;
  /** Called for Enter on a row, and for every move while the panel is open. */
  onOpen: ((index: number) => void) | undefined;
  /** The row that `e` goes to from another one, down or, with Shift, up; null for none. */
  findNext?: ((from: number, step: 1 | -1) => number | null) | undefined;
  /** Called for `x` on a row; with Shift for all rows from the last one on. */
  onSelect?: ((index: number, isRange: boolean) => void) | undefined;
};

function rowOf(target: EventTarget): HTMLElement | null {
  return target instanceof HTMLElement ? target.closest<HTMLElement>('[data-index]') : null;
}

/** The row and its controls, in the order of Left and Right. */
function stopsOf(row: HTMLElement): HTMLElement[] {
  return [row, ...row.querySelectorAll<HTMLElement>('a[href], button:not(:disabled), [tabindex]')];
}

/**
 * The keyboard of a table (roving tab index): one row is the tab stop. Up, Down, Page Up, Page Down, Home and End move between
 * rows, Left and Right between the controls of a row, Enter opens it, `x` selects it. An open side panel follows.
 */
export function useRowFocus({ grid, count, openIndex, reveal, onOpen, findNext, onSelect }: Input) {
  const [active, setActive] = useState(0);
  const pendingFocus = useRef<number | null>(null);
  const current = Math.max(0, Math.min(active, count - 1));

  // The row may be mounted only after the table has scrolled to it, so this runs after every render.
  useEffect(() => {
    if (pendingFocus.current === null) return;
    const row = grid.current?.querySelector<HTMLElement>(`[data-index="${pendingFocus.current}"]`);
    if (row === null || row === undefined) return;
    pendingFocus.current = null;
    row.focus();
  });

  const [followedIndex, setFollowed] = useState(openIndex);
  if (followedIndex !== openIndex) {
    setFollowed(openIndex);
    if (openIndex >= 0) setActive(openIndex);
  }
  const revealOpened = useEffectEvent((index: number) => reveal(index));
  const restoreFocus = useEffectEvent(() => {
    if (document.activeElement !== document.body) return;
    grid.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)?.focus();
  });
  const isOpen = openIndex >= 0;
  useEffect(() => {
    if (openIndex >= 0) revealOpened(openIndex);
  }, [openIndex]);
  // Closing a panel that has the focus would move the keyboard to the top of the page.
  useEffect(() => {
    if (!isOpen) return undefined;
    return () => restoreFocus();
  }, [isOpen]);

  // Removing the focused row would move the keyboard to the top of the page; the row in its place gets the focus.
  const holdsFocus = useRef(false);
  useEffect(() => {
    const { activeElement, body } = document;
    if (activeElement !== body) holdsFocus.current = grid.current?.contains(activeElement) ?? false;
    else if (holdsFocus.current) grid.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)?.focus({ preventScroll: true });
  });

  // Without rows the table is unmounted.
  useEffect(
    () => () => {
      if (holdsFocus.current && document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true });
    },
    [],
  );

  function moveTo(index: number): void {
    pendingFocus.current = index;
    setActive(index);
    reveal(index);
    if (openIndex >= 0) onOpen?.(index);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const row = rowOf(event.target);
    if (row === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const index = rowByKey(event.key, current, count);
    if (index !== null) {
      event.preventDefault();
      moveTo(index);
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      event.preventDefault();
      const stops = stopsOf(row);
      const at = stops.findIndex((stop) => stop === event.target);
      stops[at + (event.key === 'ArrowRight' ? 1 : -1)]?.focus();
    } else if (event.key === 'Enter' && event.target === row) {
      event.preventDefault();
      onOpen?.(current);
    } else if (event.key.toLowerCase() === 'e' && findNext !== undefined && (localSettings.singleKeys.get() ?? true)) {
      event.preventDefault();
      moveTo(findNext(current, event.shiftKey ? -1 : 1) ?? current);
    } else if (event.key.toLowerCase() === 'x' && onSelect !== undefined && (localSettings.singleKeys.get() ?? true)) {
      event.preventDefault();
      onSelect(current, event.shiftKey);
    }
  }

  function onFocus(event: { target: EventTarget }): void {
    holdsFocus.current = true;
    const index = Number(rowOf(event.target)?.dataset['index'] ?? '-1');
    if (index >= 0) setActive(index);
  }

  // Not called when the focused element is removed.
  function onBlur(): void {
    holdsFocus.current = false;
  }

  return { active: current, onKeyDown, onFocus, onBlur };
}

/** The row that a key moves to; null for keys that do not move. */
export function rowByKey(key: string, from: number, count: number): number | null {
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(from + 1, last);
    case 'ArrowUp':
      return Math.max(from - 1, 0);
    case 'PageDown':
      return Math.min(from + pageStep, last);
    case 'PageUp':
      return Math.max(from - pageStep, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
