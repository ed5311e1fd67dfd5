import { logLevels, type LogLevel } from '@switchyard/contract/log-viewer';
import type { FoundLogEntry, LogSearchLine } from '@switchyard/contract/log-search';
import fc from 'fast-check';
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogReader, type LogReader } from './log-reader.ts';
import { searchLogDays, type DaysSearch } from './search-log-days.ts';

const folder = mkdtempSync(join(tmpdir(), 'switchyard-log-search-'));
const dir = join(folder, 'logs');
const reader = createLogReader({ indexDir: join(folder, 'index') });
afterAll(async () => {
  await reader.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
});

type Sought = { text?: string; isRegex?: boolean; levels?: readonly LogLevel[] | null; secrets?: boolean };

const search = (sought: Sought, options: Partial<DaysSearch> = {}, from: Pick<LogReader, 'find'> = reader) =>
  searchLogDays(from, {
    dir,
    startDate: '2026-11-01',
    endDate: undefined,
    query: {
      term: sought.text === undefined ? null : { query: sought.text, isRegex: sought.isRegex ?? false },
      levels: sought.levels ?? null,
      secrets: sought.secrets ?? false,
    },
    cursor: undefined,
    limits: { entries: 200, milliseconds: 60_000 },
    signal: new AbortController().signal,
    beforeDay: async () => undefined,
    ...options,
  });

/** All lines of a search, which is continued until it is complete. */
async function searchAll(sought: Sought, entriesAtOnce = 200): Promise<LogSearchLine[]> {
  const all: LogSearchLine[] = [];
  let cursor: string | undefined;
  do {
    cursor = undefined;
    for await (const line of search(sought, { limits: { entries: entriesAtOnce, milliseconds: 60_000 }, cursor: lastCursor(all) })) {
      all.push(line);
      if ('end' in line) cursor = line.end.cursor ?? undefined;
    }
  } while (cursor !== undefined);
  return all;
}

function lastCursor(lines: readonly LogSearchLine[]): string | undefined {
  const ends = lines.flatMap((line) => ('end' in line ? [line.end] : []));
  return ends.at(-1)?.cursor ?? undefined;
}

const entriesOf = (lines: readonly LogSearchLine[]): FoundLogEntry[] => lines.flatMap((line) => ('entry' in line ? [line.entry] : []));
const noticesOf = (lines: readonly LogSearchLine[]) => lines.flatMap((line) => ('notice' in line ? [line.notice] : []));

type Written = { level: LogLevel; message: string; second: number };
/** A format: its line for an entry, and the level that its entries have. */
type Writer = { line: (entry: Written, time: string) => string; levelOf: (level: LogLevel) => LogLevel | '' };

const same = (level: LogLevel) => level;
const none = (): '' => '';
const common = (level: LogLevel): LogLevel => (level === 'error' || level === 'warning' ? level : 'info');
const short = (level: LogLevel): string => common(level).toUpperCase();
const clock = (time: string) => time.slice(11);

