import type { LogEntry } from '@switchyard/contract/log-viewer';
import type { ReactNode, RefObject } from 'react';
import { useRowFocus } from '../../shared/listing/use-row-focus.ts';
import { LogLevelIcon } from '../../shared/logs/log-level-icon.tsx';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import classes from './entries-table.module.css';
import { nextError } from './entry-parts.ts';

type Props = {
  grid: RefObject<HTMLTableElement | null>;
  /** Of the table, for screen readers. */
  label: string;
  isBusy: boolean;
  columns: readonly string[];
  rows: readonly Pick<LogEntry, 'level'>[];
  onOpen: (index: number) => void;
  /** The bodies of the table; `active` is the row that has the focus. */
  children: (active: number) => ReactNode;
};

/** A table of log entries, newest first. Enter opens an entry; `e` goes from error to error. */
export function EntryGrid({ grid, label, isBusy, columns, rows, onOpen, children }: Props) {
  const focus = useRowFocus({
    grid,
    count: rows.length,
    openIndex: -1,
    onOpen,
    findNext: (from, step) => nextError(rows, from, step),
    reveal: (index) => grid.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: 'nearest' }),
  });
  return (
    <table
      ref={grid}
      role="grid"
      className={classes['table']}
      aria-label={label}
      aria-busy={isBusy}
      onKeyDown={focus.onKeyDown}
      onFocus={focus.onFocus}
    >
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col" data-column={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {children(focus.active)}
    </table>
  );
}

/** The channel of an entry, and the file that it comes from, which days with several files name. */
export function EntryEnv({ env, source = '' }: { env: string; source?: string | undefined }) {
  return (
    <>
      {env === '' ? '-' : <VisibleText text={env} />}
      {source !== '' && (
        <span className={classes['source']} title="Source">
          <VisibleText text={source} />
        </span>
      )}
    </>
  );
}

export function EntryLevel({ level }: Pick<LogEntry, 'level'>) {
  if (level === '') return '-';
  return (
    <span className={classes['level']}>
      <LogLevelIcon level={level} size="s" isDecorative />
      {level}
    </span>
  );
}

/** The time of an entry. What is no time that we know is shown as it was written. */
export function EntryTime({ datetime }: Pick<LogEntry, 'datetime'>) {
  const displayDate = useDisplayDate();
  const time = displayDate(datetime);
  return time === '-' && datetime !== '' ? <VisibleText text={datetime} /> : time;
}
