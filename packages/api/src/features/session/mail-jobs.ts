import { securityMailEvents } from '@switchyard/contract/security-mails';
import { z } from 'zod';
import { MailRejected, type Mail, type Mailer } from '../../adapters/mailer.ts';
import type { Databases } from '../../database/connect.ts';
import { recordAudit, transaction, unaudited, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { randomToken } from '../../secret-token.ts';
import { createLink, findLink, linkAddress, linkOrigin, mailQueue, type LinkDependencies } from './account-links-lookup.ts';
import { lockForgetful, setLinkToken, setMailState } from './account-links-store.ts';
import { writeLinkMail } from './write-link-mail.ts';
import { writeSecurityMail } from './write-security-mail.ts';

/** `tries` counts failures. Jobs of the previous version have no `origin`. */
const linkData = z.object({
  kind: z.literal('link'),
  linkId: z.int(),
  origin: linkOrigin.nullable().default(null),
  tries: z.int().default(0),
});
const forgottenData = z.object({ kind: z.literal('forgotten'), email: z.string(), ip: z.string(), requestId: z.string() });
/** All that the mail says, because the account may have another address by then. */
const noticeData = z.object({
  kind: z.literal('notice'),
  id: z.string(),
  event: z.enum(securityMailEvents),
  accountId: z.int(),
  to: z.object({ name: z.string(), address: z.string() }),
  by: z.string(),
  at: z.string(),
  ip: z.string(),
  facts: z.array(z.tuple([z.string(), z.string()])),
  tries: z.int().default(0),
});
const jobData = z.discriminatedUnion('kind', [linkData, forgottenData, noticeData]);

/** Seconds to wait after the first, second … failure; after the last one the mail is given up. */
const usualRetrySeconds = [10, 60, 300, 900, 3600];

export type MailJobDependencies = LinkDependencies & {
  jobsDb: Databases['jobsDb'];
  mailer: Mailer;
  productName: string;
  retrySeconds?: readonly number[];
  /** Called with each failure. Never gets the link. */
  onMailFault: (fault: { mail: string; accountId?: number; isFinal: boolean; err: unknown }) => void;
};

/** The job that looks for the account of a forgotten password. The call itself does not, so its duration tells nothing. */
export function forgottenJob(data: Omit<z.output<typeof forgottenData>, 'kind'>) {
  return { queue: mailQueue, data: { kind: 'forgotten', ...data } } as const;
}

/** Runs a job of the queue. If the process ends midway, the job runs again; of mails with links the last one has the link that works. */
export async function runMailJob(deps: MailJobDependencies, data: unknown, signal: AbortSignal): Promise<void> {
  const job = jobData.parse(data);
  if (job.kind === 'link') await mailLink(deps, job, signal);
  else if (job.kind === 'notice') await mailNotice(deps, job, signal);
  else await transaction(deps.jobsDb, async (tx) => answerForgotten(tx, deps, job));
}

async function answerForgotten(tx: OpenTransaction, deps: MailJobDependencies, { email, ip, requestId }: z.output<typeof forgottenData>) {
  const account = await lockForgetful(tx, email);
  if (!account) return unchanged(undefined);
  await createLink(tx, deps, { accountId: account.id, purpose: 'password_reset', by: null, ip });
  const event = { actor: null, entity: 'password_reset', action: 'request', entityId: account.id, entityLabel: account.email } as const;
  return recordAudit(tx, { ...event, request: { ip, requestId, guardWrite: null } });
}

async function mailLink(deps: MailJobDependencies, job: z.output<typeof linkData>, signal: AbortSignal): Promise<void> {
  const { jobsDb, publicUrl } = deps;
  const found = await findLink(jobsDb, { linkId: job.linkId, now: deps.now() });
  // Withdrawn, replaced or useless meanwhile.
  if (!found) return;
  const token = randomToken();
  await setLinkToken(jobsDb, found.linkId, token);
  const mail = writeLinkMail(deps, { ...found, link: linkAddress(publicUrl, found.purpose, token), origin: job.origin });
  const about = { mail: found.purpose, accountId: found.accountId };
  await deliver(deps, { job, mail, about, note: async (db, state) => setMailState(db, found.linkId, state) }, signal);
}

async function mailNotice(deps: MailJobDependencies, job: z.output<typeof noticeData>, signal: AbortSignal): Promise<void> {
  const { event, accountId, id } = job;
  // The same id for each attempt lets mail programs drop a message that was sent twice.
  const mail = { ...writeSecurityMail(deps, { ...job, at: new Date(job.at) }), id };
  await deliver(deps, { job, mail, about: { mail: event, accountId }, note: async () => undefined }, signal);
}

type Delivery = {
  job: z.output<typeof linkData> | z.output<typeof noticeData>;
  mail: Mail;
  about: { mail: string; accountId: number };
  /** Stores what became of the mail. */
  note: (db: Databases['jobsDb'], state: 'sent' | 'retrying' | 'failed') => Promise<void>;
};

/** Sends a mail, or leaves a job behind that sends it again later. */
async function deliver(deps: MailJobDependencies, { job, mail, about, note }: Delivery, signal: AbortSignal): Promise<void> {
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
      await note(tx, isFinal ? 'failed' : 'retrying');
      if (!isFinal) await sendMail(tx, { queue: mailQueue, data: { ...job, tries: job.tries + 1 }, afterSeconds });
      return unaudited('the event of the mail has its entry', undefined);
    });
    return;
  }
  await note(jobsDb, 'sent');
}
