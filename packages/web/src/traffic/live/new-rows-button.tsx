import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import classes from './live.module.css';
import type { LiveRequests } from './use-live-requests.ts';

/** Pixels by which a list may be scrolled and still count as at its top. */
const tolerance = 4;

type Props = { live: Pick<LiveRequests<never>, 'state' | 'waiting' | 'showWaiting' | 'hold'> };

/**
 * Holds the rows of a live list while the reader has scrolled down or moves between them with the keyboard, and shows what
 * has arrived since on a press.
 */
export function NewRowsButton({ live: { state, waiting, showWaiting, hold } }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const holdFor = useEffectEvent(hold);
  const isOn = state !== 'off';

  useEffect(() => {
    const rows = place.current?.parentElement;
    if (!isOn || rows === null || rows === undefined) return undefined;
    const onScroll = (): void => holdFor('scroll', isScrolledAway(rows));
    const onFocus = (): void => {
      const focusedElement = document.activeElement;
      const isMoving = focusedElement !== null && rows.contains(focusedElement) && focusedElement.closest('[data-index]') !== null;
      holdFor('keyboard', isMoving && focusedElement.matches(':focus-visible'));
    };
    onScroll();
    document.addEventListener('scroll', onScroll, true);
    rows.addEventListener('focusin', onFocus);
    rows.addEventListener('focusout', onFocus);
    return () => {
      document.removeEventListener('scroll', onScroll, true);
      rows.removeEventListener('focusin', onFocus);
      rows.removeEventListener('focusout', onFocus);
    };
  }, [isOn]);

  const show = (): void => {
    showWaiting();
    if (place.current?.parentElement) scrollToTop(place.current.parentElement);
  };
  return (
    <div ref={place} className={classes['place']} data-screen-only>
      {isOn && waiting > 0 && (
        <Button size="xs" radius="xl" className={classes['new'] ?? ''} leftSection={<IconArrowUp size={14} aria-hidden />} onClick={show}>
          {waiting === 1 ? '1 new row' : `${groupedNumber(waiting)} new rows`}
        </Button>
      )}
    </div>
  );
}

/** The boxes in a list that scroll by themselves: its table does, its cards do not. */
function scrolledBoxes(list: Element): Element[] {
  return [...list.children, ...[...list.children].flatMap((child) => [...child.children])].filter((box) => box.scrollTop > tolerance);
}

/** Whether a list is scrolled down. A table scrolls in itself, cards scroll with the page. */
function isScrolledAway(list: Element): boolean {
  return scrolledBoxes(list).length > 0 || list.getBoundingClientRect().top < 0;
}

/** Scrolls to the top of a list. */
function scrollToTop(list: Element): void {
  for (const box of scrolledBoxes(list)) box.scrollTo({ top: 0 });
  if (list.getBoundingClientRect().top < 0) list.scrollIntoView({ block: 'start' });
}
