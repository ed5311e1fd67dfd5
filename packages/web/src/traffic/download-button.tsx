import { ActionIcon, Menu } from '@mantine/core';
import type { CsvFormat } from '@switchyard/contract/csv-format';
import { type FilePeriod, fileNameOf } from '@switchyard/contract/file-names';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { trayShows, type DownloadJob } from '../shared/downloads/download-center.ts';
import { downloads } from '../shared/downloads/downloads.ts';
import type { FilterDraft } from '../shared/listing/use-filter-draft.ts';
import type { SavedViews } from '../shared/listing/views/use-saved-views.ts';
import { savedAs } from '../shared/listing/views/view-state.ts';
import { pickerDay } from '../shared/time/filter-day.ts';
import { useServerOffset } from '../shared/time/server-time.ts';
import { HoverTooltip } from '../shared/ui/hover-tooltip.tsx';
import { useReadOnly } from '../shared/ui/read-only.tsx';

type Position = 'page' | 'cursor' | 'limit';
type OpenOptions = { signal: AbortSignal; showsFailureItself: typeof trayShows };
type CountOptions = { signal: AbortSignal; isSilent: true; showsFailureItself: () => boolean };

/** Parts of the name of a file: the subject of its rows, if that is not the list alone, and the list, or the view that shows it. */
export type FileSubject = { of?: string; list: string };

/** How the rows of a list become a file. */
export type TrafficDownload<Query> = {
  /** Name of the file if the specification has one, else what it is named after. */
  fileName: string | FileSubject;
  /** Opens the file of all rows that the query finds. */
  open: (query: Omit<Query, Position> & { format?: CsvFormat }, options: OpenOptions) => ReturnType<DownloadJob['open']>;
  /** Asks how many rows that are; null when nobody can say. */
  count: (query: Omit<Query, Position>, options: CountOptions) => Promise<number | null>;
  /** Format of the file; CSV unless given. */
  format?: 'JSON lines';
  /** The days that the list shows: the file has them in place of relative ones, which may have moved on. Undefined while others are loading. */
  shownDays?: Partial<Query> | undefined;
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
  /** The views of the list, whose names its files have. */
  views?: SavedViews | undefined;
};

/** The days of the filters of a list. */
function periodOf({ startDate, endDate }: { startDate?: unknown; endDate?: unknown }, offset: string): FilePeriod | undefined {
  if (typeof startDate !== 'string' && typeof endDate !== 'string') return undefined;
  return {
    from: typeof startDate === 'string' ? pickerDay(startDate, offset) : undefined,
    to: typeof endDate === 'string' ? pickerDay(endDate, offset) : undefined,
  };
}

/** The name of a file of a list, or of a picture of it; that of its view while it shows just that. */
export function listFileName(
  { of, list }: FileSubject,
  { views, period, extension = 'csv' }: { views?: SavedViews | undefined; period?: FilePeriod | undefined; extension?: string },
): string {
  const view = views && savedAs(views);
  const parts = [...(of === undefined ? [] : [of]), view?.name ?? list];
  return fileNameOf(parts, { period: period ?? {}, fallback: list, extension });
}

/** Downloads what the filter bar asks for; the list then shows the same. The corner of the page shows the progress. */
export function DownloadButton<Query extends Partial<Record<Position, unknown>>>({ name, draft, download, views }: Props<Query>) {
  const offset = useServerOffset();
  const readOnly = useReadOnly();
  const obstacle = readOnly ?? download.obstacle?.(draft.values);
  const isCsv = download.format === undefined;
  const start = (format?: CsvFormat): void => {
    const values = draft.isChanged ? draft.values : { ...draft.values, ...download.shownDays };
    const { page: _page, cursor: _cursor, limit: _limit, ...query } = values;
    const job: DownloadJob = {
      key: `${name} ${format ?? ''} ${JSON.stringify(query)}`,
      name:
        typeof download.fileName === 'string'
          ? download.fileName
          : listFileName(download.fileName, {
              views: draft.isChanged ? undefined : views,
              period: periodOf(query, offset),
              ...(isCsv ? {} : { extension: 'jsonl' }),
            }),
      // Rows are counted in CSV only.
      ...(isCsv ? {} : { measure: 'bytes' }),
      open: (signal) => download.open({ ...query, ...(format && { format }) }, { signal, showsFailureItself: trayShows }),
      count: (signal) => download.count(query, { signal, isSilent: true, showsFailureItself: () => true }),
    };
    if (draft.isChanged) draft.apply();
    const run = (): void => void downloads.start(job);
    if (download.confirm === undefined) run();
    else void download.confirm(values, run);
  };
  const button = (
    <ActionIcon
      variant="default"
      size={32}
      aria-label="Download"
      title={obstacle === undefined ? `Download as ${download.format ?? 'CSV'}` : undefined}
      disabled={obstacle !== undefined}
      onClick={() => start()}
    >
      <IconDownload size={16} aria-hidden />
    </ActionIcon>
  );
  if (obstacle === undefined) {
    if (!isCsv) return button;
    return (
      <ActionIcon.Group>
        {button}
        <Menu position="bottom-end" shadow="md" transitionProps={{ duration: 120 }}>
          <Menu.Target>
            <ActionIcon variant="default" w={24} miw={24} h={32} aria-label="File formats" title="File formats">
              <IconChevronDown size={14} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => start()}>CSV</Menu.Item>
            <Menu.Item onClick={() => start('excel')}>CSV for Excel</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </ActionIcon.Group>
    );
  }
  return (
    <HoverTooltip label={obstacle} isFocusable>
      {button}
    </HoverTooltip>
  );
}
