import { NativeSelect } from '@mantine/core';
import type { Pagination } from '@switchyard/contract/envelope';
import { pageSizes } from '@switchyard/contract/limits';
import { createStore, useStore } from '../external-store.ts';
import { groupedNumber } from '../ui/text-format.ts';
import classes from './list-footer.module.css';
import { CursorPages, LinksPages, NumberedPages } from './pages.tsx';
import type { ListState } from './use-list.ts';

type Props = {
  list: Pick<ListState<unknown, unknown>, 'arrangement' | 'pagination' | 'countedTotal' | 'goTo' | 'resize' | 'isLive' | 'isBehind'>;
  /** Days and entries of logs are paged by the links the server gives; other lists by number or cursor. */
  pages?: 'links' | undefined;
};

const notCounted = createStore<number | null>(null);

/** The range of rows shown, the page size, and the pages. */
export function ListFooter({ list, pages }: Props) {
  const { arrangement, goTo, resize, isLive = false, isBehind = false } = list;
  const counted = useStore(list.countedTotal ?? notCounted);
  const pagination = withTotal(list.pagination, counted);
  if (pagination === null) return <div className={classes['footer']} />;
  const sizes = [...new Set<number>([...pageSizes, arrangement.defaultLimit, arrangement.limit])].sort((a, b) => a - b);
  return (
    <div className={classes['footer']}>
      <span className={classes['range']} aria-live={isLive ? 'off' : 'polite'}>
        {rangeText(pagination)}
      </span>
      <NativeSelect
        className={classes['size'] ?? ''}
        wrapperProps={{ 'data-screen-only': true }}
        aria-label="Rows on a page"
        size="xs"
        value={String(arrangement.limit)}
        onChange={(event) => resize(Number(event.currentTarget.value))}
        data={sizes.map((size) => ({ value: String(size), label: `${size} rows` }))}
      />
      <div className={classes['pages']} data-screen-only>
        {pages === 'links' ? (
          <LinksPages pagination={pagination} onGo={(page) => goTo({ page })} />
        ) : pagination.totalPages === null ? (
          <CursorPages
            previous={pagination.prev_cursor}
            next={pagination.next_cursor}
            isBehind={isBehind}
            onGo={(cursor) => goTo({ cursor })}
          />
        ) : (
          <NumberedPages current={pagination.currentPage ?? 1} total={pagination.totalPages} onGo={(page) => goTo({ page })} />
        )}
      </div>
    </div>
  );
}

/** A pagination with the total of a chart, so that both show the same number. Lists without a total stay without one. */
function withTotal(pagination: Pagination | null, counted: number | null): Pagination | null {
  return counted === null || pagination === null || pagination.total === null ? pagination : { ...pagination, total: counted };
}

/** `21–40 of 1,234`; without a total the number of rows shown. */
export function rangeText({ total, count, limit, currentPage }: Pagination): string {
  if (total === null || currentPage === null) return count === 1 ? '1 row' : `${groupedNumber(count)} rows`;
  if (count === 0) return `0 of ${groupedNumber(total)}`;
  const first = (currentPage - 1) * limit + 1;
  return `${groupedNumber(first)}–${groupedNumber(first + count - 1)} of ${groupedNumber(total)}`;
}
