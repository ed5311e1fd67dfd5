import { Box, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { RowData } from '@tanstack/react-table';
import { type ComponentType, type ReactNode, useDeferredValue, useMemo } from 'react';
import { Page } from '../page/page.tsx';
import { breakpoints } from '../ui/display-limits.ts';
import { useFocusFallback } from '../ui/use-focus-fallback.ts';
import type { ColumnChoice } from './column-choice.ts';
import { ColumnMenu } from './column-menu.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FilterChips } from './filter-chips.tsx';
import { filterChips, type AnyQuery, type Filters } from './filter.ts';
import { IgnoredNotice } from './ignored-notice.tsx';
import { ListCards } from './list-cards.tsx';
import type { ListColumn } from './list-column.ts';
import { ListFooter } from './list-footer.tsx';
import { ListMessage, StaleAlert, type EmptyText } from './list-message.tsx';
import { ListTable, type RowsProps } from './list-table.tsx';
import type { ListView } from './list-view.ts';
import classes from './list.module.css';
import { useFilterDraft, type FilterDraft } from './use-filter-draft.ts';
import { useListTable, type ListTable as Table } from './use-list-table.ts';
import type { ListState } from './use-list.ts';
import type { OpenRow } from './use-open-row.ts';
import { ViewMenu } from './views/view-menu.tsx';
import { ViewNotice } from './views/view-notice.tsx';

/** A list as its page declares it. */
export type ListProps<Query extends AnyQuery, Item extends RowData> = Pick<
  RowsProps<Item>,
  'summary' | 'markOf' | 'gapAbove' | 'onOpen' | 'opensOnClick' | 'onSelect'
> & {
  list: ListState<Query, Item>;
  /** Plural noun of the rows, e.g. `apps`. */
  noun: string;
  /** Must keep their identity while nothing in them changes, or every row renders on every key press. */
  columns: readonly ListColumn<Item>[];
  /** Name under which this device stores hidden columns and widths; the list's own unless given. */
  settingsName?: string | undefined;
  /** Which columns are shown, for a list that loads more for some of them. */
  columnChoice?: ColumnChoice | undefined;
  /** In the order of the filter bar and the chips. */
  filters: Filters<NoInfer<Query>>;
  /** Controls that set filters in another way, after those of the filters. */
  FurtherFields?: ComponentType<{ draft: FilterDraft<Query> }> | undefined;
  /** Whether a button beside the filters clears all of them; it does unless given. */
  isClearable?: boolean | undefined;
  /** Buttons for the whole list, after 'Apply filter'. */
  tools?: ReactNode | ((draft: FilterDraft<Query>) => ReactNode);
  empty: EmptyText;
  /** Stands between the filters and the rows, e.g. a chart of them. */
  above?: ReactNode;
  /** Overlays the top of the rows, e.g. a button that shows new ones. */
  overRows?: ReactNode;
  /** The row that the side panel shows; a row opens by Enter or a double-click unless `onOpen` says otherwise. */
  openedRow?: OpenRow<Item> | undefined;
  /** The side panel, while a row is open. */
  panel?: ReactNode;
  /** Phones show the table too, not cards, for rows of many alike columns. */
  isTableOnPhones?: boolean | undefined;
  /** Days and entries of logs are paged by the links that the server gives; other lists by number or cursor. */
  pages?: 'links' | 'none' | undefined;
};

type PageProps<Query extends AnyQuery, Item extends RowData> = ListProps<Query, Item> & {
  /** Buttons beside the page's heading. */
  actions?: ReactNode;
  /** Puts the column menu there too, for a page without filters and tools. */
  isColumnMenuInHeading?: boolean;
};

/** Views that have pages to go to; the others have nothing to count. */
const viewsWithPages: ReadonlySet<ListView> = new Set(['rows', 'loading', 'past-end']);

/** Where the keyboard goes when a button disappears with its press: the row that is the tab stop, else the first filter. */
const focusFallbacks = ['[data-index][tabindex="0"]', 'search :is(input, button)'];

/** A list within a page or a tab: filters, chips, rows or a message in their place, pages, side panel. */
export function List<Query extends AnyQuery, Item extends RowData>(props: ListProps<Query, Item>) {
  return <ListContent {...props} table={useTableOf(props)} />;
}

/** A page that is a list, under the page's heading. */
export function ListPage<Query extends AnyQuery, Item extends RowData>(props: PageProps<Query, Item>) {
  const { actions, isColumnMenuInHeading = false, ...content } = props;
  const table = useTableOf(content);
  return (
    <Page
      actions={
        isColumnMenuInHeading ? (
          <Group gap={8}>
            {actions}
            <Box visibleFrom="sm">
              <ColumnMenu list={table} />
            </Box>
          </Group>
        ) : (
          actions
        )
      }
    >
      <ListContent {...content} table={table} />
    </Page>
  );
}

function useTableOf<Query extends AnyQuery, Item extends RowData>(props: ListProps<Query, Item>) {
  const { list, columns, settingsName = list.name, columnChoice: choice } = props;
  return useListTable({
    name: settingsName,
    columns,
    rows: list.rows,
    rowId: list.rowId,
    choice,
    view: list.views?.active,
  });
}

type ContentProps<Query extends AnyQuery, Item extends RowData> = ListProps<Query, Item> & { table: Table<Item> };

function ListContent<Query extends AnyQuery, Item extends RowData>(props: ContentProps<Query, Item>) {
  const { list, table, noun, empty, above, overRows, openedRow, panel, pages } = props;
  const { summary, markOf, gapAbove, onOpen = openedRow?.open, opensOnClick, onSelect } = props;
  const isPhone = useMediaQuery(`screen and (max-width: ${breakpoints.mobileMax}px)`, false, { getInitialValueInEffect: false });
  const Rows = isPhone && props.isTableOnPhones !== true ? ListCards : ListTable;
  const content = useFocusFallback<HTMLDivElement>(focusFallbacks);
  const openRow = openedRow?.row;
  return (
    <div ref={content} className={classes['content']} data-reaches-bottom>
      <ListFilters {...props} />
      {list.views && <ViewNotice views={list.views} columns={table} />}
      {list.ignored && <IgnoredNotice {...list.ignored} />}
      {list.failure !== null && list.view === 'rows' && <StaleAlert list={list} />}
      {list.view !== 'reversed-days' && above}
      <div className={classes['split']}>
        <div className={classes['list']}>
          {overRows}
          {list.view === 'rows' || list.view === 'loading' ? (
            <Rows
              list={list}
              table={table}
              caption={noun}
              summary={summary}
              markOf={markOf}
              gapAbove={gapAbove}
              onOpen={onOpen}
              opensOnClick={opensOnClick}
              onSelect={onSelect}
              openRow={openRow}
            />
          ) : (
            <div className={classes['state']}>
              <ListMessage view={list.view} list={list} noun={noun} empty={empty} />
            </div>
          )}
          {pages !== 'none' && viewsWithPages.has(list.view) && <ListFooter list={list} pages={pages} />}
        </div>
        {panel}
      </div>
    </div>
  );
}

/**
 * Filters and chips, apart from the rows: a key that changes the draft renders no row. Menus do not depend on it, and tools render after
 * the key has been shown.
 */
function ListFilters<Query extends AnyQuery, Item extends RowData>(props: ContentProps<Query, Item>) {
  const { list, table, filters, FurtherFields, isClearable = true, tools } = props;
  const { views } = list;
  const draft = useFilterDraft(list);
  const chips = filterChips(filters, list.query, list.defaults);
  const viewMenu = useMemo(() => views && <ViewMenu views={views} columns={table} />, [views, table]);
  const columnMenu = useMemo(() => <ColumnMenu list={table} />, [table]);
  return (
    <>
      <FilterBar
        filters={filters}
        draft={draft}
        furtherFields={
          FurtherFields && (
            <Later>
              <FurtherFields draft={draft} />
            </Later>
          )
        }
        activeCount={chips.length}
        tools={tools && <Later>{typeof tools === 'function' ? tools(draft) : tools}</Later>}
        views={viewMenu}
        columns={columnMenu}
        isClearable={isClearable}
      />
      <FilterChips chips={chips} onRemove={({ removal }) => change(list, removal)} onClear={draft.clear} />
    </>
  );
}

/** Renders something again only after all else, so that nobody waits for it. */
function Later({ children }: { children: ReactNode }) {
  return useDeferredValue(children);
}

/** Chips and fields know parameters by their names alone. */
function change(list: Pick<ListState<AnyQuery, unknown>, 'change'>, patch: AnyQuery): void {
  list.change(patch);
}
