import { countAllRequests, type AllRequestsQuery } from '@switchyard/contract/all-requests';
import { downloadAllRequests } from '@switchyard/contract/request-exports';
import { call, open } from '../../shared/api/call.ts';
import { trayShows, type DownloadJob } from '../../shared/downloads/download-center.ts';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { DownloadButton } from '../../shared/traffic/download-button.tsx';
import { countedRequests, wholeTime } from '../../shared/traffic/request-count.ts';

/** Downloads what the filter bar asks for, once it holds a search; the list then shows the same (REQ-010, REQ-033). */
export function RequestsDownload({ draft }: { draft: FilterDraft<AllRequestsQuery> }) {
  const isSearched = (draft.values.search ?? '').trim() !== '';
  return (
    <DownloadButton
      obstacle={isSearched ? undefined : 'Enter a search to download its requests'}
      job={() => {
        if (draft.isChanged) draft.apply();
        return jobOf(draft.values);
      }}
    />
  );
}

function jobOf({ cursor: _cursor, limit: _limit, orderBy, orderDirection, ...filters }: AllRequestsQuery): DownloadJob {
  const query = { ...filters, orderBy, orderDirection };
  return {
    key: `all-requests ${JSON.stringify(query)}`,
    name: 'requests.csv',
    open: (signal) => open(downloadAllRequests, { query, signal, showsFailureItself: trayShows }),
    count: async (signal) => {
      const { startDate = wholeTime.startDate, endDate = wholeTime.endDate } = filters;
      const { data } = await call(countAllRequests, {
        query: { ...filters, startDate, endDate },
        signal,
        isSilent: true,
        showsFailureItself: () => true,
      });
      return countedRequests(data);
    },
  };
}
