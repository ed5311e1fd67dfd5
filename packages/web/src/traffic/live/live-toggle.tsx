import { Button, VisuallyHidden } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { HoverTooltip } from '../../shared/ui/hover-tooltip.tsx';
import classes from './live.module.css';
import type { LiveRequests } from './use-live-requests.ts';

type Live = Pick<LiveRequests<never>, 'state' | 'obstacle' | 'toggle' | 'arrivedCount'>;

const lostText = 'The connection was lost; reconnecting';

const meaningsOf = (noun: string) => ({
  off: `Show new ${noun} as they are stored`,
  paused: 'Paused while this tab is hidden',
  connecting: 'Connecting',
  live: `New ${noun} appear on top; press to stop`,
  lost: lostText,
});

const requests = { label: 'Live', noun: 'requests' };

/** Turns the live view of a list, of requests unless words are given, on and off, and shows the state of its connection. */
export function LiveToggle({ live, words = requests }: { live: Live; words?: { label: string; noun: string } }) {
  const { state, obstacle, toggle } = live;
  return (
    <HoverTooltip label={obstacle ?? meaningsOf(words.noun)[state]} isFocusable={obstacle !== undefined}>
      <Button
        variant="default"
        className={classes['toggle'] ?? ''}
        data-state={state}
        aria-pressed={state !== 'off'}
        disabled={obstacle !== undefined}
        onClick={toggle}
        leftSection={<span className={classes['dot']} />}
      >
        {state === 'lost' ? 'Reconnecting' : words.label}
      </Button>
      <LiveAnnouncement live={live} />
    </HoverTooltip>
  );
}

/** Milliseconds between two announcements of new rows, so that a screen reader is not flooded. */
const announceEvery = 10_000;

function LiveAnnouncement({ live: { state, arrivedCount } }: { live: Live }) {
  const [announcedCount, setAnnouncedCount] = useState(0);
  const announce = useEffectEvent(() => setAnnouncedCount(arrivedCount));
  const isOn = state !== 'off';
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => announce(), announceEvery);
    return () => clearInterval(timer);
  }, [isOn]);
  const rows = announcedCount === 1 ? '1 new row' : `${groupedNumber(announcedCount)} new rows`;
  const text = state === 'lost' ? lostText : state !== 'live' ? '' : announcedCount === 0 ? 'Live' : `${rows} since live updates began`;
  return <VisuallyHidden component="output">{text}</VisuallyHidden>;
}
