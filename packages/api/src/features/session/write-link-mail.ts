import { accountLinkHours } from '@switchyard/contract/account-links';
import type { Mail } from '../../adapters/mailer.ts';
import type { LinkPurpose } from './account-links-lookup.ts';

export type MailNames = { productName: string };

/** The message with a link, as text and as HTML of the same words. The subject has nothing that a person typed. */
export function writeLinkMail(
  { productName }: MailNames,
  { purpose, name, email, link }: { purpose: LinkPurpose; name: string; email: string; link: string },
): Mail {
  const hours = accountLinkHours[purpose];
  const valid = hours === 1 ? 'for one hour' : `for ${hours} hours`;
  const words =
    purpose === 'invitation'
      ? {
          subject: `Your account on ${productName}`,
          lead: `An account on ${productName} was created for you. Open this link to choose a password:`,
          button: 'Set password',
          end: `The link works once, ${valid}. If you did not expect it, ignore this message.`,
        }
      : {
          subject: `New password for ${productName}`,
          lead: `Somebody asked for a new password for your account on ${productName}. Open this link to choose one:`,
          button: 'Set new password',
          end: `The link works once, ${valid}. If it was not you, ignore this message: your password stays as it is.`,
        };
  const { subject, lead, button, end } = words;
  const greeting = `Hello ${name},`;
  const paragraphs = [
    escapeHtml(greeting),
    escapeHtml(lead),
    `<a href="${escapeHtml(link)}">${button}</a>`,
    `<small>${escapeHtml(link)}</small>`,
    escapeHtml(end),
  ];
  return {
    to: { name, address: email },
    subject,
    text: [greeting, lead, link, end].join('\n\n'),
    html: paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n'),
  };
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
