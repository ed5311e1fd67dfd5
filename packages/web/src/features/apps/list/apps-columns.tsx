import { appFigures, type AppFigureId, isMissing, type Statistics } from '@switchyard/contract/app-statistics';
import type { AppDays, AppRow } from '@switchyard/contract/apps';
import { createContext, type ReactNode, useContext } from 'react';
import type { ListColumn } from '../../../shared/listing/list-column.ts';
import { Figure, MissingFigure } from '../../../shared/ui/figure.tsx';
import { CounterPair } from './counter-pair.tsx';
import { VerticalIcons } from '../vertical-icon.tsx';
import { AppActions, appHref, ArchiveButton, type AppRights } from './app-actions.tsx';
import { BundleCell, DomainCell, NameCell } from './app-cells.tsx';
import { Sparkline } from './sparkline.tsx';

type CounterColumn = Pick<ListColumn<AppRow>, 'cellName' | 'width'> & { id: AppFigureId; title: string };

/** Figures that every account sees. */
const figures: readonly CounterColumn[] = [
  { id: 'todayCreate', cellName: 'T_C', title: 'Create requests today', width: 112 },
  { id: 'todayReceive', cellName: 'T_R', title: 'Receive requests today', width: 112 },
  { id: 'qaCreate', cellName: 'QA_C', title: 'Create requests of QA testers', width: 92 },
  { id: 'qaReceive', cellName: 'QA_R', title: 'Receive requests of QA testers', width: 92 },
  { id: 'bots', cellName: 'Bots', title: "Bots' requests today", width: 92 },
];

/** All-time figures, with manager_app_statistics only. */
const allTimeFigures: readonly CounterColumn[] = [
  { id: 'allCreate', cellName: 'All_C', title: 'All-time create requests', width: 128 },
  { id: 'allReceive', cellName: 'All_R', title: 'All-time receive requests', width: 128 },
  { id: 'allPush', cellName: 'All_Push', title: 'All-time pushes', width: 116 },
  { id: 'allConversion', cellName: 'All_Conversion', title: 'All-time conversions', width: 124 },
];

function figureColumn({ id, title, ...column }: CounterColumn): ListColumn<AppRow> {
  return {
    ...column,
    id,
    cellNameOrderAble: appFigures[id].sortKey,
    title,
    tooltip: `${title}: all | successful`,
    align: 'end',
    isFigure: true,
    isMain: id === 'todayCreate',
    cell: ({ statistics }) => figure(id, statistics),
  };
}

function figure(id: AppFigureId, statistics: Statistics): ReactNode {
  const { of, counter: name } = appFigures[id];
  const counter = of(statistics);
  if (counter === null) return '-';
  return isMissing(statistics, name) ? <MissingFigure /> : <CounterPair counter={counter} />;
}

function users(count: number | null): ReactNode {
  return count === null ? '-' : <Figure value={count} />;
}

/** The column of the sparklines. */
export const daysColumn = 'days';

/** Requests by day of the rows that are shown: null while they load, undefined when they cannot be read. */
type RowDays = AppDays | null | undefined;

/** The requests by day for the cells of that column: when they arrive, no other cell renders and no column is measured again. */
export const RowDaysContext = createContext<RowDays>(null);

function DaysCell({ id }: { id: number }): ReactNode {
  const rowDays = useContext(RowDaysContext);
  if (rowDays === null) return '';
  if (rowDays === undefined) return '-';
  const { days, apps } = rowDays;
  if (apps === null) return <MissingFigure />;
  return <Sparkline days={days} requests={apps.find((app) => app.id === id)?.requests ?? []} />;
}

/** The columns of the apps list for what an account may see and do. */
export function appsColumns(rights: AppRights, now: Date): ListColumn<AppRow>[] {
  const columns: ListColumn<AppRow>[] = [
    { id: 'id', cellName: '#', title: 'Id', cellNameOrderAble: 'keyId', width: 68, isFixed: true, pin: 'start', cell: (app) => app.id },
    {
      id: 'name',
      cellName: 'Name',
      cellNameOrderAble: 'keyName',
      width: 160,
      minWidth: 122,
      grows: true,
      pin: 'start',
      isMain: true,
      isFixed: true,
      cell: (app) => <NameCell app={app} href={appHref(app, rights)} />,
    },
    {
      id: 'bundle',
      cellName: 'Bundle',
      cellNameOrderAble: 'keyBundle',
      width: 168,
      minWidth: 136,
      grows: true,
      cell: (app) => <BundleCell app={app} />,
    },
    {
      id: 'domain',
      cellName: 'Domain',
      cellNameOrderAble: 'keyDomain',
      width: 168,
      minWidth: 128,
      grows: true,
      isMain: true,
      cell: (app) => <DomainCell app={app} now={now} />,
    },
    {
      id: 'vertical',
      cellName: 'V',
      title: 'Vertical',
      tooltip: 'Vertical',
      cellNameOrderAble: 'keyV',
      width: 52,
      align: 'center',
      cell: (app) => <VerticalIcons value={app.vertical} />,
    },
    ...figures.map(figureColumn),
  ];
  if (rights.statistics) {
    columns.push(
      {
        id: 'users',
        cellName: 'U',
        cellNameOrderAble: 'keyUsers',
        title: 'Users',
        tooltip: 'Buyers with access to the app',
        width: 52,
        align: 'end',
        isFigure: true,
        cell: (app) => users(app.users_count),
      },
      ...allTimeFigures.map(figureColumn),
      {
        id: daysColumn,
        cellName: '7 days',
        title: 'Last 7 days',
        tooltip: 'Requests by day, today included',
        width: 78,
        cell: ({ id }) => <DaysCell id={id} />,
      },
      {
        id: 'actions',
        cellName: 'Actions',
        width: 76,
        pin: 'end',
        isFixed: true,
        cell: (app) => <AppActions app={app} rights={rights} />,
      },
    );
  }
  if (rights.archive) {
    columns.push({
      id: 'archive',
      cellName: '',
      title: 'Archive or restore',
      width: 44,
      align: 'center',
      pin: 'end',
      isFixed: true,
      cell: (app) => <ArchiveButton app={app} />,
    });
  }
  return columns;
}

/** The cells of the TOTAL row by column; until the sums are known they are `pending`. */
export function appsTotalCells(
  total: { users_count: number; statistics: Statistics } | undefined,
  pending: ReactNode,
): ReadonlyMap<string, ReactNode> {
  const sums = [...figures, ...allTimeFigures].map(({ id }): [string, ReactNode] => [
    id,
    total === undefined ? pending : figure(id, total.statistics),
  ]);
  return new Map<string, ReactNode>([['name', 'TOTAL'], ['users', total === undefined ? pending : users(total.users_count)], ...sums]);
}
