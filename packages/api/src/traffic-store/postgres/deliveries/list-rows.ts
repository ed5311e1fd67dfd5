import type pg from 'pg';
import { newParameters, type Parameters } from '../event-conditions.ts';
import { type FirstRowPage, firstRowPage, readRowPage } from './row-page.ts';
import { inSnapshot, type Reader } from '../snapshot.ts';

/** A numbered list of one app's rows: which page of what, and how rows are counted, picked and shown. */
type RowList<Filter extends { appId: number }, Found extends object, Row> = Omit<FirstRowPage, 'appId'> & {
  filter: Filter;
  page: number;
  count: (reader: Reader, filter: Filter) => Promise<number>;
  /** SQL of what a row has to fulfil. */
  conditions: (filter: Filter, parameters: Parameters) => string[];
  toRow: (found: Found & { total?: number }) => Row;
};

/** A page of an app's rows with the exact number of matches; the first page of all of them is one statement. */
export async function listRows<Filter extends { appId: number }, Found extends object, Row>(
  pool: pg.Pool,
  { filter, page, count, conditions, toRow, ...shape }: RowList<Filter, Found, Row>,
): Promise<{ rows: Row[]; total: number }> {
  const list = { ...shape, appId: filter.appId };
  if (page === 1 && asksForAll(filter)) {
    const { rows } = await pool.query<Found & { total: number }>(firstRowPage(list));
    return { rows: rows.map(toRow), total: rows[0]?.total ?? 0 };
  }
  return inSnapshot(pool, async (reader) => {
    const total = await count(reader, filter);
    const parameters = newParameters();
    const rows = await readRowPage<Found>(reader, { ...list, conditions: conditions(filter, parameters), parameters, page, total });
    return { rows: rows.map(toRow), total };
  });
}

/** Whether a filter asks for nothing but an app. */
function asksForAll({ appId: _appId, ...rest }: { appId: number }): boolean {
  return Object.values(rest).every((value) => value === undefined);
}
