import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ComposedApi } from '../composition.ts';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';

type Address = { host: string; port: number };

/** A reserved port. Await `release` before listening on it. */
type FoundPort = { port: number; release: () => Promise<void> };

/**
 * Checks that the address is available before anything else starts. Port 0 becomes a free port, which is reserved until
 * `release`; otherwise the embedded PostgreSQL could get the same one.
 * @throws StartupError with one line if the address is unavailable.
 */
export async function findPort({ host, port }: Address): Promise<FoundPort> {
  const probe = createServer((early) => early.destroy());
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
  } catch (error) {
    throw addressError(error, { host, port });
  }
  const address = probe.address();
  const release = async (): Promise<void> => {
    if (!probe.listening) return;
    probe.close();
    await once(probe, 'close');
  };
  if (port !== 0) await release();
  return { port: typeof address === 'object' && address !== null ? address.port : port, release };
}

function addressError(error: unknown, { host, port }: Address): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new StartupError(`PORT ${port}: in use on ${host} (stop the other program or choose another port)`);
  if (code === 'EACCES') return new StartupError(`PORT ${port}: permission denied (choose a port above 1023)`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartupError(`HOST ${host}: not an address of this machine`);
  return error;
}

const drainMilliseconds = 30_000;
/** Time for responses that report the shutdown. */
const lastResponsesMilliseconds = 2000;

/**
 * Listens, and returns a graceful shutdown. Running calls get 30 seconds to finish; new ones, including probes, get a
 * 503. Calls that still run are reset, so a partial response never looks complete.
 * @throws StartupError with one line if the address is unavailable.
 */
export async function serve(
  { app, beginShutdown }: Pick<ComposedApi, 'app' | 'beginShutdown'>,
  address: Address,
): Promise<{ stop: () => Promise<void> }> {
  const running = new Set<ServerResponse>();
  app.server.on('request', (_request, response: ServerResponse) => {
    running.add(response);
    response.once('close', () => running.delete(response));
  });
  try {
    await app.listen(address);
  } catch (error) {
    throw addressError(error, address);
  }
  return {
    async stop() {
      beginShutdown();
      const responsesFinished = Promise.all([...running].map((response) => once(response, 'close'))).then(() => true);
      const timeout = new AbortController();
      const inTime = await Promise.race([responsesFinished, wait(drainMilliseconds, false, { signal: timeout.signal })]);
      timeout.abort();
      const cutTimer = setTimeout(() => app.server.closeAllConnections(), inTime ? lastResponsesMilliseconds : 0);
      await app.close();
      clearTimeout(cutTimer);
    },
  };
}
