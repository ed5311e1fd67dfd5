import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { productVersion } from '@switchyard/contract/limits';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';

/** Rows of each table of PostgreSQL, by its name with its schema. */
export type RowCounts = Readonly<Record<string, number>>;

const shape = z.object({ version: z.string(), rows: z.record(z.string(), z.number()) });

/** The file beside a backup with the rows that it holds. */
export const countsFile = (backup: string): string => `${backup}.counts`;

/** Stores the counts of a backup. */
export async function writeCounts(backup: string, rows: RowCounts): Promise<void> {
  await writeFile(countsFile(backup), `${JSON.stringify({ version: productVersion, rows }, null, 1)}\n`, { mode: 0o600 });
}

/** The counts of a backup; null if there are none. @throws StartupError if the file holds no counts. */
export async function readCounts(backup: string): Promise<RowCounts | null> {
  const text = await readFile(countsFile(backup), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return null;
  });
  if (text === null) return null;
  try {
    return shape.parse(JSON.parse(text)).rows;
  } catch {
    throw new StartupError(`${countsFile(backup)}: holds no counts of rows (copy it again, or remove it)`);
  }
}

/** A line for each table whose rows differ. */
export function compareCounts({ restored, stored }: { restored: RowCounts; stored: RowCounts }): string[] {
  return [...new Set([...Object.keys(stored), ...Object.keys(restored)])]
    .toSorted()
    .filter((table) => restored[table] !== stored[table])
    .map((table) => `${table}: ${describe(restored[table])} restored, ${describe(stored[table])} backed up`);
}

const describe = (count: number | undefined): string => (count === undefined ? 'no table' : `${count} rows`);
