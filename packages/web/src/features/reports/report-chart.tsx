import { Button, Tooltip, useComputedColorScheme } from '@mantine/core';
import type { Report } from '@switchyard/contract/reports';
import { dayOf, fromDate } from '@switchyard/contract/dates';
import { IconPhotoDown } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { downloads } from '../../shared/downloads/downloads.ts';
import { useParameter } from '../../shared/navigation.tsx';
import { correctedClock } from '../../shared/time/corrected-clock.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { Dropdown } from '../../shared/ui/pick-list.tsx';
import { chartOf, type ChartData } from './chart-series.ts';
import { drawChart, paintPicture, type LabelAt } from './draw-chart.ts';
import { columnName, type RatioQuery, valueText } from './report-words.ts';
import classes from './reports.module.css';

/** Pixels of a chart of lines, and of a bar with its share of the frame. */
const heights = { lines: 228, bar: 22, frame: 72 } as const;

/** A chart of one column, which the address names. */
export function ReportChart({ report, query, sortedBy }: { report: Report; query: RatioQuery; sortedBy: string }) {
  const [chartParameter, choose] = useParameter('chart');
  const today = dayOf(fromDate(correctedClock.now()), useServerOffset());
  const column = chartColumn(report, [chartParameter, sortedBy]);
  const data = useMemo(() => chartOf(report, column, { today, query }), [report, column, today, query]);
  // The colours are read from the page, so another theme redraws the chart.
  const theme = useComputedColorScheme('light');
  const options = report.columns.map((name) => ({ value: name, name: withMarks(columnName(name)) }));
  return (
    <>
      <div className={classes['chartHead']}>
        <Dropdown
          label="Measure of the chart"
          width={208}
          options={options}
          value={column}
          onChange={(pickedColumn) => choose(pickedColumn ?? null)}
        />
        {typeof data !== 'string' && data.note !== null && <p className={classes['chartNote']}>{data.note}</p>}
        <Button
          variant="default"
          leftSection={<IconPhotoDown size={16} aria-hidden />}
          disabled={typeof data === 'string'}
          onClick={() => typeof data !== 'string' && savePicture(data)}
        >
          PNG
        </Button>
      </div>
      {typeof data === 'string' ? <output className={classes['chartNote']}>{data}</output> : <Chart key={theme} data={data} />}
    </>
  );
}

function savePicture(data: ChartData): void {
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

/** The drawn chart; the pointer shows the values of the label that it is at. */
function Chart({ data }: { data: ChartData }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const labelAt = useRef<LabelAt>(() => null);
  const [marked, setMarked] = useState<number | null>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    // It is called with the first size, too.
    const observer = new ResizeObserver(() => {
      labelAt.current = drawChart(element, data, formatOf(data));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [data]);
  const shape = data.kind === 'line' ? 'Line chart' : 'Bar chart';
  const values = marked !== null && (
    <>
      <strong>{data.labels[marked]}</strong>
      {data.series.map(({ name, values: { [marked]: value = null } }) => (
        <div key={name}>
          {name}: {value === null ? '–' : formatOf(data)(value, false)}
        </div>
      ))}
    </>
  );
  return (
    <Tooltip.Floating label={values} disabled={marked === null} multiline>
      <figure style={{ height: heightOf(data) }} aria-label={`${shape}: ${data.title}`}>
        <canvas
          ref={canvas}
          className={classes['canvas']}
          onPointerMove={({ nativeEvent: { offsetX, offsetY } }) => setMarked(labelAt.current(offsetX, offsetY))}
        >
          The table below has the values of the chart.
        </canvas>
      </figure>
    </Tooltip.Floating>
  );
}

/** The first of the wanted columns that there is, else the first with values. */
function chartColumn({ columns, totals }: Report, wantedNames: readonly (string | null)[]): string {
  const wantedColumn = wantedNames.find((name) => name !== null && columns.includes(name));
  return wantedColumn ?? columns.find((name) => (totals.current[name] ?? null) !== null) ?? columns[0] ?? '';
}
