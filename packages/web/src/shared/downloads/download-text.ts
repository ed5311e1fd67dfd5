import { groupedNumber } from '../ui/text-format.ts';
import type { DoneDownload, Download } from './download-center.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
const size = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** A number of bytes in the largest unit that gives at least 1. */
export function byteText(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${size.format(bytes / 1000 ** step)} ${units[step] ?? 'B'}`;
}

/** Progress in rows: `12 of 50 rows`; without the total when it is unknown or exceeded. */
export function rowsText({ rows, total }: Pick<Download, 'rows' | 'total'>): string {
  const unit = (total ?? rows) === 1 ? 'row' : 'rows';
  return total === null || rows > total ? `${groupedNumber(rows)} ${unit}` : `${groupedNumber(rows)} of ${groupedNumber(total)} ${unit}`;
}

/** Progress in the unit of the job. */
function progressText({ job, rows, bytes, total }: MeasuredDownload): string {
  if (job.measure !== 'bytes') return `${rowsText({ rows, total })} · ${byteText(bytes)}`;
  return total === null || bytes > total ? byteText(bytes) : `${byteText(bytes)} of ${byteText(total)}`;
}
type MeasuredDownload = { job: Pick<Download['job'], 'measure'> } & Pick<Download, 'rows' | 'bytes' | 'total'>;

/** The share that has arrived, from 0 to 1; null while unknown. */
export function shareOf({ job, phase, rows, bytes, total }: MeasuredDownload & Pick<Download, 'phase'>): number | null {
  if (total === null || total === 0 || phase === 'waiting') return null;
  return Math.min(1, (job.measure === 'bytes' ? bytes : rows) / total);
}

/** The notification about a finished download. */
export function doneText({ name, rows, bytes }: DoneDownload): string {
  if (rows === null) return `${name} is saved: ${byteText(bytes)}`;
  return `${name} is saved: ${rows === 1 ? '1 row' : `${groupedNumber(rows)} rows`}`;
}

/** The line below a download's name. */
export function downloadText(download: MeasuredDownload & Pick<Download, 'phase' | 'failure'>): string {
  const { job, phase, bytes, failure } = download;
  if (phase === 'waiting') return 'Waiting for the server…';
  if (phase === 'running') return progressText(download);
  const progress = job.measure === 'bytes' ? progressText(download) : rowsText(download);
  return bytes === 0 ? (failure ?? '') : `${failure ?? ''} ${progress} had arrived; no file was saved.`;
}
