import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoAppLog } from './demo-app-log.ts';
import { demoConsoleLog } from './demo-console-log.ts';

type LogOptions = {
  seed: string;
  now: Date;
  folders: { consoleDir: string; appDir: string };
};

/** Days before today that a new demo has logs of: more than one page of the app service's. */
const pastDays = { console: 8, app: 24 } as const;

/**
 * Writes the logs that a new demo begins with: days of the app service up to now, and days of the console up to yesterday; today's
 * it writes itself. A folder that is not empty is left unchanged.
 */
export async function writeDemoLogs({ seed, now, folders: { consoleDir, appDir } }: LogOptions): Promise<void> {
  const date = (back: number): string => new Date(now.getTime() - back * 86_400_000).toISOString().slice(0, 10);
  const past = (days: number): string[] => Array.from({ length: days }, (_, day) => date(days - day));
  if (await isUnused(appDir)) {
    for (const day of [...past(pastDays.app), date(0)]) {
      await writeFile(join(appDir, `app-${day}.log`), demoAppLog({ seed, date: day, until: now }), { mode: 0o640 });
    }
  }
  if (await isUnused(consoleDir, `console-${date(0)}.log`)) {
    for (const day of past(pastDays.console)) {
      await writeFile(join(consoleDir, `console-${day}.log`), demoConsoleLog({ seed, date: day }), { mode: 0o640 });
    }
  }
}

/** Whether a folder, which is made if need be, holds nothing but a file of the given name. */
async function isUnused(dir: string, but?: string): Promise<boolean> {
  await mkdir(dir, { recursive: true, mode: 0o750 });
  return (await readdir(dir)).every((name) => name === but);
}
