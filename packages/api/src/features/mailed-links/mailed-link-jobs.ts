import { z } from 'zod';
import { recordAudit, transaction, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { deliverMail, mailQueue, type MailDependencies } from '../../mails/deliver-mail.ts';
import { randomToken } from '../../secret-keys/secret-token.ts';
import { createLink, findLink, linkAddress, linkOrigin, type LinkDependencies } from './account-links-lookup.ts';
import { lockResettableAccount, updateLinkToken, updateMailState } from './account-links-store.ts';
import { writeLinkMail } from './write-link-mail.ts';

/** `tries` counts failures. Jobs of the previous version have no `origin`. */
const linkData = z.object({
  kind: z.literal('link'),
  linkId: z.int(),
  origin: linkOrigin.nullable().default(null),
  tries: z.int().default(0),
});
const forgottenData = z.object({ kind: z.literal('forgotten'), email: z.string(), ip: z.string(), requestId: z.string() });
export const linkJob = z.discriminatedUnion('kind', [linkData, forgottenData]);

/** Mails with links are sent by jobs, which also look for the accounts of forgotten passwords. */
export type LinkJobDependencies = LinkDependencies & MailDependencies;

/** The job that looks for the account of a forgotten password. The call itself does not, so its duration reveals nothing. */
export function forgottenJob(data: Omit<z.output<typeof forgottenData>, 'kind'>) {
  return { queue: mailQueue, data: { kind: 'forgotten', ...data } } as const;
}

/** Runs a job of the queue. If the process ends midway, the job runs again; of mails with links the last one has the link that works. */
export async function runLinkJob(deps: LinkJobDependencies, job: z.output<typeof linkJob>, signal: AbortSignal): Promise<void> {
  if (job.kind === 'link') await mailLink(deps, job, signal);
  else await transaction(deps.jobsDb, async (tx) => answerForgotten(tx, deps, job));
}

async function answerForgotten(tx: OpenTransaction, deps: LinkJobDependencies, { email, ip, requestId }: z.output<typeof forgottenData>) {
  const account = await lockResettableAccount(tx, email);
  if (!account) return unchanged(undefined);
  await createLink(tx, deps, { accountId: account.id, purpose: 'password_reset', by: null, ip });
  const event = { actor: null, entity: 'password_reset', action: 'request', id: account.id, label: account.email } as const;
  return recordAudit(tx, { ...event, request: { ip, requestId, guardWrite: null } });
}

async function mailLink(deps: LinkJobDependencies, job: z.output<typeof linkData>, signal: AbortSignal): Promise<void> {
  const { jobsDb, publicUrl } = deps;
  const owner = await findLink(jobsDb, { linkId: job.linkId, now: deps.now() });
  // Withdrawn, replaced or useless meanwhile.
  if (!owner) return;
  const token = randomToken();
  await updateLinkToken(jobsDb, owner.linkId, token);
  const mail = writeLinkMail(deps, { ...owner, link: linkAddress(publicUrl, owner.purpose, token), origin: job.origin });
  const about = { mail: owner.purpose, accountId: owner.accountId };
  await deliverMail(deps, { job, mail, about, note: async (db, state) => updateMailState(db, owner.linkId, state) }, signal);
}
