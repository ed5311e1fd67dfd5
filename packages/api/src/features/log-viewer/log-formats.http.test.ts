import { logLevels } from '@switchyard/contract/log-viewer';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { formatSamples } from '../../../test/log-formats.ts';
import { day, headersOf, startLogViewer } from '../../../test/log-folders.ts';

const { LOG_DIR, APP_LOG_DIR, call } = await startLogViewer();

describe.each([
  ['log-viewer/logs', LOG_DIR],
  ['octopus-app/log', APP_LOG_DIR],
])('the viewer at %s', (base, dir) => {
  const page = async (query: string) => (await call('GET', `${base}/${day}?limit=200&${query}`)).body.data;

  it.each(Object.entries(formatSamples))(
    '[LOGX-001] [LOGX-002] [LOGX-003] shows, counts and finds the entries of %s',
    async (_name, { format, text, entries }) => {
      writeFileSync(join(dir, `console-${day}.log`), text);
      const shown = await page('details=1');
      expect(shown.format).toBe(format);
      expect(
        shown.entries.toReversed().map((entry: Record<string, string>) => [entry['level'], entry['datetime'], entry['header']]),
      ).toEqual(entries.map(([level, datetime, header]) => [level, datetime, header]));
      for (const level of logLevels) {
        const expected = entries.filter(([own]) => own === level).map(([, , header]) => header);
        expect([level, shown[level], headersOf((await page(`level=${level}`)).entries).toReversed()]).toEqual([
          level,
          expected.length,
          expected,
        ]);
      }
      for (const [, , header] of entries) expect(headersOf((await page(`query=${encodeURIComponent(header)}`)).entries)).toContain(header);
    },
  );

  it.each(Object.entries(formatSamples).filter(([, { entries }]) => entries.some(([, , , ...members]) => members.length > 0)))(
    '[LOGX-004] keeps the members of %s as the file writes them, and finds them so',
    async (_name, { text, entries }) => {
      writeFileSync(join(dir, `console-${day}.log`), text);
      for (const [, , header, ...members] of entries) {
        for (const member of members) {
          const { entries: found } = await page(`query=${encodeURIComponent(member)}`);
          expect([member, headersOf(found)]).toEqual([member, expect.arrayContaining([header])]);
        }
      }
    },
  );

  it('[LOGX-016] says on which page an entry is, also after the file grew and was rotated, and not once another one has its place', async () => {
    const path = join(dir, `shop-${day}.log`);
    const lines = (from: number, count: number): string =>
      Array.from({ length: count }, (_, at) => `[${day} 10:00:${String(from + at).padStart(2, '0')}] shop.INFO: Entry ${from + at}\n`).join(
        '',
      );
    const ask = async (query: string, id = 3) => (await call('GET', `${base}/${day}/entries/${id}?limit=5&${query}`)).body;
    const at = `datetime=${encodeURIComponent(`${day} 10:00:03`)}`;
    writeFileSync(path, lines(0, 8));
    expect((await ask(at)).data).toEqual({ page: 1 });
    writeFileSync(path, lines(0, 14));
    expect((await ask(at)).data).toEqual({ page: 3 });
    const shown = (await call('GET', `${base}/${day}?limit=5&page=3`)).body.data.entries;
    expect(shown.map(({ id, header }: { id: number; header: string }) => [id, header])).toContainEqual([3, 'Entry 3']);
    writeFileSync(`${path}.1`, lines(0, 14));
    writeFileSync(path, lines(20, 9));
    expect((await ask(at)).data).toEqual({ page: 4 });
    expect((await ask(`${at}&source=shop`)).data).toEqual({ page: 4 });
    for (const query of ['', 'datetime=x', at.replace('03', '04')]) expect((await ask(query)).message).toBe('Not found');
    expect((await ask(at, 99)).message).toBe('Not found');
    expect((await call('GET', `${base}/2026-01-01/entries/3?${at}`)).status).toBe(404);
  });

  it('[LOGX-005] answers with the specified keys only, unless details are requested', async () => {
    for (const name of [`console-a-${day}.log`, `console-b-${day}.log`]) writeFileSync(join(dir, name), '{"msg":"x"}\n');
    const [plain, detailed] = [await page(''), await page('details=1')];
    expect([Object.keys(plain).includes('format'), 'source' in plain.entries[0]]).toEqual([false, false]);
    expect([detailed.format, detailed.entries[0].source]).toEqual(['json', 'a']);
    expect(Object.keys(plain.entries[0]).toSorted()).toEqual(
      ['id', 'env', 'level', 'datetime', 'header', 'context', 'stack', 'truncated'].toSorted(),
    );
  });

  it('[LOGX-007] reads packed and rotated files as one day, ordered by fractions of a second', async () => {
    const line = (time: string, text: string) => `[2026-11-20 10:00:00.${time}] a.INFO: ${text}\n`;
    writeFileSync(join(dir, `console-${day}.log.2.gz`), gzipSync(line('100', 'first') + line('400', 'fourth')));
    writeFileSync(join(dir, `console-${day}.log.1`), line('200', 'second'));
    writeFileSync(join(dir, `console-${day}.log`), line('500', 'fifth'));
    writeFileSync(join(dir, `console-${day}-1.log`), line('300', 'third'));
    // gzip is still writing it.
    writeFileSync(join(dir, `console-${day}.log.1.gz`), gzipSync(line('200', 'second')).subarray(0, 20));
    const names = (entries: { header: string; source: string }[]) => entries.map(({ header, source }) => `${header} ${source}`);
    expect(names((await page('details=1')).entries)).toEqual([
      'fifth console',
      `fourth console-${day}.log.2.gz`,
      `third console-${day}-1.log`,
      `second console-${day}.log.1`,
      `first console-${day}.log.2.gz`,
    ]);
    expect(headersOf((await page('query=fourth')).entries)).toEqual(['fourth']);
    expect((await call('GET', `${base}/${day}/raw`)).body).toContain('fourth');
    expect((await call('GET', base)).body.data).toMatchObject([{ date: day, all: 5 }]);
    expect((await call('DELETE', `${base}/delete`, { date: day })).status).toBe(204);
    expect((await call('GET', base)).body.data).toEqual([]);
  });

  it('[LOGX-008] shows a packed file up to its damage, and anew when it is replaced', async () => {
    const file = join(dir, `console-${day}.log.gz`);
    const text = Array.from({ length: 60_000 }, (_, n) => `{"level":"info","msg":"${n} ${Math.sin(n)}"}\n`).join('');
    writeFileSync(file, gzipSync(text));
    expect(await page('query=%2259999%20')).toMatchObject({ all: 60_000, entries: [{ header: `59999 ${Math.sin(59_999)}` }] });
    expect(headersOf((await page('page=300')).entries).at(-1)).toBe('0 0');
    truncateSync(file, 400_000);
    const { all } = await page('');
    expect([all > 10_000, all < 60_000]).toEqual([true, true]);
    writeFileSync(file, gzipSync('{"msg":"new"}\n'));
    expect(headersOf((await page('')).entries)).toEqual(['new']);
  });

  it('[LOGX-006] reads a day in the format of the query', async () => {
    writeFileSync(join(dir, `console-${day}.log`), '[error] first\nsecond\n[debug] third\n');
    expect(headersOf((await page('')).entries)).toEqual(['third', 'first']);
    const asLines = await page('format=lines&details=1');
    expect([asLines.format, headersOf(asLines.entries)]).toEqual(['lines', ['[debug] third', 'second', '[error] first']]);
    expect(headersOf((await page('format=lines&query=sec')).entries)).toEqual(['second']);
    expect(headersOf((await page('format=unknown')).entries)).toEqual(['third', 'first']);
  });
});
