import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { soon } from '../../../test/soon.ts';
import { openLogFile } from './testing/log-file.ts';

let log: ReturnType<typeof openLogFile>;
beforeEach(() => {
  log = openLogFile();
});
afterEach(() => log.remove());

const line = (message: string) => `${JSON.stringify({ level: 'info', msg: message })}\n`;
const many = (count: number, filling = 100) => Array.from({ length: count }, (_, n) => line(`${n} ${'x'.repeat(filling)}`)).join('');
const headers = async (query: Record<string, string> = {}, answer = log.fresh()) =>
  (await log.page(query, answer)).entries.map(({ header }) => header.slice(0, 20));

describe('a file of which nothing is known yet (R18)', () => {
  it('shows its newest entries at once, and says how far it was read, until it is whole', async () => {
    writeFileSync(log.path, many(20_000));
    const answer = log.fresh({ indexMilliseconds: -1, stepBytes: 65_536 });
    const first = await log.page({ limit: '2' }, answer);
    expect(first.entries.map(({ id, header }) => [id, header.split(' ')[0]])).toEqual([
      [-1, '19999'],
      [-2, '19998'],
    ]);
    expect(first.indexing?.bytes).toBeGreaterThan(0);
    expect(first.indexing?.bytes).toBeLessThan(first.indexing?.of ?? 0);
    expect(first.total).toBeLessThan(20_000);
    expect(first.counts.info).toBe(first.total);
    const logPage = await log.page({ query: '19998 x' }, answer);
    expect(logPage).toMatchObject({ total: 1, stopped: null, indexing: null, entries: [{ id: 19_998 }] });
  });

  it('is indexed to its end by itself, and its index is read from the disk', async () => {
    writeFileSync(log.path, many(150_000));
    const answer = log.fresh({ indexMilliseconds: -1 });
    expect((await log.page({}, answer)).indexing).not.toBeNull();
    await expect.poll(() => (existsSync(log.indexDir) ? readdirSync(log.indexDir).length : 0), soon).toBe(1);
    // A reader that may read one step only knows the whole file.
    const { total, indexing } = await log.page({}, log.fresh({ indexMilliseconds: -1, stepBytes: 1 }));
    expect([total, indexing]).toEqual([150_000, null]);
    appendFileSync(log.path, line('later'));
    expect(await headers({ limit: '1' })).toEqual(['later']);
  });

  it('is served all the same where the folder of indexes cannot be written, as on a full disk', async () => {
    writeFileSync(log.indexDir, 'no folder');
    writeFileSync(log.path, many(150_000) + line('newest'));
    const { entries, counts, indexing } = await log.page({ limit: '1' }, log.fresh());
    expect([entries[0]?.header, counts.info, indexing]).toEqual(['newest', 150_001, null]);
  });

  it('is indexed again if its stored index is damaged or of another file', async () => {
    writeFileSync(log.path, many(150_000));
    await log.page({}, log.fresh());
    const [name = ''] = readdirSync(log.indexDir);
    for (const brokenText of ['', '{', '{"version":2,"starts":"AA==","counts":""}']) {
      writeFileSync(`${log.indexDir}/${name}`, brokenText);
      expect((await log.page({}, log.fresh())).total).toBe(150_000);
    }
    rmSync(log.path);
    writeFileSync(log.path, many(160_000, 99));
    expect((await log.page({}, log.fresh())).total).toBe(160_000);
  });
});

describe('lines that are made to be slow', () => {
  const beginnings = [
    '',
    '[',
    '<34>1 ',
    '<34>Nov 20 10:00:00 ',
    '2026-11-20 10:00:00 A',
    '2026-11-20 10:00:00.123 UTC ',
    '[2026-11-20 10:00:00 E',
    '[2026-11-20 10:00:00] a.',
    '20/Nov/2026 10:00:00 E',
    '[20-Nov-2026 10:00:00 E',
    '10:00:00 E',
    'Nov 20 10:00:00 E',
    '192.0.2.1 - ',
    'I20261120 10:00:00.1 1 a',
    '2026-11-20T10:00:00Z stdout F',
    'level=info msg=',
    'ERROR:',
    '{"level":"info","time":"2026-11-20 ',
    '#Fields: ',
  ];
  const fillings = [
    'a',
    'A',
    '1',
    '-',
    '_',
    '/',
    '.',
    ':',
    '+',
    ' ',
    '\t',
    '[',
    ']',
    '"',
    '\\',
    '=',
    ',',
    '(',
    '{',
    '\u001B[',
    'a-',
    '/a',
    'a ',
    '" ',
  ];

  it.each(beginnings)('[LOGX-002] are read at once: %j', async (beginning) => {
    const lines = fillings.flatMap((filling) => [`${beginning}${filling.repeat(2_000)}!`, `${beginning}${filling.repeat(2_000)}`]);
    writeFileSync(log.path, `${line('first')}${lines.join('\n')}\n`);
    const { entries } = await log.page({ limit: '200' }, log.fresh());
    expect(entries.at(-1)?.header).toBe('first');
  });
});

