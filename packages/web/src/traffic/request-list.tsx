import type { RequestHistogram, RequestFilters, RequestRow } from '@switchyard/contract/requests';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Opened } from '../shared/api/create-open.ts';
import type { AnyQuery } from '../shared/listing/filter.ts';
import type { List } from '../shared/listing/list.tsx';
import type { ListState } from '../shared/listing/use-list.ts';
import { RequestsOverTime, type CountInput } from './histogram/requests-over-time.tsx';
import { LiveToggle } from './live/live-toggle.tsx';
import { NewRowsButton } from './live/new-rows-button.tsx';
import { useLiveRequests, type StreamOptions } from './live/use-live-requests.ts';
import { useTrafficList, useTrafficRows, type TrafficDeclaration } from './traffic-tab.tsx';
import { changeListQuery, parseListQuery, type ListSchema } from '../shared/listing/list-query.ts';
import { localSettings } from '../shared/local-settings.ts';
import { useOpenPath, usePagePath, useQueryText } from '../shared/navigation.tsx';
import { stringifySearch } from '../shared/search-codec.ts';

/** What only requests have: they arrive live, and are counted over time. */
export type RequestCalls<Query> = {
  /** Opens the stream of new requests that the filters of a query find. */
  stream: (query: Query, options: StreamOptions) => Promise<Opened>;
  count: (input: CountInput) => Promise<{ data: RequestHistogram }>;
};

/** A list of requests as its tab or page declares it. */
export type RequestDeclaration<Query extends AnyQuery> = TrafficDeclaration<Query, RequestRow> & { requests: RequestCalls<Query> };

type RequestQuery = AnyQuery & RequestFilters;
type Props<Query extends RequestQuery> = {
  declaration: RequestDeclaration<Query>;
  /** A tab draws `List`, a page `ListPage`. */
  Frame: typeof List;
};

/** A list of requests. The start date stored on this device takes effect before the first load. */
export function RequestList<Query extends RequestQuery>(props: Props<Query>) {
  return useStoredStartDate(props.declaration.schema) ? <LiveList {...props} /> : null;
}

function LiveList<Query extends RequestQuery>({ declaration, Frame }: Props<Query>) {
  const { stream, count } = declaration.requests;
  const live = useLiveRequests({ list: useTrafficRows(declaration), open: stream });
  const { list } = live;
  const requests: ListState<RequestFilters, RequestRow> = list;
  const props = useTrafficList(declaration, list, <LiveToggle live={live} />);
  useForgottenStartDate(list.query.startDate);

  // What is being read in the panel must not move.
  const isOpen = props.opened?.row !== undefined;
  const hold = useEffectEvent(live.hold);
  useEffect(() => hold('panel', isOpen), [isOpen]);

  return (
    <Frame
      {...props}
      isClearable={false}
      above={<RequestsOverTime listName={list.name} filters={list.query} load={count} onNarrow={(range) => requests.change(range)} />}
      overRows={<NewRowsButton live={live} />}
      gapAbove={live.gapAbove}
    />
  );
}

/**
 * Puts the start date stored on this device into the address when a list of requests opens without one, so that it takes
 * effect at once and shows among the filters. True once the address has it, or none is stored.
 */
function useStoredStartDate(schema: ListSchema): boolean {
  const search = useQueryText();
  const path = usePagePath();
  const openPath = useOpenPath();
  const hasStart = parseListQuery(schema, search)['startDate'] !== undefined;
  const [stored] = useState(() => localSettings.startDate.get());
  const [isSettled, setSettled] = useState(stored === null || hasStart);
  if (!isSettled && hasStart) setSettled(true);
  const settle = useEffectEvent(() => {
    if (isSettled || stored === null) return;
    openPath(`${path}${stringifySearch(changeListQuery(schema, search, { startDate: stored }))}`, { replace: true });
  });
  useEffect(() => settle(), []);
  return isSettled;
}

/** Removes the stored start date when the reader removes it from the filters, so that older rows show on all lists again. */
function useForgottenStartDate(startDate: string | undefined): void {
  const hasStart = startDate !== undefined;
  useEffect(() => {
    if (!hasStart) localSettings.startDate.remove();
  }, [hasStart]);
}
