import { useDayParam, useOpenPath } from '../../shared/navigation.tsx';
import { appLogs, consoleLogs, type LogSource } from './log-source.ts';
import { Skeleton, VisuallyHidden, Button } from '@mantine/core';
import { ListFooter } from '../../shared/listing/list-footer.tsx';
import { StaleAlert, ListMessage } from '../../shared/listing/list-message.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import { EntriesTable } from './entries-table.tsx';
import { entryPath, useLinkedEntry } from './entry-link.ts';
import { todayIn } from '../../shared/time/today.ts';
import { LevelTable } from './level-table.tsx';
import classes from './log-day-page.module.css';
import { LogInfo } from './log-info.tsx';
import { IndexingProgress, SearchProgress } from './reading-progress.tsx';
import { useLogDay, type LogEntries } from './use-log-day.ts';
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { Page } from '../../shared/page/page.tsx';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { logTexts } from '@switchyard/contract/log-viewer';
import { IconInbox, IconListSearch } from '@tabler/icons-react';
import { StatePanel } from '../../shared/ui/state-panel.tsx';

/** A day of the console's own log. */
export function LogPage() {
  return <DayPage source={consoleLogs} />;
}

/** A day of the log of the app service. */
export function AppLogPage() {
  return <DayPage source={appLogs} />;
}

function DayPage({ source }: { source: LogSource }) {
  const date = useDayParam();
  return date === null ? <MissingDay source={source} date={null} /> : <LogDay key={date} source={source} date={date} />;
}

/** Loaded for itself, because only one day is followed. */
const FollowLog = lazy(() => import('./follow-log.tsx'));

type LogDayProps = { source: LogSource; date: string };

/** A day of a log: its file, its entries by level, and the entries. */
function LogDay({ source, date }: LogDayProps) {
  const reading = useLogDay(source, date);
  const { list, isSearching, setSearching } = reading;
  const place = { source, date, query: list.query };
  const isLinked = useLinkedEntry(place);
  const day = list.more?.day;
  // Following goes on after midnight.
  const [isFollowable] = useState(() => date >= todayIn('+00:00'));
  const [refreshes, setRefreshes] = useState(0);
  if (list.isMissing) return <MissingDay source={source} date={date} />;
  const hasRows = list.view === 'rows' || list.view === 'loading';
  return (
    <LogFrame
      source={source}
      date={date}
      actions={
        <RefreshButton
          onRefresh={() => {
            setRefreshes(refreshes + 1);
            list.reload();
          }}
        />
      }
    >
      {day !== undefined && <LogInfo source={source} reading={reading} day={day} />}
      {list.view === 'loading' && <Skeleton height={124} radius="md" aria-hidden />}
      {day?.indexing !== undefined && <IndexingProgress progress={day.indexing} />}
      {day?.search_stopped !== undefined && (
        <SearchProgress progress={day.search_stopped} isSearching={isSearching} setSearching={setSearching} />
      )}
      {list.failure !== null && list.view === 'rows' && <StaleAlert list={list} />}
      <div className={classes['split']}>
        {day !== undefined && <LevelTable day={day} level={list.query.level} onChoose={(level) => list.change({ level })} />}
        <div className={classes['entries']}>
          {isFollowable && day !== undefined && (
            <Suspense>
              <FollowLog place={place} reading={reading} refreshes={refreshes} />
            </Suspense>
          )}
          <VisuallyHidden component="h2">Entries</VisuallyHidden>
          {hasRows ? (
            <EntriesTable
              key={list.fingerprint}
              list={list}
              term={list.query.query ?? ''}
              pathOf={(entry) => entryPath(place, entry)}
              isLinked={isLinked}
            />
          ) : (
            <EntriesState list={list} />
          )}
          <ListFooter list={list} pages="links" />
        </div>
      </div>
    </LogFrame>
  );
}

type LogFrameProps = { source: LogSource; date: string; actions: ReactNode; children: ReactNode };

/** The page frame of a day: a link to the days, and the day as the heading. */
function LogFrame({ source: { title, dayTitle, listPath }, date, actions, children }: LogFrameProps) {
  return (
    <Page title={title} titleHref={listPath()} documentTitle={`${dayTitle} ${date}`} crumbs={[{ label: date }]} actions={actions}>
      {children}
    </Page>
  );
}

type MissingDayProps = { source: Pick<LogSource, 'listPath'>; /** Null when the address is not a day. */ date: string | null };

/** The day does not exist or was deleted: notifies and returns to the list. */
function MissingDay({ source, date }: MissingDayProps) {
  const openPath = useOpenPath();
  const leave = useEffectEvent(() => {
    notify({ type: 'warning', message: `There is no log of ${date ?? 'this day'}` });
    openPath(source.listPath(), { replace: true });
  });
  useEffect(() => leave(), []);
  return null;
}

/** Shown in place of the entries when there are none. */
function EntriesState({ list }: { list: LogEntries }) {
  const { view } = list;
  if (view === 'rows' || view === 'loading') return null;
  const isSearched = list.more?.day.search_stopped === undefined;
  return (
    <div className={classes['state']}>
      {view === 'empty' || view === 'nothing-found' ? (
        <Empty list={list} isSearched={isSearched} />
      ) : (
        <ListMessage view={view} list={list} noun="entries" empty={{ title: logTexts.empty, text: '' }} />
      )}
    </div>
  );
}

function Empty({ list: { query, change, reload }, isSearched }: { list: LogEntries; isSearched: boolean }) {
  const { level, query: term } = query;
  // Until the whole file is searched, the result is unknown.
  if (!isSearched) {
    return (
      <StatePanel icon={IconListSearch} title="Nothing found so far">
        The search has not reached the end of this file.
      </StatePanel>
    );
  }
  const everything = level === 'all' && term === undefined;
  return (
    <StatePanel
      icon={IconInbox}
      title={logTexts.empty}
      action={
        everything ? (
          <Button variant="default" onClick={reload}>
            Reload
          </Button>
        ) : (
          <Button variant="default" onClick={() => change({ level: 'all', query: undefined })}>
            Show all entries
          </Button>
        )
      }
    >
      {everything ? 'This file is empty.' : reasonOf(level, term)}
    </StatePanel>
  );
}

function reasonOf(level: string, term: string | undefined): string {
  const entries = level === 'all' ? 'No entries' : `No ${level} entries`;
  return term === undefined ? `${entries} in this file.` : `${entries} in this file contain “${term}”.`;
}
