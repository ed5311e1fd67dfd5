import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageState } from '@switchyard/contract/operations';

/** Free and whole bytes of the file system of a folder. */
export type Disk = { free: number; size: number };

/** The file system of a folder; null if it cannot be read, or has no size. */
export async function readDisk(folder: string): Promise<Disk | null> {
  const disk = await statfs(folder).catch(() => null);
  return disk === null || disk.blocks === 0 ? null : { free: disk.bavail * disk.bsize, size: disk.blocks * disk.bsize };
}

/** What is known about the room for stored data. */
export type Storage = {
  /** File systems by what lies on them, as far as they can be read. */
  disks: () => Promise<ReadonlyMap<'data' | 'logs', Disk>>;
  /** Seconds since 1970 at which the last backup from this data folder ended; null: none did. */
  lastBackup: () => Promise<number | null>;
  /** A write failed because a database has no room. */
  wasFull: () => void;
  /** Whether one failed within the last minute. */
  isFull: () => boolean;
};

/** Shares of free bytes below which a disk is low, and full as good as. */
const low = 0.1;
const nearlyFull = 0.02;
const fullForMilliseconds = 60_000;

/** The file in DATA_DIR whose time is that of the last backup. */
export const lastBackupFile = (dataDir: string): string => join(dataDir, 'last-backup');

/** Watches the room of these folders. */
export function createStorage({ dataDir, logDir, now }: { dataDir: string; logDir: string; now: () => Date }): Storage {
  let fullAt = -Infinity;
  return {
    async disks() {
      const disks = new Map<'data' | 'logs', Disk>();
      for (const [name, folder] of [
        ['data', dataDir],
        ['logs', logDir],
      ] as const) {
        const disk = await readDisk(folder);
        if (disk !== null) disks.set(name, disk);
      }
      return disks;
    },
    async lastBackup() {
      const file = await stat(lastBackupFile(dataDir)).catch(() => null);
      return file && file.mtimeMs / 1000;
    },
    wasFull() {
      fullAt = now().getTime();
    },
    // A clock may be set back.
    isFull: () => Math.abs(now().getTime() - fullAt) < fullForMilliseconds,
  };
}

function stateOf(disk: Disk | undefined): StorageState['data'] {
  if (disk === undefined) return 'unknown';
  const share = disk.free / disk.size;
  if (share < nearlyFull) return 'full';
  return share < low ? 'low' : 'ok';
}

/** How much room there is, without figures: the call that tells it is public. */
export async function storageState({ disks, isFull }: Storage): Promise<StorageState> {
  const known = await disks();
  return { database: isFull() ? 'full' : 'ok', data: stateOf(known.get('data')), logs: stateOf(known.get('logs')) };
}
