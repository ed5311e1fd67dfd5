import { Anchor, Button, Skeleton } from '@mantine/core';
import { downloadReport, groupingsOf, isByStatus, measuresOf, ratioOf, type Report, reportQuery } from '@switchyard/contract/reports';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ComponentProps, type ComponentType, lazy, Suspense, useMemo, type ReactNode } from 'react';
import { z } from 'zod';
import { open } from '../../shared/api/call.ts';
import { filterChips } from '../../shared/listing/filter.ts';
import type { RowMark } from '../../shared/listing/list-row.tsx';
import { ListPage } from '../../shared/listing/list.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { localSettings } from '../../shared/local-settings.ts';
import { AppLink, useParameter, useQueryText } from '../../shared/navigation.tsx';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { useDisplayDate, useServerOffset } from '../../shared/time/server-time.ts';
import { askConfirm } from '../../shared/ui/confirm.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { CollapsiblePanel } from '../../traffic/collapsible-panel.tsx';
import { KnownSystemsNote } from '../../traffic/known-systems-note.tsx';
import { DownloadButton, listFileName, type TrafficDownload } from '../../traffic/download-button.tsx';
import { useValueList, ValueListContext } from '../../traffic/value-list.ts';
import { isGroupCut, isPart, smallLastText } from './chart-series.ts';
import type ReportChart from './report-chart.tsx';
import { chartColumn, MeasurePick, reportFile } from './report-measure.tsx';
import { fewText, GroupLinks, pivotColumns, pivotTotals, ValueLinks, reportColumns, reportTotals } from './report-columns.tsx';
import { daysIn } from './report-days.ts';
import { ReadyReports } from './ready-reports.tsx';
import { ReportPresets, textOfChips } from './report-filters.tsx';
import { listLinks, narrowLink, valueLink, reportValues } from './report-links.ts';
import { leavesOutInvalid, rangeText } from './report-words.ts';
import classes from './reports.module.css';
import { PinButton } from './dashboard/pin-button.tsx';
import { ScheduleButton } from './schedule-button.tsx';
import { costText, costToConfirm, type ReportPageQuery, type ReportState, useReport } from './use-report.ts';
import { useReportFilters } from './use-report-filters.ts';

function NoChart() {
  return <p className="note">The chart could not be loaded. Reload the page to try again.</p>;
}

/** Loaded after the table: the page is the heaviest one. */
const LoadedChart = lazy<ComponentType<ComponentProps<typeof ReportChart>>>(() =>
  import('./report-chart.tsx').catch(() => ({ default: NoChart })),
);

const chartSetting = localSettings.json('report_chart_open', z.boolean());
const cutMark: RowMark = { tone: 'warning', meaning: 'Incomplete: older events were deleted' };

