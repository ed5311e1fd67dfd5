import {
  costQueryOf,
  createRank,
  eventsReadAtOnce,
  orderedValue,
  orderOf,
  readOrder,
  reportSource,
} from '@switchyard/contract/report-rules';
import {
  getReport,
  groupingsOf,
  isTimeGrouping,
  keptReportQuery,
  measuresOf,
  type Report,
  type ReportGroup,
  reportLimits,
  reportQuery,
} from '@switchyard/contract/reports';
import { compareNames } from '@switchyard/contract/text-fields';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { z } from 'zod';
import { CallError } from '../../shared/api/call-error.ts';
import { call, failingInPlace, inBackground } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import type { AnyQuery } from '../../shared/listing/filter.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import {
  filterFingerprint,
  hasFilters,
  ignoredParameters,
  nextSort,
  parseListQuery,
  type SortOrder,
  withoutFilters,
  writeListQuery,
} from '../../shared/listing/list-query.ts';
import { listView } from '../../shared/listing/list-view.ts';
import type { OptionList } from '../../shared/listing/option-filter.tsx';
import { failureStatus, type ListState, useListChange } from '../../shared/listing/use-list.ts';
import { useSavedViews } from '../../shared/listing/views/use-saved-views.ts';
import { useQueryText } from '../../shared/navigation.tsx';
import { areDaysReversed } from '../../shared/time/filter-day.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { isPart } from './chart-series.ts';
import { keyText } from './report-words.ts';

/** The query of a report as the address has it. */
export type ReportPageQuery = z.output<typeof reportQuery>;

/** Parameters that say what is counted and how it is shown, not of what. */
const layout = [
  'groupBy',
  'measure',
  'ratio',
  'invalid',
  'compare',
  'top',
  'least',
  'pivot',
] as const satisfies readonly (keyof ReportPageQuery)[];
const arrangement = ['orderBy', 'orderDirection', 'limit'] as const satisfies readonly (keyof ReportPageQuery)[];

/** A report on its page: a list of groups whose answer is the whole report. */
export type ReportState = ListState<ReportPageQuery, ReportGroup, Report> & {
  /** The query that the shown report answers. */
  shownQuery: ReportPageQuery;
  /** The query reads many single requests, and the reader has not confirmed it yet. */
  isHeld: boolean;
  /** How many requests the query reads one by one; null while that is not known. */
  cost: number | null;
  run: () => void;
  /** Cancels a report that reads single requests; null while none runs. */
  cancel: (() => void) | null;
};

/** Decision on a run that reads single requests: to be asked, to run or to cancel it. */
type Decision = { runId: string; choice: 'ask' | 'run' | 'cancel' };

type Answer = { report: Report; query: ReportPageQuery };

const name = 'reports';

function rowId({ keys }: ReportGroup): string {
  return JSON.stringify(keys.map(({ value, merged }) => [value, merged]));
}

function parse(search: string): ReportPageQuery {
  const query = parseListQuery(reportQuery, search);
  return { ...query, ...daysBeside(query) };
}

/** Chosen days come before a period, and both before a number of days. */
export function daysBeside({
  startDate,
  endDate,
  period,
}: Partial<Pick<ReportPageQuery, 'startDate' | 'endDate' | 'period'>>): Partial<Pick<ReportPageQuery, 'period' | 'days'>> {
  if (startDate === undefined && endDate === undefined) return period === undefined ? {} : { days: reportLimits.usualDays };
  return { period: undefined, ...(startDate !== undefined && { days: reportLimits.usualDays }) };
}

/** A query without what only arranges its groups. */
function countedText(query: AnyQuery): string {
  const countedQuery = Object.entries(query).filter(([parameter]) => arrangement.every((one) => one !== parameter));
  return JSON.stringify(writeListQuery(reportQuery, Object.fromEntries(countedQuery)));
}

/**
 * The report that the address asks for. A report that arrived with all of its groups is sorted here; another sort would
 * count everything again. One that reads many single requests waits until the reader knows how many.
 */