/** What writes each format. Times are `2026-11-20 10:11:12`. */
const writers: Record<string, Writer> = {
  json: { line: ({ level, message }, time) => JSON.stringify({ time: `${time.replace(' ', 'T')}Z`, level, msg: message }), levelOf: same },
  monolog: { line: ({ level, message }, time) => `[${time}] app.${level.toUpperCase()}: ${message} {"user":7} []`, levelOf: same },
  logfmt: {
    line: ({ level, message }, time) => `time=${time.replace(' ', 'T')}Z level=${common(level)} msg=${JSON.stringify(message)}`,
    levelOf: common,
  },
  access: {
    line: ({ message }) =>
      `10.0.0.1 - - [20/Nov/2026:10:11:12 +0000] "GET /${encodeURI(message)} HTTP/1.1" 200 5 "-" "${message.replaceAll('"', '')}"`,
    levelOf: none,
  },
  'syslog-5424': {
    line: ({ level, message }, time) => `<${8 + logLevels.indexOf(level)}>1 ${time.replace(' ', 'T')}Z host app 1 ID - ${message}`,
    levelOf: same,
  },
  'syslog-3164': {
    line: ({ level, message }) => `<${8 + logLevels.indexOf(level)}>Nov 20 10:11:12 host app[1]: ${message}`,
    levelOf: same,
  },
  cri: { line: ({ message }, time) => `${time.replace(' ', 'T')}.000000000Z stdout F ${message}`, levelOf: none },
  glog: {
    line: ({ level, message }, time) => `${short(level).slice(0, 1)}1120 ${clock(time)}.000000    1 main.cc:1] ${message}`,
    levelOf: common,
  },
  redis: { line: ({ message }, time) => `1:M 20 Nov 2026 ${clock(time)}.000 * ${message}`, levelOf: () => 'notice' },
  logcat: {
    line: ({ level, message }, time) => `11-20 ${clock(time)}.000  100  200 ${short(level).slice(0, 1)} Tag: ${message}`,
    levelOf: common,
  },
  php: { line: ({ message }, time) => `[20-Nov-2026 ${clock(time)} UTC] PHP Warning:  ${message}`, levelOf: () => 'warning' },
  postgresql: { line: ({ message }, time) => `${time}.000 UTC [1] LOG:  ${message}`, levelOf: () => 'info' },
  w3c: { line: ({ message }, time) => `${time} GET /${encodeURI(message)} ${message.replaceAll(/\s/g, '+')}`, levelOf: none },
  text: { line: ({ level, message }, time) => `${time} ${short(level)} ${message}`, levelOf: common },
  'level-first': { line: ({ level, message }) => `${short(level)}:main:${message}`, levelOf: common },
  lines: { line: ({ message }) => message, levelOf: none },
};
const formatNames = Object.keys(writers);

const words = ['alpha', 'BETA', 'gamma ray', 'straße', 'x{y', '(a+)+$', 'ПРИВЕТ'];
const message = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '));
const entries = fc
  .array(fc.record({ level: fc.constantFrom(...logLevels), message, second: fc.nat(59) }), { minLength: 1, maxLength: 12 })
  .map((all) => all.toSorted((one, other) => one.second - other.second));
/** A day: its format, and its entries by file. Only days of these formats have several files, because all have times. */
const day = fc.oneof(
  fc.record({ format: fc.constantFrom(...formatNames), files: fc.tuple(entries) }),
  fc.record({ format: fc.constantFrom('json', 'monolog', 'logfmt', 'text'), files: fc.array(entries, { minLength: 2, maxLength: 3 }) }),
);
const terms = fc.oneof(
  fc.constantFrom('alpha', 'beta', 'GAMMA RAY', 'straße', 'x{y', '(a+)+$', 'привет', 'user').map((text) => ({ text, isRegex: false })),
  fc
    .constantFrom(
      'alpha|gamma',
      'al+pha',
      '(?:alp|gam)[hm]a',
      String.raw`be?ta\s+x\{y`,
      String.raw`\(a\+\)\+\$`,
      '[α-ω]',
      'b.t',
      'привет',
      String.raw`[^ -~]{6}`,
    )
    .map((text) => ({ text, isRegex: true })),
  fc.constant({}),
);
const levels = fc.oneof(fc.constant(null), fc.uniqueArray(fc.constantFrom(...logLevels), { minLength: 1, maxLength: 3 }));

type Model = { date: string; id: number; source: string; level: LogLevel | ''; written: string; time: string };

