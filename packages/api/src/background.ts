import type { JobQueue, JobWorker } from './jobs/job-queue.ts';

/** The background work of a feature. A feature declares it, and the composition does that of all features in their order. */
export type Background = {
  /** Does the jobs of a queue. */
  worker?: JobWorker;
  /**
   * Every ten minutes, safe in several processes at once. That of a feature with a worker only in processes that do jobs, and when they
   * begin: it gives its worker what a killed process left.
   */
  maintain?: () => Promise<void>;
  /** Begins what goes on in processes that do jobs. */
  start?: () => Promise<void> | void;
  /** Ends what `start` began, or leaves it to another process. */
  stop?: () => Promise<void>;
};

/** The background work of all parts of one process. */
export function createBackground(parts: readonly Background[], jobs: Pick<JobQueue, 'start' | 'stop'>) {
  let doesJobs = false;
  return {
    async maintain(): Promise<void> {
      for (const part of parts) if (part.worker === undefined || doesJobs) await part.maintain?.();
    },
    async startJobs(): Promise<void> {
      await jobs.start(parts.flatMap(({ worker }) => worker ?? []));
      doesJobs = true;
      for (const part of parts) {
        if (part.worker !== undefined) await part.maintain?.();
        await part.start?.();
      }
    },
    async stopJobs(): Promise<void> {
      doesJobs = false;
      for (const part of parts) await part.stop?.();
      await jobs.stop();
    },
  };
}
