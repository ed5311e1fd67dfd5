import { fromKysely, PgBoss } from 'pg-boss';
import type { Databases } from '../database/connect.ts';

/** A Kysely transaction, as pg-boss expects it. */
type JobTransaction = Parameters<typeof fromKysely>[0];

export type JobQueueName = 'domain-links' | 'mails' | 'bulk-runs' | 'notices' | 'schedules';

/** A job. `data` is JSON; the job starts `afterSeconds` from now. */
type Job = { queue: JobQueueName; data: Readonly<Record<string, unknown>>; afterSeconds?: number };

/** Runs the jobs of one queue. Errors are logged and the job is retried. The signal is aborted when the process stops. */
export type JobWorker = {
  queue: JobQueueName;
  /** Number of jobs that are fetched at once and run one after the other, for jobs that take no time; default: 1. */
  batchSize?: number;
  run: (data: unknown, signal: AbortSignal) => Promise<void>;
};

/** Sends a job within a transaction: it exists if and only if the transaction commits. */
export type SendJob = (tx: JobTransaction, job: Job) => Promise<void>;

/** Jobs in PostgreSQL, in their own schema. They survive restarts, and any process may run them. */
export type JobQueue = {
  send: SendJob;
  /** Creates the schema if it is missing and starts the workers. */
  start: (workers: readonly JobWorker[]) => Promise<void>;
  /** Stops fetching jobs and aborts running ones. Another process or the next start runs them again. */
  stop: () => Promise<void>;
};

export type JobTimings = {
  /** Interval at which this process fetches jobs. */
  pollSeconds: number;
  /** A job that runs longer counts as lost with its process and is run again. */
  expireSeconds: number;
  /** Interval at which lost jobs are detected. */
  superviseSeconds: number;
};

const usualTimings: JobTimings = { pollSeconds: 1, expireSeconds: 30, superviseSeconds: 10 };

/** Number of jobs of a queue that a process runs concurrently. */
const atOnce = 2;
const stopMilliseconds = 5000;
/** Errors are reported at most once a minute, because an unavailable database would fill the log. */
const quietMilliseconds = 60_000;

/** Creates the queue on the `jobs` pool. Connects only in `start`. */
export function createJobQueue({
  pools,
  onFault,
  timings = usualTimings,
}: {
  pools: Pick<Databases['pools'], 'jobs'>;
  onFault: (fault: unknown) => void;
  timings?: JobTimings | undefined;
}): JobQueue {
  const stopping = new AbortController();
  const tell = oncePerMinute(onFault);
  const boss = new PgBoss({
    db: {
      // The whole answer as it came: of several statements in one text the driver gives a list, which the queue knows.
      executeSql: async (text, values) => pools.jobs.query<Record<string, unknown>>(text, values),
    },
    schema: 'jobs',
    schedule: false,
    monitorVacuum: false,
    superviseIntervalSeconds: timings.superviseSeconds,
    monitorIntervalSeconds: timings.superviseSeconds,
  });
  boss.on('error', tell);

  async function work({ queue, batchSize = 1, run }: JobWorker): Promise<void> {
    const retries = { retryLimit: 10, retryDelay: 1, retryBackoff: true, retryDelayMax: 60, expireInSeconds: timings.expireSeconds };
    await boss.createQueue(queue, { ...retries, deleteAfterSeconds: 86_400 });
    await boss.work<unknown>(queue, { pollingIntervalSeconds: timings.pollSeconds, localConcurrency: atOnce, batchSize }, async (jobs) => {
      for (const job of jobs) {
        try {
          await run(job.data, AbortSignal.any([job.signal, stopping.signal]));
        } catch (error) {
          if (!stopping.signal.aborted) tell(error);
          throw error;
        }
      }
    });
  }

  return {
    async send(tx, { queue, data, afterSeconds = 0 }) {
      await boss.send(queue, data, { db: fromKysely(tx), startAfter: afterSeconds });
    },
    async start(workers) {
      await boss.start();
      for (const worker of workers) await work(worker);
    },
    async stop() {
      stopping.abort(new Error('The process stops'));
      await boss.stop({ graceful: true, timeout: stopMilliseconds, close: false });
    },
  };
}

function oncePerMinute(tell: (fault: unknown) => void): (fault: unknown) => void {
  const warnedAt = new Map<string, number>();
  return (fault) => {
    const what = fault instanceof Error ? fault.message : String(fault);
    const now = performance.now();
    if (now - (warnedAt.get(what) ?? -Infinity) < quietMilliseconds) return;
    warnedAt.clear();
    warnedAt.set(what, now);
    tell(fault);
  };
}