export function useReport(): ReportState {
  const search = useQueryText();
  const query = useMemo(() => parse(search), [search]);
  const ignored = useMemo(() => ignoredParameters(reportQuery, search), [search]);
  const views = useSavedViews(name, keptReportQuery);
  const { isWaiting } = views;
  const move = useListChange(reportQuery, views);
  const cache = useQueryClient();
  const countedQuery = countedText(query);
  const wholeKey = [...listKey(name), countedQuery];
  const wholeAnswer = cache.getQueryData<Answer>(wholeKey);
  const isOtherPart = wholeAnswer !== undefined && isOrderedByServer(wholeAnswer.report) && !isSameOrder(wholeAnswer.query, query);
  const queryKey = isOtherPart ? [...wholeKey, query.orderBy, query.orderDirection] : wholeKey;
  const runId = JSON.stringify(queryKey);
  const [decision, setDecision] = useState<Decision | null>(null);
  const choice = decision?.runId === runId ? decision.choice : null;
  const isReversed = areDaysReversed(query, useServerOffset());
  const isOfEvents = reportSource(query) === 'events';
  const isUnconfirmed = isOfEvents && choice !== 'run' && cache.getQueryData(queryKey) === undefined;
  const estimate = useCost(query, isUnconfirmed && !isReversed && !isWaiting);
  const isCheap = choice !== 'cancel' && estimate.cost !== null && estimate.cost <= eventsReadAtOnce;
  const isHeld = !isWaiting && isUnconfirmed && !isCheap && !estimate.isLoading;
  const result = useQuery({
    enabled: (!isUnconfirmed || isCheap) && !isReversed && !isWaiting,
    queryKey,
    queryFn: ({ signal }) => load(query, signal),
    placeholderData: keepPreviousData,
    // A page that is opened again shows what was counted: reading the events again is the reader's choice.
    ...(isOfEvents && { staleTime: Infinity }),
  });
  const { data, error } = result;
  const shownAnswer = isHeld ? undefined : data;
  const columns = shownAnswer?.report.columns ?? measuresOf(query);
  const sort = orderOf(query, columns);
  const { orderBy, orderDirection } = sort;
  const order = readOrder(orderBy);
  const rows = useMemo(
    () => (shownAnswer === undefined ? noRows : sortGroups(shownAnswer, { orderBy, orderDirection })),
    [shownAnswer, orderBy, orderDirection],
  );
  const isFiltered = hasFilters(reportQuery, filtersOf(query));
  const change = (patch: Partial<ReportPageQuery>): void => {
    move({ ...patch, ...daysBeside(patch) });
  };
  return {
    name,
    query,
    ignored,
    shownQuery: shownAnswer?.query ?? query,
    defaults: parse(''),
    arrangement: {
      sort: { ...sort, orderBy: order.column },
      ...(order.by !== 'value' && { sortWord: order.by === 'change' ? 'Sort by change of' : 'Sort by % of' }),
      limit: query.limit,
      defaultLimit: reportLimits.shown,
    },
    view: isHeld
      ? 'empty'
      : listView({
          pending: result.isPending,
          failure: failureStatus(error),
          rowCount: data === undefined ? null : rows.length,
          total: null,
          filtered: isFiltered,
          reversed: isReversed,
        }),
    rows,
    rowId,
    pagination: null,
    more: shownAnswer?.report ?? null,
    isFiltered,
    fingerprint: filterFingerprint(reportQuery, query),
    isLoading: result.isFetching,
    isBehind: result.isPlaceholderData && !isReversed && !isHeld,
    failure: error === null ? null : failureText(error),
    isMissing: false,
    views,
    isWaiting,
    change,
    clearFilters: () => {
      const keptParameters = Object.fromEntries(layout.map((parameter) => [parameter, query[parameter]]));
      change({ ...withoutFilters(reportQuery), ...keptParameters });
    },
    swapDays: () => change({ startDate: query.endDate, endDate: query.startDate }),
    // In an order by change, the next column is ordered by its change too.
    sortBy: (column) => move(nextSort(sort, order.by === 'value' || column === 'key' ? column : `${order.by}:${column}`)),
    goTo: () => undefined,
    resize: () => undefined,
    reload: () => {
      // Without its answer, the report is estimated again before it runs.
      if (isOfEvents && choice !== 'run') {
        cache.removeQueries({ queryKey, exact: true });
        setDecision({ runId, choice: 'ask' });
      }
      void cache.invalidateQueries({ queryKey: listKey(name) });
    },
    isHeld,
    cost: estimate.cost,
    run: () => setDecision({ runId, choice: 'run' }),
    cancel:
      isOfEvents && result.isFetching
        ? () => {
            setDecision({ runId, choice: 'cancel' });
            void cache.cancelQueries({ queryKey, exact: true });
          }
        : null,
  };
}

/** The kinds of conversions to pick from: the most frequent ones of a month in the apps of the reader. */
export function useKindOptions(): OptionList {
  const { data, isError, refetch } = useQuery({
    queryKey: [...listKey(name), 'kinds'],
    queryFn: ({ signal }) =>
      call(getReport, { query: { groupBy: ['status_conversion'], measure: ['conversions'], days: 30 }, signal, ...inBackground }),
    staleTime: kindsFreshFor,
  });
  const list = useMemo(
    () => (data?.data.groups ?? []).flatMap(({ keys: [key] }) => (key === undefined ? [] : [{ value: key.value, name: key.value }])),
    [data],
  );
  return useMemo(() => ({ list, retry: isError ? () => void refetch() : undefined }), [list, isError, refetch]);
}

const kindsFreshFor = 300_000;

function useCost(query: ReportPageQuery, enabled: boolean): { cost: number | null; isLoading: boolean } {
  const { data, isLoading } = useQuery({ enabled, ...costOptions(query) });
  return { cost: data ?? null, isLoading };
}