describe('a search across days', () => {
  it('[LOGX-017] finds in days of all formats what a plain filter of all entries finds, in their order, also in parts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(day, { minLength: 1, maxLength: 4 }),
        terms,
        levels,
        fc.integer({ min: 1, max: 20 }),
        async (days, term, wanted, size) => {
          rmSync(dir, { recursive: true, force: true });
          mkdirSync(dir);
          const model: Model[] = [];
          for (const [at, { format, files }] of days.entries()) {
            const date = `2026-11-${20 + at}`;
            const { line, levelOf } = writers[format] ?? { line: () => '', levelOf: none };
            const found = files.flatMap((own, nth): Model[] => {
              const texts = own.map((entry) => line(entry, `${date} 10:11:${String(entry.second).padStart(2, '0')}`));
              const head = format === 'w3c' ? '#Fields: date time cs-method cs-uri-stem cs(Referer)\n' : '';
              // Packed and rotated files of the day, too.
              const name = nth === 0 ? `app-${date}.log` : nth === 1 ? `app-${date}.log.1.gz` : `web-${date}.log`;
              writeFileSync(join(dir, name), nth === 1 ? gzipSync(`${texts.join('\n')}\n`) : `${head}${texts.join('\n')}\n`);
              const source = files.length === 1 ? '' : name.endsWith('.gz') ? name : name.slice(0, 3);
              return own.map(({ level, second }, id) => ({
                date,
                id,
                source,
                level: levelOf(level),
                written: texts[id] ?? '',
                time: `${second + 10}`,
              }));
            });
            const order =
              files.length === 1
                ? found.toReversed()
                : found
                    .toReversed()
                    .toSorted((one, other) => bySource(one, other))
                    .toSorted((one, other) => Number(other.time) - Number(one.time));
            model.unshift(...order);
          }
          const pattern = 'isRegex' in term && term.isRegex ? new RegExp(term.text, 'im') : null;
          const expected = model.filter(
            ({ level, written }) =>
              (wanted === null || wanted.some((one) => one === level)) &&
              (!('text' in term) || (pattern?.test(written) ?? written.toLowerCase().includes(term.text.toLowerCase()))),
          );
          const all = await searchAll({ ...term, levels: wanted }, size);
          expect(entriesOf(all).map(({ date, id, source, level }) => [date, id, source, level])).toEqual(
            expected.map(({ date, id, source, level }) => [date, id, source, level]),
          );
          expect([all.at(-1), noticesOf(all)]).toEqual([{ end: { reason: 'complete', cursor: null } }, []]);
        },
      ),
      { numRuns: 100 },
    );
  });

  const json = (text: string, more: object = {}) => `${JSON.stringify({ level: 'info', msg: text, ...more })}\n`;
  const headersOf = (lines: readonly LogSearchLine[]) => entriesOf(lines).map(({ date, header }) => `${date.slice(-2)} ${header}`);
  const many = (count: number, text: string) => Array.from({ length: count }, (_, n) => json(`${text} ${n}`)).join('');
  const fileOf = (date: string) => join(dir, `app-${date}.log`);

  it('[LOGX-018] names the part of the entry that has the text, with what is around it', async () => {
    writeFileSync(
      fileOf('2026-11-20'),
      [
        json('the word in the middle'),
        json('other', { context: { key: 'a word' } }),
        json('other', { stack: 'Error\n at word' }),
        json(`${'x'.repeat(20_000)} word`),
        '{"level":"info","msg":"\\u0077ord escaped"}\n',
        '{"level":"info","msg":"other","context":{"key":"\\u0077ord"}}\n',
      ].join(''),
    );
    const excerpts = entriesOf(await searchAll({ text: 'w[o]rd', isRegex: true })).map(({ excerpt }) => excerpt);
    expect(excerpts.slice(0, 2)).toEqual([
      { part: 'context', before: '{"key":"', match: 'word', after: '"}' },
      { part: 'header', before: '', match: 'word', after: ' escaped' },
    ]);
    expect(excerpts[2]).toMatchObject({ part: 'header', before: '', match: '' });
    expect(excerpts.slice(3)).toEqual([
      { part: 'stack', before: 'Error\n at ', match: 'word', after: '' },
      { part: 'context', before: '{"key":"a ', match: 'word', after: '"}' },
      { part: 'header', before: 'the ', match: 'word', after: ' in the middle' },
    ]);
    expect(entriesOf(await searchAll({ text: '"msg":"OTHER"' })).map(({ excerpt }) => excerpt?.part)).toEqual(['file', 'file', 'file']);
  });

  it('[LOGX-019] applies ^ and $ to lines of what is shown, and matches in any case unless the expression says otherwise', async () => {
    writeFileSync(fileOf('2026-11-20'), json('Timeout of db', { stack: 'Error\nat Timeout' }) + json('no timeout') + json('TIMEOUT'));
    const found = async (text: string) => entriesOf(await searchAll({ text, isRegex: true })).map(({ header }) => header);
    expect(await found('^timeout')).toEqual(['TIMEOUT', 'Timeout of db']);
    expect(await found('timeout$')).toEqual(['TIMEOUT', 'no timeout', 'Timeout of db']);
    expect(await found('(?-i)^Timeout')).toEqual(['Timeout of db']);
    expect(await found('^at timeout$')).toEqual(['Timeout of db']);
    expect(await found('^nothing$')).toEqual([]);
  });

  it('[LOGX-020] reports how far it is, and ends with a cursor after its time', async () => {
    for (const date of ['2026-11-19', '2026-11-20']) writeFileSync(fileOf(date), many(20_000, 'found'));
    const lines: LogSearchLine[] = [];
    for await (const line of search({ text: 'found 7' }, { limits: { entries: 10_000, milliseconds: 1 } })) lines.push(line);
    expect(lines[0]).toMatchObject({ progress: { date: '2026-11-20', days: 0, of_days: 2, bytes: 0 } });
    expect(lines.at(-1)).toEqual({ end: { reason: 'time', cursor: expect.any(String) } });
    const rest: LogSearchLine[] = [];
    for await (const line of search({ text: 'found 7' }, { limits: { entries: 10_000, milliseconds: 60_000 }, cursor: lastCursor(lines) }))
      rest.push(line);
    expect(rest.at(-1)).toEqual({ end: { reason: 'complete', cursor: null } });
    expect([...headersOf(lines), ...headersOf(rest)]).toEqual(headersOf(await searchAll({ text: 'found 7' })));
    expect(headersOf(await searchAll({ text: 'found 7' }))).toHaveLength(2 * 2_222 - 2 * 1_111);
  });

  it('[LOGX-021] identifies each file of a day before it searches one further', async () => {
    const names = ['app', 'web'].map((name) => `${name}-2026-11-20.log`);
    for (const name of names) writeFileSync(join(dir, name), 'x');
    const asked: string[] = [];
    const find: LogReader['find'] = async (path) => {
      asked.push(basename(path));
      const place = { before: 1, identity: '{}' };
      return { entries: [], place, isDone: asked.length > 2, isIndexing: false, progress: { bytes: 0, of: 1 } };
    };
    for await (const _ of search({}, {}, { find }));
    expect(asked.slice(0, 2)).toEqual(names);
  });

  it('[LOGX-021] follows a file that is renamed while it is searched', async () => {
    const path = fileOf('2026-11-20');
    writeFileSync(path, many(500, 'found'));
    writeFileSync(fileOf('2026-11-19'), many(3, 'older'));
    const lines: LogSearchLine[] = [];
    for await (const line of search({}, { limits: { entries: 10_000, milliseconds: 60_000 } })) {
      if (entriesOf(lines).length === 10 && 'entry' in line) {
        renameSync(path, `${path}.1`);
        writeFileSync(path, many(5, 'new'));
      }
      lines.push(line);
    }
    expect(headersOf(lines)).toEqual([
      ...Array.from({ length: 500 }, (_, n) => `20 found ${499 - n}`),
      ...[2, 1, 0].map((n) => `19 older ${n}`),
    ]);
    expect(noticesOf(lines)).toEqual([]);
  });

  it.each([
    ['truncated', (path: string) => truncateSync(path, 0)],
    [
      'replaced',
      (path: string) => {
        writeFileSync(`${path}.new`, many(900, 'new'));
        renameSync(`${path}.new`, path);
      },
    ],
    ['deleted', (path: string) => rmSync(path)],
  ])('[LOGX-021] goes on with the older days when a file is %s while it is searched, and says so', async (change, spoil) => {
    const path = fileOf('2026-11-20');
    writeFileSync(path, many(500, 'found'));
    writeFileSync(fileOf('2026-11-19'), many(3, 'older'));
    const lines: LogSearchLine[] = [];
    for await (const line of search({})) {
      if (entriesOf(lines).length === 10 && 'entry' in line) spoil(path);
      lines.push(line);
    }
    expect(headersOf(lines).slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, n) => `20 found ${499 - n}`));
    expect(headersOf(lines).slice(-3)).toEqual([2, 1, 0].map((n) => `19 older ${n}`));
    expect(headersOf(lines).filter((header) => header.includes('new'))).toEqual([]);
    expect([noticesOf(lines), lines.at(-1)]).toEqual([
      [{ date: '2026-11-20', source: 'app', change }],
      { end: { reason: 'complete', cursor: null } },
    ]);
  });

  it('[LOGX-021] is continued in a file that was rotated since, without its new entries', async () => {
    const path = fileOf('2026-11-20');
    writeFileSync(path, many(20, 'found'));
    const first: LogSearchLine[] = [];
    for await (const line of search({}, { limits: { entries: 5, milliseconds: 60_000 } })) first.push(line);
    appendFileSync(path, many(3, 'appended'));
    renameSync(path, `${path}.1`);
    writeFileSync(path, many(2, 'new'));
    const rest: LogSearchLine[] = [];
    for await (const line of search({}, { cursor: lastCursor(first) })) rest.push(line);
    expect([...headersOf(first), ...headersOf(rest)]).toEqual(Array.from({ length: 20 }, (_, n) => `20 found ${19 - n}`));
    expect(entriesOf(rest)[0]?.source).toBe('app-2026-11-20.log.1');
  });

  it('[LOGX-020] starts from the newest entry if the cursor is none of a search', async () => {
    writeFileSync(fileOf('2026-11-20'), many(3, 'found'));
    for (const cursor of ['x', Buffer.from('{"date":"2026-11-20","files":[{"before":-1}]}').toString('base64url')]) {
      const lines: LogSearchLine[] = [];
      for await (const line of search({}, { cursor })) lines.push(line);
      expect(headersOf(lines)).toEqual(['20 found 2', '20 found 1', '20 found 0']);
    }
  });

  it('[LOGX-017] searches the days of its range alone, and reads no more when its reader leaves', async () => {
    for (const at of [18, 19, 20]) writeFileSync(fileOf(`2026-11-${at}`), many(2, 'found'));
    const lines: LogSearchLine[] = [];
    for await (const line of search({}, { startDate: '2026-11-19', endDate: '2026-11-19' })) lines.push(line);
    expect(headersOf(lines)).toEqual(['19 found 1', '19 found 0']);
    const leaving = new AbortController();
    const read: string[] = [];
    for await (const line of search({}, { signal: leaving.signal, beforeDay: async (date) => void read.push(date) }))
      if ('entry' in line) leaving.abort();
    expect(read).toEqual(['2026-11-20']);
  });

  it('[LOGX-011] neither finds nor shows secrets', async () => {
    writeFileSync(fileOf('2026-11-20'), json('Sign-in', { context: { password: 'hunter2', user: 'ann' } }));
    const found = async (sought: Sought) => entriesOf(await searchAll(sought)).map(({ excerpt }) => excerpt);
    expect(await found({ text: 'hunter2' })).toEqual([]);
    expect(await found({ text: 'hunt.r', isRegex: true })).toEqual([]);
    expect(JSON.stringify(await found({ text: 'ann' }))).not.toContain('hunter2');
    expect(await found({ text: 'ann' })).toHaveLength(1);
    expect(await found({ text: 'hunt.r', isRegex: true, secrets: true })).toMatchObject([{ part: 'context', match: 'hunter' }]);
  });
});

/** Files of a day are in the order of their names. */
const order = ['app', 'app.gz', 'web'];
function bySource(one: Model, other: Model): number {
  const place = ({ source }: Model) => order.indexOf(source.endsWith('.gz') ? 'app.gz' : source);
  return place(one) - place(other);
}
