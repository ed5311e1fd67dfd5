import type { Mail, Mailer } from '../adapters/mailer.ts';
import { MailRejected } from '../adapters/mailer.ts';
import type { Databases } from '../database/connect.ts';
import { transaction, unaudited } from '../database/transaction.ts';
import type { SendJob } from '../jobs/job-queue.ts';
import type { MailNames } from './write-mail.ts';

/** The queue of mails. */
export const mailQueue = 'mails';

/** Seconds to wait after the first, second … failure; after the last one the mail is abandoned. */
const usualRetrySeconds = [10, 60, 300, 900, 3600];

export type MailDependencies = MailNames & {
  jobsDb: Databases['jobsDb'];
  mailer: Mailer;
  /** Null where no mail is sent. */
  sendMail: SendJob | null;
  retrySeconds?: readonly number[] | undefined;
  /** Called with each failure. Never gets the link. */
  onMailFault: (fault: { mail: string; accountId?: number; isFinal: boolean; err: unknown }) => void;
};

type Delivery = {
  /** The data of the job; `tries` counts failures. */
  job: { tries: number };
  mail: Mail;
  about: { mail: string; accountId: number };
  /** Stores what became of the mail. */
  note?: (db: Databases['jobsDb'], state: 'sent' | 'retrying' | 'failed') => Promise<void>;
};

/** Sends a mail, or creates a job that sends it again later. */
export async function deliverMail(deps: MailDependencies, { job, mail, about, note }: Delivery, signal: AbortSignal): Promise<void> {
  const { jobsDb, sendMail, mailer, retrySeconds = usualRetrySeconds, onMailFault } = deps;
  try {
    await mailer.send(mail, signal);
  } catch (err) {
    // The queue runs the job again at the next start.
    signal.throwIfAborted();
    const afterSeconds = err instanceof MailRejected ? undefined : retrySeconds[job.tries];
    const isFinal = afterSeconds === undefined || sendMail === null;
    onMailFault({ ...about, isFinal, err });
    await transaction(jobsDb, async (tx) => {
      await note?.(tx, isFinal ? 'failed' : 'retrying');
      if (!isFinal) await sendMail(tx, { queue: mailQueue, data: { ...job, tries: job.tries + 1 }, afterSeconds });
      return unaudited('the event of the mail has its entry', undefined);
    });
    return;
  }
  await note?.(jobsDb, 'sent');
}
