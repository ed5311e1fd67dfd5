import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nextBackupIn, removeDrafts, removeOldBackups } from './backup-folder.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-backups-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const store = (...names: readonly string[]): void => names.forEach((name) => writeFileSync(join(folder, name), ''));
const day = (number: number): string => `2026-11-0${number}T031500Z.backup`;

describe('a folder of backups', () => {
  it('[OPS-011] names files by the time in UTC, so that they sort', async () => {
    expect(await nextBackupIn(folder, new Date('2026-11-05T04:15:00.999+01:00'))).toBe(join(folder, day(5)));
    const missing = join(folder, 'none');
    await expect(nextBackupIn(missing, new Date())).rejects.toThrow(
      `${missing}: no folder (create it, or leave out --keep to name a file)`,
    );
    store('file');
    await expect(nextBackupIn(join(folder, 'file'), new Date())).rejects.toThrow('no folder');
  });

  it('[OPS-011] keeps the newest backups with their counts, and every other file', async () => {
    const others = ['before-upgrade.backup', '2026-11-01.backup', 'note.txt', `${day(1)}.gpg`];
    store(...others, ...[1, 2, 3, 4].flatMap((number) => [day(number), `${day(number)}.counts`]), '2026-10-01T031500Z.backup.counts');
    expect(await removeOldBackups(folder, { keep: 2, last: join(folder, day(4)) })).toBe(2);
    expect(readdirSync(folder).toSorted()).toEqual([...others, day(3), `${day(3)}.counts`, day(4), `${day(4)}.counts`].toSorted());
    expect(await removeOldBackups(folder, { keep: 1, last: join(folder, day(4)) })).toBe(1);
    expect(readdirSync(folder).toSorted()).toEqual([...others, day(4), `${day(4)}.counts`].toSorted());
  });

  it('[OPS-011] keeps the last backup when the clock was turned back', async () => {
    store(day(1), day(8), day(9));
    await removeOldBackups(folder, { keep: 2, last: join(folder, day(1)) });
    expect(readdirSync(folder)).toEqual([day(1), day(9)]);
  });

  it('[OPS-011] removes the drafts of killed backups alone', async () => {
    store(day(1), `${day(2)}.part`, 'other.part');
    await removeDrafts(folder);
    expect(readdirSync(folder)).toEqual([day(1), 'other.part']);
  });
});
