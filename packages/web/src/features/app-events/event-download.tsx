import { downloadPostbacks } from '@switchyard/contract/request-exports';
import { listPostbacks, type PostbacksQuery } from '@switchyard/contract/postbacks';
import { call, open } from '../../shared/api/call.ts';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { AppDownload } from '../../shared/traffic/app-download.tsx';

/** Downloads the requests that the filter bar asks for (EVT-012, EVT-037, AMB-141). */
export function EventDownload({ appId, draft }: { appId: number; draft: FilterDraft<PostbacksQuery> }) {
  const params = { id: appId };
  return (
    <AppDownload
      appId={appId}
      noun="postbacks"
      fileName={`app_${appId}.csv`}
      draft={draft}
      open={async (query, options) => open(downloadPostbacks, { params, query, ...options })}
      list={async (query, options) => call(listPostbacks, { params, query, ...options })}
    />
  );
}
