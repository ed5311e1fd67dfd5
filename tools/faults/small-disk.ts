import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of its own that a test may fill. */
export type SmallDisk = {
  /** Where it is mounted; every account may pass. */
  folder: string;
  /** Leaves not a byte on it, however often something else gives some back. */
  fill: () => void;
  /** Gives back what `fill` took. */
  free: () => void;
  remove: () => void;
};

/** Why no disk can be made here; null when one can. */
export function whyNoDisk(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'a disk of its own can be mounted by root on Linux only';
  try {
    makeDisk(1).remove();
    return null;
  } catch (error) {
    return `no disk can be mounted here: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Mounts a disk in memory of this number of megabytes. Call `remove` when its users have ended. */
export function makeDisk(megabytes: number): SmallDisk {
  const place = mkdtempSync(join(tmpdir(), 'switchyard-disk-'));
  const folder = join(place, 'disk');
  const ballast = join(folder, 'ballast');
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'switchyard-faults', folder], { stdio: 'pipe' });
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a');
      for (const size of [2 ** 20, 2 ** 12]) {
        const block = Buffer.alloc(size);
        try {
          for (;;) writeSync(file, block);
        } catch {
          // Full for blocks of this size.
        }
      }
      closeSync(file);
      const space = statfsSync(folder);
      // Others may have given space back meanwhile, but not much.
      if (space.bavail * space.bsize > 2 ** 25) throw new Error(`the disk is not full: ${space.bavail} blocks are left`);
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync('umount', [folder], { stdio: 'pipe' });
      rmSync(place, { recursive: true });
    },
  };
}
