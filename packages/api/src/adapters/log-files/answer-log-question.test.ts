import { logLevels } from '@switchyard/contract/log-viewer';
import fc from 'fast-check';
import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { openLogFile } from './testing/log-file.ts';

const log = openLogFile();
const { path, page } = log;
afterAll(log.remove);

const lines = [
  '[2026-11-20 10:00:00.123456+02:00] production.ERROR: Broken {"path":"/api"} []\n#0 a\n',
  '{"level":"info","time":"2026-11-20T10:00:01Z","msg":"Served"}\n',
  '{"message":"Slow","level":300,"level_name":"WARNING"}\n',
  'text of nobody\n',
  '\n',
  '\0\0\0',
];
const texts = fc.array(fc.constantFrom(...lines), { minLength: 1, maxLength: 40 }).map((parts) => parts.join(''));

describe('what is read of a log file (R17)', () => {
  it('adds up and gives each entry once, whatever bytes are flipped and however little is read at a time', async () => {
    const flips = fc.array(fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(texts, flips, fc.integer({ min: 1, max: 500 }), async (text, changes, stepBytes) => {
        const bytes = Buffer.from(text);
        for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
        writeFileSync(path, bytes);
        const { counts, total, entries, indexing } = await page({ limit: '200' }, log.fresh({ stepBytes }));
        expect(indexing).toBeNull();
        expect(counts.all).toBe(total);
        expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: total }, (_, index) => total - 1 - index));
        for (const level of logLevels) expect(entries.filter((entry) => entry.level === level)).toHaveLength(counts[level]);
        expect(await page({ limit: '200' }, log.fresh())).toMatchObject({ counts, entries });
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same whether a file was read at once or as it grew', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(), { maxLength: 6 }), fc.integer({ min: 1, max: 500 }), async (text, cuts, stepBytes) => {
        const growing = log.fresh({ stepBytes });
        for (const end of [...cuts.map((cutAt) => cutAt % text.length).toSorted((a, b) => a - b), text.length]) {
          writeFileSync(path, text.slice(0, end));
          await page({}, growing);
        }
        const { counts, entries } = await page({ limit: '200' }, log.fresh());
        expect(await page({ limit: '200' }, growing)).toMatchObject({ counts, entries });
      }),
      { numRuns: 100 },
    );
  });

  it('pages through many blocks by level', async () => {
    writeFileSync(path, Array.from({ length: 5000 }, (_, n) => `{"level":"${n % 1000 === 7 ? 'error' : 'info'}","msg":"${n}"}\n`).join(''));
    const ids = async (query: Record<string, string>) => (await page(query, log.fresh())).entries.map(({ id }) => id);
    expect(await ids({ level: 'error', limit: '2', page: '2' })).toEqual([2007, 1007]);
    expect(await ids({ limit: '3', page: '1667' })).toEqual([1, 0]);
    expect(await ids({ limit: '3', page: '1668' })).toEqual([]);
  });

  it('cuts what is longer than 1 MiB and shows broken UTF-8 with marks', async () => {
    const long = Buffer.alloc(3_000_000, 'a');
    const start = Buffer.from('[2026-11-20 10:00:00] x.INFO: ');
    writeFileSync(path, Buffer.concat([start, long, Buffer.from('\n[2026-11-20 10:00:01] x.INFO: b\xff\n', 'latin1')]));
    const { entries } = await page({}, log.fresh());
    expect(entries.map(({ truncated, header }) => [truncated, header.slice(0, 2)])).toEqual([
      [false, 'b\uFFFD'],
      [true, 'aa'],
    ]);
    expect(entries[1]?.header.length).toBe(1_048_576 - start.length);
  });

  it('is nothing if the file was removed', async () => {
    rmSync(path);
    expect(await log.fresh()({ kind: 'counts', path })).toBeNull();
  });
});
