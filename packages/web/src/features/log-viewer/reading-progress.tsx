import { Button, Progress } from '@mantine/core';
import type { LogProgress } from '@switchyard/contract/log-viewer';
import type { ReactNode } from 'react';
import classes from './reading-progress.module.css';
import type { LogDayReading } from './use-log-day.ts';

/** What part of a file that is, in whole percent; 100 only at its end. */
export function percentOf({ bytes, of }: LogProgress): number {
  return of === 0 ? 0 : Math.min(99, Math.floor((bytes / of) * 100));
}

/** A large file that is still being read: what is shown is its newest part. */
export function IndexingProgress({ progress }: { progress: LogProgress }) {
  return (
    <Strip progress={progress} label="Reading the file" isMoving>
      The newest entries are shown; figures and pages grow until the whole file has been read.
    </Strip>
  );
}

type SearchProps = Pick<LogDayReading, 'isSearching' | 'setSearching'> & { progress: LogProgress };

/** A search that has not come to the end of the file: how far it is, and whether it goes on (S26). */
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
      {isSearching ? 'What has been found so far is shown.' : 'What was found until then is shown; older entries were not looked at yet.'}
    </Strip>
  );
}

type StripProps = { progress: LogProgress; label: string; isMoving: boolean; action?: ReactNode; children: ReactNode };

function Strip({ progress, label, isMoving, action, children }: StripProps) {
  const percent = percentOf(progress);
  return (
    <div className={classes['strip']} data-moving={isMoving || undefined}>
      <div className={classes['line']}>
        {/* Told once; the figure would never let a reader hear of anything else. */}
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
