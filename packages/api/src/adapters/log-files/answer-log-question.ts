import type { FileChange } from '@switchyard/contract/log-search';
import { hiddenKinds, levelCounts, secretRules } from '@switchyard/contract/log-viewer';
import { setImmediate } from 'node:timers/promises';
import type { Stats } from 'node:fs';
import { z } from 'zod';
import type { LogBytes } from './log-bytes.ts';
import { withOpenFile } from './open-log.ts';
import { fileIdentity, identify, isSameFile, isWhole, type LogIndex } from './log-index.ts';
import { createLogIndexes, type LogTarget } from './log-indexes.ts';
import { beginFinding } from './find-entries.ts';
import { createSecretHider, type SecretHider } from './hide-secrets.ts';
import type {
  LogAnswer,
  LogBatch,
  LogCounts,
  LogFinding,
  LogNews,
  LogPage,
  LogPageQuery,
  LogQuestion,
  LogReading,
} from './log-questions.ts';
import { type LogSearch, createLogSearches } from './log-search.ts';
import { readNews } from './read-news.ts';
import { entriesOfPage, newestId, readBlock, toLogEntry } from './read-block.ts';
import { createUnpackedLogs } from './unpacked-logs.ts';

/** Options of the log reader, in milliseconds and bytes. */
export const logOptions = z.object({
  /** Folder for the indexes of large files. */
  indexDir: z.string(),
  /** Maximum duration of a search. */
  searchMilliseconds: z.number().default(10_000),
  /** How long an answer waits for the index. Files of up to about 100 MB are complete by then. */
  indexMilliseconds: z.number().default(250),
  /** Bytes read in one step. Other callers are served between the steps. */
  stepBytes: z.number().default(4_194_304),
  secrets: secretRules.default({ hides: [...hiddenKinds], names: [] }),
});
export type LogOptions = z.input<typeof logOptions>;

/** Duration of one step of a search. Other callers are served between the steps. */
const stepMilliseconds = 5;

/** Duration of one part of a search across days, after which it may be cancelled. */
const findMilliseconds = 100;

type OpenFile = { file: LogBytes; stats: Stats; index: LogIndex };

/**
 * Answers questions about log files; null if the file no longer exists. Works in steps of some milliseconds, so that a search
 * or an index does not delay other callers. An index that was started is completed in the background.
 */
