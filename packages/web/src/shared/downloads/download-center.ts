import { CallError } from '../api/call-error.ts';
import type { OpenResponse } from '../api/create-open.ts';
import { createStore, type Store } from '../external-store.ts';
import type { FileTarget } from './file-target.ts';

/** A download: a CSV of rows, or a file whose rows cannot be counted. */
export type DownloadJob = {
  /** Identifies the content; a job with the key of a running download is not started. */
  readonly key: string;
  /** The file's name. */
  readonly name: string;
  readonly open: (signal: AbortSignal) => Promise<Pick<OpenResponse, 'response'>>;
  /** The number of rows or bytes, requested when the download starts; null when unknown. */
  readonly count: (signal: AbortSignal) => Promise<number | null>;
  /** The unit of the progress; rows unless given. */
  readonly measure?: 'bytes';
};

/** A download that is running or has failed; finished and cancelled ones are removed. */
export type Download = {
  readonly id: number;
  readonly job: DownloadJob;
  /** `waiting` until the server sends the first byte; it limits how many downloads run at once. */
  readonly phase: 'waiting' | 'running' | 'failed';
  readonly rows: number;
  readonly bytes: number;
  readonly total: number | null;
  /** Why it failed, in words. */
  readonly failure: string | null;
};

/** A finished download; `rows` is null when only bytes were counted. */
export type DoneDownload = { readonly name: string; readonly rows: number | null; readonly bytes: number };

type Dependencies = {
  /** Where the file goes; null when the reader cancels. */
  readonly chooseTarget: (suggestedName: string) => Promise<FileTarget | null>;
  /** Called after every finished download. */
  readonly onDone: (download: DoneDownload) => void;
};

export type DownloadCenter = Pick<Store<readonly Download[]>, 'get' | 'subscribe'> & {
  /** Starts a download; resolves when it has finished, failed or been cancelled. */
  readonly start: (job: DownloadJob) => Promise<void>;
  /** Cancels a download and removes it from the list; no file is kept. */
  readonly cancel: (id: number) => void;
  readonly cancelAll: () => void;
};

type Watch = { readonly job: DownloadJob; readonly progress: { rows: number; bytes: number } };

/** Milliseconds between two updates of the progress. */
const progressEvery = 200;

/** Runs downloads, which continue while the reader opens other screens. */
export function createDownloadCenter({ chooseTarget, onDone }: Dependencies): DownloadCenter {
  const store = createStore<readonly Download[]>([]);
  const stops = new Map<number, AbortController>();
  let lastId = 0;

  const change = (id: number, patch: Partial<Download>): void =>
    store.set(store.get().map((one) => (one.id === id ? { ...one, ...patch } : one)));
  const remove = (id: number): void => store.set(store.get().filter((one) => one.id !== id));

  /** Passes the body on and reports how much has passed. */
  function watch(id: number, response: Response, { job, progress }: Watch): ReadableStream<Uint8Array<ArrayBuffer>> {
    if (response.body === null) throw new TypeError('The answer has no body');
    const countRows = job.measure === 'bytes' ? () => 0 : createCsvRowCounter();
    let shownAt = -Infinity;
    return response.body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (part, next) => {
          progress.rows = countRows(part);
          progress.bytes += part.length;
          if (performance.now() - shownAt >= progressEvery) {
            shownAt = performance.now();
            change(id, progress);
          }
          next.enqueue(part);
        },
        flush: () => change(id, progress),
      }),
    );
  }

  async function run(id: number, job: DownloadJob, target: FileTarget): Promise<void> {
    const stop = new AbortController();
    const { signal } = stop;
    stops.set(id, stop);
    const progress = { rows: 0, bytes: 0 };
    try {
      job.count(signal).then(
        (total) => change(id, { total }),
        () => undefined,
      );
      const { response } = await job.open(signal);
      change(id, { phase: 'running' });
      const body = watch(id, response, { job, progress });
      const savedFile = await target.write(body, { name: job.name, signal });
      remove(id);
      onDone({ name: savedFile, ...progress, ...(job.measure === 'bytes' ? { rows: null } : {}) });
    } catch (error) {
      if (signal.aborted) remove(id);
      else change(id, { phase: 'failed', ...progress, failure: reasonOf(error) });
    } finally {
      stops.delete(id);
      // The count may still be running; its result is no longer needed.
      stop.abort();
    }
  }

  function cancel(id: number): void {
    stops.get(id)?.abort();
    remove(id);
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    start: async (job) => {
      const isRunning = store.get().some((one) => one.job.key === job.key && one.phase !== 'failed');
      if (isRunning) return;
      const target = await chooseTarget(job.name);
      if (target === null) return;
      lastId += 1;
      const id = lastId;
      const others = store.get().filter((one) => one.job.key !== job.key);
      store.set([...others, { id, job, phase: 'waiting', rows: 0, bytes: 0, total: null, failure: null }]);
      await run(id, job, target);
    },
    cancel,
    cancelAll: () => {
      for (const { id } of store.get()) cancel(id);
    },
  };
}

/** Failures that the download tray shows; the others end the session or concern the whole page. */
export function trayShows(status: number | null): boolean {
  return status === null || ![401, 402, 404].includes(status);
}

/** Before the first byte the server gives the reason; afterwards the connection or the disk failed. */
function reasonOf(error: unknown): string {
  if (error instanceof CallError) return error.status === null ? 'The server cannot be reached.' : error.message;
  if (error instanceof DOMException) return `The file could not be written: ${error.message}`;
  return 'The connection was lost.';
}

const [quote, lineFeed] = [34, 10];

/**
 * Counts the records of a CSV (RFC 4180) without its header while its parts arrive in order; returns the number so far. A
 * line break inside quotes does not end a record.
 */
export function createCsvRowCounter(): (part: Uint8Array) => number {
  let isQuoted = false;
  let lines = 0;

  return (part) => {
    for (let index = 0; index < part.length; index += 1) {
      const byte = part[index];
      // A doubled quote toggles the state twice, which changes nothing.
      if (byte === quote) isQuoted = !isQuoted;
      else if (byte === lineFeed && !isQuoted) lines += 1;
    }
    return Math.max(0, lines - 1);
  };
}
