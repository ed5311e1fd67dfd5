import type { LogEntry } from '@switchyard/contract/log-viewer';

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
