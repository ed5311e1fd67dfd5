import { Skeleton, VisuallyHidden } from '@mantine/core';
import { ListFooter } from '../../shared/listing/list-footer.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import { StaleAlert } from '../../shared/listing/stale-alert.tsx';
import { EntriesState } from './entries-state.tsx';
import { EntriesTable } from './entries-table.tsx';
import { LevelTable } from './level-table.tsx';
import classes from './log-day.module.css';
import { LogFrame } from './log-frame.tsx';
import { LogInfo } from './log-info.tsx';
import type { LogSource } from './log-source.ts';
import { MissingDay } from './missing-day.tsx';
import { IndexingProgress, SearchProgress } from './reading-progress.tsx';
import { useLogDay } from './use-log-day.ts';

type Props = { source: LogSource; date: string };

/** A day of a log: what the file is, its entries by level, and the entries themselves (LOG-015 to LOG-028). */
export function LogDay({ source, date }: Props) {
  const { list, isSearching, setSearching } = useLogDay(source, date);
  const day = list.more?.day;
  if (list.isMissing) return <MissingDay source={source} date={date} />;
  const hasRows = list.view === 'rows' || list.view === 'loading';
  return (
    <LogFrame source={source} date={date} actions={<RefreshButton onRefresh={list.reload} />}>
      {day !== undefined && <LogInfo source={source} list={list} day={day} />}
      {list.view === 'loading' && <Skeleton height={124} radius="md" aria-hidden />}
      {day?.indexing !== undefined && <IndexingProgress progress={day.indexing} />}
      {day?.search_stopped !== undefined && (
        <SearchProgress progress={day.search_stopped} isSearching={isSearching} setSearching={setSearching} />
      )}
      {list.failure !== null && list.view === 'rows' && <StaleAlert list={list} />}
      <div className={classes['split']}>
        {day !== undefined && <LevelTable day={day} level={list.query.level} onChoose={(level) => list.change({ level })} />}
        <div className={classes['entries']}>
          <VisuallyHidden component="h2">Entries</VisuallyHidden>
          {hasRows ? <EntriesTable key={list.fingerprint} list={list} term={list.query.query ?? ''} /> : <EntriesState list={list} />}
          <ListFooter list={list} pages="links" />
        </div>
      </div>
    </LogFrame>
  );
}
