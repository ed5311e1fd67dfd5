import { narrowReport, readBoardQuery } from '@switchyard/contract/boards';
import { columnName } from '@switchyard/contract/report-texts';
import { useMemo } from 'react';
import { Chart } from '../../../shared/charts/chart.tsx';
import { hourIn, todayIn } from '../../../shared/time/today.ts';
import { useServerOffset } from '../../../shared/time/server-time.ts';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { chartOf, formatOf } from '../chart-series.ts';
import type { TileProps } from './tile-content.tsx';

type Props = TileProps & {
  column: string;
  /** Period and filters of the board, as a query string. */
  within: string;
};

/** A chart of a measure; Home loads it, and then its marks, after its first paint. */
export default function TileChart({ report, query, column, within }: Props) {
  const offset = useServerOffset();
  const today = todayIn(offset);
  const hour = hourIn(offset);
  const data = useMemo(
    () => chartOf(report, column, { today, hour, offset, query, mode: query.mode ?? null }),
    [report, column, today, hour, offset, query],
  );
  const markSubjects = useMemo(() => {
    const board = readBoardQuery(within);
    const { appId, serverId } = (board && narrowReport(query, board)) ?? query;
    return { appIds: appId?.map(Number), serverIds: serverId?.map(Number) };
  }, [query, within]);
  return (
    <>
      <p className="note">
        <span>
          <VisibleText text={columnName(column, report)} />
        </span>
        {typeof data !== 'string' && [data.note, data.total].map((text) => typeof text === 'string' && `. ${text.replace(/\.$/, '')}`)}
      </p>
      {typeof data === 'string' ? (
        <p className="note">{data}</p>
      ) : (
        <Chart data={data} format={formatOf(data)} markSubjects={markSubjects} isFilling>
          The report has a table of these values.
        </Chart>
      )}
    </>
  );
}
