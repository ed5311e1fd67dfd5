import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { groupedNumber } from '../counter-text.ts';
import classes from './live.module.css';
import { isScrolledAway, scrollToTop } from './scrolled-away.ts';
import type { LiveRequests } from './use-live-requests.ts';

type Props = { live: Pick<LiveRequests<never>, 'state' | 'waiting' | 'showWaiting' | 'hold'> };

/**
 * Stands above the rows of a live list: holds them still while the reader has scrolled down or walks them with the
 * keyboard, and offers what has arrived since.
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
      const focused = document.activeElement;
      const isWalking = focused !== null && rows.contains(focused) && focused.closest('[data-index]') !== null;
      holdFor('keyboard', isWalking && focused.matches(':focus-visible'));
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
