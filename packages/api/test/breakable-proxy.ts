import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a TCP server that can be made to hang or to break. */
export type BreakableProxy = {
  port: number;
  /** From now on nothing passes any more, but every connection stays and new ones are accepted. */
  hang: () => void;
  /** Everything that waited passes, and all goes on. */
  resume: () => void;
  /** Cuts every connection; new ones work. */
  cut: () => void;
  /** Refuses new connections and cuts the others. */
  close: () => Promise<void>;
};

/** Stands between a client and `port` on this machine. */
export async function openBreakableProxy(port: number): Promise<BreakableProxy> {
  const sockets = new Set<Socket>();
  const state = { hangs: false };
  const join = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (chunk) => to.write(chunk));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (state.hangs) from.pause();
  };
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    join(near, far);
    join(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    hang() {
      state.hangs = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      state.hangs = false;
      for (const socket of sockets) socket.resume();
    },
    cut,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
