import { VisuallyHidden } from '@mantine/core';
import { verticals } from '@switchyard/contract/apps';
import {
  isTimeGrouping,
  type Report,
  type ReportCell,
  type ReportGroup,
  leastOf,
  ratioOf,
  type ReportSubject,
  type ReportValues,
  subjectOf,
  sumsOf,
} from '@switchyard/contract/reports';
import { noValue, requestTypes } from '@switchyard/contract/requests';
import { IconAlertTriangle, IconArrowDownRight, IconArrowUpRight, IconEqual } from '@tabler/icons-react';
import { createContext, useContext, type ReactNode } from 'react';
import { CountryFlag } from '../../shared/countries/country-flag.tsx';
import type { ValueForm } from '@switchyard/contract/report-texts';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { AppLink } from '../../shared/navigation.tsx';
import { useIsCompact } from '../../shared/ui/figure.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { cutText, groupedNumber } from '../../shared/ui/text-format.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { RequestTypeLabel } from '../../traffic/request-type-label.tsx';
import { ValueMenu, type ValueLink } from '../../traffic/value-menu.tsx';
import { isCut } from './chart-series.ts';
import { columnName, formOf, measureOfColumn } from '@switchyard/contract/report-texts';
import { absenceOf, changeOf, columnMeaning, groupingNames, keyText, shareText, valueText } from './report-words.ts';
import classes from './reports.module.css';
import type { ReportPageQuery } from './use-report.ts';

/** The pages that a key of a group leads to. */
export const GroupLinks = createContext<(group: ReportGroup, at: number) => readonly ValueLink[]>(() => []);

/** The list that shows exactly what a column counts of a group; null where there is none. */
export const ValueLinks = createContext<(group: ReportGroup, column: string) => string | null>(() => null);

/** Says what an asterisk means. */
export function fewText(query: Pick<ReportPageQuery, 'least'>): string {
  return `a ratio based on fewer than ${groupedNumber(leastOf(query))}`;
}

/** Characters of a header; statuses are texts of others. */
const longestHeader = 28;

/** Measures of a collapsed card. */
const mostOnCards = 2;

/** The columns of a report: its groups, then what it counts. On cards, the measure that they are ordered by comes first. */
export function reportColumns(report: Report, query: ReportPageQuery, sortedBy = ''): ListColumn<ReportGroup>[] {
  const main = new Set(
    [...new Set([sortedBy, ...report.columns])].filter((column) => report.columns.includes(column)).slice(0, mostOnCards),
  );
  const keys = report.group_by.slice(0, report.pivot === null ? undefined : 1).map((grouping, at): ListColumn<ReportGroup> => ({
    id: `group${at}`,
    cellName: groupingNames[grouping],
    width: 180,
    // A time that is cut could be any.
    ...(!isTimeGrouping(grouping) && { minWidth: 110 }),
    isMain: true,
    isFixed: true,
    ...(at === 0 && { cellNameOrderAble: 'key', pin: 'start' as const }),
    cell: (group) => <KeyCell report={report} group={group} at={at} />,
  }));
  const values = report.columns.map((column): ListColumn<ReportGroup> => {
    const form = formOf(column, query);
    const most = form === 'share' ? 1 : mostOf(report, column);
    const name = withMarks(columnName(column, report));
    const cellName = cutText(name, longestHeader);
    const tooltip = cellName === name ? columnMeaning(column, query) : name;
    return {
      id: column,
      cellName,
      title: name,
      cellNameOrderAble: column,
      ...(tooltip !== undefined && { tooltip }),
      width: 110,
      align: 'end',
      grows: true,
      isFigure: true,
      isMain: main.has(column),
      ...(column === sortedBy && { isFirstOnCards: true }),
      cell: (group) => <ColumnCell query={query} column={column} cell={group} group={group} total={report.totals} most={most} />,
    };
  });
  return [...keys, ...values];
}

