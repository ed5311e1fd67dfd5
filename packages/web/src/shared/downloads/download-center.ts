import { CallError } from '../api/call-error.ts';
import type { Opened } from '../api/create-open.ts';
import { createStore, type Store } from '../external-store.ts';
import { createCsvRowCounter } from './csv-row-counter.ts';
import { fileNameIn } from './file-name.ts';
import type { FileTarget } from './file-target.ts';

/** What is to be downloaded: a CSV of rows, or a file whose rows cannot be seen. */
export type DownloadJob = {
  /** The same rows have the same key; they are not downloaded twice at once. */
  readonly key: string;
  /** The name that the file will have, as far as one can say before the server does. */
  readonly name: string;
  readonly open: (signal: AbortSignal) => Promise<Opened>;
  /** How many rows or bytes there are, asked when the download begins; null when nobody can say. */
  readonly count: (signal: AbortSignal) => Promise<number | null>;
  /** What tells how far the download is; rows unless given. */
  readonly measure?: 'bytes';
};

/** A download that runs or has failed; one that is done or was cancelled is no more. */
export type Download = {
  readonly id: number;
  readonly job: DownloadJob;
  readonly name: string;
  /** `waiting` until the server sends the first byte: it may have too many downloads running. */
  readonly phase: 'waiting' | 'running' | 'failed';
  readonly rows: number;
  readonly bytes: number;
  readonly total: number | null;
  /** Why it failed, in words. */
  readonly failure: string | null;
};

/** What is told of a download that is whole; `rows` is null where only bytes were counted. */
export type DoneDownload = { readonly name: string; readonly rows: number | null; readonly bytes: number };

type Dependencies = {
  /** Where the file goes; null when the reader changed his mind. */
  readonly chooseTarget: (suggestedName: string) => Promise<FileTarget | null>;
  /** Hears of every download that is whole. */
  readonly onDone: (done: DoneDownload) => void;
};

export type DownloadCenter = Pick<Store<readonly Download[]>, 'get' | 'subscribe'> & {
  /** Begins a download; resolves when it has come to its end, whichever it is. */
  readonly start: (job: DownloadJob) => Promise<void>;
  /** Ends a download and takes it off the list; nothing of it is kept. */
  readonly cancel: (id: number) => void;
  readonly cancelAll: () => void;
};

type Watch = { readonly job: DownloadJob; readonly progress: { rows: number; bytes: number } };

/** Milliseconds between two drawings of the progress. */
const progressEvery = 200;

/** The downloads of this page. They go on while the reader goes elsewhere in the console. */
export function createDownloadCenter({ chooseTarget, onDone }: Dependencies): DownloadCenter {
  const store = createStore<readonly Download[]>([]);
  const stops = new Map<number, AbortController>();
  let lastId = 0;

  const change = (id: number, patch: Partial<Download>): void =>
    store.set(store.get().map((one) => (one.id === id ? { ...one, ...patch } : one)));
  const remove = (id: number): void => store.set(store.get().filter((one) => one.id !== id));

  /** Passes the body on and says how much of it has passed. */
  function watched(id: number, response: Response, { job, progress }: Watch): ReadableStream<Uint8Array<ArrayBuffer>> {
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
      const name = fileNameIn(response.headers.get('content-disposition')) ?? job.name;
      change(id, { phase: 'running', name });
      const body = watched(id, response, { job, progress });
      const saved = await target.write(body, { name, signal });
      remove(id);
      onDone({ name: saved, ...progress, ...(job.measure === 'bytes' ? { rows: null } : {}) });
    } catch (error) {
      if (signal.aborted) remove(id);
      else change(id, { phase: 'failed', ...progress, failure: reasonOf(error) });
    } finally {
      stops.delete(id);
      // A count that is still running is of no use any more.
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
      store.set([...others, { id, job, name: job.name, phase: 'waiting', rows: 0, bytes: 0, total: null, failure: null }]);
      await run(id, job, target);
    },
    cancel,
    cancelAll: () => {
      for (const { id } of store.get()) cancel(id);
    },
  };
}

/** Refusals that the list of downloads shows; the others end the session or belong to the page as well (spec 1 §8). */
export function trayShows(status: number | null): boolean {
  return status === null || ![401, 402, 404].includes(status);
}

/** Before the first byte the server says why; afterwards the connection is cut or the disk refuses. */
function reasonOf(error: unknown): string {
  if (error instanceof CallError) return error.status === null ? 'The server cannot be reached.' : error.message;
  if (error instanceof DOMException) return `The file could not be written: ${error.message}`;
  return 'The connection broke.';
}
