import { pageSizes } from '@switchyard/contract/limits';
import type { SortDirection } from '@switchyard/contract/listing';
import type pg from 'pg';
import { newParameters, type Parameters } from '../event-conditions.ts';
import { inSnapshot, keptName, type Reader } from '../statements.ts';

/** A numbered list of one app's rows: which page of what, and how rows are counted, picked and shown. */
type RowList<Filter extends { appId: number }, Found extends object, Row> = Omit<FirstRowPage, 'appId'> & {
  filter: Filter;
  page: number;
  /** Replaces what a filter asks for by values that an index finds. */
  narrow: (reader: Reader, filter: Filter) => Promise<Filter>;
  count: (reader: Reader, filter: Filter) => Promise<number>;
  /** SQL conditions of a filter. */
  conditions: (filter: Filter, parameters: Parameters) => string[];
  toRow: (row: Found & { total?: number }) => Row;
};

/** A page of an app's rows with the exact number of matches; the first page of all of them is one statement. */
export async function listRows<Filter extends { appId: number }, Found extends object, Row>(
  pool: pg.Pool,
  { filter, page, narrow, count, conditions, toRow, ...shape }: RowList<Filter, Found, Row>,
): Promise<{ rows: Row[]; total: number }> {
  const list = { ...shape, appId: filter.appId };
  if (page === 1 && asksForAll(filter)) {
    const { rows } = await pool.query<Found & { total: number }>(firstRowPage(list));
    return { rows: rows.map(toRow), total: rows[0]?.total ?? 0 };
  }
  return inSnapshot(pool, async (reader) => {
    const narrowedFilter = await narrow(reader, filter);
    const total = await count(reader, narrowedFilter);
    const parameters = newParameters();
    const rows = await readRowPage<Found>(reader, { ...list, conditions: conditions(narrowedFilter, parameters), parameters, page, total });
    return { rows: rows.map(toRow), total };
  });
}

/** Whether a filter asks for nothing but an app. */
function asksForAll({ appId: _appId, ...rest }: { appId: number }): boolean {
  return Object.values(rest).every((value) => value === undefined);
}

export type SortKey = { sql: string; isNullable: boolean };

/** A page of a numbered list of one app's rows. */
export type RowPage = {
  table: 'pushes' | 'conversions';
  /** SQL conditions, the app among them. */
  conditions: readonly string[];
  parameters: Parameters;
  appId: number;
  /** SQL of what is read of a row. */
  columns: string;
  /** SQL of the value to sort by, and whether it may be missing; null: by id. */
  sortKey: SortKey | null;
  direction: SortDirection;
  page: number;
  limit: number;
  /** How many rows match: pages beyond the end are not queried, late pages are read from the end. */
  total: number;
};

/** Maximum number of matches that are found by any index and then sorted, instead of scanning in the list's order. */
const fewMatches = 2000;

/** Rows of a page in order; ties go by id, newest first, and missing values come last. */
export async function readRowPage<Row extends object>(reader: Reader, page: RowPage): Promise<Row[]> {
  const offset = (page.page - 1) * page.limit;
  const count = Math.min(page.limit, page.total - offset);
  if (count <= 0) return [];
  const isLate = offset > page.total / 2;
  const start = isLate ? page.total - offset - count : offset;
  const { parameters } = page;
  const app = parameters.add(page.appId);
  const matches = `select id, ${page.sortKey?.sql ?? 'null'} as sort_key from ${page.table} where ${page.conditions.join(' and ')}`;
  const source =
    page.total <= fewMatches
      ? `with matched as materialized (${matches}), page as (select * from matched ${part('sort_key')})`
      : `with page as materialized (${matches} ${part(page.sortKey?.sql ?? 'id')})`;
  // The page is found in an index alone; only its own rows are read in full.
  const text = `${source} select ${page.columns} from page join ${page.table} as kept on kept.app_id = ${app}::integer and kept.id = page.id
    order by ${order('page.sort_key', 'page.id')}`;
  const { rows } = await reader.query<Row>({ text, values: parameters.values });
  return isLate ? rows.toReversed() : rows;

  function part(key: string): string {
    return `order by ${order(key, 'id')} limit ${parameters.add(count)}::bigint offset ${parameters.add(start)}::bigint`;
  }

  function order(key: string, id: string): string {
    return rowOrder({ key, id, ...page, isBackwards: isLate });
  }
}

export type FirstRowPage = Pick<RowPage, 'table' | 'appId' | 'columns' | 'sortKey' | 'direction' | 'limit'>;

/** Roll-ups that count what is stored of each table. */
const totals = { pushes: 'push_totals', conversions: 'conversion_totals' } as const;

/**
 * The query for the first page of an app without a filter, with the total in each row. It is the most frequent one, so it is a single
 * statement, which sees one moment without a transaction.
 */
export function firstRowPage({ table, appId, columns, limit, ...sort }: FirstRowPage): { name?: string; text: string; values: unknown[] } {
  const size = Math.trunc(limit);
  const first = `select * from ${table} where app_id = $1::integer
    order by ${rowOrder({ key: sort.sortKey?.sql ?? 'id', id: 'id', ...sort, isBackwards: false })} limit ${size}`;
  const text = `select ${columns}, (select coalesce(sum(stored), 0)::bigint from ${totals[table]} where app_id = $1::integer) as total
    from (${first}) as kept`;
  const name = pageSizes.some((pageSize) => pageSize === size) ? { name: keptName(text) } : {};
  return { ...name, text, values: [appId] };
}

type RowOrder = { key: string; id: string; sortKey: SortKey | null; direction: SortDirection; isBackwards: boolean };

/** SQL of a list's order, or of the order from its end: `key` and `id` name what is sorted by. */
export function rowOrder({ key, id, sortKey, direction, isBackwards }: RowOrder): string {
  const isAscending = (direction === 'asc') !== isBackwards;
  if (sortKey === null) return `${id} ${isAscending ? 'asc' : 'desc'}`;
  // An index fits only an order that says the same of missing values, even where there are none.
  const nullsOrder = sortKey.isNullable ? ` nulls ${isBackwards ? 'first' : 'last'}` : '';
  return `${key} ${isAscending ? 'asc' : 'desc'}${nullsOrder}, ${id} ${isBackwards ? 'asc' : 'desc'}`;
}

/** The pattern of texts that contain this one. */
export function patternOf(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** ASCII without letters: digits and punctuation. */
const letterless = /[ -@[-`{-~]+/g;
/** Shorter parts are in too many texts. */
const shortestPart = 2;

/** SQL of whether a column contains a text, ignoring case. The database lower-cases both sides, because its rules may differ from those of JavaScript. */
export function contains(column: string, text: string, parameters: Parameters): string {
  const condition = `lower(${column}) like lower(${parameters.add(patternOf(text))}::text)`;
  const [part = ''] = (text.match(letterless) ?? []).toSorted((a, b) => b.length - a.length);
  // Lower-casing takes longest where many rows are compared, and changes no part of a text that has no letters.
  return part.length < shortestPart ? condition : `(${column} like ${parameters.add(patternOf(part))}::text and ${condition})`;
}