/** The columns of a pivot: the key of its rows, their totals, and the cells of a column of the report. */
export function pivotColumns(report: Report, column: string, query: ReportPageQuery): ListColumn<ReportGroup>[] {
  const { pivot } = report;
  const second = report.group_by[1];
  if (pivot === null || second === undefined) return [];
  const [key] = reportColumns(report, query);
  const name = withMarks(columnName(column, report));
  const valueColumn = { width: 84, align: 'end', grows: true, isFigure: true } as const;
  return [
    ...(key === undefined ? [] : [key]),
    {
      ...valueColumn,
      id: 'total',
      cellName: 'Total',
      tooltip: name,
      cellNameOrderAble: column,
      isMain: true,
      cell: (group) => <ColumnCell query={query} column={column} cell={group} group={group} total={report.totals} />,
    },
    ...pivot.keys.map((columnKey, at): ListColumn<ReportGroup> => {
      const text = withMarks(keyText(second, columnKey, report));
      const cutName = cutText(text, longestHeader);
      return {
        ...valueColumn,
        id: `cell ${JSON.stringify([columnKey.value, columnKey.merged !== undefined])}`,
        cellName: cutName,
        title: text,
        isOrderAble: false,
        ...(cutName !== text && { tooltip: text }),
        cell: ({ keys, cells }) => {
          const cell = cells?.[at] ?? pivot.empty;
          return (
            <ColumnCell query={query} column={column} cell={cell} group={{ ...cell, keys: [...keys, columnKey] }} total={report.totals} />
          );
        },
      };
    }),
  ];
}

/** The row of totals of a pivot, by column. */
export function pivotTotals(report: Report, column: string, query: ReportPageQuery): ReadonlyMap<string, ReactNode> {
  const [, total, ...columns] = pivotColumns(report, column, query);
  const cellOf = (cell: ReportCell) => <ColumnCell query={query} column={column} cell={cell} total={report.totals} />;
  return new Map<string, ReactNode>([
    ['group0', 'Total'],
    [total?.id ?? '', cellOf(report.totals)],
    ...columns.map(({ id }, at): [string, ReactNode] => [id, cellOf(report.totals.cells?.[at] ?? report.pivot?.empty ?? report.totals)]),
  ]);
}

type ColumnCellProps = {
  query: ReportPageQuery;
  column: string;
  cell: ReportCell;
  /** Whose value it is; totals are of none. */
  group?: ReportGroup;
  /** Totals of all groups; absent where a bar says nothing. */
  total?: ReportCell;
  /** The largest value of a group, which has the longest bar. */
  most?: number;
};

/** The value of a column in a cell of a report. */
function ColumnCell({ query, column, cell, group, total, most = 0 }: ColumnCellProps) {
  return (
    <ValueCell
      form={formOf(column, query)}
      isSum={ratioOf(column, query) === null}
      {...(group !== undefined && { group })}
      value={cell.current[column] ?? null}
      total={total?.current[column] ?? null}
      most={most}
      earlier={cell.compared}
      column={column}
      few={cell.few.includes(column) ? fewText(query) : null}
      absence={() => absenceOf(column, query)}
    />
  );
}

/** The row of totals, by column. */
export function reportTotals(report: Report, query: ReportPageQuery): ReadonlyMap<string, ReactNode> {
  return new Map<string, ReactNode>([
    ['group0', 'Total'],
    ...report.columns.map((column): [string, ReactNode] => [
      column,
      <ColumnCell key={column} query={query} column={column} cell={report.totals} />,
    ]),
  ]);
}

function mostOf({ groups }: Report, column: string): number {
  return groups.reduce((most, { current }) => Math.max(most, Number(current[column] ?? 0)), 0);
}

type KeyProps = { report: Report; group: ReportGroup; at: number };

function KeyCell({ report, group, at }: KeyProps) {
  const { group_by: groupings } = report;
  const linksOf = useContext(GroupLinks);
  const [grouping, key] = [groupings[at], group.keys[at]];
  if (grouping === undefined || key === undefined) return null;
  const text = keyText(grouping, key, report);
  const isUnnamed = key.name === null && (grouping === 'app' || grouping === 'buyer' || grouping === 'server') && key.value !== '';
  const content = (
    <span
      className={classes['key']}
      data-none={key.value === '' || key.value === noValue || undefined}
      title={isUnnamed ? `${text}: deleted` : withMarks(text)}
    >
      {grouping === 'country' && key.merged === undefined && <CountryFlag code={key.value} isDecorative />}
      {grouping === 'type' && key.merged === undefined ? (
        <TypeLabel type={key.value} />
      ) : (
        <span className={classes['keyText']}>
          <VisibleText text={text} />
        </span>
      )}
      {isCut(report, grouping, key.value) && (
        <>
          <IconAlertTriangle className={classes['cut']} size={14} aria-hidden />
          <VisuallyHidden>, incomplete</VisuallyHidden>
        </>
      )}
      {isUnnamed && <span className={classes['deleted']}> deleted</span>}
    </span>
  );
  if (key.value === '') return content;
  const meaning = key.name === null ? undefined : grouping === 'stream' ? `uid ${key.value}` : `id ${key.value}`;
  return (
    <ValueMenu
      kind={grouping === 'status_conversion' ? 'conversion' : grouping}
      value={key.value}
      text={text}
      copyText={key.name ?? (grouping === 'vertical' ? (verticals.find(({ id }) => id === key.value)?.name ?? key.value) : key.value)}
      links={() => linksOf(group, at)}
      {...(meaning !== undefined && { meaning })}
    >
      {content}
    </ValueMenu>
  );
}

