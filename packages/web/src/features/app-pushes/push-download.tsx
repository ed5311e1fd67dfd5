import { downloadPushes } from '@switchyard/contract/delivery-exports';
import { listPushes, type PushesQuery } from '@switchyard/contract/pushes';
import { call, open } from '../../shared/api/call.ts';
import { trayShows } from '../../shared/downloads/download-center.ts';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { DownloadButton } from '../../shared/traffic/download-button.tsx';

/** Downloads the pushes that the filter bar asks for; the list then shows the same. */
export function PushDownload({ appId, draft }: { appId: number; draft: FilterDraft<PushesQuery> }) {
  const { page: _page, limit: _limit, ...query } = draft.values;
  const params = { id: appId };
  return (
    <DownloadButton
      job={() => {
        if (draft.isChanged) draft.apply();
        return {
          key: `pushes ${appId} ${JSON.stringify(query)}`,
          name: `app_${appId}_pushes.csv`,
          open: (signal) => open(downloadPushes, { params, query, signal, showsFailureItself: trayShows }),
          count: async (signal) => {
            const first = { ...query, limit: 1 };
            const { pagination } = await call(listPushes, { params, query: first, signal, isSilent: true, showsFailureItself: () => true });
            return pagination.total;
          },
        };
      }}
    />
  );
}
