import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { StartRefused } from '../start-refused.ts';

/**
 * Runs a program to its end; what it says goes to the terminal.
 * @throws StartRefused, in one line, when it is not installed or fails.
 */
export async function runTool(
  [program, ...args]: readonly [string, ...string[]],
  { env = {}, comesWith }: { env?: Readonly<Record<string, string | undefined>>; comesWith: string },
): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  await new Promise<void>((resolve, reject) => {
    child.on('error', () => reject(new StartRefused(`${program} cannot be run; it comes with ${comesWith}.`)));
    child.on('close', (code) => (code === 0 ? resolve() : reject(new StartRefused(`${program} failed with code ${code}.`))));
  });
}

/** How PostgreSQL's own programs are told where the database is: the password where no other account can read it. */
export function clientArguments(databaseUrl: string): { address: string; password: string } {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  return { address: url.href, password };
}

/** What a backup is by its first bytes; null when it is none of ours. */
export async function kindOfBackup(path: string): Promise<'dump' | 'folder' | null> {
  const file = await open(path).catch(() => {
    throw new StartRefused(`${path} cannot be read.`);
  });
  try {
    const { buffer } = await file.read(Buffer.alloc(5), 0, 5, 0);
    if (buffer.toString('latin1') === 'PGDMP') return 'dump';
    return buffer.readUInt16BE() === 0x1f8b ? 'folder' : null;
  } finally {
    await file.close();
  }
}
