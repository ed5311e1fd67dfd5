import type { AllRequestFilters, RequestHistogram, RequestFilters, RequestRow } from '@switchyard/contract/requests';
import { useEffect, useEffectEvent, useState } from 'react';
import { createStore } from '../shared/external-store.ts';
import type { OpenResponse } from '../shared/api/create-open.ts';
import { useColumnChoice } from '../shared/listing/column-choice.ts';
import type { AnyQuery } from '../shared/listing/filter.ts';
import type { List } from '../shared/listing/list.tsx';
import type { ListState } from '../shared/listing/use-list.ts';
import { RequestsOverTime, type CountInput } from './histogram/requests-over-time.tsx';
import { KnownSystemsNote } from './known-systems-note.tsx';
import { LiveToggle } from './live/live-toggle.tsx';
import { NewRowsButton } from './live/new-rows-button.tsx';
import { useLiveRequests, type StreamOptions } from './live/use-live-requests.ts';
import { TimePresets } from './time-presets.tsx';
import { originColumns } from './request-columns.tsx';
import { RequestPanel } from './request-panel.tsx';
import { useOpenRequest } from './use-open-request.ts';
import { useValueList, ValueListContext } from './value-list.ts';
import type { TopCalls } from './top-values/top-calls.ts';
import { TopValuesPanel } from './top-values/top-values-panel.tsx';
import { useTrafficList, useTrafficRows, type TrafficDeclaration } from './traffic-tab.tsx';
import { changeListQuery, parseListQuery, type ListSchema } from '../shared/listing/list-query.ts';
import { useSavedViews, type SavedViews } from '../shared/listing/views/use-saved-views.ts';
import { localSettings } from '../shared/local-settings.ts';
import { useOpenPath, usePagePath, useQueryText } from '../shared/navigation.tsx';
import { stringifySearch } from '../shared/search-codec.ts';

/** Input for lists of requests only: they arrive live, and are counted over time. */
export type RequestCalls<Query> = {
  /** Opens the stream of new requests that the filters of a query find. */
  stream: (query: Query, options: StreamOptions & { hasOrigin: boolean }) => Promise<OpenResponse>;
  count: (input: CountInput) => Promise<{ data: RequestHistogram }>;
  /** The apps of the list, whose changes are marked over time; undefined: those of the filters, or all. */
  appIds?: readonly number[];
  /** The calls of the most frequent values. */
  top: TopCalls;
};

/** A list of requests as its tab or page declares it. */
export type RequestDeclaration<Query extends AnyQuery> = TrafficDeclaration<Query, RequestRow> & { requests: RequestCalls<Query> };

type RequestQuery = AnyQuery & RequestFilters;
type Props<Query extends RequestQuery> = {
  declaration: RequestDeclaration<Query>;
  /** A tab draws `List`, a page `ListPage`. */
  Frame: typeof List;
};

/** A list of requests. The default view, or the start date stored on this device, takes effect before the first load. */
export function RequestList<Query extends RequestQuery>(props: Props<Query>) {
  const { viewList, schema } = props.declaration;
  const views = useSavedViews(viewList, schema);
  return views.isWaiting ? null : <StartedList {...props} views={views} />;
}

type ListProps<Query extends RequestQuery> = Props<Query> & { views: SavedViews };

function StartedList<Query extends RequestQuery>(props: ListProps<Query>) {
  return useStoredStartDate(props.declaration.schema, props.views) ? <LiveList {...props} /> : null;
}

function LiveList<Query extends RequestQuery>({ declaration, Frame, views }: ListProps<Query>) {
  const { stream, count, appIds, top } = declaration.requests;
  const columnChoice = useColumnChoice(declaration.settingsName, views.active);
  const hasOrigin = originColumns.some((id) => columnChoice.shown.includes(id));
  const live = useLiveRequests({
    list: useTrafficRows(declaration, { views, hasOrigin }),
    open: (query, options) => stream(query, { ...options, hasOrigin }),
    variant: String(hasOrigin),
  });
  const [countedTotal] = useState(() => createStore<number | null>(null));
  const list = { ...live.list, countedTotal };
  const requests: ListState<RequestFilters, RequestRow> = list;
  const openRequest = useOpenRequest(list);
  const props = useTrafficList(declaration, { list, openedRow: openRequest, firstTool: <LiveToggle live={live} /> });
  const filters = filtersOf(list.query);
  useForgottenStartDate(list.query.startDate !== undefined || views.active !== undefined);

  // Content that the reader has open in the panel must not move.
  const isOpen = openRequest.id !== null;
  const hold = useEffectEvent(live.hold);
  useEffect(() => hold('panel', isOpen), [isOpen]);

  return (
    <ValueListContext value={useValueList(declaration)}>
      <Frame
        {...props}
        columnChoice={columnChoice}
        openedRow={openRequest}
        opensOnClick
        panel={openRequest.id !== null && <RequestPanel id={openRequest.id} openedRequest={openRequest} />}
        isClearable={false}
        FurtherFields={TimePresets}
        above={
          <>
            <RequestsOverTime
              listName={list.name}
              filters={filters}
              load={count}
              appIds={appIds}
              onNarrow={(range) => requests.change(range)}
              live={live}
              onCounted={countedTotal.set}
            />
            <TopValuesPanel listName={list.name} filters={filters} calls={top} />
            {(filters.asn ?? filters.asnNot) !== undefined && <KnownSystemsNote />}
          </>
        }
        overRows={<NewRowsButton live={live} />}
        gapAbove={live.gapAbove}
      />
    </ValueListContext>
  );
}

/** Parameters of a list's query that are no filters. */
type Arrangement = { page?: unknown; cursor?: unknown; limit?: unknown; orderBy?: unknown; orderDirection?: unknown };

/** The filters alone, for what is counted under them. */
function filtersOf({
  page: _page,
  cursor: _cursor,
  limit: _limit,
  orderBy: _orderBy,
  orderDirection: _direction,
  ...filters
}: AllRequestFilters & Arrangement): AllRequestFilters {
  return filters;
}

/**
 * Puts the start date stored on this device into the address when a list of requests opens without one, so that it takes
 * effect at once and shows among the filters. A view says itself where it starts. True once the address has it, or none is
 * stored.
 */
function useStoredStartDate(schema: ListSchema, { active }: SavedViews): boolean {
  const search = useQueryText();
  const path = usePagePath();
  const openPath = useOpenPath();
  const hasStart = parseListQuery(schema, search)['startDate'] !== undefined;
  const [storedStart] = useState(() => localSettings.startDate.get());
  const [isSettled, setSettled] = useState(storedStart === null || hasStart || active !== undefined);
  if (!isSettled && hasStart) setSettled(true);
  const settle = useEffectEvent(() => {
    if (isSettled || storedStart === null) return;
    openPath(`${path}${stringifySearch(changeListQuery(schema, search, { startDate: storedStart }))}`, { replace: true });
  });
  useEffect(() => settle(), []);
  return isSettled;
}

/** Removes the stored start date when the reader removes it from the filters, so that older rows show on all lists again. A view has its own. */
function useForgottenStartDate(hasStart: boolean): void {
  useEffect(() => {
    if (!hasStart) localSettings.startDate.remove();
  }, [hasStart]);
}
