import { useState } from 'react';
import type { ListState } from '../../shared/listing/use-list.ts';
import type { TimelineQuery } from './subject.ts';

/** The first page has no cursor. */
const firstPage = '';

/**
 * A list with a way back, whose server only knows older pages: to the page from which the reader came, or to the first one
 * where the reader came by a link.
 */
export function useNewerPages<Query extends TimelineQuery, Row, More>(list: ListState<Query, Row, More>): ListState<Query, Row, More> {
  const [newer, setNewer] = useState<Readonly<Record<string, string>>>({});
  const { pagination, query, goTo } = list;
  const { cursor = firstPage } = query;
  return {
    ...list,
    pagination: pagination === null || cursor === firstPage ? pagination : { ...pagination, prev_cursor: newer[cursor] ?? firstPage },
    goTo: (position) => {
      const to = 'cursor' in position ? position.cursor : null;
      if (to !== null && to === pagination?.next_cursor) setNewer({ ...newer, [to]: cursor });
      goTo({ cursor: to === firstPage ? null : to });
    },
  };
}
