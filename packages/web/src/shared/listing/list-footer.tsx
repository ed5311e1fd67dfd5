import { pageSizes } from '@switchyard/contract/limits';
import { NativeSelect } from '@mantine/core';
import { CursorPages } from './cursor-pages.tsx';
import { LinksPages } from './links-pages.tsx';
import classes from './list-footer.module.css';
import { NumberedPages } from './numbered-pages.tsx';
import { rangeText } from './range-text.ts';
import type { List } from './use-list.ts';

type Props = {
  list: Pick<List<unknown, unknown>, 'arrangement' | 'pagination' | 'goTo' | 'resize' | 'isLive' | 'isBehind'>;
  /** Days and entries of logs are paged by the links the server gives (O19); other lists by number or cursor. */
  pages?: 'links' | undefined;
};

/** Where the shown rows stand among all, how many are shown at once, and the way to the others. */
export function ListFooter({ list: { arrangement, pagination, goTo, resize, isLive = false, isBehind = false }, pages }: Props) {
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
