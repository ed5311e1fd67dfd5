import { ActionIcon } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { trayShows, type DownloadJob } from '../shared/downloads/download-center.ts';
import { downloads } from '../shared/downloads/downloads.ts';
import type { FilterDraft } from '../shared/listing/use-filter-draft.ts';
import { HoverTooltip } from '../shared/ui/hover-tooltip.tsx';

type Position = 'page' | 'cursor' | 'limit';
type OpenOptions = { signal: AbortSignal; showsFailureItself: typeof trayShows };
type CountOptions = { signal: AbortSignal; isSilent: true; showsFailureItself: () => boolean };

/** How the rows of a list become a file. */
export type TrafficDownload<Query> = {
  /** Name of the file unless the server gives one. */
  fileName: string;
  /** Opens the file of all rows that the query finds. */
  open: (query: Omit<Query, Position>, options: OpenOptions) => ReturnType<DownloadJob['open']>;
  /** Asks how many rows that are; null when nobody can say. */
  count: (query: Omit<Query, Position>, options: CountOptions) => Promise<number | null>;
  /** Format of the file; CSV unless given. */
  format?: 'JSON lines';
  /** Calls `start` once the reader has confirmed the download; it starts at once unless given. */
  confirm?: (query: Query, start: () => void) => Promise<void>;
  /** Why nothing can be downloaded with these filters; the button is disabled and says so. */
  obstacle?: (query: Query) => string | undefined;
};

type Props<Query> = {
  /** Name of the list; distinguishes its downloads from those of others. */
  name: string;
  draft: FilterDraft<Query>;
  download: TrafficDownload<Query>;
};

/** Downloads what the filter bar asks for; the list then shows the same. The corner of the page shows the progress. */
export function DownloadButton<Query extends Partial<Record<Position, unknown>>>({ name, draft, download }: Props<Query>) {
  const obstacle = download.obstacle?.(draft.values);
  const start = (): void => {
    const { page: _page, cursor: _cursor, limit: _limit, ...query } = draft.values;
    const job: DownloadJob = {
      key: `${name} ${JSON.stringify(query)}`,
      name: download.fileName,
      // Rows are counted in CSV only.
      ...(download.format === undefined ? {} : { measure: 'bytes' }),
      open: (signal) => download.open(query, { signal, showsFailureItself: trayShows }),
      count: (signal) => download.count(query, { signal, isSilent: true, showsFailureItself: () => true }),
    };
    if (draft.isChanged) draft.apply();
    const run = (): void => void downloads.start(job);
    if (download.confirm === undefined) run();
    else void download.confirm(draft.values, run);
  };
  const button = (
    <ActionIcon
      variant="default"
      size={32}
      aria-label="Download"
      title={obstacle === undefined ? `Download as ${download.format ?? 'CSV'}` : undefined}
      disabled={obstacle !== undefined}
      onClick={start}
    >
      <IconDownload size={16} aria-hidden />
    </ActionIcon>
  );
  if (obstacle === undefined) return button;
  return (
    <HoverTooltip label={obstacle} isFocusable>
      {button}
    </HoverTooltip>
  );
}
