import type { Pagination } from '@switchyard/contract/envelope';
import { trayShows, type DownloadJob } from '../downloads/download-center.ts';
import type { FilterDraft } from '../listing/use-filter-draft.ts';
import { DownloadButton } from './download-button.tsx';

type OpenOptions = { signal: AbortSignal; showsFailureItself: typeof trayShows };
type CountOptions = { signal: AbortSignal; isSilent: true; showsFailureItself: () => boolean };

type Props<Query> = {
  appId: number;
  /** What the rows are called, e.g. `pushes`. */
  noun: string;
  /** What the file is called unless the server says. */
  fileName: string;
  draft: FilterDraft<Query>;
  /** Opens the file of all rows that the query finds. */
  open: (query: Omit<Query, 'page' | 'limit'>, options: OpenOptions) => ReturnType<DownloadJob['open']>;
  /** Asks for a page of the shortest kind, for the total beside it. */
  list: (query: Omit<Query, 'page' | 'limit'> & { limit: number }, options: CountOptions) => Promise<{ pagination: Pagination }>;
};

/** Downloads what the filter bar of an app's list asks for; the list then shows the same (EVT-012, EVT-037, AMB-141). */
export function AppDownload<Query extends { page?: unknown; limit?: unknown }>(props: Props<Query>) {
  const { appId, noun, fileName, draft, open, list } = props;
  const { page: _page, limit: _limit, ...query } = draft.values;
  return (
    <DownloadButton
      job={() => {
        if (draft.isChanged) draft.apply();
        return {
          key: `${noun} ${appId} ${JSON.stringify(query)}`,
          name: fileName,
          open: (signal) => open(query, { signal, showsFailureItself: trayShows }),
          count: async (signal) => {
            const options = { signal, isSilent: true, showsFailureItself: () => true } as const;
            return (await list({ ...query, limit: 1 }, options)).pagination.total;
          },
        };
      }}
    />
  );
}