function TypeLabel({ type }: { type: string }) {
  const requestType = requestTypes.find((one) => one === type);
  return requestType === undefined ? <VisibleText text={type} /> : <RequestTypeLabel type={requestType} isCounted />;
}

type ValueProps = {
  form: ValueForm;
  /** Values of groups add up to the total. */
  isSum: boolean;
  /** Whose value it is; totals are of none. */
  group?: ReportGroup;
  value: number | string | null;
  /** Total of all groups; null where a bar says nothing. */
  total: number | string | null;
  /** The largest value of a group, which has the longest bar. */
  most: number;
  earlier: ReportValues | null;
  column: string;
  /** Why it says little; null if it does not. */
  few: string | null;
  /** Why there is no value. */
  absence: () => string;
};

/** A value with its bar and, in a comparison, its change: an arrow, a sign and a number, so that no colour is needed. */
function ValueCell({ form, isSum, group, value: raw, total, most, earlier, column, few, absence }: ValueProps) {
  const isCompact = useIsCompact();
  const linkOf = useContext(ValueLinks);
  const isCompared = earlier !== null;
  if (raw === null) {
    const why = absence();
    return (
      <span className={classes['value']} data-compared={isCompared || undefined} title={why}>
        <span className={classes['number']} data-none>
          – <VisuallyHidden>{why}</VisuallyHidden>
        </span>
      </span>
    );
  }
  const value = Number(raw);
  const [content, exact] = [valueText(form, value, isCompact), valueText(form, value)];
  const href = group === undefined || value === 0 ? null : linkOf(group, column);
  const before = isCompared ? (earlier[column] ?? null) : null;
  // Amounts may be negative, and then their sum is no whole.
  const share = total !== null && Number(total) > 0 ? value / Number(total) : null;
  const part = isSum && share !== null && share >= 0 && share <= 1 ? share : null;
  const title = [
    form === 'amount' ? String(raw) : exact,
    ...(part === null ? [] : [`${shareText(part)} of all`]),
    ...(before === null ? [] : [`before: ${valueText(form, Number(before))}`]),
    ...(few === null ? [] : [few]),
  ].join(', ');
  return (
    <span className={classes['value']} data-compared={isCompared || undefined} title={title}>
      <span className={classes['number']} data-few={few !== null || undefined}>
        {href === null ? (
          content
        ) : (
          <AppLink
            href={href}
            className={classes['rows'] ?? ''}
            aria-label={`Show ${content === exact ? exact : `${content} (${exact})`} ${rowNoun(column)}`}
          >
            {content}
          </AppLink>
        )}
        {few !== null && (
          <>
            <span aria-hidden>*</span>
            <VisuallyHidden>, {few}</VisuallyHidden>
          </>
        )}
        {total !== null && most > 0 && (
          <span className={classes['bar']} aria-hidden>
            <span style={{ width: `${Math.max(0, Math.min(1, value / most)) * 100}%` }} />
          </span>
        )}
      </span>
      {isCompared && <ChangeMark form={form} value={value} before={before === null ? null : Number(before)} />}
    </span>
  );
}

/** What a column with a link counts. */
function rowNoun(column: string): ReportSubject {
  return subjectOf(sumsOf(measureOfColumn(column).measure ?? 'requests')[0] ?? 'requests');
}

const arrows = { up: IconArrowUpRight, down: IconArrowDownRight, same: IconEqual } as const;
const directions = { up: 'up', down: 'down', same: 'unchanged' } as const;

function ChangeMark({ form, value, before }: { form: ValueForm; value: number; before: number | null }) {
  const change = changeOf(form, value, before);
  if (change === null || before === null) return <span className={classes['change']}>–</span>;
  const Arrow = arrows[change.direction];
  return (
    <span className={classes['change']} data-direction={change.direction}>
      <Arrow size={13} stroke={2.2} aria-hidden />
      <VisuallyHidden> {directions[change.direction]} </VisuallyHidden>
      {change.text}
      <VisuallyHidden> from {valueText(form, before)}</VisuallyHidden>
    </span>
  );
}
