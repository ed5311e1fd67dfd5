import { Alert, Button, Title } from '@mantine/core';
import { streamLimits } from '@switchyard/contract/limits';
import { LiveToggle } from '../../traffic/live/live-toggle.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { EntriesTable } from './entries-table.tsx';
import { entryPath } from './entry-link.ts';
import classes from './follow-log.module.css';
import type { LogSource } from './log-source.ts';
import type { LogDayReading, LogEntries } from './use-log-day.ts';
import { useFollowLog, type EntryGap, type LogFollowing } from './use-follow-log.ts';

type Props = {
  place: { source: LogSource; date: string; query: LogEntries['query'] };
  reading: LogDayReading;
  /** How often the user has read the list again. */
  refreshes: number;
};

const words = { label: 'Follow', noun: 'entries' };

/** Follows a day: the entries that have arrived since, newest first. */
export default function FollowLog({ place, reading, refreshes }: Props) {
  const follow = useFollowLog({ ...place, reading, refreshes });
  const isOn = follow.state !== 'off';
  return (
    <section className={classes['section']} aria-label="New entries" data-screen-only>
      <div className={classes['line']}>
        <LiveToggle live={follow} words={words} />
        {isOn && <FollowState follow={follow} />}
      </div>
      {follow.isReplaced && (
        <Alert color="warning" variant="light" p="xs">
          Following moved to another tab. At most {streamLimits.openPerAccount} lists can be live.{' '}
          <Button size="compact-sm" variant="default" onClick={follow.toggle}>
            Follow here
          </Button>
        </Alert>
      )}
      {isOn && <NewEntries follow={follow} place={place} />}
    </section>
  );
}

function FollowState({ follow: { state, arrivedCount, waitingCount, isPaused, setPaused } }: { follow: LogFollowing }) {
  return (
    <>
      <Title order={2} size="sm">
        {arrivedCount === 1 ? '1 new entry' : `${groupedNumber(arrivedCount)} new entries`}
      </Title>
      <output className={classes['state']}>{stateText(state, isPaused, waitingCount)}</output>
      <Button size="compact-sm" variant={isPaused ? 'filled' : 'default'} onClick={() => setPaused(!isPaused)}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </>
  );
}

function NewEntries({ follow: { arrivals, openGap }, place }: Pick<Props, 'place'> & { follow: LogFollowing }) {
  const rows = arrivals.map(({ entry }) => entry);
  /** A gap is below the entry that came after it, so above the next older one. */
  const gaps = new Map(
    arrivals.flatMap(({ gapBefore }, index) => (gapBefore === undefined ? [] : [[rows[index + 1], gapBefore] as const])),
  );
  const oldestGap = arrivals.at(-1)?.gapBefore;
  return (
    <>
      {openGap !== null && <p className={classes['gap']}>{gapText(openGap)}</p>}
      {rows.length > 0 && (
        <EntriesTable
          label="New log entries"
          list={{ rows, isLoading: false, view: 'rows' }}
          term={place.query.query ?? ''}
          pathOf={(entry) => entryPath({ ...place, date: entry.date }, entry)}
          isLinked={null}
          gapAbove={(entry) => {
            const gap = gaps.get(entry);
            return gap && gapText(gap);
          }}
        />
      )}
      {oldestGap !== undefined && <p className={classes['gap']}>{gapText(oldestGap)}</p>}
    </>
  );
}

function stateText(state: LogFollowing['state'], isPaused: boolean, waitingCount: number): string {
  if (state === 'lost') return 'The connection was lost; reconnecting';
  if (state === 'paused') return 'Paused while this tab is hidden';
  if (isPaused) return waitingCount === 1 ? '1 entry is waiting' : `${groupedNumber(waitingCount)} entries are waiting`;
  return state === 'connecting' ? 'Connecting' : 'New entries appear on top';
}

const reasons = {
  deleted: 'The file was deleted',
  truncated: 'The file was truncated',
  replaced: 'The file was replaced',
  rate: 'More entries came than can be shown',
} as const;

function gapText({ skipped, reason }: EntryGap): string {
  const missing =
    skipped === null
      ? 'some entries are missing here'
      : skipped === 1
        ? '1 entry is missing here'
        : `${groupedNumber(skipped)} entries are missing here`;
  return `${reason === undefined ? 'Reconnected late' : reasons[reason]}: ${missing}.`;
}
