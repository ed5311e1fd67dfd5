import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** The sign of a process that uses a folder: `name` of its file, null where there is none, and how to take it away. */
type SignOfLife = { name: string | null; end: () => Promise<void> };

const prefix = 'switchyard.alive.';

/**
 * Puts a socket into `folder` that answers as long as this process lives, whoever asks: another container sees neither
 * our processes nor their numbers, but the same files. The system closes it however we end. Does nothing where the file
 * system knows no sockets.
 */
export async function showLife(folder: string): Promise<SignOfLife> {
  const name = prefix + randomBytes(6).toString('hex');
  const draft = `new.${name}`;
  const server = createServer((caller) => caller.destroy());
  server.unref();
  try {
    await withShortPath(folder, async (short) => {
      server.listen(join(short, draft));
      await once(server, 'listening');
    });
    // Named as a sign only now that it answers: before, it would be taken for that of a dead one.
    await rename(join(folder, draft), join(folder, name));
  } catch {
    server.close();
    return { name: null, end: () => Promise.resolve() };
  }
  return {
    name,
    end: async () => {
      await rm(join(folder, name), { force: true });
      server.close();
    },
  };
}

/**
 * Whether somebody shows life in `folder` for so many milliseconds on end, the sign `own` apart: a process that was just
 * told to end, or killed, may be seen for a moment. Signs of the dead are removed; their names never come back.
 */
export async function othersLive(folder: string, { own, milliseconds }: { own: string | null; milliseconds: number }): Promise<boolean> {
  for (const end = performance.now() + milliseconds; ; await wait(25)) {
    const others = (await readdir(folder)).filter((name) => name.startsWith(prefix) && name !== own);
    const answers = await withShortPath(folder, (short) => Promise.all(others.map((name) => answersAt(join(short, name)))));
    if (!answers.includes(true)) return false;
    if (performance.now() >= end) return true;
  }
}

async function answersAt(path: string): Promise<boolean> {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ECONNREFUSED') await rm(path, { force: true });
    // It is too busy to take our call, which only a living one can be.
    return code === 'EAGAIN';
  } finally {
    socket.destroy();
  }
}

/** A socket's path has at most 107 bytes, on some systems 103, and is cut off in silence; a deep data folder exceeds that. */
const longestFolderPath = 60;

async function withShortPath<Result>(folder: string, work: (short: string) => Promise<Result>): Promise<Result> {
  if (Buffer.byteLength(folder) <= longestFolderPath) return work(folder);
  const handle = await open(folder);
  try {
    return await work(`/proc/self/fd/${handle.fd}`);
  } finally {
    await handle.close();
  }
}
