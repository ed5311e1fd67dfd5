import { securityMailEvents } from '@switchyard/contract/security-mails';
import { z } from 'zod';
import { deliverMail, type MailDependencies } from '../../mails/deliver-mail.ts';
import { writeSecurityMail } from './write-security-mail.ts';

/** All that the mail says, because the account may have another address by then. */
export const noticeData = z.object({
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

/** Mails a notice to the owner of an account. */
export async function mailNotice(deps: MailDependencies, job: z.output<typeof noticeData>, signal: AbortSignal): Promise<void> {
  const { event, accountId, id } = job;
  // One id for all attempts lets mail programs drop a message that was sent twice.
  const mail = { ...writeSecurityMail(deps, { ...job, at: new Date(job.at) }), id };
  await deliverMail(deps, { job, mail, about: { mail: event, accountId } }, signal);
}
