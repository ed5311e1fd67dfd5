import { messages } from '@switchyard/contract/envelope';
import { ingestMessages } from '@switchyard/contract/ingest';
import { ingestLimits } from '@switchyard/contract/limits';
import secureJson from 'secure-json-parse';
import { FieldErrors, HttpError } from '../../errors.ts';
import type { IngestBody } from '../../http/bind.ts';

/** A row before validation; an unreadable NDJSON line is a row too. */
export type RawRow = { value: unknown } | { unreadable: true };

/**
 * The rows of a call in their order: a JSON object with exactly the key `kind`, or NDJSON, blank lines skipped.
 * Throws 400 for a broken document, 413 for too many rows, FieldErrors for a document without rows.
 */
export function readRows(body: IngestBody, kind: string): RawRow[] {
  // Broken UTF-8 becomes U+FFFD here.
  const text = body.bytes.toString('utf8');
  const rows = body.contentType === 'application/json' ? fromDocument(text, kind) : fromLines(text);
  if (rows.length > ingestLimits.rowsPerCall) throw new HttpError(413, messages.bodyTooLarge);
  if (rows.length === 0) throw new FieldErrors({ [kind]: [ingestMessages.noRows] });
  return rows;
}

/** Keys that reach a prototype are rejected like malformed JSON. */
function parse(text: string): unknown {
  const value: unknown = secureJson.parse(text, undefined, { protoAction: 'error', constructorAction: 'error' });
  return mayHoldBrokenText(text) ? cleanText(value) : value;
}

function fromDocument(text: string, kind: string): RawRow[] {
  const document = parseOrReject(text === '' ? '{}' : text);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) throw new HttpError(400, messages.malformedBody);
  const others = Object.keys(document).filter((key) => key !== kind);
  const rows: unknown = Reflect.get(document, kind);
  const errors = Object.fromEntries(others.map((key) => [key, ['Unknown field.']]));
  if (rows === undefined) throw new FieldErrors({ ...errors, [kind]: [`The ${kind} field is required.`] });
  if (!Array.isArray(rows)) throw new FieldErrors({ ...errors, [kind]: [`The ${kind} field must be of type array.`] });
  if (others.length > 0) throw new FieldErrors(rows.length > 0 ? errors : { ...errors, [kind]: [ingestMessages.noRows] });
  return rows.map((value: unknown) => ({ value }));
}

function parseOrReject(text: string): unknown {
  try {
    return parse(text);
  } catch {
    throw new HttpError(400, messages.malformedBody);
  }
}

function fromLines(text: string): RawRow[] {
  const rows: RawRow[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    try {
      rows.push({ value: parse(line) });
    } catch {
      rows.push({ unreadable: true });
    }
  }
  return rows;
}

/** Escapes of NUL and of surrogate halves; PostgreSQL can store neither. */
const suspicious = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Whether JSON text may contain characters that cannot be stored. The check is fast and saves nearly every batch a pass over its
 * values; complete surrogate pairs written as escapes are false positives.
 */
function mayHoldBrokenText(json: string): boolean {
  return suspicious.test(json);
}

/**
 * The same value with NUL and lone surrogates in its texts and keys replaced by U+FFFD, down to this level. Deeper values are
 * rejected later and must not exhaust the stack.
 */
function cleanText(value: unknown, levels = 1000): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\u{FFFD}').toWellFormed();
  if (typeof value !== 'object' || value === null || levels === 0) return value;
  if (Array.isArray(value)) return value.map((inner) => cleanText(inner, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [String(cleanText(key)), cleanText(inner, levels - 1)]));
}
