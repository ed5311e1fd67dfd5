import { logDaysQuery, logLevels, logTexts, type LogDay, type LogLevel } from '@switchyard/contract/log-viewer';
import { lazy, Suspense, useMemo, useRef } from 'react';
import { call } from '../../shared/api/call.ts';
import { ListPage } from '../../shared/listing/list.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import { useList } from '../../shared/listing/use-list.ts';
import { useOpenPath, useParameter, AppLink } from '../../shared/navigation.tsx';
import { appLogs, consoleLogs, type LogSource, searchPath, searchView } from './log-source.ts';
import { Button, Loader, VisuallyHidden } from '@mantine/core';
import { IconDownload, IconEye, IconListSearch, IconTrash } from '@tabler/icons-react';
import { actionColumn, type ListColumn } from '../../shared/listing/list-column.ts';
import { LogLevelIcon } from '../../shared/logs/log-level-icon.tsx';
import { Figure } from '../../shared/ui/figure.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { RowAction } from '../../shared/listing/row-action.tsx';
import { confirmDeletion, confirmWorkbook } from './log-actions.ts';
import classes from './logs-page.module.css';
import { percentOf } from './reading-progress.tsx';

/** Milliseconds after which days whose files are still being indexed are loaded again. */
const reloadAfter = 1_000;

const rowId = ({ date }: LogDay): string => date;

/** Days of the console's own log. */
export function LogsPage() {
  return <DaysOrSearch source={consoleLogs} />;
}

/** Days of the log of the app service. */
export function AppLogsPage() {
  return <DaysOrSearch source={appLogs} />;
}

/** Loaded for itself, because the list needs no calendar. */
const SearchPage = lazy(() => import('./log-search-page.tsx'));

/** The days, or their search. */
function DaysOrSearch({ source }: { source: LogSource }) {
  const [view] = useParameter('view');
  if (view !== searchView.view) return <LogDaysPage source={source} />;
  return (
    <Suspense>
      <SearchPage source={source} />
    </Suspense>
  );
}

/** The days of a log with their entries by level, newest first. */
function LogDaysPage({ source }: { source: LogSource }) {
  const isRepeated = useRef(false);
  const list = useList({
    name: source.name,
    schema: logDaysQuery,
    rowId,
    load: (query, signal) => call(source.calls.listDays, { query, signal, isSilent: isRepeated.current }),
    repeat: ({ data }) => {
      isRepeated.current = data.some(({ indexing }) => indexing !== undefined);
      return isRepeated.current && reloadAfter;
    },
  });
  const openPath = useOpenPath();
  const columns = useMemo(() => logDaysColumns(source), [source]);
  return (
    <ListPage
      list={list}
      noun="days"
      pages="links"
      actions={
        <>
          <Button component={AppLink} href={searchPath(source)} variant="default" leftSection={<IconListSearch size={16} aria-hidden />}>
            Search all days
          </Button>
          <RefreshButton onRefresh={list.reload} />
        </>
      }
      isColumnMenuInHeading
      columns={columns}
      filters={{}}
      onOpen={({ date }) => openPath(source.dayPath(date))}
      empty={{ title: logTexts.empty, text: `Every day on which ${source.owner} writes entries has its own file.` }}
    />
  );
}

/** The columns of the list: the number of entries of a day, in total and by level. */
function logDaysColumns(source: LogSource): ListColumn<LogDay>[] {
  return [
    {
      id: 'date',
      cellName: 'Date',
      tooltip: 'Days in UTC',
      width: 116,
      pin: 'start',
      isMain: true,
      isFixed: true,
      cell: (day) => <DateCell day={day} />,
    },
    {
      id: 'all',
      cellName: 'all',
      width: 76,
      align: 'end',
      isFigure: true,
      isMain: true,
      cell: (day) => <CountLink source={source} day={day} level="all" />,
    },
    ...logLevels.map((level): ListColumn<LogDay> => ({
      id: level,
      cellName: level,
      width: 82,
      align: 'end',
      isFigure: true,
      cell: (day) => <CountLink source={source} day={day} level={level} />,
    })),
    {
      id: 'actions',
      cellName: 'Actions',
      width: 124,
      ...actionColumn,
      cell: (day) => <DayActions source={source} day={day} />,
    },
  ];
}

/** The day and, while its file is being indexed, the progress. */
function DateCell({ day: { date, indexing } }: { day: LogDay }) {
  if (indexing === undefined) return <span className="tabular">{date}</span>;
  const words = `${percentOf(indexing)}% counted`;
  return (
    <span className={classes['counting']} title={words}>
      <span className="tabular">{date}</span>
      <Loader size={12} aria-hidden />
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  );
}

type CountProps = { source: LogSource; day: LogDay; level: LogLevel | 'all' };

/** A number that links to its day, filtered by its level, unless it is 0. */
function CountLink({ source, day, level }: CountProps) {
  const count = day[level];
  if (count === 0) return <span className={classes['none']}>0</span>;
  return (
    <AppLink
      href={source.dayPath(day.date, level)}
      className={classes['count'] ?? ''}
      aria-label={`${groupedNumber(count)} ${level} on ${day.date}`}
    >
      {level !== 'all' && <LogLevelIcon level={level} size="s" isDecorative />}
      <Figure value={count} />
    </AppLink>
  );
}

function DayActions({ source, day: { date } }: Pick<CountProps, 'source' | 'day'>) {
  return (
    <>
      <RowAction icon={IconEye} label={`Show ${date}`} title="Show" href={source.dayPath(date)} />
      <RowAction
        icon={IconDownload}
        label={`Download ${date}`}
        title="Download as Excel workbook"
        onClick={() => confirmWorkbook(source, date)}
      />
      <RowAction icon={IconTrash} label={`Remove ${date}`} title="Remove" color="danger" onClick={() => confirmDeletion(source, date)} />
    </>
  );
}
