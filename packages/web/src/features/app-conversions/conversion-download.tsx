import { downloadConversions } from '@switchyard/contract/delivery-exports';
import { listConversions, type ConversionsQuery } from '@switchyard/contract/conversions';
import { call, open } from '../../shared/api/call.ts';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { AppDownload } from '../../shared/traffic/app-download.tsx';

/** Downloads the conversions that the filter bar asks for. */
export function ConversionDownload({ appId, draft }: { appId: number; draft: FilterDraft<ConversionsQuery> }) {
  const params = { id: appId };
  return (
    <AppDownload
      appId={appId}
      noun="conversions"
      fileName={`app_${appId}_conversions.csv`}
      draft={draft}
      open={async (query, options) => open(downloadConversions, { params, query, ...options })}
      list={async (query, options) => call(listConversions, { params, query, ...options })}
    />
  );
}
