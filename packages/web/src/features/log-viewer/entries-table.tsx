import type { LogEntry } from '@switchyard/contract/log-viewer';
import { Fragment, useEffect, useMemo, useRef, useState } from 'react';
import classes from './entries-table.module.css';
import { partKey, EntryRow, type OpenParts } from './entry-row.tsx';
import { EntryGrid } from './entry-grid.tsx';
import { entryNames, partsOf } from './entry-parts.ts';
import type { LogEntries } from './use-log-day.ts';
import { Skeleton } from '@mantine/core';

type Props<Entry extends LogEntry> = {
  /** Of the table, for screen readers. */
  label?: string;
  list: Pick<LogEntries, 'isLoading' | 'view'> & { rows: readonly Entry[] };
  /** The search text, highlighted in the entries. */
  term: string;
  /** The address of an entry among its neighbours. */
  pathOf: (entry: Entry) => string;
  /** Text above an entry where others are missing. */
  gapAbove?: (entry: Entry) => string | undefined;
  /** Whether the address names an entry; null: it names none. */
  isLinked: ((entry: Entry) => boolean) | null;
};

const columns = ['env', 'level', 'time', 'header', 'actions'] as const;

/** The entries of a page, newest first. Context and stack expand below their row; `e` goes from error to error. */
export function EntriesTable<Entry extends LogEntry>({ label = 'Log entries', list, term, pathOf, isLinked, gapAbove }: Props<Entry>) {
  const grid = useRef<HTMLTableElement>(null);
  const [open, setOpen] = useState<OpenParts>(new Set());
  const names = useMemo(() => entryNames(list.rows), [list.rows]);
  const toggle = (key: string): void =>
    setOpen((before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]));

  /** Enter expands or collapses all parts of an entry. */
  const toggleAll = (index: number): void => {
    const [entry, name] = [list.rows[index], names[index]];
    if (entry === undefined || name === undefined) return;
    const keys = partsOf(entry).map((part) => partKey(name, part));
    setOpen((before) => {
      const others = [...before].filter((one) => !keys.includes(one));
      return new Set(keys.some((key) => before.has(key)) ? others : [...others, ...keys]);
    });
  };
  const linkedIndex = isLinked === null ? -1 : list.rows.findIndex(isLinked);
  useEffect(() => {
    if (linkedIndex >= 0) grid.current?.querySelector(`[data-index="${linkedIndex}"]`)?.scrollIntoView({ block: 'center' });
  }, [linkedIndex]);
  const isLoading = list.view === 'loading';
  return (
    <div className={classes['frame']} data-loading={list.isLoading || undefined}>
      <EntryGrid grid={grid} label={label} isBusy={list.isLoading} columns={columns} rows={list.rows} onOpen={toggleAll}>
        {(active) =>
          isLoading ? (
            <EntriesSkeleton />
          ) : (
            list.rows.map((entry, index) => (
              <Fragment key={names[index]}>
                <Gap text={gapAbove?.(entry)} />
                <EntryRow
                  name={names[index] ?? ''}
                  entry={entry}
                  index={index}
                  isActive={index === active}
                  isLinked={index === linkedIndex}
                  path={pathOf(entry)}
                  open={open}
                  onToggle={toggle}
                  term={term}
                />
              </Fragment>
            ))
          )
        }
      </EntryGrid>
    </div>
  );
}

/** A line where entries are missing. */
function Gap({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <tbody>
      <tr className={classes['gap']}>
        <td colSpan={columns.length}>{text}</td>
      </tr>
    </tbody>
  );
}

const rows = Array.from({ length: 12 }, (_, row) => row);

/** Placeholder rows while the first entries load. */
function EntriesSkeleton() {
  return (
    <tbody aria-hidden>
      {rows.map((row) => (
        <tr key={row} className={classes['row']}>
          {columns.map((name, at) => (
            <td key={name} data-column={name}>
              <Skeleton height={10} width={`${45 + ((row * 7 + at * 13) % 40)}%`} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
