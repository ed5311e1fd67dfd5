import { ActionIcon, Loader, VisuallyHidden } from '@mantine/core';
import { logLevels, type LogLevel } from '@switchyard/contract/log-levels';
import type { LogDay } from '@switchyard/contract/log-viewer';
import { IconDownload, IconEye, IconTrash } from '@tabler/icons-react';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { LogLevelIcon } from '../../shared/logs/log-level-icon.tsx';
import { AppLink } from '../../shared/navigation.tsx';
import { Figure } from '../../shared/traffic/counter-pair.tsx';
import { groupedNumber } from '../../shared/traffic/counter-text.ts';
import { useGridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { confirmDeletion, confirmWorkbook } from './log-actions.ts';
import classes from './log-days.module.css';
import type { LogSource } from './log-source.ts';
import { percentOf } from './reading-progress.tsx';

/** What the list tells of a day: how many entries it has, in all and of each level (LOG-005 to LOG-008). */
export function logDaysColumns(source: LogSource): ListColumn<LogDay>[] {
  return [
    {
      id: 'date',
      cellName: 'Date',
      tooltip: 'Days of UTC',
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
      align: 'center',
      pin: 'end',
      isMain: true,
      isFixed: true,
      cell: (day) => <DayActions source={source} day={day} />,
    },
  ];
}

/** The day, and how far its file has been read while that is not done. */
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

/** A figure that opens its day, filtered by its level (LOG-009), unless there is nothing to see (AMB-213). */
function CountLink({ source, day, level }: CountProps) {
  const tabIndex = useGridTabIndex();
  const count = day[level];
  if (count === 0) return <span className={classes['none']}>0</span>;
  return (
    <AppLink
      href={source.dayPath(day.date, level)}
      className={classes['count'] ?? ''}
      aria-label={`${groupedNumber(count)} ${level} on ${day.date}`}
      tabIndex={tabIndex}
    >
      {level !== 'all' && <LogLevelIcon level={level} size="s" isDecorative />}
      <Figure value={count} />
    </AppLink>
  );
}

function DayActions({ source, day: { date } }: Pick<CountProps, 'source' | 'day'>) {
  const tabIndex = useGridTabIndex();
  const shared = { variant: 'subtle', size: 'md', ...(tabIndex === undefined ? {} : { tabIndex }) } as const;
  return (
    <>
      <ActionIcon component={AppLink} href={source.dayPath(date)} color="neutral" aria-label={`Show ${date}`} title="Show" {...shared}>
        <IconEye size={16} stroke={1.7} aria-hidden />
      </ActionIcon>
      <ActionIcon
        color="neutral"
        aria-label={`Download ${date}`}
        title="Download as a workbook"
        {...shared}
        onClick={() => confirmWorkbook(source, date)}
      >
        <IconDownload size={16} stroke={1.7} aria-hidden />
      </ActionIcon>
      <ActionIcon color="danger" aria-label={`Remove ${date}`} title="Remove" {...shared} onClick={() => confirmDeletion(source, date)}>
        <IconTrash size={16} stroke={1.7} aria-hidden />
      </ActionIcon>
    </>
  );
}
