import { Button } from '@mantine/core';
import { stopViewAs } from '@switchyard/contract/view-as';
import { IconEye } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { call } from '../shared/api/call.ts';
import { localSettings } from '../shared/local-settings.ts';
import { viewAs, type TabView } from '../shared/session/view-as.ts';
import { correctedClock } from '../shared/time/corrected-clock.ts';
import { notify } from '../shared/ui/notifications/notification-center.ts';
import { VisibleText } from '../shared/ui/visible-text.tsx';
import classes from './view-banner.module.css';

/** Ends the view on the server, even if the call fails, and returns to the own session. */
async function stop(): Promise<void> {
  const asToken = localSettings.token.get()?.accessToken;
  try {
    if (asToken !== undefined) await call(stopViewAs, { asToken, showsFailureItself: () => true });
  } catch {
    // The view ends in this tab anyway, and on the server after its time.
  }
  viewAs.leave();
}

/** Minutes until an instant, the running one included. */
function minutesUntil(instant: number): number {
  return Math.max(1, Math.ceil((instant - correctedClock.now().getTime()) / 60_000));
}

/** Tells on every page of a view what is looked at, and that nothing can be changed. Ends the view when its time is over. */
export function ViewBanner({ view: { subject, token } }: { view: TabView }) {
  const [isStopping, setIsStopping] = useState(false);
  const [minutes, setMinutes] = useState(() => minutesUntil(token.expiresAt));
  useEffect(() => {
    const timer = setTimeout(() => viewAs.end(), token.expiresAt - correctedClock.now().getTime());
    const ticking = setInterval(() => setMinutes(minutesUntil(token.expiresAt)), 1000);
    return () => {
      clearTimeout(timer);
      clearInterval(ticking);
    };
  }, [token]);
  return (
    <section className={classes['banner']} aria-label="View as">
      <IconEye size={18} stroke={1.8} aria-hidden />
      <span className={classes['text']} title={subject.name}>
        Viewing as {subject.kind === 'role' ? 'the role ' : ''}
        <strong>
          <VisibleText text={subject.name} />
        </strong>
      </span>
      <span className={classes['note']}>
        <span className={classes['mode']}>Read only, </span>
        {minutes} min left
      </span>
      <Button
        size="compact-sm"
        variant="default"
        loading={isStopping}
        onClick={() => {
          setIsStopping(true);
          void stop();
        }}
      >
        Stop
      </Button>
    </section>
  );
}

/** Tells once that a view ended by itself. */
export function useEndedViewNotice(): void {
  useEffect(() => {
    const name = viewAs.takeEnded();
    if (name !== null) notify({ type: 'info', message: `The view as ${name} has ended` });
  }, []);
}
