import { z } from 'zod';
import { linkJob, runLinkJob, type LinkJobDependencies } from './features/mailed-links/mailed-link-jobs.ts';
import { mailNotice, noticeData } from './features/security-mails/notice-job.ts';
import type { JobWorker } from './jobs/job-queue.ts';
import { mailQueue } from './mails/deliver-mail.ts';

const mailJob = z.discriminatedUnion('kind', [linkJob, noticeData]);

/** The worker of the queue of mails. */
export function createMailWorker(deps: LinkJobDependencies): JobWorker {
  return {
    queue: mailQueue,
    async run(data, signal) {
      const job = mailJob.parse(data);
      await (job.kind === 'notice' ? mailNotice(deps, job, signal) : runLinkJob(deps, job, signal));
    },
  };
}
