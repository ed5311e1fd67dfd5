import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A socket file that answers while its process lives. `name` is null where the file system has no sockets. */
type LivenessSocket = { name: string | null; close: () => Promise<void> };

const prefix = 'switchyard.alive.';

/**
 * Opens a socket in `folder` that accepts connections while this process lives. Another container that shares the folder
 * does not see our processes, but it can connect. The kernel closes the socket however the process ends. Does nothing
 * where the file system has no sockets.
 */
export async function openLivenessSocket(folder: string): Promise<LivenessSocket> {
  const name = prefix + randomBytes(6).toString('hex');
  const draft = `new.${name}`;
  const server = createServer((caller) => caller.destroy());
  server.unref();
  try {
    await withShortPath(folder, async (short) => {
      server.listen(join(short, draft));
      await once(server, 'listening');
    });
    // Renamed only now that it accepts: before, others would take it for the socket of a dead process.
    await rename(join(folder, draft), join(folder, name));
  } catch {
    server.close();
    return { name: null, close: () => Promise.resolve() };
  }
  return {
    name,
    close: async () => {
      await rm(join(folder, name), { force: true });
      server.close();
    },
  };
}

/**
 * Whether a liveness socket other than `own` accepts connections for `milliseconds` without a break: a process that was
 * just stopped or killed may still answer for a moment. Removes the socket files of dead processes.
 */
export async function othersAreAlive(
  folder: string,
  { own, milliseconds }: { own: string | null; milliseconds: number },
): Promise<boolean> {
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
    // The backlog is full, so its process lives.
    return code === 'EAGAIN';
  } finally {
    socket.destroy();
  }
}

/** A socket path longer than 107 bytes (103 on some systems) is silently truncated; a deep data folder exceeds that. */
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