/** Traffic grouped, counted and compared. All that is chosen is in the address. */
export function ReportsPage() {
  const list = useReport();
  const { query, shownQuery, more: report } = list;
  const shownReport = useMemo(() => report ?? emptyReport(query), [report, query]);
  const [chartParameter] = useParameter('chart');
  const sortedBy = list.arrangement.sort?.orderBy ?? '';
  const isTurned = shownReport.pivot !== null;
  const measure = chartColumn(shownReport, [chartParameter, sortedBy]);
  const columns = useMemo(
    () => (isTurned ? pivotColumns(shownReport, measure, shownQuery) : reportColumns(shownReport, shownQuery, sortedBy)),
    [isTurned, shownReport, measure, shownQuery, sortedBy],
  );
  const { rows } = list;
  const { orderBy, orderDirection } = query;
  /** What the table shows, in its order: a report that arrived whole is sorted on the page. */
  const orderedReport = useMemo(() => ({ ...shownReport, groups: [...rows] }), [shownReport, rows]);
  const orderedQuery = useMemo(() => ({ ...shownQuery, orderBy, orderDirection }), [shownQuery, orderBy, orderDirection]);
  const totals = useMemo(() => {
    if (report === null) return undefined;
    return report.pivot === null ? reportTotals(report, shownQuery) : pivotTotals(report, measure, shownQuery);
  }, [report, measure, shownQuery]);
  const links = useGroupLinks(list);
  const filters = useReportFilters(query, (grouping, value) => {
    const at = shownReport.group_by.indexOf(grouping);
    return shownReport.groups.find(({ keys }) => keys[at]?.value === value)?.keys[at]?.name;
  });
  const filterText = textOfFilters(filters, shownQuery);
  const tools = (draft: FilterDraft<ReportPageQuery>): ReactNode => (
    <>
      <DownloadButton
        name={list.name}
        draft={draft}
        download={{ ...download, shownDays: report === null || list.isBehind === true ? undefined : daysShown(report) }}
        views={list.views}
      />
      <RefreshButton onRefresh={list.reload} />
      {list.views !== undefined && <PinButton views={list.views} query={shownQuery} column={measure} />}
      {list.cancel !== null && (
        <Button variant="default" onClick={list.cancel}>
          Cancel report
        </Button>
      )}
      {list.views !== undefined && <ScheduleButton views={list.views} />}
    </>
  );
  return (
    <ValueListContext value={useValueList({ schema: reportQuery, values: reportValues })}>
      <GroupLinks value={links.of}>
        <ValueLinks value={links.value}>
          <ListPage
            list={list}
            noun="figures"
            columns={columns}
            settingsName={isTurned ? `${list.name} pivot` : undefined}
            isTableOnPhones={isTurned}
            filters={filters}
            FurtherFields={ReportPresets}
            tools={tools}
            actions={<ReadyReports list={list} />}
            summary={totals}
            markOf={(group) => (report !== null && isGroupCut(report, group) ? cutMark : undefined)}
            above={
              report !== null &&
              list.view === 'rows' && (
                <>
                  <Period report={report} query={orderedQuery} links={links.whole} />
                  {(report.group_by.includes('asn') || (shownQuery.asn ?? shownQuery.asnNot) !== undefined) && <KnownSystemsNote />}
                  <CollapsiblePanel title="Chart" setting={chartSetting} isOpenAtFirst>
                    <Suspense
                      fallback={
                        <output aria-label="Loading the chart">
                          <Skeleton height={300} radius="md" />
                        </output>
                      }
                    >
                      <LoadedChart
                        report={orderedReport}
                        query={orderedQuery}
                        column={measure}
                        measurePick={!isTurned && <MeasurePick label="Measure of the chart" report={report} sortedBy={sortedBy} />}
                        pictureName={listFileName(reportFile, { views: list.views, period: report, extension: 'png' })}
                        filters={filterText}
                        onZoom={list.change}
                      />
                    </Suspense>
                  </CollapsiblePanel>
                  {isTurned && (
                    <div className={classes['pivotHead']}>
                      <MeasurePick label="Measure" report={report} sortedBy={sortedBy} />
                    </div>
                  )}
                </>
              )
            }
            pages="none"
            empty={list.isHeld ? heldText(list) : { title: 'No traffic in these days', text: 'Choose more days, or earlier ones.' }}
          />
        </ValueLinks>
      </GroupLinks>
    </ValueListContext>
  );
}

/** The filters of a report in words; its days are named beside them. */
function textOfFilters(filters: ReturnType<typeof useReportFilters>, query: ReportPageQuery): string {
  return textOfChips(filterChips(filters, { ...query, startDate: undefined, endDate: undefined, days: undefined }, {}));
}

const heldTitle = 'This report reads individual events';

function heldText({ cost, run }: ReportState) {
  return {
    title: heldTitle,
    text: costText(cost),
    action: <Button onClick={run}>Run report</Button>,
  };
}

/** Input of the grey rows of the first load. */
function emptyReport(query: ReportPageQuery): Report {
  return {
    group_by: [...groupingsOf(query)],
    columns: measuresOf(query).filter((measure) => !isByStatus(measure)),
    groups: [],
    total_groups: 0,
    totals: { current: {}, compared: null, few: [] },
    pivot: null,
    from: '',
    to: '',
    compared_from: null,
    compared_to: null,
    compared_until: null,
    complete_from: '',
    is_complete: true,
    compared_is_complete: null,
    source: 'roll-ups',
  };
}

