import fc from 'fast-check';
import { appendFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { soughtText } from './sought-text.ts';
import { openLogFile } from './testing/log-file.ts';

const log = openLogFile();
const { path, page } = log;
afterAll(log.remove);

const json = (message: string, more: object = {}) => `${JSON.stringify({ level: 'info', msg: message, ...more })}\n`;
/** As PHP writes JSON: what is not ASCII and every slash escaped. */
const php = (message: string) =>
  `{"level_name":"ERROR","message":${JSON.stringify(message)
    .replaceAll('/', String.raw`\/`)
    .replaceAll(/[^ -~]/g, (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'))}}\n`;
const monolog = (message: string) => `[2026-11-20 10:00:00] app.WARNING: ${message.replaceAll(/[\r\n]/g, ' ')}\n`;

/** Letters of more than two cases. */
const wordsOfManyCases = ['οδος', 'δρόμος', 'STRAẞE', 'ǅ', 'ϴ', 'LİMAN', 'li', '300 \u212A', 'ΑΣ', 'ΑΣΦΑΛΕΙΑ'];
const usualWords = ['Time out', 'straße', 'ПРИВЕТ', 'a/b', '"q"', '10:11:12', '(a+)+$', 'x{y', 'Ä', '😀', 'e', '1,5', '\\n', ' '];
const words = fc.constantFrom(...usualWords, ...wordsOfManyCases);
const inAnyCase = (text: string) => text.toLowerCase().replaceAll('ς', 'σ');
const message = fc.array(words, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
const entry = fc.oneof(
  message.map((text) => json(text)),
  message.map((text) => json('nothing', { context: { key: text, list: [1, 2] } })),
  message.map((text) => json('nothing', { stack: `Error\n ${text}` })),
  message.map(php),
  message.map(monolog),
);

describe('a search of a log file', () => {
  it('[LOGX-010] finds what is shown of the entries and what the file has, whatever wrote them, in any case', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 30 }), words, fc.boolean(), async (entries, word, isUpper) => {
        writeFileSync(path, entries.join(''));
        const query = isUpper ? word.toUpperCase() : word.toLowerCase();
        if (query.trim() === '') return;
        const needle = inAnyCase(query.trim());
        const all = (await page({ limit: '200' }, log.fresh())).entries;
        const written = entries.toReversed();
        const expected = all.filter(({ header, context, stack }, at) =>
          [header, stack ?? '', context === null ? '' : JSON.stringify(context), written[at] ?? ''].some((text) =>
            inAnyCase(text).includes(needle),
          ),
        );
        const logPage = await page({ query, limit: '200' }, log.fresh());
        expect(logPage).toMatchObject({ entries: expected, total: expected.length, stopped: null });
      }),
      { numRuns: 300 },
    );
  });

  it('[LOGX-010] [LOGX-019] passes over no entry that has a letter in another case', () => {
    const letters = Array.from({ length: 0x2_00_00 }, (_, code) => String.fromCodePoint(code));
    const cased = letters.filter((letter) => /\p{Changes_When_Casemapped}/u.test(letter));
    const cases = (letter: string) => [letter.toLowerCase(), letter.toUpperCase(), letter.toLowerCase().toUpperCase()];
    const byCase = Map.groupBy(
      cased.flatMap((letter) => cases(letter).map((form) => ({ letter, form }))),
      ({ form }) => form,
    );
    let matches = 0;
    for (const [form, alike] of byCase) {
      const texts = new Set([form, ...alike.map(({ letter }) => letter)]);
      for (const query of texts) {
        for (const sought of [false, true].map((isRegex) => soughtText({ query: `x${query}y`, isRegex }))) {
          for (const text of [...texts].map((letter) => `x${letter}y`).filter(sought.isIn)) {
            for (const written of [Buffer.from(text).toString('latin1'), php(text)])
              expect([query, text, sought.patternFor([])?.test(written) ?? true]).toEqual([query, text, true]);
            matches += 1;
          }
        }
      }
    }
    expect(matches).toBeGreaterThan(10_000);
  });

  it('pages through finds in many blocks, by level, also after the file has grown', async () => {
    const line = (n: number) => `{"level":"${n % 2 === 0 ? 'error' : 'info'}","msg":"number ${n % 1000}"}\n`;
    writeFileSync(path, Array.from({ length: 5000 }, (_, n) => line(n)).join(''));
    const answer = log.fresh();
    const ids = async (query: Record<string, string>) => {
      const { total, entries } = await page({ query: 'NUMBER 42', ...query }, answer);
      return [total, ...entries.map(({ id }) => id)];
    };
    expect(await ids({ limit: '3', page: '2', level: 'error' })).toEqual([30, 4422, 4420, 4042]);
    const { matching, counts } = await page({ query: 'number 42', level: 'error' }, answer);
    expect(matching).toEqual({ ...counts, all: 55, error: 30, info: 25 });
    expect([counts.all, (await page({ level: 'error' }, answer)).matching]).toEqual([5000, null]);
    expect(await ids({ limit: '2', page: '28' })).toEqual([55, 42]);
    expect(await ids({ limit: '2', page: '29' })).toEqual([55]);
    appendFileSync(path, line(42) + Array.from({ length: 2000 }, (_, n) => line(n)).join(''));
    expect(await ids({ limit: '2', page: '1' })).toEqual([78, 6430, 6429]);
    expect(await ids({ limit: '1', page: '78' })).toEqual([78, 42]);
  });

  it('stops when its time is over, says how far it came, and goes on from there when it is asked again (S26)', async () => {
    const lines = 20_000;
    writeFileSync(path, Array.from({ length: lines }, (_, n) => json(`found ${n}`, { filling: 'x'.repeat(100) })).join(''));
    const answerHurried = log.fresh({ searchMilliseconds: -1 });
    const progress: number[] = [];
    const totals: number[] = [];
    for (let calls = 0; calls < 100; calls += 1) {
      const { total, stopped, entries } = await page({ query: 'found', limit: '1' }, answerHurried);
      if (totals.length > 0) expect(entries[0]?.header).toBe(`found ${lines - 1}`);
      totals.push(total);
      if (!stopped) break;
      expect(stopped.of).toBeGreaterThan(stopped.bytes);
      progress.push(stopped.bytes);
    }
    expect(progress.length).toBeGreaterThan(1);
    expect(progress).toEqual([...new Set(progress)].toSorted((a, b) => a - b));
    expect(totals).toEqual([...new Set(totals)].toSorted((a, b) => a - b));
    expect(totals.at(-1)).toBe(lines);
  });

  it('answers another viewer while a search of a file goes on (S26)', async () => {
    writeFileSync(path, Array.from({ length: 20_000 }, (_, n) => json(`"${n}"`, { filling: 'x'.repeat(100) })).join(''));
    const answer = log.fresh();
    await page({}, answer);
    const order: string[] = [];
    // None of this text is in a file as it is shown, so every entry has to be read.
    const search = page({ query: '","' }, answer).then(() => order.push('search'));
    await page({}, answer).then(() => order.push('page'));
    await search;
    expect(order).toEqual(['page', 'search']);
  });

  it('takes every pattern for the text it is, on a line of 100 MB of one letter (S26)', async () => {
    const patterns = ['(a+)+$', '.*.*.*.*x', '[a', String.raw`\u0061`, 'a{1000}'];
    writeFileSync(path, json('before'));
    for (let part = 0; part < 100; part += 1) appendFileSync(path, Buffer.alloc(1_000_000, 'a'));
    appendFileSync(path, `\n${patterns.map((pattern) => json(`this ${pattern} is it`)).join('')}`);
    const answer = log.fresh();
    const startedAt = performance.now();
    for (const query of patterns) {
      const { entries, stopped } = await page({ query }, answer);
      expect([entries.map(({ header }) => header), stopped]).toEqual([[`this ${query} is it`], null]);
    }
    expect(performance.now() - startedAt).toBeLessThan(50_000);
  });
});
