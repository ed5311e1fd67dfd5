import { isEmpty, parseContainer, plainValue } from '../entry-values.ts';

/** The end of a Monolog message; null for a part that is missing or empty. */
export type Tail = { header: string; context: unknown; extra: unknown };

/** Maximum number of scans of a text, so that the time stays linear in its length. */
const scansOfText = 20;
const [quote, backslash, space, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 32, 91, 93, 123, 125];

/**
 * Parses the context and the extra at the end of a message: the first JSON value is the context, the second the extra. The
 * context starts before `startsBefore`. Strings may contain line breaks, as Laravel writes them. Null if the message has no
 * such end; a single list belongs to the message.
 */
export function parseTail(text: string, startsBefore = text.length): Tail | null {
  let budget = text.length * scansOfText;
  for (let start = firstStart(text, 0); start !== -1 && start < startsBefore && budget > 0; start = firstStart(text, start + 1)) {
    const { parts, scannedTo } = partsToEnd(text, start);
    budget -= scannedTo;
    const tail = parts === null ? null : readParts(parts);
    if (tail) return { header: text.slice(0, start).trimEnd(), ...tail };
  }
  return null;
}

function readParts([first, second]: readonly string[]): Pick<Tail, 'context' | 'extra'> | null {
  const context = parseContainer(first ?? '');
  if (context === null) return null;
  if (second === undefined)
    return Array.isArray(plainValue(context)) && !isEmpty(context) ? null : { context: nullIfEmpty(context), extra: null };
  const extra = parseContainer(second);
  return extra === null ? null : { context: nullIfEmpty(context), extra: nullIfEmpty(extra) };
}

/** Monolog writes an empty context as `[]` or `{}`. */
function nullIfEmpty(value: object): object | null {
  return isEmpty(value) ? null : value;
}

/** The next opening bracket or brace at the start of a word; -1 if there is none. */
function firstStart(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (isOpening(text.charCodeAt(at)) && (at === 0 || text.charCodeAt(at - 1) === space)) return at;
  }
  return -1;
}

/** The one or two bracketed parts from `start` to the end of the text, and the number of scanned characters. */
function partsToEnd(text: string, start: number): { parts: string[] | null; scannedTo: number } {
  const parts: string[] = [];
  let at = start;
  while (at < text.length && parts.length < 2 && isOpening(text.charCodeAt(at))) {
    const end = endOfPart(text, at);
    if (end === -1) return { parts: null, scannedTo: text.length - start };
    parts.push(text.slice(at, end));
    at = end;
    while (text.charCodeAt(at) === space) at += 1;
  }
  return { parts: at === text.length && parts.length > 0 ? parts : null, scannedTo: at - start + 1 };
}

/** The end of the part that an opening bracket starts; -1 if it is not closed. Brackets in strings do not count. */
function endOfPart(text: string, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (isQuoted) {
      if (unit === backslash) at += 1;
      else if (unit === quote) isQuoted = false;
    } else if (unit === quote) isQuoted = true;
    else if (isOpening(unit)) depth += 1;
    else if (unit === closeBracket || unit === closeBrace) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function isOpening(unit: number): boolean {
  return unit === openBracket || unit === openBrace;
}
