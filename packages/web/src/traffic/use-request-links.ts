import { formatDateTime, parseDateTime } from '@switchyard/contract/dates';
import { readQuery } from '@switchyard/contract/listing';
import type { RequestRow } from '@switchyard/contract/requests';
import { useContext } from 'react';
import { openRowParameter } from '../shared/listing/list-query.ts';
import { usePagePath, useQueryText } from '../shared/navigation.tsx';
import { paths } from '../shared/paths.ts';
import { stringifySearch } from '../shared/search-codec.ts';
import { useHoldsAny } from '../shared/session/use-session.ts';
import { ValueListContext } from './value-list.ts';

/** Microseconds before and after a request in which its neighbours in the list may be. */
const neighbourhood = 5 * 60_000_000;

/**
 * Addresses of requests in the list around, or outside lists in one that the reader may open: without its filters, which might not
 * find them.
 */
export function useRequestLinks(): { to: (row: RequestRow) => string; inList: (row: RequestRow) => string } {
  const { schema } = useContext(ValueListContext);
  const here = usePagePath() + useQueryText();
  const seesAll = useHoldsAny('manager_app_all_requests');
  const isInList = Object.keys(schema.shape).length > 0;
  const listOf = (row: RequestRow): string => {
    if (isInList) return here;
    return seesAll ? paths.requests() : paths.appEdit(row.app_id, 'Event');
  };
  const address = (row: RequestRow, parameters: Record<string, string>): string => {
    const [path = '/', search = ''] = listOf(row).split('?', 2);
    const keptParameters = Object.entries(readQuery(search)).filter(([name]) => !(name in schema.shape));
    return path + stringifySearch({ ...Object.fromEntries(keptParameters), ...parameters, [openRowParameter]: String(row.id) });
  };
  return {
    to: (row) => address(row, {}),
    inList: (row) => {
      const at = parseDateTime(row.date);
      const [startDate, endDate] = [formatDateTime(at - neighbourhood), formatDateTime(at + neighbourhood)];
      return address(row, { startDate, endDate });
    },
  };
}
