import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const installation = z.object({
  /** Seed of this installation's past, so that two of them do not show the same traffic. */
  seed: z.string(),
  /** The moment, in microseconds since 1970, up to which the past reaches and at which the live traffic began. */
  until: z.int(),
  days: z.int(),
  events: z.int(),
  utcOffset: z.string(),
  servers: z.array(z.object({ name: z.string(), token: z.string() })).min(1),
});
/** The demo's data of its installation, with the plain tokens of its traffic servers. */
export type DemoInstallation = z.output<typeof installation>;

const progress = z.object({ seed: z.string(), hoursDone: z.int() });

/** Where the demo keeps its files below DATA_DIR, readable by the owner alone. */
export function demoFiles(dataDir: string) {
  const installationFile = join(dataDir, 'demo', 'installation.json');
  const progressFile = join(dataDir, 'demo', 'progress.json');
  return {
    /** Null when this data folder has no demo, or its file cannot be read. */
    readInstallation: async (): Promise<DemoInstallation | null> => readJson(installationFile, installation),
    /** Forgets the progress of an earlier demo along with it. */
    writeInstallation: async (value: DemoInstallation): Promise<void> => {
      await writeJson(installationFile, value);
      await rm(progressFile, { force: true });
    },
    /** Hours of the installation's past that were handed in: of events, then of pushes and conversions. */
    readHoursDone: async (seed: string): Promise<number> => {
      const storedProgress = await readJson(progressFile, progress);
      return storedProgress?.seed === seed ? storedProgress.hoursDone : 0;
    },
    writeHoursDone: async (seed: string, hoursDone: number): Promise<void> => writeJson(progressFile, { seed, hoursDone }),
  };
}

export type DemoFiles = ReturnType<typeof demoFiles>;

async function readJson<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S> | null> {
  try {
    return schema.safeParse(JSON.parse(await readFile(path, 'utf8'))).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error && error.code === 'ENOENT')) return null;
    throw error;
  }
}

/** Writes beside and renames, so that a broken write leaves the old file. */
async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  await writeFile(beside, JSON.stringify(value), { mode: 0o600 });
  await rename(beside, path);
}
