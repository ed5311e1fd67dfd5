import { Mark } from '@mantine/core';
import type { FoundLogEntry, FoundPart, LogSearchQuery } from '@switchyard/contract/log-search';
import { Fragment, memo, useRef } from 'react';
import { RowLink, useOpenPath } from '../../shared/navigation.tsx';
import { stringifySearch } from '../../shared/search-codec.ts';
import { GridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { entryPath } from './entry-link.ts';
import { EntryEnv, EntryGrid, EntryLevel, EntryTime } from './entry-grid.tsx';
import classes from './log-search-page.module.css';
import type { LogSource } from './log-source.ts';

type Term = Pick<LogSearchQuery, 'query' | 'regex'>;
type Props = { source: LogSource; entries: readonly FoundLogEntry[]; term: Term; isRunning: boolean };

const columns = ['env', 'level', 'time', 'header'] as const;

/** Found entries below their days, newest first. Enter opens one among its neighbours; `e` goes from error to error. */
export function FoundEntries({ source, entries, term, isRunning }: Props) {
  const grid = useRef<HTMLTableElement>(null);
  const openPath = useOpenPath();
  const openAt = (index: number): void => {
    const entry = entries[index];
    if (entry !== undefined) openPath(pathOf(source, entry, term));
  };
  return (
    <div className={classes['frame']}>
      <EntryGrid grid={grid} label="Found entries" isBusy={isRunning} columns={columns} rows={entries} onOpen={openAt}>
        {(active) => (
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
                <FoundRow entry={entry} index={index} isActive={index === active} path={pathOf(source, entry, term)} />
              </Fragment>
            ))}
          </tbody>
        )}
      </EntryGrid>
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
  const { env, level, datetime, header, source, excerpt } = entry;
  const tabIndex = isActive ? 0 : -1;
  return (
    <tr className={classes['row']} data-level={level} data-index={index} tabIndex={tabIndex}>
      <td data-column="env">
        <EntryEnv env={env} source={source} />
      </td>
      <td data-column="level">
        <EntryLevel level={level} />
      </td>
      <td data-column="time">
        <EntryTime datetime={datetime} />
      </td>
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
