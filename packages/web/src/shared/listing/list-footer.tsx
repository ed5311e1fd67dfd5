import { pageSizes } from '@switchyard/contract/limits';
import type { Pagination } from '@switchyard/contract/envelope';
import { NativeSelect } from '@mantine/core';
import { CursorPages } from './cursor-pages.tsx';
import classes from './list-footer.module.css';
import { NumberedPages } from './numbered-pages.tsx';
import type { List } from './use-list.ts';

type Props = { list: Pick<List<unknown, unknown>, 'arrangement' | 'pagination' | 'goTo' | 'resize'> };

/** Where the shown rows stand among all, how many are shown at once, and the way to the others. */
export function ListFooter({ list: { arrangement, pagination, goTo, resize } }: Props) {
  if (pagination === null) return <div className={classes['footer']} />;
  const sizes = [...new Set<number>([...pageSizes, arrangement.defaultLimit, arrangement.limit])].sort((a, b) => a - b);
  return (
    <div className={classes['footer']}>
      <span className={classes['range']} aria-live="polite">
        {rangeText(pagination)}
      </span>
      <NativeSelect
        className={classes['size'] ?? ''}
        aria-label="Rows on a page"
        size="xs"
        value={String(arrangement.limit)}
        onChange={(event) => resize(Number(event.currentTarget.value))}
        data={sizes.map((size) => ({ value: String(size), label: `${size} rows` }))}
      />
      <div className={classes['pages']}>
        {pagination.totalPages === null ? (
          <CursorPages previous={pagination.prev_cursor} next={pagination.next_cursor} onGo={(cursor) => goTo({ cursor })} />
        ) : (
          <NumberedPages current={pagination.currentPage ?? 1} total={pagination.totalPages} onGo={(page) => goTo({ page })} />
        )}
      </div>
    </div>
  );
}

const grouped = new Intl.NumberFormat();

/** `21–40 of 1,234`; lists that do not know their total say how many rows are shown. */
export function rangeText({ total, count, limit, currentPage }: Pagination): string {
  if (total === null || currentPage === null) return count === 1 ? '1 row' : `${grouped.format(count)} rows`;
  if (count === 0) return `0 of ${grouped.format(total)}`;
  const first = (currentPage - 1) * limit + 1;
  return `${grouped.format(first)}–${grouped.format(first + count - 1)} of ${grouped.format(total)}`;
}
