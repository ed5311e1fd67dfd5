import type { SortDirection } from '@switchyard/contract/listing';
import type { ExportPart } from '../export/copy-as-csv.ts';
import { rowEndCell } from '../export/csv-cells.ts';
import type { Parameters } from '../event-conditions.ts';
import { rowOrder, type SortKey } from './row-page.ts';

/** An export of one app's rows, in the order of their list. */
export type RowExport = {
  table: 'pushes' | 'conversions';
  /** SQL of the cells. */
  cells: string;
  conditions: readonly string[];
  parameters: Parameters;
  sortKey: SortKey | null;
  direction: SortDirection;
  /** How many rows there will be. */
  total: number;
  /** So many rows may be sorted at once; more come in the order of an index. */
  sortable: number;
};

/** What a list writes out as one statement: its order is that of an index, or its rows are few. */
export function rowExport({ table, cells, conditions, parameters, total, sortable, sortKey, direction }: RowExport): ExportPart[] {
  const order = rowOrder({ key: sortKey?.sql ?? '', id: 'id', sortKey, direction, isBackwards: false });
  const text = `select ${cells}, ${rowEndCell} from ${table} where ${conditions.join(' and ')} order by ${order}`;
  return [{ text, values: parameters.values, isLarge: total > sortable }];
}
