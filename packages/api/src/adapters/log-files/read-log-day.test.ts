import { type LogEntry, logEntriesQuery } from '@switchyard/contract/log-viewer';
import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findLogDay, type LogDay } from './log-folder.ts';
import { createLogReader } from './log-reader.ts';
import { createLogDayReader } from './read-log-day.ts';

const date = '2026-11-20';
const dir = mkdtempSync(join(tmpdir(), 'switchyard-log-day-'));
const files = createLogReader({ indexDir: join(dir, 'index') });
const reader = createLogDayReader(files);
afterAll(async () => {
  await files.close();
  rmSync(dir, { recursive: true, force: true });
});

type Line = { second: number; isError: boolean };

const startOfDay = Date.parse(`${date}T00:00:00Z`);

/** Writes the lines of each process, oldest first, and gives their day. */
async function write(processes: readonly (readonly Line[])[]): Promise<LogDay> {
  for (const [at, lines] of processes.entries()) {
    const text = lines.map(({ second, isError }, index) => {
      const time = new Date(startOfDay + second * 1000).toISOString();
      return `${JSON.stringify({ level: isError ? 'error' : 'info', time, msg: `${at} ${index}${index % 3 === 0 ? ' third' : ''}` })}\n`;
    });
    writeFileSync(join(dir, `console-p${at}-${date}.log`), text.join(''));
  }
  const day = await findLogDay(dir, date);
  if (!day) throw new Error('nothing was written');
  return day;
}

const page = async (day: LogDay, query: Record<string, string>) => {
  const logPage = await reader.page(
    day,
    logEntriesQuery.parse(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]))),
  );
  if (!logPage) throw new Error('the day is gone');
  return logPage;
};

const headersOf = (entries: readonly LogEntry[]) => entries.map(({ header, source }) => `${source} ${header}`);

async function allEntries(day: LogDay): Promise<LogEntry[]> {
  const all: LogEntry[] = [];
  for await (const entry of reader.entries(day, {})) all.push(entry);
  return all;
}

const lines = (most: number) =>
  fc
    .array(fc.record({ second: fc.nat(40), isError: fc.boolean() }), { minLength: 1, maxLength: most })
    .map((all) => all.toSorted((one, other) => one.second - other.second));

describe('a day of several files', () => {
  it('[LOG-024] [AMB-214] is one log, newest first, whose pages and download hold the same entries', async () => {
    await fc.assert(
      fc.asyncProperty(lines(30), lines(30), lines(5), fc.constantFrom('', 'third'), async (one, two, three, query) => {
        const day = await write([one, two, three]);
        const all = await allEntries(day);
        expect(all.map(({ datetime }) => datetime)).toEqual(
          all
            .map(({ datetime }) => datetime)
            .toSorted()
            .toReversed(),
        );
        const matchingEntries = all.filter(({ header }) => header.includes(query));
        const search: Record<string, string> = query === '' ? {} : { query };
        const pages = [];
        for (let at = 1; at <= Math.ceil(matchingEntries.length / 7); at += 1)
          pages.push(await page(day, { ...search, limit: '7', page: String(at) }));
        expect(pages.flatMap(({ entries }) => headersOf(entries))).toEqual(headersOf(matchingEntries));
        expect(pages.map(({ total }) => total)).toEqual(pages.map(() => matchingEntries.length));
        const errors = await page(day, { ...search, level: 'error', limit: '200' });
        expect(headersOf(errors.entries)).toEqual(headersOf(matchingEntries.filter(({ level }) => level === 'error')));
        for (const [newer, { id, datetime: time, source = '' }] of all.entries())
          expect([id, source, await reader.countNewer(day, { id, datetime: time, source }, {})]).toEqual([id, source, newer]);
        expect([errors.counts.all, (await reader.counts(day))?.counts.all]).toEqual([all.length, all.length]);
      }),
      { numRuns: 40 },
    );
  });

  it('[LOG-024] finds pages far from the newest entry, by level and by a search', async () => {
    const long = (count: number, every: number) =>
      Array.from({ length: count }, (_, at) => ({ second: at * every, isError: at % 2 === 0 }));
    // One process is busy early, one all day, one is older than the others, and many entries share a second.
    const day = await write([long(6000, 3), long(4000, 20), Array.from({ length: 1500 }, () => ({ second: 5, isError: true }))]);
    const all = await allEntries(day);
    for (const at of [1, 6, 7, 21, 40, 57, 58, 59]) {
      const logPage = await page(day, { limit: '200', page: String(at) });
      expect([at, headersOf(logPage.entries)]).toEqual([at, headersOf(all.slice((at - 1) * 200, at * 200))]);
    }
    const errors = all.filter(({ level, header }) => level === 'error' && header.includes('third'));
    const errorPage = await page(day, { limit: '200', page: '10', level: 'error', query: 'third' });
    expect(headersOf(errorPage.entries)).toEqual(headersOf(errors.slice(1800, 2000)));
  });
});
