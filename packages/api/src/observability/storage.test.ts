import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createStorage, lastBackupFile, storageState, type Disk } from './storage.ts';

const disks = (data: Disk | null, logs: Disk | null) => async () =>
  new Map([['data', data] as const, ['logs', logs] as const].flatMap(([name, disk]) => (disk === null ? [] : [[name, disk] as const])));

it('[MON-006] tells in words how much room there is, and for a minute that a database had none', async () => {
  const clock = { now: new Date('2026-11-20T10:00:00Z') };
  const storage = createStorage({ dataDir: '/', logDir: '/', now: () => clock.now });
  const stateOf = async (data: Disk | null, logs: Disk | null) => storageState({ ...storage, disks: disks(data, logs) });
  expect(await stateOf({ free: 10, size: 100 }, { free: 9.9, size: 100 })).toEqual({ database: 'ok', data: 'ok', logs: 'low' });
  expect(await stateOf({ free: 1.9, size: 100 }, null)).toEqual({ database: 'ok', data: 'full', logs: 'unknown' });
  storage.wasFull();
  clock.now = new Date('2026-11-20T10:00:59Z');
  expect(await stateOf(null, null)).toMatchObject({ database: 'full' });
  clock.now = new Date('2026-11-20T10:01:00Z');
  expect(await stateOf(null, null)).toMatchObject({ database: 'ok' });
});

it('[MON-006] reads the disks of its folders, and when the last backup ended', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-storage-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const storage = createStorage({ dataDir, logDir: join(dataDir, 'none'), now: () => new Date() });
  const found = await storage.disks();
  expect([...found.keys()]).toEqual(['data']);
  expect(found.get('data')?.size).toBeGreaterThan(found.get('data')?.free ?? Infinity);
  expect(await storage.lastBackup()).toBeNull();
  writeFileSync(lastBackupFile(dataDir), '');
  utimesSync(lastBackupFile(dataDir), 1_700_000_000, 1_700_000_000);
  expect(await storage.lastBackup()).toBe(1_700_000_000);
});
