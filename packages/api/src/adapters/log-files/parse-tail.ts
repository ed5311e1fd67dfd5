import { parseContainer } from './parse-object.ts';

/** What stands at the end of a Monolog message; null for a part that is absent or empty. */
export type Tail = { header: string; context: unknown; extra: unknown };

/** A text is gone over so many times at most, so that no line takes longer than its length allows (S26). */
const scansOfText = 20;
const [quote, backslash, space, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 32, 91, 93, 123, 125];

/**
 * Reads the context and the extra at the end of a message: the first of two JSON values is the context and the second the
 * extra (O42). They begin before `startsBefore`. Line breaks may stand in their texts, as Laravel writes them. Null where the
 * message ends otherwise; a list that stands alone is a part of the message.
 */
export function parseTail(text: string, startsBefore = text.length): Tail | null {
  let budget = text.length * scansOfText;
  for (let start = firstStart(text, 0); start !== -1 && start < startsBefore && budget > 0; start = firstStart(text, start + 1)) {
    const { parts, scanned } = partsToEnd(text, start);
    budget -= scanned;
    const tail = parts === null ? null : readParts(parts);
    if (tail) return { header: text.slice(0, start).trimEnd(), ...tail };
  }
  return null;
}

function readParts([first, second]: readonly string[]): Pick<Tail, 'context' | 'extra'> | null {
  const context = parseContainer(first ?? '');
  if (context === null) return null;
  if (second === undefined) return Array.isArray(context) && context.length > 0 ? null : { context: filled(context), extra: null };
  const extra = parseContainer(second);
  return extra === null ? null : { context: filled(context), extra: filled(extra) };
}

/** Monolog writes `[]` or `{}` of a context that is empty. */
function filled(value: object): object | null {
  return Object.keys(value).length === 0 ? null : value;
}

/** Where a bracket or brace stands that begins a word, from there on; -1 where none does. */
function firstStart(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (isOpening(text.charCodeAt(at)) && (at === 0 || text.charCodeAt(at - 1) === space)) return at;
  }
  return -1;
}

/** The one or two bracketed parts that a text consists of from `start` to its end, and how much of it was read for that. */
function partsToEnd(text: string, start: number): { parts: string[] | null; scanned: number } {
  const parts: string[] = [];
  let at = start;
  while (at < text.length && parts.length < 2 && isOpening(text.charCodeAt(at))) {
    const end = endOfPart(text, at);
    if (end === -1) return { parts: null, scanned: text.length - start };
    parts.push(text.slice(at, end));
    at = end;
    while (text.charCodeAt(at) === space) at += 1;
  }
  return { parts: at === text.length && parts.length > 0 ? parts : null, scanned: at - start + 1 };
}

/** The end of what an opening bracket begins; -1 where it is never closed. Brackets within quotes do not count. */
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
