import { oneLine } from '../../mails/write-mail.ts';
import { titleOf, type MessageToSend } from './message-to-send.ts';

/** Characters of a text. Telegram takes 4096, Mattermost 4000 in its smallest configuration. */
const longestText = 3_500;
const longestLine = 500;

/** How a chat writes: what it does to words that people entered, to a title and to a link. */
type Style = { escape: (text: string) => string; bold: (escaped: string) => string; link: (url: string) => string };

/**
 * A whole address of e-mail, or else an `@`. Chats find mentions behind different characters, so only a letter or a digit may stand before
 * the `@` of an address, and only a delimiter before and behind the address.
 */
const addressOrSign =
  /(?<=^|[\s<>()[\]"',;])[A-Za-z0-9](?:[\w.+%-]*[A-Za-z0-9])?@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}(?=$|[\s<>()[\]"',;!?]|\.(?:\s|$))|@/g;

/** Breaks every `@` that could mention somebody, without changing how it looks. Addresses of e-mail stay as they are. */
function withoutMentions(text: string): string {
  return text.replaceAll(addressOrSign, (match) => (match === '@' ? '@\u200b' : match));
}

const styles: Readonly<Record<'telegram' | 'slack' | 'mattermost', Style>> = {
  // Sent without a parse mode, so nothing in it is markup.
  telegram: { escape: withoutMentions, bold: (text) => text, link: (url) => url },
  // Without angle brackets there is neither a link nor a mention such as <!channel>. A workspace may link names, too.
  slack: {
    escape: (text) => withoutMentions(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    bold: (text) => `*${text}*`,
    link: (url) => `<${url}|Open>`,
  },
  // Markdown. Without `!`, a mention in the form of Slack, which the server replaces before, is none.
  mattermost: {
    escape: (text) => withoutMentions(text).replaceAll(/[\\`*_[\]()#~|<>!]/g, String.raw`\$&`),
    bold: (text) => `**${text}**`,
    link: (url) => `[Open](${url})`,
  },
};

/** The text of a post to a chat: each message with its title, its lines and its link. A link that leaves no room for them is left out. */
export function writeChatText(kind: keyof typeof styles, message: MessageToSend): string {
  const { escape, bold, link } = styles[kind];
  const clean = (text: string): string => {
    const line = oneLine(text).slice(0, longestLine);
    return escape(line.replace(/\p{Cs}$/u, ''));
  };
  const isAlone = message.items.length === 1;
  // Only the first line of each of several messages, which says what is true, so that the text has as many as possible.
  const blocks = message.items.map(({ title, lines, url }) =>
    isAlone
      ? joinFitting([bold(clean(title)), ...lines.map(clean), link(url)])
      : [bold(clean(title)), ...lines.slice(0, 1).map(clean), ...(url.length > longestLine ? [] : [link(url)])].join('\n'),
  );
  const texts = isAlone ? blocks : [bold(clean(titleOf(message))), ...blocks];
  let room = longestText;
  const kept = texts.filter((text) => {
    const fits = text.length + 2 <= room;
    if (fits) room -= text.length + 2;
    return fits;
  });
  const missing = texts.length - kept.length;
  return [...kept, ...(missing === 0 ? [] : [`… and ${missing} more`])].join('\n\n');
}

/** The lines up to the longest text. The link is the last line and the first to go, because half of one leads nowhere. */
function joinFitting(lines: readonly string[]): string {
  const text = lines.join('\n');
  return text.length + 2 <= longestText ? text : joinFitting(lines.slice(0, -1));
}
