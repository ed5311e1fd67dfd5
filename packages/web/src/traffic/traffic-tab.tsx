import type { Pagination } from '@switchyard/contract/envelope';
import { useMemo, type ComponentType, type ReactNode } from 'react';
import type { AnyQuery, Filters } from '../shared/listing/filter.ts';
import type { ListColumn } from '../shared/listing/list-column.ts';
import type { EmptyText } from '../shared/listing/list-message.tsx';
import type { ListSchema } from '../shared/listing/list-query.ts';
import type { RowMark } from '../shared/listing/list-row.tsx';
import { List, type ListProps } from '../shared/listing/list.tsx';
import { RefreshButton } from '../shared/listing/refresh-button.tsx';
import { useList, type ListState } from '../shared/listing/use-list.ts';
import { useOpenRow } from '../shared/listing/use-open-row.ts';
import { useDisplayDate, useServerOffset } from '../shared/time/server-time.ts';
import { DownloadButton, type TrafficDownload } from './download-button.tsx';

/** What the columns of a list of traffic are made from. */
export type ColumnsInput<Row> = {
  displayDate: (text: string | null | undefined) => string;
  /** The server's offset `+HH:MM`. */
  offset: string;
  /** Opens a row in the side panel. */
  show: (row: Row) => void;
};

/** What the side panel of a row gets. */
export type PanelProps<Row> = {
  row: Row;
  onClose: () => void;
  /** Goes to the row above (-1) or below (1). */
  onStep: (by: -1 | 1) => void;
};

/** A list of events, pushes or conversions as its tab or page declares it. */
export type TrafficDeclaration<Query extends AnyQuery, Row extends { id: number }> = {
  /** Unique name: key of the cache and of the list's downloads. */
  name: string;
  /** Name under which this device stores hidden columns and widths; the same for all apps. */
  settingsName: string;
  /** What the rows are called, e.g. `pushes`. */
  noun: string;
  /** The query schema of the list's call. */
  schema: ListSchema<Query>;
  load: (query: Query, signal: AbortSignal) => Promise<{ data: Row[]; pagination: Pagination }>;
  filters: Filters<NoInfer<Query>>;
  /** Must stay the same function while the columns stay the same. */
  columns: (input: ColumnsInput<Row>) => ListColumn<Row>[];
  download: TrafficDownload<Query>;
  /** Shows a row in full, beside the list. */
  Panel?: ComponentType<PanelProps<Row>>;
  /** Which rows open by Enter or a double-click while the panel is closed; all unless given. */
  mayOpen?: (row: Row) => boolean;
  markOf?: (row: Row, openRow: Row | undefined) => RowMark | undefined;
  /** Tools after download and refresh. */
  furtherTools?: (list: ListState<Query, Row>) => ReactNode;
  empty: EmptyText;
};

const rowId = ({ id }: { id: number }): number => id;

/** A tab of an app's traffic, drawn as it is declared. */
export function TrafficTab<Query extends AnyQuery, Row extends { id: number }>(props: { declaration: TrafficDeclaration<Query, Row> }) {
  const { declaration } = props;
  return <List {...useTrafficList(declaration, useTrafficRows(declaration))} />;
}

/** Reads the rows of a declared list of traffic. */
export function useTrafficRows<Query extends AnyQuery, Row extends { id: number }>({ name, schema, load }: TrafficDeclaration<Query, Row>) {
  return useList<Query, Row, object>({ name, schema, rowId, load });
}

/** The properties of a declared list; `firstTool` precedes its download button. */
export function useTrafficList<Query extends AnyQuery, Row extends { id: number }>(
  declaration: TrafficDeclaration<Query, Row>,
  list: ListState<Query, Row>,
  firstTool?: ReactNode,
): ListProps<Query, Row> {
  const { name, settingsName, noun, columns: columnsOf, filters, download, Panel, mayOpen, markOf, furtherTools, empty } = declaration;
  const displayDate = useDisplayDate();
  const offset = useServerOffset();
  const opened = useOpenRow(list);
  const { row: openRow, open, close, step } = opened;
  const columns = useMemo(() => columnsOf({ displayDate, offset, show: open }), [columnsOf, displayDate, offset, open]);
  return {
    list,
    settingsName,
    noun,
    columns,
    filters,
    tools: (draft) => (
      <>
        {firstTool}
        <DownloadButton name={name} draft={draft} download={download} />
        <RefreshButton onRefresh={list.reload} />
        {furtherTools?.(list)}
      </>
    ),
    markOf: markOf && ((row) => markOf(row, openRow)),
    empty,
    ...(Panel !== undefined && {
      opened,
      panel: openRow !== undefined && <Panel row={openRow} onClose={close} onStep={step} />,
      onOpen: (row: Row) => {
        if (mayOpen === undefined || mayOpen(row) || openRow !== undefined) open(row);
      },
    }),
  };
}
