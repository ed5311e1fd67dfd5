import { listConversions, type ConversionsQuery } from '@switchyard/contract/conversions';
import { downloadConversions } from '@switchyard/contract/delivery-exports';
import { call, open } from '../../shared/api/call.ts';
import { trayShows } from '../../shared/downloads/download-center.ts';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { DownloadButton } from '../../shared/traffic/download-button.tsx';

/** Downloads the conversions that the filter bar asks for; the list then shows the same. */
export function ConversionDownload({ appId, draft }: { appId: number; draft: FilterDraft<ConversionsQuery> }) {
  const { page: _page, limit: _limit, ...query } = draft.values;
  const params = { id: appId };
  return (
    <DownloadButton
      job={() => {
        if (draft.isChanged) draft.apply();
        return {
          key: `conversions ${appId} ${JSON.stringify(query)}`,
          name: `app_${appId}_conversions.csv`,
          open: (signal) => open(downloadConversions, { params, query, signal, showsFailureItself: trayShows }),
          count: async (signal) => {
            const first = { ...query, limit: 1 };
            const silently = { signal, isSilent: true, showsFailureItself: () => true };
            return (await call(listConversions, { params, query: first, ...silently })).pagination.total;
          },
        };
      }}
    />
  );
}
