import { channelMessages } from '@switchyard/contract/channels';
import { MailRejected } from '../../adapters/mailer.ts';
import type { Databases } from '../../database/connect.ts';
import type { KeepMail } from '../../mails/kept-mail.ts';
import { factLine } from '../../mails/write-mail.ts';
import { insertKept, mailType } from './inbox-store.ts';

type Dependencies = { jobsDb: Databases['jobsDb']; now: () => Date; publicUrl: string };

/** Creates the function that keeps mails in the inbox. `publicUrl` is the address of the console, on which their links are. */
export function createKeepMail({ jobsDb, now, publicUrl }: Dependencies): KeepMail {
  return async ({ id, words: { to, subject, lead, button, facts }, list, attachment }) => {
    const data = {
      to: to.address,
      view: { list },
      attachment: attachment && { name: attachment.filename, bytes: attachment.content.length },
    };
    const lines = [lead, ...facts.map(factLine)];
    const path = button.link.slice(publicUrl.length);
    const message = { uid: id, type: mailType, severity: 'info', at: now(), title: subject, lines, path, data } as const;
    if ((await insertKept(jobsDb, null, message)) === 0) throw new MailRejected(channelMessages.noInbox);
  };
}
