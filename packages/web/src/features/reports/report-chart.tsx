import { Button } from '@mantine/core';
import { dayOf } from '@switchyard/contract/dates';
import { isTimeGrouping, type Report } from '@switchyard/contract/reports';
import { IconPhotoDown } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { Chart } from '../../shared/charts/chart.tsx';
import type { ChartData } from '../../shared/charts/chart-data.ts';
import { paintPicture } from '../../shared/charts/draw-chart.ts';
import { usePatterns } from '../../shared/charts/use-patterns.ts';
import type { Span } from '../../shared/charts/use-span-choice.ts';
import { MarksMenu } from '../../shared/marks/chart-marks.tsx';
import type { TimeAxis } from '../../shared/marks/place-marks.ts';
import { downloads } from '../../shared/downloads/downloads.ts';
import { useParameter } from '../../shared/navigation.tsx';
import { hourIn, todayIn } from '../../shared/time/today.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { RetryNote } from '../../shared/ui/retry.tsx';
import { Preset, PresetGroup } from '../../traffic/time-presets.tsx';
import { chartLimits, chartModes, chartOf, formatOf, modesOf, rankingColumn } from './chart-series.ts';
import classes from './report-chart.module.css';
import { type ReportPageQuery, useChartReport } from './use-report.ts';

type Props = {
  report: Report;
  query: ReportPageQuery;
  /** The column that is drawn. */
  column: string;
  /** Chooses the column. */
  measurePick: ReactNode;
  /** The name of the picture. */
  pictureName: string;
  /** The filters in words, for the picture. */
  filters: string;
  /** Changes the period of the report to these days. */
  onZoom: (days: { startDate: string; endDate: string }) => void;
};

/** A chart of one column, which the address names, as the way of drawing it. */
export default function ReportChart({ report, query, column, measurePick, pictureName, filters, onZoom }: Props) {
  const [modeParameter, chooseMode] = useParameter('mode');
  const offset = useServerOffset();
  const today = todayIn(offset);
  const hour = hourIn(offset);
  const chart = useChartReport(report, query, { rankedBy: rankingColumn(report, column, query), most: chartLimits.bars });
  const data = useMemo(
    () =>
      chart.report === null
        ? 'Counting the largest groups…'
        : chartOf(chart.report, column, { today, hour, offset, query, mode: modeParameter }),
    [chart.report, column, today, hour, offset, query, modeParameter],
  );
  const patterns = usePatterns();
  const { appId, serverId } = query;
  const markSubjects = { appIds: appId?.map(Number), serverIds: serverId?.map(Number) };
  const axis = typeof data !== 'string' && data.kind === 'line' ? data.axis : undefined;
  const modes = modesOf(report, column, query);
  const mode = modes.find((one) => one === modeParameter) ?? modes[0];
  const plainName = report.group_by.some(isTimeGrouping) ? 'Lines' : 'Bars';
  return (
    <>
      <div className={classes['chartHead']}>
        {measurePick}
        {modes.length > 1 && (
          <PresetGroup label="Chart type">
            {chartModes
              .filter((one) => modes.includes(one))
              .map((one) => {
                const { label, meaning } = one === 'plain' ? { label: plainName, meaning: plainName } : modeNames[one];
                return (
                  <Preset
                    key={one}
                    label={label}
                    meaning={meaning}
                    isPressed={one === mode}
                    onPress={() => chooseMode(one === modes[0] ? null : one)}
                  />
                );
              })}
          </PresetGroup>
        )}
        {axis !== undefined && <MarksMenu axis={axis} subjects={markSubjects} />}
        {!patterns.isForced && (
          <Preset
            label="Patterns"
            meaning="Patterns and dashes beside the colours"
            isPressed={patterns.isShown}
            onPress={() => patterns.set(!patterns.isShown)}
          />
        )}
        {typeof data !== 'string' && (
          <p className={classes['chartNote']}>{[data.note, data.total].filter((text) => typeof text === 'string').join(' ')}</p>
        )}
        <Button
          variant="default"
          leftSection={<IconPhotoDown size={16} aria-hidden />}
          disabled={typeof data === 'string'}
          onClick={() => typeof data !== 'string' && savePicture({ ...data, filters }, patterns.isShown, pictureName)}
        >
          Save picture
        </Button>
      </div>
      {chart.isFailed ? (
        <RetryNote onRetry={chart.retry}>The largest groups could not be counted.</RetryNote>
      ) : typeof data === 'string' ? (
        <output className={classes['chartNote']}>{data}</output>
      ) : (
        <Chart
          data={data}
          format={formatOf(data)}
          markSubjects={markSubjects}
          onZoom={axis && (({ first, last }) => onZoom(daysOfSpan(axis, { first, last, offset })))}
        >
          The table below has the values of the chart.
        </Chart>
      )}
    </>
  );
}

/** The days from the first to the last of some values of a chart. */
function daysOfSpan(
  { starts, until }: TimeAxis,
  { first, last, offset }: Span & { offset: string },
): { startDate: string; endDate: string } {
  const end = starts[last + 1] ?? until;
  return { startDate: dayOf(starts[first] ?? end, offset), endDate: dayOf(end - 1, offset) };
}

const modeNames = {
  stacked: { label: 'Stacked', meaning: 'Stacked values' },
  share: { label: 'Share', meaning: 'Shares of the whole' },
  heat: { label: 'Heat map', meaning: 'Heat map' },
  average: { label: 'Average', meaning: 'Average of a day' },
} as const;

function savePicture(data: ChartData, hasPatterns: boolean, name: string): void {
  void downloads.start({
    key: `chart ${data.title}`,
    name,
    measure: 'bytes',
    open: async () => ({ response: new Response(await paintPicture(data, { format: formatOf(data), hasPatterns })) }),
    count: () => Promise.resolve(null),
  });
}
