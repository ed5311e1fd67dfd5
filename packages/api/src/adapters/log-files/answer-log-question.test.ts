import { logLevels } from '@switchyard/contract/log-levels';
import { logEntriesQuery } from '@switchyard/contract/log-viewer';
import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createLogAnswers } from './answer-log-question.ts';

const folder = mkdtempSync(join(tmpdir(), 'switchyard-log-answers-'));
const path = join(folder, 'console-2026-11-20.log');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fresh = () => createLogAnswers({ indexDir: join(folder, 'index'), searchMilliseconds: 10_000 });

function pageOf(query: Record<string, string>, answer = fresh()) {
  const read = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]));
  const found = answer({ kind: 'page', path, query: logEntriesQuery.parse(read) });
  if (found?.kind !== 'page') throw new Error('No page');
  return found.page;
}

const lines = [
  '[2026-11-20 10:00:00.123456+02:00] production.ERROR: Broken {"path":"/api"} []\n#0 a\n',
  '{"level":"info","time":"2026-11-20T10:00:01Z","msg":"Served"}\n',
  '{"message":"Slow","level":300,"level_name":"WARNING"}\n',
  'text of nobody\n',
  '\n',
];

describe('what is read of a log file (R17)', () => {
  it('adds up and gives each entry once, whatever bytes are flipped', () => {
    const flips = fc.array(fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 60 }), flips, (parts, changes) => {
        const bytes = Buffer.from(parts.join(''));
        if (bytes.length > 0) for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
        writeFileSync(path, bytes);
        const { counts, total, entries } = pageOf({ limit: '200' });
        expect(logLevels.reduce((sum, level) => sum + counts[level], 0)).toBe(total);
        expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: total }, (_, index) => total - 1 - index));
        for (const level of logLevels) expect(entries.filter((entry) => entry.level === level)).toHaveLength(counts[level]);
      }),
      { numRuns: 300 },
    );
  });

  it('is the same whether a file was read at once or as it grew', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...lines), { minLength: 1, maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        (parts, cuts) => {
          const text = parts.join('');
          const growing = fresh();
          for (const end of [...cuts.map((cut) => cut % text.length).toSorted((a, b) => a - b), text.length]) {
            writeFileSync(path, text.slice(0, end));
            pageOf({}, growing);
          }
          const { counts, entries } = pageOf({ limit: '200' });
          expect(pageOf({ limit: '200' }, growing)).toMatchObject({ counts, entries });
        },
      ),
    );
  });

  it('pages through many blocks by level', () => {
    writeFileSync(path, Array.from({ length: 5000 }, (_, n) => `{"level":"${n % 1000 === 7 ? 'error' : 'info'}","msg":"${n}"}\n`).join(''));
    expect(pageOf({ level: 'error', limit: '2', page: '2' }).entries.map(({ id }) => id)).toEqual([2007, 1007]);
    expect(pageOf({ limit: '3', page: '1667' }).entries.map(({ header }) => header)).toEqual(['1', '0']);
    expect(pageOf({ query: '007' })).toMatchObject({ total: 4, stopped: null });
  });

  it('cuts what is longer than 1 MiB and shows broken UTF-8 with marks', () => {
    const long = Buffer.alloc(3_000_000, 'a');
    const start = Buffer.from('[2026-11-20 10:00:00] x.INFO: ');
    writeFileSync(path, Buffer.concat([start, long, Buffer.from('\n[2026-11-20 10:00:01] x.INFO: b\xff\n', 'latin1')]));
    const { entries } = pageOf({});
    expect(entries.map(({ truncated, header }) => [truncated, header.slice(0, 2)])).toEqual([
      [false, 'b\uFFFD'],
      [true, 'aa'],
    ]);
    expect(entries[1]?.header.length).toBe(1_048_576 - start.length);
  });

  it('stops a search when its time is over and says so (S26)', () => {
    writeFileSync(path, lines[1] ?? '');
    const hurried = createLogAnswers({ indexDir: folder, searchMilliseconds: -1 });
    expect(pageOf({ query: 'served' }, hurried)).toMatchObject({ stopped: { bytes: 0 }, total: 0 });
  });

  it('is nothing when the file is gone', () => {
    rmSync(path);
    expect(fresh()({ kind: 'counts', path })).toBeNull();
  });
});
