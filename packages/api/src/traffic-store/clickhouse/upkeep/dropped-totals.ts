import type pg from 'pg';
import type { CounterFigures } from '../../event-counters.ts';

/** What the weeks that retention dropped had counted, and the last of these weeks; null: none was dropped. */
export type DroppedTotals = { until: string | null; rows: (CounterFigures & { app_id: number; is_qa: boolean })[] };

/** The totals of dropped weeks for these apps. */
export async function readDroppedTotals(_pool: pg.Pool, _appIds: readonly number[]): Promise<DroppedTotals> {
  return { until: null, rows: [] };
}
