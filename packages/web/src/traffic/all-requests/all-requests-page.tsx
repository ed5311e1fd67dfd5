import { allRequestsQuery, countAllRequests, listAllRequests, type AllRequestsQuery } from '@switchyard/contract/all-requests';
import { downloadAllRequests } from '@switchyard/contract/request-exports';
import { type AllRequestFilters, type RequestHistogram, requestTypes, type RequestRow } from '@switchyard/contract/requests';
import { streamAllRequests } from '@switchyard/contract/request-streams';
import { useMemo } from 'react';
import { allApps, useMayPickApps } from '../../shared/accounts/pick-sources.ts';
import { call, open } from '../../shared/api/call.ts';
import { countryOptions } from '../../shared/countries/country-flag.tsx';
import { chipsOfMany, type Filters } from '../../shared/listing/filter.ts';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { parseListQuery } from '../../shared/listing/list-query.ts';
import type { RowMark } from '../../shared/listing/list-row.tsx';
import { ListPage } from '../../shared/listing/list.tsx';
import { optionFilter } from '../../shared/listing/option-filter.tsx';
import { useQueryText } from '../../shared/navigation.tsx';
import { useServerOffset } from '../../shared/time/server-time.ts';
import type { TrafficDownload } from '../download-button.tsx';
import { isTransient } from '../live/follow-rows.ts';
import { originOf, requestColumns } from '../request-columns.tsx';
import { requestFilters, streamChips } from '../request-filters.tsx';
import { allRequestValues } from '../request-values.ts';
import { RequestList } from '../request-list.tsx';
import { typeOptions } from '../request-type-label.tsx';
import { ValueMenu } from '../value-menu.tsx';
import { type OptionSource, usePickedNames } from '../../shared/ui/option-source.ts';
import { TextCell } from '../../shared/ui/text-cell.tsx';
import { topOfAll } from '../top-values/top-calls.ts';
import type { ColumnsInput } from '../traffic-tab.tsx';

const noIds: readonly string[] = [];
const allTypes = typeOptions(requestTypes);
const sameAddress: RowMark = { tone: 'accent', meaning: 'Same IP as the opened request' };

/** Requests of all apps. */
export function AllRequestsPage() {
  const offset = useServerOffset();
  const apps = useMayPickApps() ? allApps : null;
  const { appId } = parseListQuery(allRequestsQuery, useQueryText());
  const appName = usePickedNames(apps, appId ?? noIds);
  const fields = useMemo(() => fieldsOf(offset, apps), [offset, apps]);
  return (
    <RequestList
      Frame={ListPage}
      declaration={{
        name: 'all-requests',
        settingsName: 'all-requests',
        viewList: 'requests',
        noun: 'requests',
        schema: allRequestsQuery,
        load: (query, signal, hasOrigin) => call(listAllRequests, { query: { ...query, ...originOf(hasOrigin) }, signal }),
        filters: (rows) => withNames(fields, rows, appName),
        values: allRequestValues,
        columns,
        download,
        requests: {
          stream: (
            { cursor: _cursor, limit: _limit, orderBy: _orderBy, orderDirection: _direction, ...filters },
            { lastEventId, signal, hasOrigin },
          ) =>
            open(streamAllRequests, {
              query: { ...filters, ...originOf(hasOrigin), lastEventId },
              signal,
              showsFailureItself: isTransient,
            }),
          count: (input) => call(countAllRequests, input),
          top: topOfAll,
        },
        markOf: (row, openRow) => (row.ip === openRow?.ip ? sameAddress : undefined),
        empty: { title: 'No requests yet', text: 'Requests appear here as soon as traffic servers report them.' },
      }}
    />
  );
}

/** The first filters are also those of single apps. */
function fieldsOf(offset: string, apps: OptionSource | null): Filters<AllRequestFilters> {
  const { search, ...others } = requestFilters({ offset, types: allTypes, countries: countryOptions });
  return {
    search,
    appId: optionFilter('App', { options: apps ?? undefined, nameOf: (id) => `#${id}` }, 136),
    ...others,
  };
}

/** The filters with chips that name what only the rows know: streams, and apps without a pick list. The controls stay the same. */
function withNames(
  filters: Filters<AllRequestFilters>,
  rows: readonly RequestRow[],
  nameOf: (id: string) => string,
): Filters<AllRequestFilters> {
  const appName = (id: string): string => {
    const name = nameOf(id);
    return name === `#${id}` ? (rows.find((row) => row.app_id === Number(id))?.app_bundle ?? name) : name;
  };
  const streamName = (uid: string): string => rows.find(({ stream }) => stream?.uid === uid)?.stream?.name ?? uid;
  return {
    ...filters,
    appId: { ...filters.appId, chips: (ids) => chipsOfMany('App', ids, appName) },
    ...streamChips(streamName),
  };
}

function appCell({ app_id: id, app_bundle: bundle }: RequestRow) {
  return (
    <ValueMenu kind="app" value={String(id)} text={bundle} copyText={bundle}>
      <TextCell text={bundle} />
    </ValueMenu>
  );
}

/** Together the columns fit a table of 974 px, that of a 1024 px window, and in their compact form one of 718 px (768 px). */
function columns({ displayDate, show }: ColumnsInput<RequestRow>): ListColumn<RequestRow>[] {
  const { id, stream, ip, bot, date, type, ...others } = requestColumns({
    dateOf: (row) => displayDate(row.date),
    onShow: show,
    isShowable: (row) => row.has_body,
  });
  return [
    { ...id, cellNameOrderAble: 'id' },
    { id: 'app', cellName: 'App', width: 124, minWidth: 56, grows: true, isMain: true, cell: appCell },
    stream,
    ip,
    bot,
    date,
    { ...type, cellNameOrderAble: 'type' },
    ...Object.values(others),
  ];
}

const download: TrafficDownload<AllRequestsQuery> = {
  fileName: 'requests.csv',
  obstacle: ({ search }) => ((search ?? '').trim() === '' ? 'Enter a search to download its requests' : undefined),
  open: (query, options) => open(downloadAllRequests, { query, ...options }),
  count: async ({ orderBy: _orderBy, orderDirection: _direction, ...filters }, options) => {
    const { data } = await call(countAllRequests, { query: { ...filters, range: 'list' }, ...options });
    return totalIn(data);
  },
};

/** How many requests a histogram counts, each once. */
function totalIn({ buckets }: RequestHistogram): number {
  return buckets.reduce((sum, { counts }) => sum + Object.values(counts).reduce((inBucket, count) => inBucket + count, 0), 0);
}
