import { JsonText } from '@switchyard/contract/exact-json';
import { endOf, type LogIndex } from './log-index.ts';
import type { LogBytes } from './log-bytes.ts';
import { hasMarks, withoutMarks, type ParsedEntry } from './formats/log-format.ts';
import { readTime } from './formats/log-times.ts';
import type { SecretHider } from './hide-secrets.ts';
import { cleanEntry, splitEntry, withoutSecrets } from './parse-entry.ts';
import { readBlock, type BlockEntry } from './read-block.ts';
import type { SoughtText } from './sought-text.ts';

/** Maximum size of neighbouring blocks that are searched together. */
const regionBytes = 1_048_576;
/** The entries of a block start within 1 MiB, and at most 1 MiB of the last entry is read. */
const readAtMost = 2 * regionBytes;

/** Shared by all searches, because each fills and reads it within one step. */
const buffer = Buffer.allocUnsafeSlow(readAtMost);

/** A text, and what hides the secrets, in which it is not found; null if they are shown. */
export type Sought = { text: SoughtText; hider: SecretHider | null };

/** The search in the blocks of an indexed file. */
export type BlockSearch = {
  /** The matching entries of a block, newest first. */
  matchesIn: (file: LogBytes, at: number) => BlockEntry[];
  isMatch: (entry: BlockEntry) => boolean;
  /** Which blocks from `older` to `newer` may have matches, the oldest first. Other blocks need not be parsed. */
  mayMatch: (file: LogBytes, older: number, newer: number) => number[];
  /** The last block in direction `step` that is searched together with `first`. */
  reach: (first: number, step: 1 | -1, last: number) => number;
};

/** Searches for a text in what is shown of an entry and in what the file has of it. A text of several words must occur in the file as it is shown. */
export function createBlockSearch(index: LogIndex, sought: Sought): BlockSearch {
  const { blocks, format } = index;
  const pattern = sought.text.patternFor(format.formats.flatMap(({ keys = [] }) => keys));

  function mayMatch({ bytes }: BlockEntry): boolean {
    return pattern === null || indexIn(pattern, withoutMarks(bytes.toString('latin1')), 0) < Number.POSITIVE_INFINITY;
  }

  function isMatch(entry: BlockEntry): boolean {
    return mayMatch(entry) && findPart(cleanEntry(entry.bytes.toString()), { index, ...sought }) !== null;
  }

  return {
    matchesIn: (file, at) => readBlock(file, index, at).filter(isMatch),
    isMatch,

    mayMatch(file, older, newer) {
      const start = blocks.startOf(older);
      const length = Math.min(endOf(index, newer) - start, readAtMost);
      const text = pattern === null ? '' : buffer.toString('latin1', 0, file.read(buffer, 0, length, start));
      // Marks may be within a word, as units of UTF-16 are.
      const isExact = pattern !== null && !hasMarks(text);
      const found: number[] = [];
      let hit = -1;
      for (let at = older; at >= newer; at -= 1) {
        const begin = blocks.startOf(at) - start;
        if (isExact && hit < begin) hit = indexIn(pattern, text, begin);
        if (!isExact || hit < endOf(index, at) - start) found.push(at);
      }
      return found;
    },

    reach(first, step, last) {
      let at = first;
      const size = (to: number) => endOf(index, Math.min(first, to)) - blocks.startOf(Math.max(first, to));
      while (at !== last && size(at + step) <= regionBytes) at += step;
      return at;
    },
  };
}

function indexIn(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? Number.POSITIVE_INFINITY;
}

/** The part of an entry in which a search found its text; `file`: in the entry as it is written. */
export type FoundPart = { part: 'header' | 'context' | 'extra' | 'stack' | 'env' | 'time' | 'file'; text: string };

/** The part of a clean entry that has the text; null if none has. An entry with a hidden secret is searched by what is shown of it. */
function findPart(text: string, { index: { format }, text: sought, hider }: Sought & { index: LogIndex }): FoundPart | null {
  const isInFile = sought.isIn(text);
  const inFile: FoundPart = { part: 'file', text };
  if (isInFile && hider === null) return inFile;
  const entry = splitEntry(text, format);
  const shown = hider === null ? entry : withoutSecrets(entry, hider);
  if (isInFile && hider !== null && isSame(entry, shown) && hider.inText(text) === text) return inFile;
  return findShownPart(shown, sought);
}

/** The shown part of an entry that has the text. */
export function findShownPart({ env, header, context, extra, stack, time }: ParsedEntry, sought: SoughtText): FoundPart | null {
  const parts: FoundPart[] = [
    { part: 'header', text: header },
    { part: 'stack', text: stack ?? '' },
    ...jsonTexts(context).map((text) => ({ part: 'context' as const, text })),
    ...jsonTexts(extra ?? null).map((text) => ({ part: 'extra' as const, text })),
    { part: 'env', text: env },
    { part: 'time', text: readTime(time).text },
  ];
  return parts.find(({ text }) => text !== '' && sought.isIn(text)) ?? null;
}

/** Whether nothing was hidden. */
function isSame(entry: ParsedEntry, shown: ParsedEntry): boolean {
  const { header, context, extra, stack } = entry;
  return header === shown.header && context === shown.context && extra === shown.extra && stack === shown.stack;
}

/** A part as it is shown, without escapes, and as it is written; none for null. */
function jsonTexts(part: unknown): string[] {
  if (part === null) return [];
  return part instanceof JsonText ? [JSON.stringify(part.value), part.text] : [JSON.stringify(part)];
}
