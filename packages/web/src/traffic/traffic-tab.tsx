import type { Pagination } from '@switchyard/contract/envelope';
import type { ViewList } from '@switchyard/contract/saved-views';
import { useMemo, type ComponentType, type ReactNode } from 'react';
import type { AnyQuery, Filters } from '../shared/listing/filter.ts';
import type { ListColumn } from '../shared/listing/list-column.ts';
import { useColumnChoice } from '../shared/listing/column-choice.ts';
import type { EmptyText } from '../shared/listing/list-message.tsx';
import type { ListSchema } from '../shared/listing/list-query.ts';
import type { RowMark } from '../shared/listing/list-row.tsx';
import { List, type ListProps } from '../shared/listing/list.tsx';
import { RefreshButton } from '../shared/listing/refresh-button.tsx';
import { useList, type ListState } from '../shared/listing/use-list.ts';
import { useSavedViews, type SavedViews } from '../shared/listing/views/use-saved-views.ts';
import { useOpenRow, type OpenRow } from '../shared/listing/use-open-row.ts';
import { useDisplayDate, useServerOffset } from '../shared/time/server-time.ts';
import type { ValueFilters } from './value-actions.ts';
import { useValueList, ValueListContext } from './value-list.ts';
import { placeColumnIds } from './place-columns.tsx';
import { DownloadButton, type TrafficDownload } from './download-button.tsx';

/** Input of the columns of a list of traffic. */
export type ColumnsInput<Row> = {
  displayDate: (text: string | null | undefined) => string;
  /** The server's offset `+HH:MM`. */
  offset: string;
  /** Opens a row in the side panel. */
  show: (row: Row) => void;
};

/** Props of the side panel of a row. */
export type PanelProps<Row> = {
  row: Row;
  onClose: () => void;
  /** Goes to the row above (-1) or below (1). */
  onStep: (by: -1 | 1) => void;
};

/** A list of requests, pushes or conversions as its tab or page declares it. */
export type TrafficDeclaration<Query extends AnyQuery, Row extends { id: number }> = {
  /** Unique name: key of the cache and of the list's downloads. */
  name: string;
  /** Name under which this device stores hidden columns and widths; the same for all apps. */
  settingsName: string;
  /** Name under which views are saved; the same for all apps. */
  viewList: ViewList;
  /** Plural noun of the rows, e.g. `pushes`. */
  noun: string;
  /** The query schema of the list's call. */
  schema: ListSchema<Query>;
  load: (query: Query, signal: AbortSignal, hasOrigin: boolean) => Promise<{ data: Row[]; pagination: Pagination }>;
  /** May depend on the rows, which know names that the filters have only as ids. */
  filters: Filters<NoInfer<Query>> | ((rows: readonly Row[]) => Filters<NoInfer<Query>>);
  /** The filters that the values in the rows set. Must keep its identity. */
  values: ValueFilters<NoInfer<Query>>;
  /** Must stay the same function while the columns stay the same. */
  columns: (input: ColumnsInput<Row>) => ListColumn<Row>[];
  download: TrafficDownload<Query>;
  /** Shows a row in full, beside the list. */
  Panel?: ComponentType<PanelProps<Row>>;
  markOf?: (row: Row, openRow: Row | undefined) => RowMark | undefined;
  /** Tools after download and refresh. */
  furtherTools?: (list: ListState<Query, Row>) => ReactNode;
  empty: EmptyText;
};

const rowId = ({ id }: { id: number }): number => id;

/** A tab of an app's traffic, drawn as it is declared. */
export function TrafficTab<Query extends AnyQuery, Row extends { id: number }>(props: { declaration: TrafficDeclaration<Query, Row> }) {
  const { declaration } = props;
  const { Panel } = declaration;
  const views = useSavedViews(declaration.viewList, declaration.schema);
  const columnChoice = useColumnChoice(declaration.settingsName, views.active);
  const hasOrigin = placeColumnIds.some((id) => columnChoice.shown.includes(id));
  const list = useTrafficRows(declaration, { views, hasOrigin });
  const openRowState = useOpenRow(list);
  const panel = Panel !== undefined && openRowState.row !== undefined && (
    <Panel row={openRowState.row} onClose={openRowState.close} onStep={openRowState.step} />
  );
  const listProps = useTrafficList(declaration, { list, openedRow: openRowState });
  return (
    <ValueListContext value={useValueList(declaration)}>
      <List
        {...listProps}
        columnChoice={columnChoice}
        {...(Panel !== undefined && { openedRow: openRowState, panel, opensOnClick: true })}
      />
    </ValueListContext>
  );
}

/** Reads the rows of a declared list of traffic, with the origin or place of each where the list shows it. */
export function useTrafficRows<Query extends AnyQuery, Row extends { id: number }>(
  { name, schema, load }: TrafficDeclaration<Query, Row>,
  { views, hasOrigin = false }: { views: SavedViews; hasOrigin?: boolean },
) {
  return useList<Query, Row, object>({
    name,
    schema,
    rowId,
    views,
    load: (query, signal) => load(query, signal, hasOrigin),
    ...(hasOrigin && { variant: 'origin' }),
  });
}

type Parts<Query extends AnyQuery, Row> = {
  list: ListState<Query, Row>;
  openedRow: OpenRow<Row>;
  /** Precedes the download button. */
  firstTool?: ReactNode;
};

/** The properties of a declared list, without its side panel. */
export function useTrafficList<Query extends AnyQuery, Row extends { id: number }>(
  declaration: TrafficDeclaration<Query, Row>,
  { list, openedRow: { row: openRow, open }, firstTool }: Parts<Query, Row>,
): ListProps<Query, Row> {
  const { name, settingsName, noun, columns: columnsOf, filters, download, markOf, furtherTools, empty } = declaration;
  const displayDate = useDisplayDate();
  const offset = useServerOffset();
  const columns = useMemo(() => columnsOf({ displayDate, offset, show: open }), [columnsOf, displayDate, offset, open]);
  return {
    list,
    settingsName,
    noun,
    columns,
    filters: typeof filters === 'function' ? filters(list.rows) : filters,
    tools: (draft) => (
      <>
        {firstTool}
        <DownloadButton name={name} draft={draft} download={download} views={list.views} />
        <RefreshButton onRefresh={list.reload} />
        {furtherTools?.(list)}
      </>
    ),
    markOf: markOf && ((row) => markOf(row, openRow)),
    empty,
  };
}
