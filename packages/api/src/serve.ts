import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ComposedApi } from './composition.ts';
import { StartRefused } from './start-refused.ts';

type Address = { host: string; port: number };

/** A port that can be listened on once `release` has been awaited. */
type FoundPort = { port: number; release: () => Promise<void> };

/**
 * Makes sure that the address is free before anything else is started. Port 0 becomes a free one, which is held meanwhile: whoever else asks
 * for a free one during the start, our own PostgreSQL among them, would be given the same.
 * @throws StartRefused in one line when it cannot be listened on.
 */
export async function findPort({ host, port }: Address): Promise<FoundPort> {
  const probe = createServer((early) => early.destroy());
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
  } catch (error) {
    throw refusedAddress(error, { host, port });
  }
  const found = probe.address();
  const release = async (): Promise<void> => {
    if (!probe.listening) return;
    probe.close();
    await once(probe, 'close');
  };
  if (port !== 0) await release();
  return { port: typeof found === 'object' && found !== null ? found.port : port, release };
}

function refusedAddress(error: unknown, { host, port }: Address): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new StartRefused(`PORT ${port} is in use on ${host}; stop what listens there or choose another port.`);
  if (code === 'EACCES') return new StartRefused(`PORT ${port} may not be opened by this user; choose one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartRefused(`HOST ${host} is no address of this machine.`);
  return error;
}

const drainMilliseconds = 30_000;
/** For answers that only say that we stop. */
const lastMilliseconds = 2000;

/**
 * Listens, and gives the way to end: calls under way get 30 seconds to finish while new ones, probes among them, are
 * still answered that we stop (R5, `beginShutdown`); what runs even then is cut off, never ended as if it were whole.
 * @throws StartRefused in one line when the address cannot be listened on.
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
    throw refusedAddress(error, address);
  }
  return {
    async stop() {
      beginShutdown();
      const finished = Promise.all([...running].map((response) => once(response, 'close'))).then(() => true);
      const patience = new AbortController();
      const inTime = await Promise.race([finished, wait(drainMilliseconds, false, { signal: patience.signal })]);
      patience.abort();
      const cut = setTimeout(() => app.server.closeAllConnections(), inTime ? lastMilliseconds : 0);
      await app.close();
      clearTimeout(cut);
    },
  };
}
