import { logTexts, type LogFormatName } from '@switchyard/contract/log-viewer';
import { CallError } from '../../shared/api/call-error.ts';
import { call, open } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { trayShows, type DownloadJob } from '../../shared/downloads/download-center.ts';
import { downloads } from '../../shared/downloads/downloads.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { askConfirm } from '../../shared/ui/confirm.tsx';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import type { LogSource } from './log-source.ts';

/** Asks for confirmation and downloads a day as an Excel workbook. */
export function confirmWorkbook({ name, title, calls }: LogSource, date: string, { format, secrets = false }: WorkbookOptions = {}): void {
  confirmDownload(
    { date, secrets },
    {
      key: `${name} ${date} ${format ?? ''} workbook${secrets ? ' with secrets' : ''}`,
      name: 'log.xlsx',
      measure: 'bytes',
      open: (signal) =>
        open(calls.downloadDay, {
          params: { date },
          query: { format, details: true, ...withSecrets(secrets) },
          signal,
          showsFailureItself: trayShows,
        }).catch(reportMissing(title, date)),
      count: async () => null,
    },
  );
}

type WorkbookOptions = { format?: LogFormatName | undefined; secrets?: boolean };

/** The parameter is left out where secrets stay hidden. */
function withSecrets(secrets: boolean): { secrets?: true } {
  return secrets ? { secrets } : {};
}

type RawOptions = { date: string; bytes: number; secrets: boolean };

/** Asks for confirmation and downloads the file of a day; `bytes` is its current size. */
export function confirmRaw({ name, title, calls }: LogSource, { date, bytes, secrets }: RawOptions): void {
  confirmDownload(
    { date, secrets },
    {
      key: `${name} ${date} raw${secrets ? ' with secrets' : ''}`,
      name: `${date}.log`,
      measure: 'bytes',
      open: (signal) =>
        open(calls.downloadRaw, { params: { date }, query: withSecrets(secrets), signal, showsFailureItself: trayShows }).catch(
          reportMissing(title, date),
        ),
      count: async () => bytes,
    },
  );
}

function confirmDownload({ date, secrets }: { date: string; secrets: boolean }, job: DownloadJob): void {
  askConfirm({
    title: logTexts.confirmTitle,
    lines: [logTexts.confirmDownload, `${job.name} of ${date}`, ...(secrets ? [logTexts.confirmSecrets] : [])],
    // The prompt closes at once; the download tray shows the progress.
    action: async () => void downloads.start(job),
  });
}

/** Asks for confirmation and shows the secrets of a day. */
export function confirmSecrets({ title }: LogSource, date: string, show: () => void): void {
  askConfirm({
    title: logTexts.confirmTitle,
    lines: [logTexts.confirmSecrets, `${title} of ${date}. Activity records it.`],
    isLocal: true,
    action: async () => show(),
  });
}

/** Asks for confirmation, deletes a day and reloads the list. */
export function confirmDeletion({ name, title, calls }: LogSource, date: string, onDeleted?: () => void): void {
  askConfirm({
    title: logTexts.confirmTitle,
    lines: [logTexts.confirmDelete, `${title} of ${date}`],
    isDangerous: true,
    action: async () => {
      try {
        await call(calls.deleteDay, { body: { date } });
        notify({ type: 'success', message: `${title} of ${date} deleted` });
        onDeleted?.();
      } catch (error) {
        reportMissing(title, date)(error);
      } finally {
        await queryClient.invalidateQueries({ queryKey: listKey(name) });
      }
    },
  });
}

/** Notifies that a day no longer exists, because the error policy shows nothing for a 404. */
function reportMissing(title: string, date: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof CallError && error.status === 404) notify({ type: 'danger', message: `${title} of ${date} no longer exist` });
    throw error;
  };
}
