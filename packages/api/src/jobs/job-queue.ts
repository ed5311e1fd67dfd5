import { fromKysely, PgBoss } from 'pg-boss';
import type { Databases } from '../database/connect.ts';

/** A transaction of the query builder, as far as the queue needs it. */
type JobTransaction = Parameters<typeof fromKysely>[0];

export type JobQueueName = 'domain-links';

/** What has to be done, in JSON; `afterSeconds` from now. */
type Job = { queue: JobQueueName; data: Readonly<Record<string, unknown>>; afterSeconds?: number };

/** Does the jobs of one queue. What it throws is logged and tried again; the signal says that the process stops. */
export type JobWorker = {
  queue: JobQueueName;
  run: (data: unknown, signal: AbortSignal) => Promise<void>;
};

/** Sends a job with a write: both are there after the commit, or neither is. */
export type SendJob = (tx: JobTransaction, job: Job) => Promise<void>;

/** Jobs in PostgreSQL, in a schema of their own: they outlive every process, and any process may do them. */
export type JobQueue = {
  send: SendJob;
  /** Makes the schema when it is missing and begins to work. */
  start: (workers: readonly JobWorker[]) => Promise<void>;
  /** Takes no more jobs and breaks off those under way; they are done again by the next start, or by another process. */
  stop: () => Promise<void>;
};

export type JobTimings = {
  /** How often this process looks for jobs. */
  pollSeconds: number;
  /** A job under way for longer counts as lost with its process, and is done again. */
  expireSeconds: number;
  /** How often lost jobs are looked for. */
  superviseSeconds: number;
};

const usualTimings: JobTimings = { pollSeconds: 1, expireSeconds: 30, superviseSeconds: 10 };

/** Jobs of one queue that a process does at once. */
const atOnce = 2;
const stopMilliseconds = 5000;
/** The same trouble is told once a minute at most; a database that is away would fill the log. */
const quietMilliseconds = 60_000;

/** The queue over the `jobs` pool; nothing is contacted before `start`. */
export function createJobQueue({
  pools,
  onFault,
  timings = usualTimings,
}: {
  pools: Pick<Databases['pools'], 'jobs'>;
  onFault: (fault: unknown) => void;
  timings?: JobTimings;
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

  async function work({ queue, run }: JobWorker): Promise<void> {
    const retries = { retryLimit: 10, retryDelay: 1, retryBackoff: true, retryDelayMax: 60, expireInSeconds: timings.expireSeconds };
    await boss.createQueue(queue, { ...retries, deleteAfterSeconds: 86_400 });
    await boss.work<unknown>(queue, { pollingIntervalSeconds: timings.pollSeconds, localConcurrency: atOnce }, async (jobs) => {
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
  const told = new Map<string, number>();
  return (fault) => {
    const what = fault instanceof Error ? fault.message : String(fault);
    const now = performance.now();
    if (now - (told.get(what) ?? -Infinity) < quietMilliseconds) return;
    told.clear();
    told.set(what, now);
    tell(fault);
  };
}
