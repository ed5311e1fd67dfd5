import { accountLinkHours } from '@switchyard/contract/account-links';
import type { Mail } from '../../adapters/mailer.ts';
import type { LinkOrigin, LinkPurpose } from './account-links-lookup.ts';
import { originFacts, writeMail, type MailNames } from '../../mails/write-mail.ts';

/** The message with a link. The subject has nothing that a person typed. */
export function writeLinkMail(
  names: MailNames,
  { purpose, name, email, link, origin }: { purpose: LinkPurpose; name: string; email: string; link: string; origin: LinkOrigin | null },
): Mail {
  const { productName } = names;
  const hours = accountLinkHours[purpose];
  const valid = hours === 1 ? 'for one hour' : `for ${hours} hours`;
  const words =
    purpose === 'invitation'
      ? {
          subject: `Your account on ${productName}`,
          title: `Welcome to ${productName}`,
          lead: `An account on ${productName} was created for you. Open this link to choose a password.`,
          button: 'Set password',
          end: `The link works once, ${valid}. If you did not expect it, ignore this message.`,
        }
      : {
          subject: `New password for ${productName}`,
          title: 'Choose a new password',
          lead: `Somebody asked for a new password for your account on ${productName}. Open this link to choose one.`,
          button: 'Set new password',
          end: `The link works once, ${valid}. If it was not you, ignore this message: your password stays as it is.`,
        };
  const by = origin?.by == null ? [] : [['Invited by', origin.by] as const];
  const facts = origin === null ? [] : [...by, ...originFacts({ at: new Date(origin.at), ip: origin.ip })];
  return writeMail(names, { ...words, to: { name, address: email }, button: { text: words.button, link }, facts });
}
