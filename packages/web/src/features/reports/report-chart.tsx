import { Button } from '@mantine/core';
import type { Report } from '@switchyard/contract/reports';
import { dayOf, fromDate } from '@switchyard/contract/dates';
import { IconPhotoDown } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Chart } from '../../shared/charts/chart.tsx';
import { type ChartData, paintPicture } from '../../shared/charts/draw-chart.ts';
import { downloads } from '../../shared/downloads/downloads.ts';
import { useParameter } from '../../shared/navigation.tsx';
import { correctedClock } from '../../shared/time/corrected-clock.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { Dropdown } from '../../shared/ui/pick-list.tsx';
import { chartOf } from './chart-series.ts';
import { columnName, type RatioQuery, valueText } from './report-words.ts';
import classes from './reports.module.css';

/** A chart of one column, which the address names. */
export function ReportChart({ report, query, sortedBy }: { report: Report; query: RatioQuery; sortedBy: string }) {
  const [chartParameter, choose] = useParameter('chart');
  const today = dayOf(fromDate(correctedClock.now()), useServerOffset());
  const column = chartColumn(report, [chartParameter, sortedBy]);
  const data = useMemo(() => chartOf(report, column, { today, query }), [report, column, today, query]);
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
      {typeof data === 'string' ? (
        <output className={classes['chartNote']}>{data}</output>
      ) : (
        <Chart data={data} format={formatOf(data)}>
          The table below has the values of the chart.
        </Chart>
      )}
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

/** The first of the wanted columns that there is, else the first with values. */
function chartColumn({ columns, totals }: Report, wantedNames: readonly (string | null)[]): string {
  const wantedColumn = wantedNames.find((name) => name !== null && columns.includes(name));
  return wantedColumn ?? columns.find((name) => (totals.current[name] ?? null) !== null) ?? columns[0] ?? '';
}
