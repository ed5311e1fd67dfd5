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
    <FileStrip progress={progress} label="Reading the file" isMoving>
      The newest entries are shown. Counts and pages grow until the whole file is read.
    </FileStrip>
  );
}

type SearchProps = Pick<LogDayReading, 'isSearching' | 'setSearching'> & { progress: LogProgress };

/** A search that has not reached the end of the file: its progress, and a button to stop or continue. */
export function SearchProgress({ progress, isSearching, setSearching }: SearchProps) {
  return (
    <FileStrip
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
    </FileStrip>
  );
}

type FileProps = { progress: LogProgress; label: string; isMoving: boolean; action?: ReactNode; children: ReactNode };

function FileStrip({ progress, isMoving, ...strip }: FileProps) {
  const percent = percentOf(progress);
  return (
    <ProgressStrip {...strip} percent={percent} figure={isMoving ? `${percent}%` : `after ${percent}% of the file`} isCalm={isMoving} />
  );
}

type StripProps = {
  label: string;
  /** What stands beside the label: a figure. */
  figure: string;
  /** Null: without a bar. */
  percent: number | null;
  /** Of what goes on or is done; otherwise it stopped before its end. */
  isCalm: boolean;
  action?: ReactNode;
  children?: ReactNode;
};

/** How far the reading of logs is, in a line. */
export function ProgressStrip({ label, figure, percent, isCalm, action, children }: StripProps) {
  return (
    <div className={classes['strip']} data-calm={isCalm || undefined}>
      <div className={classes['line']}>
        {/* Announced when it changes. An announced figure would interrupt screen readers continuously. */}
        <output className={classes['label']}>{label}</output>
        <span className={classes['figure']}>{figure}</span>
        <span className={classes['text']}>{children}</span>
        {action}
      </div>
      {percent !== null && (
        <Progress.Root size="xs">
          <Progress.Section value={percent} color={isCalm ? 'accent' : 'warning'} aria-label={label} />
        </Progress.Root>
      )}
    </div>
  );
}
