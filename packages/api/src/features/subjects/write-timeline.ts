import type { ConversionRow } from '@switchyard/contract/conversions';
import { memberOf, type RequestRow } from '@switchyard/contract/requests';
import { timelineColumns, type TimelineRow } from '@switchyard/contract/subjects';
import { csvLine, guardedText } from '@switchyard/traffic-store/csv';

/** Reads the rows after a cursor; `next` is null at the end. */
type ReadRows = (cursor: string | undefined) => Promise<{ rows: TimelineRow[]; next: string | null }>;

/** A timeline as CSV with a header row, read page by page while it is sent. */
export async function* timelineLines(read: ReadRows, signal: AbortSignal): AsyncGenerator<Buffer> {
  let lines = csvLine(timelineColumns);
  for (let cursor: string | undefined; ;) {
    signal.throwIfAborted();
    const { rows, next } = await read(cursor);
    lines += rows.map(timelineLine).join('');
    if (lines !== '') yield Buffer.from(lines);
    if (next === null) return;
    [cursor, lines] = [next, ''];
  }
}

type Cells = { type: string; ip?: string; country?: string | null | undefined; detail: string };

function timelineLine(row: TimelineRow): string {
  const { type, ip = '', country, detail } = cellsOf(row);
  const [id, name] = row.kind === 'log' ? ['', ''] : [String(row.app.id), row.app.name];
  return csvLine([row.kind, row.at, id, guardedText(name), guardedText(type), ip, country ?? '', guardedText(detail)]);
}

function cellsOf(row: TimelineRow): Cells {
  if (row.kind === 'request')
    return { type: row.request.type, ip: row.request.ip, country: row.request.country, detail: ofRequest(row.request) };
  if (row.kind === 'push')
    return { type: row.push.status, country: row.push.place?.country, detail: joinParts(row.push.push_name, row.push.error) };
  if (row.kind === 'conversion')
    return { type: row.conversion.status, country: row.conversion.place?.country, detail: ofConversion(row.conversion) };
  return { type: row.log.level, detail: row.log.message };
}

/** The fields that distinguish requests of one type at a glance: stream, bot labels and the kind of error. */
function ofRequest({ stream, bot, error }: RequestRow): string {
  const kind = error && memberOf(error, 'exception_type');
  const ofError = error === null ? null : `error ${typeof kind === 'string' ? kind : ''}`.trim();
  return joinParts(stream && `stream ${stream.name ?? stream.uid}`, bot === '' ? null : `bot ${bot}`, ofError);
}

function ofConversion({ status_conversion: kind, payout, error }: ConversionRow): string {
  return joinParts(payout === null ? kind : `${kind} ${payout}`, error);
}

function joinParts(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(', ');
}
