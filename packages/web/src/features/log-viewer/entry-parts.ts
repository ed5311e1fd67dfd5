import type { EntryLevel, LogEntry } from '@switchyard/contract/log-viewer';

/** The parts of an entry that expand below its row. */
export const entryParts = ['message', 'context', 'extra', 'stack'] as const;
export type EntryPart = (typeof entryParts)[number];

/** The button label of each part. */
export const partNames: Record<EntryPart, string> = { message: 'Message', context: 'Context', extra: 'Extra', stack: 'Stack' };

/** Longer headers are truncated in the row; the part `message` has the whole header. */
const longestHeader = 300;

/** The header as the row shows it. */
export function shownHeader(header: string): string {
  return header.length > longestHeader ? `${header.slice(0, longestHeader)}…` : header;
}

/** The parts that an entry has, in their order. */
export function partsOf({ header, context, extra, stack }: Pick<LogEntry, 'header' | 'context' | 'extra' | 'stack'>): EntryPart[] {
  const has: Record<EntryPart, boolean> = {
    message: header.length > longestHeader,
    context: context !== null && context !== undefined,
    extra: extra !== null && extra !== undefined,
    stack: stack !== null && stack !== '',
  };
  return entryParts.filter((part) => has[part]);
}

/** Lines of a stack that are shown initially. */
export const shownStackLines = 60;

/** Whether a stack line is in a library rather than in the service. */
export function isForeign(line: string): boolean {
  return /\/vendor\/|node_modules|\(node:|\[internal function\]/.test(line);
}

/** A line of a stack and its position, or neighbouring lines of libraries, which are folded away. */
export type StackPart = { at: number; line: string } | { at: number; folded: readonly string[] };

/** Fewer lines of libraries are shown: folding them would save nothing. */
const fewestFolded = 4;

/** The lines of a stack. Lines of libraries are folded, but for those that a search found. */
export function foldStack(lines: readonly string[], term: string): StackPart[] {
  const needle = term.toLowerCase();
  const parts: StackPart[] = [];
  let run: { at: number; line: string }[] = [];
  const endRun = (): void => {
    const [first] = run;
    const isFolded = first !== undefined && run.length >= fewestFolded;
    parts.push(...(isFolded ? [{ at: first.at, folded: run.map(({ line }) => line) }] : run));
    run = [];
  };
  for (const [at, line] of lines.entries()) {
    const isFound = needle !== '' && line.toLowerCase().includes(needle);
    if (isForeign(line) && !isFound) run.push({ at, line });
    else {
      endRun();
      parts.push({ at, line });
    }
  }
  endRun();
  return parts;
}

const errorLevels: ReadonlySet<EntryLevel> = new Set(['emergency', 'alert', 'critical', 'error']);

/** The next entry of a page, in a direction, that is an error or worse; null if there is none. */
export function nextError(entries: readonly Pick<LogEntry, 'level'>[], from: number, step: 1 | -1): number | null {
  for (let at = from + step; at >= 0 && at < entries.length; at += step) if (errorLevels.has(entries[at]?.level ?? '')) return at;
  return null;
}

/**
 * Gives the entries of a page, newest first, stable names from their content. Ids change while a file is being
 * indexed, but expanded parts must stay expanded. Equal entries are numbered from the oldest, because new ones are
 * added at the top.
 */
export function entryNames(entries: readonly Pick<LogEntry, 'datetime' | 'env' | 'level' | 'header' | 'source'>[]): string[] {
  const countByKey = new Map<string, number>();
  return entries
    .toReversed()
    .map(({ datetime, env, level, header, source = '' }) => {
      const content = `${datetime} ${env} ${source} ${level} ${header}`;
      const before = countByKey.get(content) ?? 0;
      countByKey.set(content, before + 1);
      return `${content} ${before}`;
    })
    .toReversed();
}
