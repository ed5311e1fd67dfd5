import type { LogEntry } from '@switchyard/contract/log-viewer';

/** What of an entry shows below its row when asked for. */
export const entryParts = ['message', 'context', 'extra', 'stack'] as const;
export type EntryPart = (typeof entryParts)[number];

/** What the button of a part says (LOG-025, LOG-026). */
export const partNames: Record<EntryPart, string> = { message: 'Message', context: 'Context', extra: 'Extra', stack: 'Stack' };

/** Longer headers are cut in the row; the whole is the part `message`. */
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

/** Lines of a stack that are shown without being asked for. */
export const shownStackLines = 60;

/** Whether a line of a stack lies in a library and not in the service itself. */
export function isForeign(line: string): boolean {
  return /\/vendor\/|node_modules|\(node:|\[internal function\]/.test(line);
}

/**
 * Names the entries of a page, the newest first, by what they say: the id of an entry is another one while its file is still
 * being read (contract/log-viewer), and what is folded out has to stay so. Entries that say the same are told apart by their place among
 * themselves, counted from the oldest, since new ones come above.
 */
export function entryNames(entries: readonly Pick<LogEntry, 'datetime' | 'env' | 'level' | 'header'>[]): string[] {
  const seen = new Map<string, number>();
  return entries
    .toReversed()
    .map(({ datetime, env, level, header }) => {
      const says = `${datetime} ${env} ${level} ${header}`;
      const before = seen.get(says) ?? 0;
      seen.set(says, before + 1);
      return `${says} ${before}`;
    })
    .toReversed();
}
