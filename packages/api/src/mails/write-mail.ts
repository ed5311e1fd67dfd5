import { displayUtc } from '@switchyard/contract/dates';
import type { Mail, Recipient } from '../adapters/mailer.ts';

/** Names that every mail carries. `publicUrl` is the address of the console. */
export type MailNames = { productName: string; publicUrl: string };

/** A line of a mail: a name and its value. */
export type MailFact = readonly [name: string, value: string];

/** A link with its words. */
export type MailLink = { text: string; link: string };

/** The words of a mail to a person. Texts of people are made one line, wherever they stand. */
export type MailWords = {
  to: Recipient;
  subject: string;
  title: string;
  lead: string;
  button: MailLink;
  /** Links beside the button. */
  links?: readonly MailLink[];
  facts: readonly MailFact[];
  end: string;
};

/** A fact as a line of text. */
export function factLine([name, value]: MailFact): string {
  return `${oneLine(name)}: ${oneLine(value)}`;
}

/** Lays a mail to a person out. */
export function writeMail(names: MailNames, { to, lead, ...words }: MailWords): Mail {
  const { productName, publicUrl } = names;
  const origin = `${productName} sent this mail for the account ${to.address} on ${publicUrl}. Nobody reads replies.`;
  return { to, ...layOutMail(names, { ...words, paragraphs: [`Hello ${oneLine(to.name)},`, lead], sections: [], origin }) };
}

/** A part of a mail with a heading and a link. */
export type MailSection = { title: string; lines: readonly string[]; link: string };

type Layout = Omit<MailWords, 'to' | 'lead'> & { paragraphs: readonly string[]; sections: readonly MailSection[]; origin: string };

/** Lays a mail out as text and as HTML of the same words, in the colours of the console. */
export function layOutMail(
  { productName }: Pick<MailNames, 'productName'>,
  { subject, title, paragraphs, sections, button, links = [], facts, end, origin }: Layout,
): Omit<Mail, 'to'> {
  const lines = facts.map(factLine);
  const parts = sections.map((section) => [section.title, ...section.lines].map(oneLine).concat(section.link).join('\n'));
  const blocks = [
    ...paragraphs.map(oneLine),
    ...parts,
    ...[button, ...links].map(({ text, link }) => `${text}:\n${link}`),
    lines.join('\n'),
    end,
    origin,
  ];
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td class="dim line" style="${cell}width:110px;white-space:nowrap;color:#555d6c;">${escapeHtml(oneLine(name))}</td>` +
      `<td class="text line" style="${cell}word-break:break-word;color:#171a21;">${escapeHtml(oneLine(value))}</td></tr>`,
  );
  const texts = paragraphs.map((text) => `<p class="text" style="${paragraph}">${escapeHtml(oneLine(text))}</p>`);
  const boxes = sections.map(
    (section) =>
      `<p class="text line" style="${paragraph}padding-top:12px;border-top:1px solid #e3e6eb;"><a class="text" href="${escapeHtml(section.link)}" style="color:#171a21;font-weight:600;">${escapeHtml(oneLine(section.title))}</a>` +
      `${section.lines.map((line) => `<br>${escapeHtml(oneLine(line))}`).join('')}</p>`,
  );
  const others = links.map(
    ({ text, link }) =>
      `<a class="text button-beside" href="${escapeHtml(link)}" style="display:inline-block;margin-left:16px;padding:9px 0;color:#171a21;font-weight:600;">${escapeHtml(text)}</a>`,
  );
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${darkAndNarrow}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f6f7f9;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#f6f7f9;"><tr><td class="outer" align="center" style="padding:32px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;font-family:${fonts};font-size:14px;line-height:1.5;">
<tr><td class="text" style="padding:0 4px 12px;font-size:16px;font-weight:600;color:#171a21;"><span style="display:inline-block;width:10px;height:10px;margin-right:8px;border-radius:3px;background:#4761d8;"></span>${escapeHtml(productName)}</td></tr>
<tr><td class="card" style="padding:28px 32px;background:#ffffff;border:1px solid #e3e6eb;border-radius:10px;">
<h1 class="text" style="margin:0 0 16px;font-size:20px;line-height:1.3;font-weight:600;color:#171a21;">${escapeHtml(title)}</h1>
${[...texts, ...boxes].join('\n')}
<p style="margin:20px 0;"><a class="button" href="${escapeHtml(button.link)}" style="display:inline-block;padding:9px 18px;border-radius:8px;background:#3451c6;color:#ffffff;font-weight:600;text-decoration:none;">${escapeHtml(button.text)}</a>${others.join('')}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;font-size:13px;border-collapse:collapse;">${rows.join('')}</table>
<p class="text" style="${paragraph}">${escapeHtml(end)}</p>
<p class="dim" style="margin:0;font-size:12px;color:#555d6c;word-break:break-all;">${escapeHtml(button.link)}</p>
</td></tr>
<tr><td class="dim" style="padding:12px 4px 0;font-size:12px;color:#555d6c;">${escapeHtml(origin)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
  return { subject: oneLine(subject), text: `${blocks.filter((block) => block !== '').join('\n\n')}\n`, html };
}

/** When and from where something was done, as every mail says it. */
export function originFacts({ at, ip }: { at: Date; ip: string }): MailFact[] {
  return [
    ['Time', displayUtc(at)],
    ['IP address', ip],
  ];
}

// Colours of packages/web/src/shared/ui/theme/palette.css. Clients that drop the style sheet show the light ones.
const fonts = "Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const cell = 'padding:7px 12px 7px 0;vertical-align:top;border-top:1px solid #e3e6eb;';
const paragraph = 'margin:0 0 12px;color:#171a21;';
const darkAndNarrow = `
@media (max-width: 480px) { .outer { padding: 16px 12px !important; } .card { padding: 20px 18px !important; } .button { display: block !important; text-align: center; } .button-beside { margin: 8px 16px 0 0 !important; } }
@media (prefers-color-scheme: dark) {
.page { background: #0e1014 !important; } .card { background: #14171c !important; border-color: #242932 !important; }
.text { color: #e7e9ed !important; } .dim { color: #a4abb9 !important; } .line { border-color: #242932 !important; } .button { background: #4761d8 !important; }
}
`;

/** A text in one line and one direction: a name with line breaks could write lines of its own, one with overrides could turn others around. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '').replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
