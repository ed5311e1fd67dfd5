import type pg from 'pg';
import { counterFigures, type CounterFigures } from '../../event-counters.ts';

/** Counts of the weeks that retention dropped, and the last of these weeks; null: none was dropped. */
export type DroppedTotals = { until: string | null; rows: (CounterFigures & { app_id: number; is_qa: boolean })[] };

/** The totals of dropped weeks for these apps. */
export async function readDroppedTotals(pool: pg.Pool, appIds: readonly number[]): Promise<DroppedTotals> {
  const sums = counterFigures.map((figure) => `sum(${figure})::bigint as ${figure}`).join(', ');
  const { rows } = await pool.query<DroppedTotals>({
    name: 'dropped-totals',
    text: `select (select max(week) from event_weeks) as until, (select coalesce(json_agg(totals), '[]') from (
      select app_id, is_qa, ${sums} from event_totals_dropped where app_id = any($1::integer[]) group by app_id, is_qa
    ) as totals) as rows`,
    values: [appIds],
  });
  return rows[0] ?? { until: null, rows: [] };
}
