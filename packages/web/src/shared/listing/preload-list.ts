import type { ViewList } from '@switchyard/contract/saved-views';
import { queryClient } from '../api/query-client.ts';
import { areDaysReversed } from '../time/filter-day.ts';
import { serverOffset } from '../time/server-time.ts';
import type { AnyQuery } from './filter.ts';
import { parseListQuery, type ListSchema } from './list-query.ts';
import { readListAddress } from './views/view-address.ts';
import { viewsQuery } from './views/use-saved-views.ts';

/** Loads what a list needs at an address, unless a view fills the address in first. */
export async function preloadList<Query extends AnyQuery>(
  { views, schema }: { views: ViewList; schema: ListSchema<Query> },
  search: string,
  load: (query: Query) => Promise<unknown>,
): Promise<void> {
  const query = parseListQuery(schema, search);
  const { isBare, isReference } = readListAddress(schema, search);
  if (isReference || areDaysReversed(query, serverOffset())) return;
  if (isBare && (await queryClient.ensureQueryData(viewsQuery(views))).views.some((view) => view.is_default)) return;
  await load(query);
}
