import { logLevels } from '@switchyard/contract/log-levels';
import type { LogEntriesQuery, LogEntry } from '@switchyard/contract/log-viewer';
import type { Stats } from 'node:fs';
import { withOpenFile } from './log-folder.ts';
import { countEntries, createLogIndexes, endOf, type LogIndex } from './log-index.ts';
import type { LogAnswer, LogBatch, LogCounts, LogPage, LogQuestion } from './log-questions.ts';
import { parseEntry } from './parse-entry.ts';
import { scanEntries } from './scan-entries.ts';

type Options = {
  /** Where indexes of large files are kept. */
  indexDir: string;
  /** How long a search may take (S26). */
  searchMilliseconds: number;
};

/** Answers questions on files; synchronous, for a worker. Null when the file is gone. */
export function createLogAnswers({ indexDir, searchMilliseconds }: Options) {
  const indexes = createLogIndexes(indexDir);

  function search(file: number, index: LogIndex, query: LogEntriesQuery): Pick<LogPage, 'total' | 'entries' | 'stopped'> {
    const needle = (query.query ?? '').toLowerCase();
    const skip = (query.page - 1) * query.limit;
    const until = performance.now() + searchMilliseconds;
    const entries: LogEntry[] = [];
    let total = 0;
    for (let at = index.blocks.length - 1; at >= 0; at -= 1) {
      if (countEntries(index.blocks.slice(at, at + 1), query.level) === 0) continue;
      if (performance.now() > until) return { total, entries, stopped: { bytes: index.size - endOf(index, at), of: index.size } };
      for (const entry of readBlock(file, index, at)) {
        if (!isWanted(entry, query.level) || !holds(entry, needle)) continue;
        if (total >= skip && entries.length < query.limit) entries.push(entry);
        total += 1;
      }
    }
    return { total, entries, stopped: null };
  }

  function page(file: number, stats: Stats, index: LogIndex, query: LogEntriesQuery): LogPage {
    const found =
      query.query === undefined
        ? { total: countEntries(index.blocks, query.level), entries: pageOf(file, index, query), stopped: null }
        : search(file, index, query);
    const createdAt = stats.birthtimeMs > 0 ? stats.birthtime : stats.ctime;
    return { counts: countsOf(index), ...found, file: { bytes: index.size, createdAt, updatedAt: stats.mtime } };
  }

  return (question: LogQuestion): LogAnswer =>
    withOpenFile(question.path, (file, stats): LogAnswer => {
      const index = indexes.refresh(question.path, file, stats);
      if (question.kind === 'counts') return { kind: 'counts', counts: countsOf(index) };
      if (question.kind === 'page') return { kind: 'page', page: page(file, stats, index, question.query) };
      return { kind: 'batch', batch: batch(file, index, question.block) };
    }) ?? null;
}

function batch(file: number, index: LogIndex, block: number | null): LogBatch {
  const at = block ?? index.blocks.length - 1;
  return { entries: at < 0 ? [] : readBlock(file, index, at), next: at > 0 ? at - 1 : null };
}

function countsOf({ blocks }: LogIndex): LogCounts {
  const [emergency, alert, critical, error, warning, notice, info, debug] = logLevels;
  const count = (level: (typeof logLevels)[number]) => countEntries(blocks, level);
  return {
    emergency: count(emergency),
    alert: count(alert),
    critical: count(critical),
    error: count(error),
    warning: count(warning),
    notice: count(notice),
    info: count(info),
    debug: count(debug),
  };
}

/** Blocks without an entry of the page are passed over unread. */
function pageOf(file: number, index: LogIndex, { page, limit, level }: LogEntriesQuery): LogEntry[] {
  let skip = (page - 1) * limit;
  const entries: LogEntry[] = [];
  for (let at = index.blocks.length - 1; at >= 0 && entries.length < limit; at -= 1) {
    const matching = countEntries(index.blocks.slice(at, at + 1), level);
    if (matching > skip) {
      const wanted = readBlock(file, index, at).filter((entry) => isWanted(entry, level));
      entries.push(...wanted.slice(skip, skip + limit - entries.length));
    }
    skip = Math.max(0, skip - matching);
  }
  return entries;
}

/** The entries of a block, newest first. */
function readBlock(file: number, index: LogIndex, at: number): LogEntry[] {
  const start = index.blocks[at];
  if (!start) return [];
  let id = start.first;
  const entries: LogEntry[] = [];
  for (const { level, text, truncated } of scanEntries(file, { start: start.start, end: endOf(index, at) })) {
    entries.push({ id, level, ...parseEntry(text), truncated });
    id += 1;
  }
  return entries.toReversed();
}

function isWanted({ level }: LogEntry, wanted: LogEntriesQuery['level']): boolean {
  return wanted === 'all' || level === wanted;
}

function holds({ header, context, stack }: LogEntry, needle: string): boolean {
  if (header.toLowerCase().includes(needle) || stack?.toLowerCase().includes(needle) === true) return true;
  return context !== null && JSON.stringify(context).toLowerCase().includes(needle);
}
