import { pageSizes } from '@switchyard/contract/limits';
import type { SortDirection } from '@switchyard/contract/listing';
import type { Parameters } from '../event-conditions.ts';
import { keptName } from '../run-query.ts';
import type { Reader } from '../snapshot.ts';

export type SortKey = { sql: string; isNullable: boolean };

/** A page of a numbered list of one app's rows. */
export type RowPage = {
  table: 'pushes' | 'conversions';
  /** SQL of what a row has to fulfil; the app among it. */
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
  /** How many rows fulfil the conditions, so that no page beyond the end is looked for, and late pages from behind. */
  total: number;
};

/** Up to so many matches are gathered by whatever index finds them and then sorted, instead of walking through the order to meet them. */
const fewMatches = 2000;

/** Rows of a page in order; ties go by id, newest first, and missing values come last (api 0.6). */
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
  // The page is found in an index alone; only its own rows are read whole.
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
 * Query for the first page of everything an app has and, in each row as `total`, how much that is. It is what most readers
 * ask for, so it takes one statement, which sees one moment without a transaction around it.
 */
export function firstRowPage({ table, appId, columns, limit, ...sort }: FirstRowPage): { name?: string; text: string; values: unknown[] } {
  const size = Math.trunc(limit);
  const first = `select * from ${table} where app_id = $1::integer
    order by ${rowOrder({ key: sort.sortKey?.sql ?? 'id', id: 'id', ...sort, isBackwards: false })} limit ${size}`;
  const text = `select ${columns}, (select coalesce(sum(stored), 0)::bigint from ${totals[table]} where app_id = $1::integer) as total
    from (${first}) as kept`;
  const name = pageSizes.some((kept) => kept === size) ? { name: keptName(text) } : {};
  return { ...name, text, values: [appId] };
}

type RowOrder = { key: string; id: string; sortKey: SortKey | null; direction: SortDirection; isBackwards: boolean };

/** SQL of a list's order, or of the order from its end: `key` and `id` name what is sorted by. */
export function rowOrder({ key, id, sortKey, direction, isBackwards }: RowOrder): string {
  const isAscending = (direction === 'asc') !== isBackwards;
  if (sortKey === null) return `${id} ${isAscending ? 'asc' : 'desc'}`;
  // An index fits only an order that says the same of missing values, even where there are none.
  const missing = sortKey.isNullable ? ` nulls ${isBackwards ? 'first' : 'last'}` : '';
  return `${key} ${isAscending ? 'asc' : 'desc'}${missing}, ${id} ${isBackwards ? 'asc' : 'desc'}`;
}

/** Case-insensitive substring in which `%`, `_` and `\\` stand for themselves (api 0.6). */
export function contains(column: string, text: string, parameters: Parameters): string {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return `lower(${column}) like lower(${parameters.add(pattern)}::text)`;
}
