import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { groupedNumber } from '../counter-text.ts';
import { HoverTooltip } from '../../ui/hover-tooltip.tsx';
import classes from './live.module.css';
import type { LiveRequests } from './use-live-requests.ts';

type Live = Pick<LiveRequests<never>, 'state' | 'obstacle' | 'toggle' | 'arrived'>;

const labels = { off: 'Live', asleep: 'Live', connecting: 'Live', live: 'Live', lost: 'Reconnecting' } as const;

const meanings = {
  off: 'Show new requests as they are stored',
  asleep: 'Paused while this tab is hidden',
  connecting: 'Connecting',
  live: 'New requests appear on top; press to stop',
  lost: 'The connection was lost; trying again',
} as const;

/** Turns the live view of a list on and off, and tells how its connection stands. */
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

/** Between two announcements of new rows, in milliseconds: each row told would drown everything else. */
const announceEvery = 10_000;

function LiveAnnouncement({ live: { state, arrived } }: { live: Live }) {
  const [told, setTold] = useState(0);
  const tell = useEffectEvent(() => setTold(arrived));
  const isOn = state !== 'off';
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => tell(), announceEvery);
    return () => clearInterval(timer);
  }, [isOn]);
  const rows = told === 1 ? '1 new row' : `${groupedNumber(told)} new rows`;
  const text = state === 'lost' ? meanings.lost : state !== 'live' ? '' : told === 0 ? 'Live' : `${rows} since the list is live`;
  return <output className={classes['announcement']}>{text}</output>;
}