describe('a file that changes while it is read (R16)', () => {
  it('gives only entries of one file to a download, and ends it where the file was replaced, truncated or deleted', async () => {
    const changes = {
      replaced: () => {
        renameSync(log.path, `${log.path}.1`);
        writeFileSync(log.path, many(5000, 101));
      },
      truncated: () => truncateSync(log.path, 1000),
      'copied and truncated': () => {
        copyFileSync(log.path, `${log.path}.1`);
        truncateSync(log.path, 0);
        writeFileSync(log.path, many(6000, 102));
      },
      deleted: () => rmSync(log.path),
    };
    for (const change of Object.values(changes)) {
      writeFileSync(log.path, many(5000));
      const answer = log.fresh();
      const first = await answer({ kind: 'batch', path: log.path, place: null, reading: {} });
      if (first?.kind !== 'batch') throw new Error('No batch');
      expect(first.batch.entries[0]?.header).toMatch(/^4999 /);
      change();
      expect(await answer({ kind: 'batch', path: log.path, place: first.batch.next, reading: {} })).toBeNull();
    }
  });

  it('gives a download every entry once, also those of a file that grows or is not indexed yet', async () => {
    writeFileSync(log.path, many(5000));
    const answer = log.fresh({ stepBytes: 10_000 });
    const headerTexts: string[] = [];
    let place = null;
    do {
      const logBatch = await answer({ kind: 'batch', path: log.path, place, reading: {} });
      if (logBatch?.kind !== 'batch') throw new Error('No batch');
      headerTexts.push(...logBatch.batch.entries.map(({ header }) => header.split(' ')[0] ?? ''));
      place = logBatch.batch.next;
      appendFileSync(log.path, line('later'));
    } while (place !== null);
    expect(headerTexts).toEqual(Array.from({ length: 5000 }, (_, n) => String(4999 - n)));
  });

  it('skips holes of NUL bytes of any length, and loses nothing behind them', async () => {
    writeFileSync(log.path, line('before'));
    truncateSync(log.path, 20_000_000);
    appendFileSync(log.path, line('behind') + '\0'.repeat(3000) + line('last'));
    expect(await headers()).toEqual(['last', 'behind', 'before']);
    expect(await headers({ query: 'BEHIND' })).toEqual(['behind']);
    expect(await headers({}, log.fresh({ stepBytes: 1_000_000 }))).toEqual(['last', 'behind', 'before']);
  });
});

describe('content of a file (R17)', () => {
  it('shows a line of 100 MB cut and marked, and its neighbours whole', async () => {
    writeFileSync(log.path, line('before'));
    for (let part = 0; part < 100; part += 1) appendFileSync(log.path, Buffer.alloc(1_000_000, 'a'));
    appendFileSync(log.path, `\n${line('after')}`);
    const { entries } = await log.page({}, log.fresh());
    expect(entries.map(({ header, truncated, stack }) => [header, truncated, stack?.length ?? 0])).toEqual([
      ['after', false, 0],
      ['before', true, 1_048_576 - line('before').length],
    ]);
  });

  it.each([
    ['deeply nested JSON', `{"level":"info","msg":"deep","a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`],
    ['many starts of a context', `[2026-11-20 10:00:00] a.ERROR: ${' {"a":'.repeat(150_000)}\n#0 x`],
    ['many empty ends', `[2026-11-20 10:00:00] a.ERROR: x${' []'.repeat(300_000)} x`],
    ['a time of blanks', `{"level":"info","msg":"x","time":"${' '.repeat(900_000)}x"}`],
    ['an open bracket', `[2026-11-20 10:00:00] ${'a.'.repeat(500_000)}`],
    ['quotes without an end', `[2026-11-20 10:00:00] a.ERROR: ${' {"'.repeat(300_000)}`],
    ['a name of all objects', '{"level":"info","msg":"x","__proto__":{"a":1},"constructor":{"prototype":1}}'],
  ])('shows %s within a moment', async (_name, text) => {
    writeFileSync(log.path, `${line('before')}${text}\n${line('after')}`);
    const answer = log.fresh();
    const startedAt = performance.now();
    const { entries } = await log.page({}, answer);
    expect([entries[0]?.header, entries.at(-1)?.header]).toEqual(['after', 'before']);
    expect(JSON.stringify(entries).length).toBeGreaterThan(0);
    await log.page({ query: 'zzz"zz' }, answer);
    // A moment. Scanning a line again from each of its positions would take minutes.
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  it('has nothing to show of a file that may not be read', async () => {
    writeFileSync(log.path, line('secret'));
    // The account that runs the tests may be allowed to read everything.
    const isRoot = process.getuid?.() === 0;
    chmodSync(dirname(log.path), 0o755);
    chmodSync(log.path, isRoot ? 0o600 : 0);
    if (isRoot) chownSync(log.path, 0, 0);
    try {
      if (isRoot) process.seteuid?.(65_534);
      expect(await log.fresh()({ kind: 'counts', path: log.path })).toBeNull();
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    chmodSync(log.path, 0o600);
    expect(await headers()).toEqual(['secret']);
    mkdirSync(`${log.path}.d`);
    expect(await log.fresh()({ kind: 'counts', path: `${log.path}.d` })).toBeNull();
  });
});