function daysShown({ from, to }: Report): Partial<ReportPageQuery> {
  return { startDate: from, endDate: to, period: undefined };
}

const download: TrafficDownload<ReportPageQuery> = {
  fileName: reportFile,
  open: (query, options) => open(downloadReport, { query, ...options }),
  count: () => Promise.resolve(null),
  confirm: async (query, start) => {
    const cost = await costToConfirm(query);
    if (cost === undefined) start();
    else askConfirm({ title: heldTitle, lines: [costText(cost)], isLocal: true, action: async () => start() });
  },
};

/** Where groups and the whole report lead to; the functions keep their identity while nothing in them changes. */
function useGroupLinks({ more: report, shownQuery }: ReportState) {
  const search = useQueryText();
  const permissions = useSessionUser()?.permissions;
  const offset = useServerOffset();
  return useMemo(() => {
    if (report === null) return { of: () => [], value: () => null, whole: [] };
    const place = { query: shownQuery, report, offset, permissions: permissions ?? [] };
    return {
      of: (group: Report['groups'][number], at: number) => {
        const [grouping, key] = [report.group_by[at], group.keys[at]];
        const link = grouping === undefined || key === undefined ? null : narrowLink(search, place, { grouping, value: key.value });
        return [...(link === null ? [] : [link]), ...listLinks(place, group.keys)];
      },
      value: (group: Report['groups'][number], column: string) => valueLink(place, group.keys, column),
      whole: listLinks(place),
    };
  }, [report, shownQuery, search, permissions, offset]);
}

/** The range of the report, and gaps in it. */
function Period({ report, query, links }: { report: Report; query: ReportPageQuery; links: ReturnType<typeof listLinks> }) {
  const offset = useServerOffset();
  const displayDate = useDisplayDate();
  const { from, to, complete_from: completeFrom, groups, total_groups: all } = report;
  const { compared_from: comparedFrom, compared_to: comparedTo, compared_until: comparedUntil } = report;
  const days = daysIn(from, to);
  const smallLast = smallLastText(report, query);
  const isCut = !report.is_complete || report.compared_is_complete === false;
  return (
    <div className={classes['period']}>
      <span>
        <b>{rangeText(from, to)}</b> ({days === 1 ? '1 day' : `${groupedNumber(days)} days`} of UTC{offset})
        {comparedFrom !== null && comparedTo !== null && <> compared with {rangeText(comparedFrom, comparedTo)}</>}
        {comparedUntil !== null && <>, up to {displayDate(comparedUntil).slice(0, -3)}, because today is not over</>}
      </span>
      <span aria-live="polite">
        {isPart(report)
          ? `First ${groupedNumber(groups.length)} of ${groupedNumber(all)} groups; the CSV has all`
          : all === 1
            ? '1 group'
            : `${groupedNumber(all)} groups`}
        {report.source === 'events' && ', counted from single events'}
        {hasFew(report) && `, *: ${fewText(query)}`}
        {smallLast !== null && `; ${smallLast}`}
        {report.columns.some((column) => leavesOutInvalid(ratioOf(column, query))) && '; ratios leave out duplicates and errors'}
      </span>
      {isCut && (
        <span className={classes['incomplete']}>
          <IconAlertTriangle size={15} aria-hidden />
          Days before {rangeText(completeFrom, completeFrom)} are incomplete: older events were deleted.
        </span>
      )}
      {links.map(({ label, path }) => (
        <Anchor key={label} component={AppLink} href={path} inherit data-screen-only>
          {label}
        </Anchor>
      ))}
    </div>
  );
}

function hasFew({ groups, totals }: Report): boolean {
  return totals.few.length > 0 || groups.some(({ few }) => few.length > 0);
}
