import { Alert, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { breakpoints } from '@switchyard/contract/limits';
import { IconCloudOff } from '@tabler/icons-react';
import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { Page } from '../page/page.tsx';
import type { FilterChip } from './filter-chip.ts';
import { FilterChips } from './filter-chips.tsx';
import { ListCards } from './list-cards.tsx';
import { ListFooter } from './list-footer.tsx';
import classes from './list-page.module.css';
import { ListState, type EmptyText } from './list-states.tsx';
import { ListTable, type RowsProps } from './list-table.tsx';
import type { List } from './use-list.ts';

type Props<Query, Item extends RowData> = Omit<RowsProps<Item>, 'list' | 'caption'> & {
  list: List<Query, Item>;
  /** What the rows are called, e.g. `apps`. */
  noun: string;
  empty: EmptyText;
  /** Buttons beside the page's heading. */
  actions?: ReactNode;
  filters: ReactNode;
  chips: readonly FilterChip<Query>[];
  onRemoveChip: (chip: FilterChip<Query>) => void;
  onClearChips: () => void;
  /** The side panel, while it is open. */
  panel?: ReactNode;
  pages?: 'links' | undefined;
};

/** A page that is a list: heading, filters, chips, rows or the state that stands for them, pages, side panel. */
export function ListPage<Query, Item extends RowData>(props: Props<Query, Item>) {
  const { list, noun, empty, actions, filters, chips, onRemoveChip, onClearChips, panel, pages, ...rows } = props;
  const isPhone = useMediaQuery(`screen and (max-width: ${breakpoints.mobileMax}px)`, false, { getInitialValueInEffect: false });
  const Rows = isPhone ? ListCards : ListTable;
  return (
    <Page actions={actions} reachesBottom>
      {filters}
      <FilterChips chips={chips} onRemove={onRemoveChip} onClear={onClearChips} />
      {list.failure !== null && list.view === 'rows' && <StaleAlert list={list} />}
      <div className={classes['split']}>
        <div className={classes['list']}>
          {list.view === 'rows' || list.view === 'loading' ? (
            <Rows {...rows} list={list} caption={noun} />
          ) : (
            <div className={classes['state']}>
              <ListState view={list.view} list={list} noun={noun} empty={empty} />
            </div>
          )}
          <ListFooter list={list} pages={pages} />
        </div>
        {panel}
      </div>
    </Page>
  );
}

/** The rows in view are older than the last, failed attempt to read them. */
function StaleAlert({ list }: { list: Pick<List<unknown, unknown>, 'failure' | 'reload' | 'isLoading'> }) {
  return (
    <Alert
      color="danger"
      variant="light"
      icon={<IconCloudOff size={18} aria-hidden />}
      p="xs"
      title={`These rows may be old: ${list.failure ?? ''}`}
    >
      <Button size="xs" variant="default" loading={list.isLoading} onClick={list.reload}>
        Try again
      </Button>
    </Alert>
  );
}
