import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeChatText } from './write-chat-text.ts';

const at = new Date('2026-11-20T10:00:00Z');
const item = { uid: '1', type: 'x', severity: 'warning', at, url: 'https://console.example/incidents/7', data: {} } as const;

/** The post of a message with this title, and this line, without the title of the console. */
const post = (kind: Parameters<typeof writeChatText>[0], text: string): string =>
  writeChatText(kind, { id: '1', at, items: [{ ...item, title: text, lines: [text] }] });

/**
 * Mentions as the server of Mattermost finds them: words of letters, digits and `:.-_@`, without the punctuation before them, and the parts
 * of a word between dots, dashes and colons.
 */
function mattermostMentions(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}:.\-_@]+/u);
  return words
    .flatMap((word) => [word, word.replace(/^[:.\-_]+/, ''), ...word.split(/[.\-:]/).map((part) => part.replace(/^_+/, ''))])
    .filter((word) => /^@[\p{L}\p{N}_.-]/u.test(word));
}

/** Mentions as Telegram finds them: `@` behind no letter, digit or underscore, and two or more of these behind it. */
const telegramMentions = (text: string): string[] => text.match(/(?<![\p{L}\p{N}])@[A-Za-z0-9_]{2,}/gu) ?? [];

/** Mentions as Slack finds them: `<@U1>`, `<!here>`, `<#C1>`; with linked names also a name behind an `@`. */
const slackMentions = (text: string): string[] => text.match(/<[@!#][^>]*>|(?<![\p{L}\p{N}])@[\p{L}\p{N}_.-]+/gu) ?? [];

const words =
  '@ @@ @all @channel here a 7 . _ - : + % \\ < > ! # | * ` & é a@example.com o.p-q@mail.example.com <!channel> <@U1> \u200b 😀'.split(' ');
const fragments = fc.constantFrom(' ', '\n', ...words);

describe('posts to chats', () => {
  it('[CHAN-008] mention nobody, whatever people entered', () => {
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(mattermostMentions(post('mattermost', text))).toEqual([]);
        expect(telegramMentions(post('telegram', text))).toEqual([]);
        expect(slackMentions(post('slack', text))).toEqual([]);
      }),
      { numRuns: 500, examples: [[['a', '.', '@channel']], [['_', '@all']], [['.', '@all']], [['a@example.com', '@all']]] },
    );
  });

  it('[CHAN-008] keep whole addresses of e-mail', () => {
    for (const text of ['a@example.com', 'Mail o.p-q@mail.example.com, please.', '(x+1@example.com).'])
      expect(post('telegram', text)).toContain(text);
  });

  it('[SCHED-121] keep the title and the lines of a report whose link is too long for them', () => {
    const lines = ['The saved view Traffic is ready.', ...Array.from({ length: 40 }, (_, n) => `Measure ${n}: 1,234,567`)];
    for (const kind of ['telegram', 'slack', 'mattermost'] as const) {
      const write = (query: string, measures = 3) => {
        const report = { ...item, title: 'Weekly', lines: lines.slice(0, 1 + measures), url: `https://console.example/reports?${query}` };
        return writeChatText(kind, { id: '1', at, items: [report] });
      };
      expect(write('days=7')).toContain('?days=7');
      const text = write(`search=${'x'.repeat(3_400)}`);
      expect(text).toMatch(
        /Weekly[\s\S]*The saved view Traffic is ready\.\nMeasure 0: 1,234,567\nMeasure 1: 1,234,567\nMeasure 2: 1,234,567$/,
      );
    }
    // Without a link that fits, a title and as many lines as fit.
    const long = writeChatText('telegram', {
      id: '1',
      at,
      items: [{ ...item, title: 'T', lines: lines.map((line) => line.padEnd(490, '.')) }],
    });
    expect(long.split('\n')).toHaveLength(8);
  });

  it('[SCHED-121] [CHAN-007] keep short messages behind one that is too long, and count those that are left out', () => {
    const short = { ...item, title: 'Short', lines: ['One line'] };
    const linked = { ...short, title: 'Linked', url: `https://console.example/reports?search=${'x'.repeat(3_400)}` };
    const text = writeChatText('telegram', { id: '1', at, items: [linked, short, short] });
    expect([text.match(/Linked\nOne line/g), text.match(/Short\nOne line\nhttps/g)?.length, text.includes('more')]).toEqual([
      ['Linked\nOne line'],
      2,
      false,
    ]);
    const large = { ...item, title: 'L'.repeat(500), lines: ['l'.repeat(500)] };
    const cut = writeChatText('telegram', { id: '1', at, items: [large, large, large, large, short] });
    expect([cut.includes('Short'), cut.endsWith('… and 1 more')]).toEqual([true, true]);
  });
});