/** How many requests a report reads one by one, from roll-ups. */
function costOptions(query: ReportPageQuery) {
  const costQuery = costQueryOf(query);
  return queryOptions({
    queryKey: [...listKey(name), 'cost', countedText(costQuery)],
    queryFn: async ({ signal }) => {
      const { totals } = (await load(costQuery, signal)).report;
      return Number(totals.current['requests'] ?? 0) + Number(totals.compared?.['requests'] ?? 0);
    },
  });
}

/**
 * How many requests a file reads one by one if the reader should confirm it, as on the page; null: that is not known. Undefined: it needs no
 * confirmation.
 */
export async function costToConfirm(query: ReportPageQuery): Promise<number | null | undefined> {
  if (reportSource(query) !== 'events') return undefined;
  const cost = await queryClient.fetchQuery(costOptions(query)).catch(() => null);
  return cost === null || cost > eventsReadAtOnce ? cost : undefined;
}

/** Cost of a report that waits for confirmation, in words. */
export function costText(cost: number | null): string {
  const read = cost === null ? '' : ` ${groupedNumber(cost)} requests are read one by one.`;
  return `Nothing is counted in advance for these groups and filters, so it may take seconds.${read} Fewer days make it faster.`;
}

const noRows: readonly never[] = [];

async function load(query: ReportPageQuery, signal: AbortSignal): Promise<Answer> {
  const { data } = await call(getReport, {
    query: { ...query, limit: reportLimits.mostShown },
    signal,
    ...failingInPlace,
  });
  return { report: data, query };
}

/**
 * The report that a chart draws. Of two groupings of which the table has a part of the groups, it is one of the largest keys by the chart's
 * column with the others added up. Null while it is counted. Single events are not read a second time for it.
 */
export function useChartReport(report: Report, query: ReportPageQuery, { rankedBy, most }: { rankedBy: string; most: number }) {
  const needsOther = isPart(report) && groupingsOf(query).length > 1 && report.pivot === null && report.source === 'roll-ups';
  const top = Math.min(query.top ?? most, most);
  const chartQuery: ReportPageQuery = { ...query, orderBy: rankedBy, orderDirection: 'desc', top };
  const { data, isError, refetch } = useQuery({
    enabled: needsOther,
    queryKey: [...listKey(name), 'chart', countedText(chartQuery), rankedBy],
    queryFn: ({ signal }) => load(chartQuery, signal),
  });
  return { report: needsOther ? (data?.report ?? null) : report, isFailed: needsOther && isError, retry: refetch };
}

/** The filters alone, at their defaults what is not. */
function filtersOf(query: ReportPageQuery): AnyQuery {
  return Object.fromEntries(Object.entries(query).filter(([parameter]) => layout.every((one) => one !== parameter)));
}

/** Whether another order needs another answer: not all groups arrived, or others would not be the same. */
function isOrderedByServer(report: Report): boolean {
  return isPart(report) || report.groups.some(({ keys }) => keys.some(({ merged }) => merged !== undefined));
}

function isSameOrder(a: ReportPageQuery, b: ReportPageQuery): boolean {
  return a.orderBy === b.orderBy && a.orderDirection === b.orderDirection;
}

/** The groups in an order; those of a part stay as the server sorted them. Groups without a value are last. */
function sortGroups({ report, query }: Answer, { orderBy, orderDirection }: SortOrder): readonly ReportGroup[] {
  if (isOrderedByServer(report)) return report.groups;
  const sign = orderDirection === 'asc' ? 1 : -1;
  if (orderBy === 'key') return report.groups.toSorted((a, b) => sign * compareKeys(report, a, b));
  const order = readOrder(orderBy);
  const rank = createRank(order, query, orderedValue(order, report.totals));
  return report.groups.toSorted((a, b) => {
    const [one, other] = [rank(orderedValue(order, a)), rank(orderedValue(order, b))];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || compareKeys(report, a, b);
    return sign * Math.sign(one - other) || compareKeys(report, a, b);
  });
}

/** By time, and by the names that are shown. */
function compareKeys(report: Report, a: ReportGroup, b: ReportGroup): number {
  for (const [at, grouping] of report.group_by.entries()) {
    const [one, other] = [a.keys[at], b.keys[at]];
    if (one === undefined || other === undefined || one.value === other.value) continue;
    if (grouping === 'hour') return Number(one.value) - Number(other.value);
    if (isTimeGrouping(grouping)) return one.value < other.value ? -1 : 1;
    return compareNames(keyText(grouping, one, report), keyText(grouping, other, report));
  }
  return 0;
}

/** Why a report failed, and what helps. */
function failureText(error: Error): string {
  if (!(error instanceof CallError)) return error.message;
  if (error.status === 422) return Object.values(error.fields).flat().join(' ') || error.message;
  if (error.status !== null && error.status !== 503) return error.message;
  return `${error.message.replace(/\.$/, '')}. Choose fewer days or set a filter, then try again.`;
}