export function createLogAnswers(options: LogOptions) {
  const { indexDir, searchMilliseconds, indexMilliseconds, stepBytes, secrets } = logOptions.parse(options);
  const hider = createSecretHider(secrets);
  const hiderOf = (reading: LogReading): SecretHider | null => (reading.secrets === true ? null : hider);
  const indexes = createLogIndexes({ dir: indexDir, stepBytes });
  const searches = createLogSearches();
  const unpackedLogs = createUnpackedLogs();
  /** Files to be indexed in the background, those being viewed first. */
  let unfinishedDays: LogTarget[] = [];
  let isFinishing = false;

  /** Indexes step by step until `read` returns a result; `undefined` means to continue. */
  async function inSteps<T>(target: LogTarget, read: (openFile: OpenFile) => T | undefined): Promise<T | null> {
    await unpackedLogs.prepare(target.path);
    for (;;) {
      const outcome = withOpenFile(target.path, unpackedLogs, (file, stats) => {
        const index = indexes.advance(target, file);
        return { found: read({ file, stats, index }) };
      });
      if (outcome === undefined) {
        indexes.forget(target);
        return null;
      }
      if (outcome.found !== undefined) return outcome.found;
      await setImmediate();
    }
  }

  async function finishIndexes(): Promise<void> {
    if (isFinishing) return;
    isFinishing = true;
    for (let [target] = unfinishedDays; target !== undefined; [target] = unfinishedDays) {
      await setImmediate();
      if (isFinished(target)) unfinishedDays = withoutTarget(target);
    }
    isFinishing = false;
  }

  function isFinished(target: LogTarget): boolean {
    try {
      return withOpenFile(target.path, unpackedLogs, (file) => isWhole(indexes.advance(target, file), file)) ?? true;
    } catch {
      // The next call for this file reports the error.
      return true;
    }
  }

  async function counts(path: string): Promise<LogCounts | null> {
    const until = performance.now() + indexMilliseconds;
    return inSteps({ path }, ({ file, index }) => (isWhole(index, file) || performance.now() > until ? countsOf(index, file) : undefined));
  }

  async function page(path: string, query: LogPageQuery): Promise<LogPage | null> {
    const until = performance.now() + indexMilliseconds;
    return inSteps({ path, format: query.format }, ({ file, stats, index }) => {
      if (!isWhole(index, file) && performance.now() <= until) return undefined;
      const entries = entriesOfPage(index, query, {
        count: (at) => index.blocks.countOf(at, query.level),
        read: (at) => readBlock(file, index, at),
        hider: hiderOf(query),
      });
      return {
        ...countsOf(index, file),
        format: index.format.name,
        total: index.blocks.total(query.level),
        matching: null,
        entries,
        file: fileOf(stats),
        stopped: null,
      };
    });
  }

  async function search(path: string, query: LogPageQuery): Promise<LogPage | null> {
    const until = performance.now() + Math.min(searchMilliseconds, query.wait * 1000);
    return inSteps({ path, format: query.format }, ({ file, stats, index }) => {
      const running = searches.of(path, index, { query: query.query ?? '', hider: hiderOf(query) });
      const isDone = continueSearch(running, file) && isWhole(index, file);
      if (!isDone && performance.now() <= until) return undefined;
      const { seenBytes, ...foundPage } = running.page(file, query);
      return {
        ...countsOf(index, file),
        ...foundPage,
        format: index.format.name,
        file: fileOf(stats),
        stopped: isDone ? null : { bytes: seenBytes, of: file.size },
      };
    });
  }

  async function batch({ path, place, reading }: Extract<LogQuestion, { kind: 'batch' }>): Promise<LogBatch | null> {
    const expected = place && fileIdentity.parse(JSON.parse(place.identity));
    const pageOrReason = await inSteps({ path, format: reading.format }, ({ file, index }) => {
      if (expected && !isSameFile(expected, file)) return 'another' as const;
      if (!place && index.size < file.size) return undefined;
      const before = place?.before ?? index.size;
      const at = index.blocks.newestBefore(before);
      if (at >= index.blocks.length) return index.from > 0 ? undefined : { entries: [], next: null };
      const start = index.blocks.startOf(at);
      const identity = place?.identity ?? JSON.stringify(identify(file));
      const id = newestId(index);
      const entries = readBlock(file, index, at, before).map((entry) =>
        toLogEntry(entry, { format: index.format, id: id - entry.newer, hider: hiderOf(reading) }),
      );
      return { entries, next: start > 0 ? { before: start, identity } : null };
    });
    return pageOrReason === 'another' ? null : pageOrReason;
  }

  async function find({ path, place, query }: Extract<LogQuestion, { kind: 'find' }>): Promise<LogFinding | FileChange | null> {
    const until = performance.now() + findMilliseconds;
    const finding = beginFinding(query, { place, hider: hiderOf(query) });
    return inSteps({ path }, ({ file, index }) => finding.step(file, index, until));
  }

  async function news({ path, place, query }: Extract<LogQuestion, { kind: 'news' }>): Promise<LogNews | FileChange | null> {
    return inSteps({ path, format: query.format }, ({ file, index }) =>
      readNews({ file, index }, place, { ...query, hider: hiderOf(query) }),
    );
  }

  return async (question: LogQuestion): Promise<LogAnswer> => {
    const { kind, path } = question;
    if (kind === 'find') {
      const finding = await find(question);
      return finding && { kind, finding };
    }
    if (kind === 'batch') {
      const logBatch = await batch(question);
      return logBatch && { kind, batch: logBatch };
    }
    if (kind === 'news') {
      const logNews = await news(question);
      return logNews && { kind, news: logNews };
    }
    if (kind === 'counts') {
      const logCounts = await counts(path);
      if (logCounts?.indexing) finishLater({ path }, false);
      return logCounts && { kind, counts: logCounts };
    }
    const logPage = await (question.query.query === undefined ? page : search)(path, question.query);
    if (logPage?.indexing) finishLater({ path, format: question.query.format }, true);
    return logPage && { kind, page: logPage };
  };

  function withoutTarget({ path, format }: LogTarget): LogTarget[] {
    return unfinishedDays.filter((other) => other.path !== path || other.format !== format);
  }

  function finishLater(target: LogTarget, isViewed: boolean): void {
    const others = withoutTarget(target);
    unfinishedDays = isViewed ? [target, ...others] : [...others, target];
    void finishIndexes();
  }
}

function continueSearch(search: LogSearch, file: LogBytes): boolean {
  const until = performance.now() + stepMilliseconds;
  for (;;) {
    if (search.step(file)) return true;
    if (performance.now() > until) return false;
  }
}

function fileOf(stats: Stats): LogPage['file'] {
  return { bytes: stats.size, createdAt: stats.birthtimeMs > 0 ? stats.birthtime : stats.ctime, updatedAt: stats.mtime };
}

function countsOf(index: LogIndex, file: LogBytes): LogCounts {
  return {
    counts: levelCounts((level) => index.blocks.total(level)),
    indexing: isWhole(index, file) ? null : { bytes: index.size - index.from, of: file.size },
  };
}
