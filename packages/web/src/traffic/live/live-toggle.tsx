import { Button, VisuallyHidden } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { HoverTooltip } from '../../shared/ui/hover-tooltip.tsx';
import classes from './live.module.css';
import type { LiveRequests } from './use-live-requests.ts';

type Live = Pick<LiveRequests<never>, 'state' | 'obstacle' | 'toggle' | 'arrivedCount'>;

const labels = { off: 'Live', paused: 'Live', connecting: 'Live', live: 'Live', lost: 'Reconnecting' } as const;

const meanings = {
  off: 'Show new requests as they are stored',
  paused: 'Paused while this tab is hidden',
  connecting: 'Connecting',
  live: 'New requests appear on top; press to stop',
  lost: 'The connection was lost; reconnecting',
} as const;

/** Turns the live view of a list on and off, and shows the state of its connection. */
export function LiveToggle({ live }: { live: Live }) {
  const { state, obstacle, toggle } = live;
  return (
    <HoverTooltip label={obstacle ?? meanings[state]} isFocusable={obstacle !== undefined}>
      <Button
        variant="default"
        className={classes['toggle'] ?? ''}
        data-state={state}
        aria-pressed={state !== 'off'}
        disabled={obstacle !== undefined}
        onClick={toggle}
        leftSection={<span className={classes['dot']} />}
      >
        {labels[state]}
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
  const text =
    state === 'lost' ? meanings.lost : state !== 'live' ? '' : announcedCount === 0 ? 'Live' : `${rows} since live updates began`;
  return <VisuallyHidden component="output">{text}</VisuallyHidden>;
}
