import { downloadPushes } from '@switchyard/contract/delivery-exports';
import { listPushes, type PushesQuery } from '@switchyard/contract/pushes';
import { call, open } from '../../shared/api/call.ts';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { AppDownload } from '../../shared/traffic/app-download.tsx';

/** Downloads the pushes that the filter bar asks for. */
export function PushDownload({ appId, draft }: { appId: number; draft: FilterDraft<PushesQuery> }) {
  const params = { id: appId };
  return (
    <AppDownload
      appId={appId}
      noun="pushes"
      fileName={`app_${appId}_pushes.csv`}
      draft={draft}
      open={async (query, options) => open(downloadPushes, { params, query, ...options })}
      list={async (query, options) => call(listPushes, { params, query, ...options })}
    />
  );
}
