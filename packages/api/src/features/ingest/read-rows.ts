import { messages } from '@switchyard/contract/envelope';
import { ingestMessages } from '@switchyard/contract/ingest';
import { ingestLimits } from '@switchyard/contract/limits';
import secureJson from 'secure-json-parse';
import { FieldErrors, Refusal } from '../../errors.ts';
import type { IngestBody } from '../../http/bind.ts';
import { cleanText, mayHoldBrokenText } from './clean-text.ts';

/** A row before it is judged; an NDJSON line that cannot be read is a row too. */
export type RawRow = { value: unknown } | { unreadable: true };

/**
 * The rows of a call in their order (api 13): a JSON object with exactly the key `kind`, or NDJSON, blank lines skipped.
 * Throws 400 for a broken document, 413 for too many rows, FieldErrors for a document without rows.
 */
export function readRows(body: IngestBody, kind: string): RawRow[] {
  // Broken UTF-8 becomes U+FFFD here.
  const text = body.bytes.toString('utf8');
  const rows = body.contentType === 'application/json' ? fromDocument(text, kind) : fromLines(text);
  if (rows.length > ingestLimits.rowsPerCall) throw new Refusal(413, messages.bodyTooLarge);
  if (rows.length === 0) throw new FieldErrors({ [kind]: [ingestMessages.noRows] });
  return rows;
}

/** Keys that reach a prototype are refused like any broken JSON (api 0.3). */
function parse(text: string): unknown {
  const value: unknown = secureJson.parse(text, undefined, { protoAction: 'error', constructorAction: 'error' });
  return mayHoldBrokenText(text) ? cleanText(value) : value;
}

function fromDocument(text: string, kind: string): RawRow[] {
  const document = parseOrRefuse(text === '' ? '{}' : text);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) throw new Refusal(400, messages.malformedBody);
  const others = Object.keys(document).filter((key) => key !== kind);
  const rows: unknown = Reflect.get(document, kind);
  const errors = Object.fromEntries(others.map((key) => [key, ['Unknown field.']]));
  if (rows === undefined) throw new FieldErrors({ ...errors, [kind]: [`The ${kind} field is required.`] });
  if (!Array.isArray(rows)) throw new FieldErrors({ ...errors, [kind]: [`The ${kind} field must be of type array.`] });
  if (others.length > 0) throw new FieldErrors(rows.length > 0 ? errors : { ...errors, [kind]: [ingestMessages.noRows] });
  return rows.map((value: unknown) => ({ value }));
}

function parseOrRefuse(text: string): unknown {
  try {
    return parse(text);
  } catch {
    throw new Refusal(400, messages.malformedBody);
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
