import { allRequestsQuery, countAllRequests, listAllRequests, type AllRequestsQuery } from '@switchyard/contract/all-requests';
import { downloadAllRequests } from '@switchyard/contract/request-exports';
import { type RequestHistogram, requestTypes, type RequestRow } from '@switchyard/contract/requests';
import { streamAllRequests } from '@switchyard/contract/request-streams';
import { call, open } from '../../shared/api/call.ts';
import { countryOptions } from '../../shared/countries/country-flag.tsx';
import { chipsOfMany } from '../../shared/listing/filter.ts';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import type { RowMark } from '../../shared/listing/list-row.tsx';
import { ListPage } from '../../shared/listing/list.tsx';
import { useServerOffset } from '../../shared/time/server-time.ts';
import type { TrafficDownload } from '../download-button.tsx';
import { streamFailuresShown } from '../live/use-live-requests.ts';
import { requestColumns } from '../request-columns.tsx';
import { requestFilters } from '../request-filters.tsx';
import { RequestList } from '../request-list.tsx';
import { RequestPanel } from '../request-panel.tsx';
import { typeOptions } from '../request-type-label.tsx';
import { TextCell } from '../text-cell.tsx';
import type { ColumnsInput } from '../traffic-tab.tsx';

const allTypes = typeOptions(requestTypes);
const sameAddress: RowMark = { tone: 'accent', meaning: 'Same IP as the opened request' };

/** From before any request until after all: a histogram without a range would count one day. */
const allTime = { startDate: '2000-01-01', endDate: '2100-01-01' } as const;

/** Requests of all apps. */
export function AllRequestsPage() {
  const offset = useServerOffset();
  return (
    <RequestList
      Frame={ListPage}
      declaration={{
        name: 'all-requests',
        settingsName: 'all-requests',
        noun: 'requests',
        schema: allRequestsQuery,
        load: (query, signal) => call(listAllRequests, { query, signal }),
        filters: {
          ...requestFilters({ offset, types: allTypes, countries: countryOptions }),
          appId: { chips: (ids) => chipsOfMany('App', ids, (id) => id) },
        },
        columns,
        download,
        requests: {
          stream: (
            { cursor: _cursor, limit: _limit, orderBy: _orderBy, orderDirection: _direction, ...filters },
            { lastEventId, signal },
          ) => open(streamAllRequests, { query: { ...filters, lastEventId }, signal, showsFailureItself: streamFailuresShown }),
          count: (input) => call(countAllRequests, input),
        },
        Panel: RequestPanel,
        mayOpen: (row) => row.has_body,
        markOf: (row, openRow) => (row.ip === openRow?.ip ? sameAddress : undefined),
        empty: { title: 'No requests yet', text: 'Requests appear here as soon as traffic servers report them.' },
      }}
    />
  );
}

/** Together the columns fit a table 974 px wide, that of a 1024 px window. */
function columns({ displayDate, show }: ColumnsInput<RequestRow>): ListColumn<RequestRow>[] {
  const { id, stream, ip, bot, date, type, ...others } = requestColumns({
    dateOf: (row) => displayDate(row.date),
    onShow: show,
    isShowable: (row) => row.has_body,
  });
  return [
    { ...id, cellNameOrderAble: 'id' },
    { id: 'app', cellName: 'App', width: 124, minWidth: 90, grows: true, cell: (row) => <TextCell text={row.app_bundle} /> },
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
    const { startDate = allTime.startDate, endDate = allTime.endDate } = filters;
    const { data } = await call(countAllRequests, { query: { ...filters, startDate, endDate }, ...options });
    return totalIn(data);
  },
};

/** How many requests a histogram counts, each once. */
function totalIn({ buckets }: RequestHistogram): number {
  return buckets.reduce((sum, { counts }) => sum + Object.values(counts).reduce((inBucket, count) => inBucket + count, 0), 0);
}
