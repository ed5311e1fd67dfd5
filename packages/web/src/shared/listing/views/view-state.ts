import type { SavedView, ViewColumns, ViewList } from '@switchyard/contract/saved-views';
import type { ColumnChoice } from '../column-choice.ts';
import type { ListColumn } from '../list-column.ts';
import type { SavedViews } from './use-saved-views.ts';
import { knownQuery, unknownParameters } from './view-address.ts';
import { areSameColumns, captureColumns, unknownColumns } from './view-columns.ts';

/** The columns of a list whose views keep them. A page without columns has none. */
export type ViewedColumns = { declaredColumns: readonly Pick<ListColumn<never>, 'id' | 'isFixed' | 'isOptional'>[]; choice: ColumnChoice };

/** The part of a list that a view stores. */
export type ViewContent = { query: string; columns: ViewColumns };

const noColumns: ViewColumns = { hidden: [], shown: [], widths: {} };

/** The current state of the list, as a view stores it. */
export function contentOf({ query }: Pick<SavedViews, 'query'>, columns: ViewedColumns | undefined): ViewContent {
  return { query, columns: columns === undefined ? noColumns : captureColumns(columns.declaredColumns, columns.choice) };
}

/** Whether the list shows something else than the view says. */
export function isModified(
  { schema }: Pick<SavedViews, 'schema'>,
  view: Pick<SavedView, 'query' | 'columns'>,
  { content, columns }: { content: ViewContent; columns: ViewedColumns | undefined },
): boolean {
  if (content.query !== knownQuery(schema, view.query)) return true;
  return columns !== undefined && !areSameColumns(content.columns, captureColumns(columns.declaredColumns, view.columns));
}

/** The open view of a list without columns while the list shows just what it says. */
export function savedAs(views: Pick<SavedViews, 'schema' | 'query' | 'active'>): SavedView | undefined {
  const { active } = views;
  const content = contentOf(views, undefined);
  return active !== undefined && !isModified(views, active, { content, columns: undefined }) ? active : undefined;
}

/** Whether the list shows neither filters nor an own sort, and its columns as they are declared. */
export function isStandard({ query, columns }: ViewContent): boolean {
  return query === '' && areSameColumns(columns, noColumns);
}

/** Lists whose columns depend on what is counted, so that one may be missing for now only. */
const changingColumns: ReadonlySet<ViewList> = new Set(['reports']);

/**
 * Parts of a view that the list does not have, in the reader's words. Columns that a view of somebody else hides or
 * sizes may belong to a permission that the reader lacks; nothing is missing then.
 */
export function leftOut({ schema }: Pick<SavedViews, 'schema'>, view: SavedView, columns: ViewedColumns | undefined): string[] {
  const parameters = unknownParameters(schema, view.query).map((text) => `${nounOf(text)} “${text}”`);
  const viewColumns = view.is_own ? view.columns : { ...noColumns, shown: view.columns.shown };
  const ids = columns === undefined || changingColumns.has(view.list) ? [] : unknownColumns(columns.declaredColumns, viewColumns);
  return [...parameters, ...ids.map((id) => `column “${id}”`)];
}

function nounOf(parameter: string): string {
  if (parameter.startsWith('limit=')) return 'page size';
  return parameter.startsWith('order') ? 'sort' : 'filter';
}
