import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { beginFinding } from './find-entries.ts';
import type { LogBytes } from './log-bytes.ts';
import { createLogIndexes } from './log-indexes.ts';

const dir = mkdtempSync(join(tmpdir(), 'switchyard-log-finding-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function bytesOf(text: string): LogBytes {
  const bytes = Buffer.from(text);
  const read: LogBytes['read'] = (into, at, length, position) => bytes.copy(into, at, position, position + length);
  return { size: bytes.length, device: 1, inode: 1, read };
}

describe('a part of a search whose time is over', () => {
  const text = ['one', 'two', 'three'].map((msg) => `${JSON.stringify({ level: 'info', msg })}\n`).join('');
  const file = bytesOf(text);
  const begin = () =>
    beginFinding({ term: { query: 'one', isRegex: true }, levels: null, secrets: true, limit: 50 }, { place: null, hider: null });

  it('[LOGX-020] ends within a block, behind an entry', () => {
    const index = createLogIndexes({ dir, stepBytes: 1000 }).advance({ path: 'whole' }, file);
    const finding = begin().step(file, index, 0);
    expect(finding).toMatchObject({ entries: [], isDone: false, place: { before: text.lastIndexOf('{') } });
  });

  it('[LOGX-020] ends before the entries that were appended are indexed', () => {
    const index = createLogIndexes({ dir, stepBytes: 1000 }).advance({ path: 'grown' }, file);
    expect(begin().step(bytesOf(text + text), index, 0)).toMatchObject({
      entries: [],
      isDone: false,
      isIndexing: true,
      progress: { bytes: 0, of: text.length * 2 },
    });
  });
});
