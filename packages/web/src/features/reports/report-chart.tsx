import { Button, Skeleton, useComputedColorScheme } from '@mantine/core';
import type { Report } from '@switchyard/contract/reports';
import { dayOf, fromDate } from '@switchyard/contract/dates';
import { IconPhotoDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { downloads } from '../../shared/downloads/downloads.ts';
import { useParameter } from '../../shared/navigation.tsx';
import { correctedClock } from '../../shared/time/corrected-clock.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { Dropdown } from '../../shared/ui/pick-list.tsx';
import { chartOf, type ChartData } from './chart-series.ts';
import type * as drawing from './draw-chart.ts';
import { columnName, valueText } from './report-words.ts';
import classes from './reports.module.css';
import { RetryButton } from '../../shared/ui/retry.tsx';

/** Pixels of a chart of lines, and of a bar with its share of the frame. */
const heights = { lines: 228, bar: 22, frame: 72 } as const;

/** A chart of one column, which the address names. The code that draws it is loaded with it. */
export function ReportChart({ report, sortedBy }: { report: Report; sortedBy: string }) {
  const [chartParameter, choose] = useParameter('chart');
  const today = dayOf(fromDate(correctedClock.now()), useServerOffset());
  const column = chartColumn(report, [chartParameter, sortedBy]);
  const data = useMemo(() => chartOf(report, column, today), [report, column, today]);
  // The colours are read from the page, so another theme redraws the chart.
  const theme = useComputedColorScheme('light');
  const library = useQuery({ queryKey: ['chart-library'], queryFn: () => import('./draw-chart.ts'), staleTime: Infinity });
  const options = report.columns.map((name) => ({ value: name, name: withMarks(columnName(name)) }));
  return (
    <>
      <div className={classes['chartHead']}>
        <Dropdown label="Measure of the chart" width={208} options={options} value={column} onChange={(picked) => choose(picked ?? null)} />
        {typeof data !== 'string' && data.note !== null && <p className={classes['chartNote']}>{data.note}</p>}
        <Button
          variant="default"
          leftSection={<IconPhotoDown size={16} aria-hidden />}
          disabled={typeof data === 'string' || library.data === undefined}
          onClick={() => typeof data !== 'string' && library.data !== undefined && savePicture(data, library.data)}
        >
          PNG
        </Button>
      </div>
      {typeof data === 'string' ? (
        <output className={classes['chartNote']}>{data}</output>
      ) : library.error !== null ? (
        <output className={classes['chartNote']}>
          The chart could not be loaded. <RetryButton onRetry={library.refetch} />
        </output>
      ) : library.data === undefined ? (
        <output className={classes['loading']} aria-label="Loading the chart">
          <Skeleton height={heightOf(data)} />
        </output>
      ) : (
        <Canvas key={theme} data={data} draw={library.data.drawChart} />
      )}
    </>
  );
}

type Library = typeof drawing;

function savePicture(data: ChartData, { paintPicture }: Library): void {
  void downloads.start({
    key: `chart ${data.title}`,
    name: 'report.png',
    measure: 'bytes',
    open: async () => ({ response: new Response(await paintPicture(data, formatOf(data))) }),
    count: () => Promise.resolve(null),
  });
}

function formatOf({ form }: ChartData): (value: number, isCompact: boolean) => string {
  return (value, isCompact) => valueText(form, value, isCompact);
}

function heightOf({ kind, labels }: ChartData): number {
  return kind === 'line' ? heights.lines : labels.length * heights.bar + heights.frame;
}

function Canvas({ data, draw }: { data: ChartData; draw: Library['drawChart'] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => (canvas.current === null ? undefined : draw(canvas.current, data, formatOf(data))), [data, draw]);
  const shape = data.kind === 'line' ? 'Line chart' : 'Bar chart';
  return (
    <figure className={classes['canvas']} style={{ height: heightOf(data) }} aria-label={`${shape}: ${data.title}`}>
      <canvas ref={canvas}>The table below has the values of the chart.</canvas>
    </figure>
  );
}

/** The first of the wanted columns that there is, else the first with values. */
function chartColumn({ columns, totals }: Report, wanted: readonly (string | null)[]): string {
  const wantedColumn = wanted.find((name) => name !== null && columns.includes(name));
  return wantedColumn ?? columns.find((name) => (totals.current[name] ?? null) !== null) ?? columns[0] ?? '';
}
