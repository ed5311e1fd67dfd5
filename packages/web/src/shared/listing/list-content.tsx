import { useMediaQuery } from '@mantine/hooks';
import { breakpoints } from '@switchyard/contract/limits';
import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { useKeptFocus } from '../ui/use-kept-focus.ts';
import type { FilterChip } from './filter-chip.ts';
import { FilterChips } from './filter-chips.tsx';
import { ListCards } from './list-cards.tsx';
import { ListFooter } from './list-footer.tsx';
import classes from './list-content.module.css';
import { ListState, type EmptyText } from './list-states.tsx';
import { ListTable, type RowsProps } from './list-table.tsx';
import type { ListView } from './list-view.ts';
import { StaleAlert } from './stale-alert.tsx';
import type { List } from './use-list.ts';

/** What a list consists of, wherever it stands. */
export type ListContentProps<Query, Item extends RowData> = Omit<RowsProps<Item>, 'list' | 'caption'> & {
  list: List<Query, Item>;
  /** What the rows are called, e.g. `apps`. */
  noun: string;
  empty: EmptyText;
  filters: ReactNode;
  chips: readonly FilterChip<Query>[];
  onRemoveChip: (chip: FilterChip<Query>) => void;
  onClearChips: () => void;
  /** Stands between the filters and the rows, e.g. a chart of them. */
  above?: ReactNode;
  /** Lies over the top of the rows, e.g. what calls up new ones. */
  overRows?: ReactNode;
  /** The side panel, while it is open. */
  panel?: ReactNode;
  pages?: 'links' | undefined;
};

/** Views of which there are pages to go to; the others have nothing to count. */
const viewsWithPages: ReadonlySet<ListView> = new Set(['rows', 'loading', 'past-end']);

/** Where the keyboard goes when a button is gone after its press: the row that is the tab stop, else the first filter. */
const focusFallbacks = ['[data-index][tabindex="0"]', 'search :is(input, button)'];

/** A list within a page or a tab: filters, chips, rows or the state that stands for them, pages, side panel. */
export function ListContent<Query, Item extends RowData>(props: ListContentProps<Query, Item>) {
  const { list, noun, empty, filters, chips, onRemoveChip, onClearChips, above, overRows, panel, pages, ...rows } = props;
  const isPhone = useMediaQuery(`screen and (max-width: ${breakpoints.mobileMax}px)`, false, { getInitialValueInEffect: false });
  const Rows = isPhone ? ListCards : ListTable;
  const content = useKeptFocus<HTMLDivElement>(focusFallbacks);
  return (
    <div ref={content} className={classes['content']} data-reaches-bottom>
      {filters}
      <FilterChips chips={chips} onRemove={onRemoveChip} onClear={onClearChips} />
      {list.failure !== null && list.view === 'rows' && <StaleAlert list={list} />}
      {list.view !== 'reversed-days' && above}
      <div className={classes['split']}>
        <div className={classes['list']}>
          {overRows}
          {list.view === 'rows' || list.view === 'loading' ? (
            <Rows {...rows} list={list} caption={noun} />
          ) : (
            <div className={classes['state']}>
              <ListState view={list.view} list={list} noun={noun} empty={empty} />
            </div>
          )}
          {viewsWithPages.has(list.view) && <ListFooter list={list} pages={pages} />}
        </div>
        {panel}
      </div>
    </div>
  );
}
