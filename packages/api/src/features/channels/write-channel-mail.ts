import { incidentActParameter, incidentActs } from '@switchyard/contract/alerts';
import { displayUtc } from '@switchyard/contract/dates';
import { capitalised } from '@switchyard/contract/text-fields';
import type { Mail } from '../../adapters/mailer.ts';
import { layOutMail, oneLine, type MailNames } from '../../mails/write-mail.ts';
import { titleOf, type MessageToSend } from './message-to-send.ts';

const longestSubject = 200;
/** Messages that a mail has in full. */
const mostSections = 50;

/** Lays out the mail of a channel: one message, or a list of them. */
export function writeChannelMail(
  names: MailNames,
  { channelName, addresses }: { channelName: string; addresses: readonly string[] },
  message: MessageToSend,
): Mail {
  const { productName, publicUrl } = names;
  const [first, ...others] = message.items;
  const isAlone = others.length === 0;
  const missing = message.items.length - mostSections;
  const title = isAlone ? first.title : `${titleOf(message)} from ${productName}`;
  const isOfIncident = first.type.startsWith('incident.');
  const facts = isAlone ? [['Severity', capitalised(first.severity)] as const, ['Time', displayUtc(first.at)] as const] : [];
  const layout = layOutMail(names, {
    // A subject with a line break would be a header of its own.
    subject: oneLine(title).slice(0, longestSubject),
    title,
    paragraphs: isAlone
      ? first.lines
      : missing > 0
        ? [`The first ${mostSections} of ${message.items.length} messages, the worst first.`]
        : [],
    sections: isAlone ? [] : message.items.slice(0, mostSections).map((item) => ({ title: item.title, lines: item.lines, link: item.url })),
    button:
      isAlone && isOfIncident
        ? { text: 'Open the incident', link: first.url }
        : { text: `Open ${productName}`, link: isAlone ? first.url : publicUrl },
    links:
      isAlone && isOfIncident && first.type !== 'incident.resolved'
        ? incidentActs.map((act) => ({ text: capitalised(act), link: `${first.url}?${incidentActParameter}=${act}` }))
        : [],
    facts,
    end: `You get this mail because your address is in the channel ${channelName.replaceAll(/\s+/g, ' ')}.`,
    origin: `${productName} sent this mail from ${publicUrl}. Nobody reads replies.`,
  });
  return { ...layout, to: addresses.map((address) => ({ name: '', address })), id: message.id };
}
