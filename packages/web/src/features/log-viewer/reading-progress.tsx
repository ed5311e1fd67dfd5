import { Button, Progress } from '@mantine/core';
import type { LogProgress } from '@switchyard/contract/log-viewer';
import type { ReactNode } from 'react';
import classes from './reading-progress.module.css';
import type { LogDayReading } from './use-log-day.ts';

/** Progress in whole percent; 100 only at the end of the file. */
export function percentOf({ bytes, of }: LogProgress): number {
  return of === 0 ? 0 : Math.min(99, Math.floor((bytes / of) * 100));
}

/** A large file that is being indexed; the newest part is shown. */
export function IndexingProgress({ progress }: { progress: LogProgress }) {
  return (
    <Strip progress={progress} label="Reading the file" isMoving>
      The newest entries are shown. Counts and pages grow until the whole file is read.
    </Strip>
  );
}

type SearchProps = Pick<LogDayReading, 'isSearching' | 'setSearching'> & { progress: LogProgress };

/** A search that has not reached the end of the file: its progress, and a button to stop or continue. */
export function SearchProgress({ progress, isSearching, setSearching }: SearchProps) {
  return (
    <Strip
      progress={progress}
      label={isSearching ? 'Searching' : 'The search stopped'}
      isMoving={isSearching}
      action={
        <Button size="compact-sm" variant={isSearching ? 'default' : 'filled'} onClick={() => setSearching(!isSearching)}>
          {isSearching ? 'Stop' : 'Continue'}
        </Button>
      }
    >
      {isSearching ? 'Showing the matches found so far.' : 'Showing the matches found so far. Older entries have not been searched.'}
    </Strip>
  );
}

type StripProps = { progress: LogProgress; label: string; isMoving: boolean; action?: ReactNode; children: ReactNode };

function Strip({ progress, label, isMoving, action, children }: StripProps) {
  const percent = percentOf(progress);
  return (
    <div className={classes['strip']} data-moving={isMoving || undefined}>
      <div className={classes['line']}>
        {/* Announced once. An announced percentage would interrupt screen readers continuously. */}
        <output className={classes['label']}>{label}</output>
        <span className={classes['percent']}>{isMoving ? `${percent}%` : `after ${percent}% of the file`}</span>
        <span className={classes['text']}>{children}</span>
        {action}
      </div>
      <Progress.Root size="xs">
        <Progress.Section value={percent} color={isMoving ? 'accent' : 'warning'} aria-label={label} />
      </Progress.Root>
    </div>
  );
}
