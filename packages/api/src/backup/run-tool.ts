import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';

/**
 * Runs a program until it exits. Its output goes to the terminal.
 * @throws StartupError if it is not installed or fails.
 */
export async function runTool(
  [program, ...args]: readonly [string, ...string[]],
  { env = {}, comesWith }: { env?: Readonly<Record<string, string | undefined>>; comesWith: string },
): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  await new Promise<void>((resolve, reject) => {
    child.on('error', () => reject(new StartupError(`${program}: cannot be run (it is part of ${comesWith})`)));
    child.on('close', (code) => (code === 0 ? resolve() : reject(new StartupError(`${program}: failed (code ${code})`))));
  });
}

/** Splits the password off a database URL, because other accounts can read the arguments of a program but not its environment. */
export function clientArguments(databaseUrl: string): { address: string; password: string } {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  return { address: url.href, password };
}

/** The kind of a backup by its first bytes; null if it is neither. @throws StartupError if the file cannot be read. */
export async function kindOfBackup(path: string): Promise<'dump' | 'folder' | null> {
  const file = await open(path).catch(() => {
    throw new StartupError(`${path}: cannot be read`);
  });
  try {
    const { buffer } = await file.read(Buffer.alloc(5), 0, 5, 0);
    if (buffer.toString('latin1') === 'PGDMP') return 'dump';
    return buffer.readUInt16BE() === 0x1f8b ? 'folder' : null;
  } finally {
    await file.close();
  }
}
