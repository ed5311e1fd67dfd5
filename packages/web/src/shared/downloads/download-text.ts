import { groupedNumber } from '../traffic/counter-text.ts';
import type { Download } from './download-center.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
const size = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** A number of bytes in the largest unit of which there is at least one. */
export function byteText(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${size.format(bytes / 1000 ** step)} ${units[step] ?? 'B'}`;
}

/** How far a download is: `12 of 50 rows`; rows alone where nobody knows how many there are, or more came than were counted. */
export function rowsText({ rows, total }: Pick<Download, 'rows' | 'total'>): string {
  const unit = (total ?? rows) === 1 ? 'row' : 'rows';
  return total === null || rows > total ? `${groupedNumber(rows)} ${unit}` : `${groupedNumber(rows)} of ${groupedNumber(total)} ${unit}`;
}

/** What the line under a download's name says. */
export function downloadText(download: Pick<Download, 'phase' | 'rows' | 'bytes' | 'total' | 'failure'>): string {
  const { phase, bytes, failure } = download;
  if (phase === 'waiting') return 'Waiting for the server…';
  if (phase === 'running') return `${rowsText(download)} · ${byteText(bytes)}`;
  return bytes === 0 ? (failure ?? '') : `${failure ?? ''} ${rowsText(download)} had arrived; no file was saved.`;
}
