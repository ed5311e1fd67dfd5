import { Mark } from '@mantine/core';
import type { FoundLogEntry, FoundPart, LogSearchQuery } from '@switchyard/contract/log-search';
import { Fragment, memo, useRef } from 'react';
import { useRowFocus } from '../../shared/listing/use-row-focus.ts';
import { LogLevelIcon } from '../../shared/logs/log-level-icon.tsx';
import { RowLink, useOpenPath } from '../../shared/navigation.tsx';
import { stringifySearch } from '../../shared/search-codec.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { GridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { entryPath } from './entry-link.ts';
import { nextError } from './entry-parts.ts';
import classes from './log-search-page.module.css';
import type { LogSource } from './log-source.ts';

type Term = Pick<LogSearchQuery, 'query' | 'regex'>;
type Props = { source: LogSource; entries: readonly FoundLogEntry[]; term: Term; isRunning: boolean };

const columns = ['env', 'level', 'time', 'header'] as const;

/** Found entries below their days, newest first. Enter opens one among its neighbours; `e` goes from error to error. */
export function FoundEntries({ source, entries, term, isRunning }: Props) {
  const grid = useRef<HTMLTableElement>(null);
  const openPath = useOpenPath();
  const focus = useRowFocus({
    grid,
    count: entries.length,
    openIndex: -1,
    onOpen: (index) => {
      const entry = entries[index];
      if (entry !== undefined) openPath(pathOf(source, entry, term));
    },
    findNext: (from, step) => nextError(entries, from, step),
    reveal: (index) => grid.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: 'nearest' }),
  });
  return (
    <div className={classes['frame']}>
      <table
        ref={grid}
        role="grid"
        className={classes['table']}
        aria-label="Found entries"
        aria-busy={isRunning}
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
        <tbody>
          {entries.map((entry, index) => (
            <Fragment key={`${entry.date} ${entry.source} ${entry.id}`}>
              {entry.date !== entries[index - 1]?.date && (
                <tr className={classes['day']}>
                  <th scope="rowgroup" colSpan={columns.length}>
                    {entry.date}
                  </th>
                </tr>
              )}
              <FoundRow entry={entry} index={index} isActive={index === focus.active} path={pathOf(source, entry, term)} />
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The entry among its neighbours; while its file is being indexed, its ordinal is unknown, and the search of its day opens. */
function pathOf(source: LogSource, { date, id, datetime, source: file }: FoundLogEntry, { query, regex }: Term): string {
  if (id < 0) return source.dayPath(date) + stringifySearch({ query: regex === true ? undefined : query });
  return entryPath({ source, date, query: { format: undefined } }, { id, datetime, source: file });
}

type RowProps = { entry: FoundLogEntry; index: number; isActive: boolean; path: string };

const FoundRow = memo(function FoundRow({ entry, index, isActive, path }: RowProps) {
  const displayDate = useDisplayDate();
  const { env, level, datetime, header, source, excerpt } = entry;
  const time = displayDate(datetime);
  const tabIndex = isActive ? 0 : -1;
  return (
    <tr className={classes['row']} data-level={level} data-index={index} tabIndex={tabIndex}>
      <td data-column="env">
        {env === '' ? '-' : <VisibleText text={env} />}
        {source !== '' && (
          <span className={classes['source']} title="Source">
            <VisibleText text={source} />
          </span>
        )}
      </td>
      <td data-column="level">
        {level === '' ? (
          '-'
        ) : (
          <span className={classes['level']}>
            <LogLevelIcon level={level} size="s" isDecorative />
            {level}
          </span>
        )}
      </td>
      <td data-column="time">{time === '-' && datetime !== '' ? <VisibleText text={datetime} /> : time}</td>
      <td data-column="header">
        <GridTabIndex.Provider value={tabIndex}>
          <RowLink href={path} className={classes['link']}>
            {excerpt?.part === 'header' && excerpt.match !== '' ? <Excerpt entry={entry} /> : <VisibleText text={headerText(header)} />}
          </RowLink>
        </GridTabIndex.Provider>
        {excerpt !== null && excerpt.part !== 'header' && (
          <span className={classes['excerpt']}>
            <span className={classes['part']}>{partNames[excerpt.part]}</span> <Excerpt entry={entry} />
          </span>
        )}
      </td>
    </tr>
  );
});

const partNames: Record<FoundPart, string> = {
  header: 'Header',
  context: 'Context',
  extra: 'Extra',
  stack: 'Stack',
  env: 'Env',
  time: 'Time',
  file: 'As written',
};

function headerText(header: string): string {
  return header === '' ? '(empty)' : header;
}

/** The found text, marked, with what is around it. */
function Excerpt({ entry: { excerpt } }: { entry: Pick<FoundLogEntry, 'excerpt'> }) {
  if (excerpt === null) return null;
  const { before, match, after } = excerpt;
  return (
    <>
      <VisibleText text={before} />
      {match !== '' && (
        <Mark>
          <VisibleText text={match} />
        </Mark>
      )}
      <VisibleText text={after} />
    </>
  );
}
