import { z } from 'zod';
import { MailRejected, type Mailer } from '../../adapters/mailer.ts';
import type { Databases } from '../../database/connect.ts';
import { recordAudit, transaction, unaudited, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { createLink, findLink, linkAddress, mailQueue, type LinkDependencies } from './account-links-lookup.ts';
import { randomToken } from '../../secret-token.ts';
import { lockForgetful, setLinkToken, setMailState } from './account-links-store.ts';
import { writeLinkMail, type MailNames } from './write-link-mail.ts';

/** `tries` counts failures. */
const linkData = z.object({ kind: z.literal('link'), linkId: z.int(), tries: z.int().default(0) });
const forgottenData = z.object({ kind: z.literal('forgotten'), email: z.string(), ip: z.string(), requestId: z.string() });
const jobData = z.discriminatedUnion('kind', [linkData, forgottenData]);

/** Seconds to wait after the first, second … failure; after the last one the account shows that no mail could be sent. */
const usualRetrySeconds = [10, 60, 300, 900, 3600];

export type LinkMailDependencies = LinkDependencies & {
  jobsDb: Databases['jobsDb'];
  mailer: Mailer;
  names: MailNames;
  retrySeconds?: readonly number[];
  /** Called with each failure. Never gets the link. */
  onMailFault: (fault: { linkId: number; isFinal: boolean; err: unknown }) => void;
};

/** The job that looks for the account of a forgotten password. The call itself does not, so its duration tells nothing. */
export function forgottenJob(data: Omit<z.output<typeof forgottenData>, 'kind'>) {
  return { queue: mailQueue, data: { kind: 'forgotten', ...data } } as const;
}

/** Runs a job of the queue. If the process ends midway, the job runs again; the last mail has the link that works. */
export async function runLinkMail(deps: LinkMailDependencies, data: unknown, signal: AbortSignal): Promise<void> {
  const job = jobData.parse(data);
  if (job.kind === 'link') await mailLink(deps, job, signal);
  else await transaction(deps.jobsDb, async (tx) => answerForgotten(tx, deps, job));
}

async function answerForgotten(tx: OpenTransaction, deps: LinkMailDependencies, { email, ip, requestId }: z.output<typeof forgottenData>) {
  const account = await lockForgetful(tx, email);
  if (!account) return unchanged(undefined);
  await createLink(tx, deps, { accountId: account.id, purpose: 'password_reset' });
  const event = { actor: null, entity: 'password_reset', action: 'request', entityId: account.id, entityLabel: account.email } as const;
  return recordAudit(tx, { ...event, request: { ip, requestId } });
}

async function mailLink(deps: LinkMailDependencies, job: z.output<typeof linkData>, signal: AbortSignal): Promise<void> {
  const { jobsDb, mailer, publicUrl } = deps;
  const found = await findLink(jobsDb, { linkId: job.linkId, now: deps.now() });
  // Withdrawn, replaced or useless meanwhile.
  if (!found) return;
  const token = randomToken();
  await setLinkToken(jobsDb, found.linkId, token);
  const mail = writeLinkMail(deps.names, { ...found, link: linkAddress(publicUrl, found.purpose, token) });
  try {
    await mailer.send(mail, signal);
  } catch (err) {
    // The queue runs the job again at the next start.
    signal.throwIfAborted();
    await noteFailure(deps, job, err);
    return;
  }
  await setMailState(jobsDb, found.linkId, 'sent');
}

async function noteFailure(deps: LinkMailDependencies, job: z.output<typeof linkData>, err: unknown): Promise<void> {
  const { jobsDb, sendMail, retrySeconds = usualRetrySeconds, onMailFault } = deps;
  const afterSeconds = err instanceof MailRejected ? undefined : retrySeconds[job.tries];
  const isFinal = afterSeconds === undefined || sendMail === null;
  onMailFault({ linkId: job.linkId, isFinal, err });
  await transaction(jobsDb, async (tx) => {
    await setMailState(tx, job.linkId, isFinal ? 'failed' : 'retrying');
    if (!isFinal) await sendMail(tx, { queue: mailQueue, data: { ...job, tries: job.tries + 1 }, afterSeconds });
    return unaudited('the link has its entry', undefined);
  });
}
