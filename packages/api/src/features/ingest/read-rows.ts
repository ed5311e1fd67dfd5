import { messages } from '@switchyard/contract/envelope';
import { exactJson, isWritten, jsonMembers, JsonText, parseExactly } from '@switchyard/contract/exact-json';
import { ingestMessages } from '@switchyard/contract/ingest';
import { ingestedData, type IngestedKind } from '@switchyard/contract/ingested-data';
import { ingestLimits } from '@switchyard/contract/limits';
import { FieldErrors, HttpError } from '../../errors.ts';
import type { IngestBody } from '../../http/bind.ts';
import { mapInSlices } from '@switchyard/traffic-store/map-in-slices';
import { mayHoldUnstorableText } from '@switchyard/traffic-store/unstorable-text';

/**
 * A row before validation; an unreadable NDJSON line is a row too. Its data is to the letter. `text`: the row as it was sent, where
 * JavaScript does not hold that exactly.
 */
export type RawRow = { value: unknown; text?: string } | { unreadable: true };

/**
 * The rows of a call in their order: a JSON object with exactly the key `kind`, or NDJSON, blank lines skipped; a byte order mark is read over.
 * Throws 400 for a document that cannot be read, 413 for too many rows, FieldErrors for a document without rows.
 */
export async function readRows(body: IngestBody, kind: IngestedKind): Promise<RawRow[]> {
  // Broken UTF-8 becomes U+FFFD here.
  const decoded = body.bytes.toString('utf8');
  const text = decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
  if (body.contentType !== 'application/json') {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    requireRows(lines, kind);
    return mapInSlices(lines, (line) => readLine(line, kind));
  }
  const rows = rowsOfDocument(text === '' ? '{}' : text, kind);
  requireRows(rows, kind);
  return mapInSlices(rows, (row) => (typeof row === 'string' ? readRow(row, kind) : row));
}

function requireRows(rows: readonly unknown[], kind: IngestedKind): void {
  if (rows.length > ingestLimits.rowsPerCall) throw new HttpError(413, messages.bodyTooLarge);
  if (rows.length === 0) throw new FieldErrors({ [kind]: [ingestMessages.noRows] });
}

/** The rows of a document; as texts where JavaScript does not hold the document exactly, or a row has characters that cannot be stored. */
function rowsOfDocument(text: string, kind: IngestedKind): readonly (RawRow | string)[] {
  const document = parseOrReject(text);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) throw new HttpError(400, messages.malformedBody);
  const others = Object.keys(document).filter((key) => key !== kind);
  const rows: unknown = Reflect.get(document, kind);
  const errors = Object.fromEntries(others.map((key) => [key, ['Unknown field.']]));
  if (rows === undefined) throw new FieldErrors({ ...errors, [kind]: [`The ${kind} field is required.`] });
  if (!Array.isArray(rows)) throw new FieldErrors({ ...errors, [kind]: [`The ${kind} field must be of type array.`] });
  if (others.length > 0) throw new FieldErrors(rows.length > 0 ? errors : { ...errors, [kind]: [ingestMessages.noRows] });
  if (!mayHoldUnstorableText(text) && isWritten(document, text)) return rows.map((value: unknown) => ({ value }));
  // The last of repeated keys counts, as everywhere.
  const list = jsonMembers(text)?.list.findLast(({ key }) => key === kind)?.text ?? '[]';
  return (jsonMembers(list)?.list ?? []).map((row) => row.text);
}

function parseOrReject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, messages.malformedBody);
  }
}

function readLine(line: string, kind: IngestedKind): RawRow {
  try {
    return readRow(line, kind);
  } catch (error) {
    if (error instanceof SyntaxError) return { unreadable: true };
    throw error;
  }
}

function readRow(text: string, kind: IngestedKind): RawRow {
  const value = parseExactly(text, (key) => isDataOf(kind, key));
  if (!mayHoldUnstorableText(text) && isWritten(value, text)) return { value };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value, text };
  const entries = Object.entries(value).map(([key, field]): [unknown, unknown] => {
    const isText = kind === 'pushes' && field instanceof JsonText && typeof field.value === 'string';
    const own: unknown = isText ? field.value : field;
    return [cleanText(key), isDataOf(kind, key) && !(kind === 'pushes' && typeof own === 'string') ? own : cleanText(own)];
  });
  return { value: Object.fromEntries(entries), text };
}

/** Whether the field of a row holds data of the sender. */
export function isDataOf(kind: IngestedKind, key: string): boolean {
  return fields[kind].has(key);
}

const fields: Readonly<Record<IngestedKind, ReadonlySet<string>>> = {
  events: new Set(ingestedData.events),
  pushes: new Set(ingestedData.pushes),
  conversions: new Set(ingestedData.conversions),
  streams: new Set(ingestedData.streams),
};

/**
 * The same value with NUL and lone surrogates in its texts and keys replaced by U+FFFD, down to this level. Deeper values are
 * rejected later and must not exhaust the stack.
 */
function cleanText(value: unknown, levels = 1000): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\u{FFFD}').toWellFormed();
  if (typeof value !== 'object' || value === null || levels === 0) return value;
  if (Array.isArray(value)) return value.map((inner) => cleanText(inner, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleanText(inner, levels - 1)]));
}

/** The id of a row as it was sent; undefined if it has none. */
export function idAsSent(row: RawRow): unknown {
  if ('unreadable' in row || typeof row.value !== 'object' || row.value === null || Array.isArray(row.value)) return undefined;
  const sent = row.text === undefined ? undefined : jsonMembers(row.text)?.list.findLast(({ key }) => key === 'id');
  return sent === undefined ? Reflect.get(row.value, 'id') : exactJson(sent.text);
}
