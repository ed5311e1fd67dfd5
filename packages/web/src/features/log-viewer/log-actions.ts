import { logTexts } from '@switchyard/contract/log-viewer';
import { CallError } from '../../shared/api/call-error.ts';
import { call, open } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { trayShows, type DownloadJob } from '../../shared/downloads/download-center.ts';
import { downloads } from '../../shared/downloads/downloads.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { askConfirm } from '../../shared/ui/confirm.tsx';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import type { LogSource } from './log-source.ts';

/** Asks whether the workbook of a day is to be downloaded (LOG-011, O21). */
export function confirmWorkbook({ name, title, calls }: LogSource, date: string): void {
  confirmDownload(date, {
    key: `${name} ${date} workbook`,
    name: 'log.xlsx',
    measure: 'bytes',
    open: (signal) => open(calls.downloadDay, { params: { date }, signal, showsFailureItself: trayShows }).catch(sayGone(title, date)),
    count: async () => null,
  });
}

/** Asks whether the file of a day is to be downloaded as it is; `bytes` is how large it is now. */
export function confirmRaw({ name, title, calls }: LogSource, { date, bytes }: { date: string; bytes: number }): void {
  confirmDownload(date, {
    key: `${name} ${date} raw`,
    name: `${date}.log`,
    measure: 'bytes',
    open: (signal) => open(calls.downloadRaw, { params: { date }, signal, showsFailureItself: trayShows }).catch(sayGone(title, date)),
    count: async () => bytes,
  });
}

function confirmDownload(date: string, job: DownloadJob): void {
  askConfirm({
    title: logTexts.confirmTitle,
    lines: [logTexts.confirmDownload, `${job.name} of ${date}`],
    // The prompt closes at once; how far the download is shows in the corner of the page.
    action: async () => void downloads.start(job),
  });
}

/** Asks whether a day is to be deleted, deletes it, and has the list read again (LOG-012, LOG-013). */
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
        sayGone(title, date)(error);
      } finally {
        await queryClient.invalidateQueries({ queryKey: listKey(name) });
      }
    },
  });
}

/** That a day is missing no toast has said (ERR-010). */
function sayGone(title: string, date: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof CallError && error.status === 404) notify({ type: 'danger', message: `${title} of ${date} are gone` });
    throw error;
  };
}
