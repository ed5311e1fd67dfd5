import { Button } from '@mantine/core';
import { fromDate, parseDateTime } from '@switchyard/contract/dates';
import { IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { AppLink } from '../shared/navigation.tsx';
import { paths } from '../shared/paths.ts';
import { loadOwnFactors, ownFactorsKey } from '../shared/session/own-factors.ts';
import { useSessionUser } from '../shared/session/use-session.ts';
import { correctedClock } from '../shared/time/corrected-clock.ts';
import { useDisplayDate } from '../shared/time/server-time.ts';
import classes from './factor-notice.module.css';

/** Milliseconds for which the loaded factors serve further pages: the notice counts days. */
const freshFor = 600_000;
const microsecondsOfDay = 86_400_000_000;

/** Shows a reader without a second factor from which day on one is required, and how many days remain. */
export function FactorNotice() {
  const isSignedIn = useSessionUser() !== null;
  const displayDate = useDisplayDate();
  const { data } = useQuery({
    queryKey: ownFactorsKey,
    queryFn: () => loadOwnFactors(true),
    enabled: isSignedIn,
    staleTime: freshFor,
  });
  const start = data?.factors.length === 0 ? data.required_from : null;
  if (start === null) return null;
  const days = Math.ceil((parseDateTime(start) - fromDate(correctedClock.now())) / microsecondsOfDay);
  return (
    <aside className={classes['notice']} aria-label="Second factor" data-screen-only>
      <IconShieldLock size={18} stroke={1.8} aria-hidden />
      <span className={classes['text']}>
        {`Your account needs a second factor from ${displayDate(start).slice(0, 10)}. ${daysLeft(days)} left to add one.`}
      </span>
      <Button component={AppLink} href={paths.account()} size="xs" variant="default">
        Add second factor
      </Button>
    </aside>
  );
}

function daysLeft(days: number): string {
  if (days <= 1) return 'Less than a day';
  return `${days} days`;
}
