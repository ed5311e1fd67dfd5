import type { FileChange } from '@switchyard/contract/log-search';
import { Worker } from 'node:worker_threads';
import type { LogOptions } from './answer-log-question.ts';
import {
  restoreExact,
  type LogAnswer,
  type LogBatch,
  type LogCounts,
  type LogFinding,
  type LogFindQuery,
  type LogFollowPlace,
  type LogFollowQuery,
  type LogNews,
  type LogPage,
  type LogPageQuery,
  type LogPlace,
  type LogQuestion,
  type LogReading,
  type LogReply,
  type LogTask,
} from './log-questions.ts';

/** Reads log files in a worker thread. Answers are null if the file no longer exists. */
export type LogReader = {
  counts: (path: string) => Promise<LogCounts | null>;
  page: (path: string, query: LogPageQuery) => Promise<LogPage | null>;
  /** Also null if the file was replaced since `place` was returned. */
  batch: (path: string, place: LogPlace | null, reading: LogReading) => Promise<LogBatch | null>;
  /** Searches a file for a moment; says what happened to the file if it is not the one of `place` any more. */
  find: (path: string, place: LogPlace | null, query: LogFindQuery) => Promise<LogFinding | FileChange | null>;
  /** Reads what was appended to a file; says what happened to the file if it is not the one of `place` any more. */
  news: (path: string, place: LogFollowPlace | null, query: LogFollowQuery) => Promise<LogNews | FileChange | null>;
  close: () => Promise<void>;
};

/** In MiB. Long-lived objects are few; what is read is discarded at once. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };

type Waiting = { resolve: (answer: LogAnswer) => void; reject: (fault: Error) => void };

/** Creates a reader. Its thread starts with the first question and is restarted after a crash. */
export function createLogReader(options: LogOptions): LogReader {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let lastId = 0;

  function end(fault: Error): void {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(fault);
    waiting.clear();
  }

  function begin(): Worker {
    const newWorker = new Worker(new URL('./log-worker.ts', import.meta.url), { workerData: options, resourceLimits });
    newWorker.unref();
    newWorker.on('message', (message: LogReply) => {
      const asker = waiting.get(message.id);
      waiting.delete(message.id);
      if ('fault' in message) asker?.reject(new Error(message.fault));
      else asker?.resolve(restoreExact(message.answer, message.exact));
    });
    newWorker.on('error', (fault) => end(fault instanceof Error ? fault : new Error(String(fault))));
    newWorker.on('exit', () => {
      if (worker === newWorker) end(new Error('Log reader: the thread exited'));
    });
    return newWorker;
  }

  async function ask(question: LogQuestion): Promise<LogAnswer> {
    worker ??= begin();
    const id = (lastId += 1);
    const task: LogTask = { id, question };
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker?.postMessage(task, []);
    });
  }

  return {
    async counts(path) {
      const answer = await ask({ kind: 'counts', path });
      return answer?.kind === 'counts' ? answer.counts : null;
    },
    async page(path, query) {
      const answer = await ask({ kind: 'page', path, query });
      return answer?.kind === 'page' ? answer.page : null;
    },
    async batch(path, place, reading) {
      const answer = await ask({ kind: 'batch', path, place, reading });
      return answer?.kind === 'batch' ? answer.batch : null;
    },
    async find(path, place, query) {
      const answer = await ask({ kind: 'find', path, place, query });
      return answer?.kind === 'find' ? answer.finding : null;
    },
    async news(path, place, query) {
      const answer = await ask({ kind: 'news', path, place, query });
      return answer?.kind === 'news' ? answer.news : null;
    },
    async close() {
      await worker?.terminate();
    },
  };
}
