import { useMemo, useRef, useState } from 'react';
import { useRowFocus } from '../../shared/listing/use-row-focus.ts';
import classes from './entries-table.module.css';
import { partKey, EntryRow, type OpenParts } from './entry-row.tsx';
import { entryNames, partsOf } from './entry-parts.ts';
import { EntriesSkeleton } from './entries-skeleton.tsx';
import type { LogEntries } from './use-log-day.ts';

type Props = {
  list: LogEntries;
  /** What was searched for, marked where it stands. */
  term: string;
};

const columns = ['env', 'level', 'time', 'header', 'actions'] as const;

/** The entries of a page, newest first; context and stack fold out below their row (LOG-024 to LOG-026). */
export function EntriesTable({ list, term }: Props) {
  const grid = useRef<HTMLTableElement>(null);
  const [open, setOpen] = useState<OpenParts>(new Set());
  const names = useMemo(() => entryNames(list.rows), [list.rows]);
  const toggle = (key: string): void =>
    setOpen((before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]));

  /** Enter folds out all that an entry has, or in again. */
  const toggleAll = (index: number): void => {
    const [entry, name] = [list.rows[index], names[index]];
    if (entry === undefined || name === undefined) return;
    const keys = partsOf(entry).map((part) => partKey(name, part));
    setOpen((before) => {
      const others = [...before].filter((one) => !keys.includes(one));
      return new Set(keys.some((key) => before.has(key)) ? others : [...others, ...keys]);
    });
  };
  const focus = useRowFocus({
    grid,
    count: list.rows.length,
    openIndex: -1,
    onOpen: toggleAll,
    reveal: (index) => grid.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: 'nearest' }),
  });
  const isLoading = list.view === 'loading';
  return (
    <div className={classes['frame']} data-loading={list.isLoading || undefined}>
      <table
        ref={grid}
        role="grid"
        className={classes['table']}
        aria-label="Log entries"
        aria-busy={list.isLoading}
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
        {isLoading ? (
          <EntriesSkeleton columns={columns} />
        ) : (
          list.rows.map((entry, index) => (
            <EntryRow
              key={names[index]}
              name={names[index] ?? ''}
              entry={entry}
              index={index}
              isActive={index === focus.active}
              open={open}
              onToggle={toggle}
              term={term}
            />
          ))
        )}
      </table>
    </div>
  );
}
