import { listPostbacks, type PostbacksQuery } from '@switchyard/contract/postbacks';
import { downloadPostbacks } from '@switchyard/contract/request-exports';
import { call, open } from '../../shared/api/call.ts';
import { trayShows, type DownloadJob } from '../../shared/downloads/download-center.ts';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { DownloadButton } from '../../shared/traffic/download-button.tsx';

/** Downloads what the filter bar asks for; the list then shows the same (EVT-012, EVT-037, AMB-141). */
export function EventDownload({ appId, draft }: { appId: number; draft: FilterDraft<PostbacksQuery> }) {
  return (
    <DownloadButton
      job={() => {
        if (draft.isChanged) draft.apply();
        return jobOf(appId, draft.values);
      }}
    />
  );
}

function jobOf(appId: number, { page: _page, limit: _limit, ...query }: PostbacksQuery): DownloadJob {
  const params = { id: appId };
  return {
    key: `postbacks ${appId} ${JSON.stringify(query)}`,
    name: `app_${appId}.csv`,
    open: (signal) => open(downloadPostbacks, { params, query, signal, showsFailureItself: trayShows }),
    count: async (signal) => {
      const one = { ...query, page: 1, limit: 1 };
      const { pagination } = await call(listPostbacks, { params, query: one, signal, isSilent: true, showsFailureItself: () => true });
      return pagination.total;
    },
  };
}
