import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a TCP server that can be made to hang or to break. */
export type BreakableProxy = {
  port: number;
  /** From now on nothing passes any more, but every connection stays and new ones are accepted. */
  hang: () => void;
  /** Everything passes again, also what waited. */
  resume: () => void;
  /** From now on requests arrive, but a connection is cut instead of its answer. */
  loseAnswers: () => void;
  /** Cuts every connection, and from now on new ones as well. */
  refuse: () => void;
  /** Cuts every connection; new ones work. */
  cut: () => void;
  /** Refuses new connections and cuts the others. */
  close: () => Promise<void>;
};

/** Stands between a client and `port` on this machine. */
export async function openBreakableProxy(port: number): Promise<BreakableProxy> {
  const sockets = new Set<Socket>();
  const state = { hangs: false, losesAnswers: false, refuses: false };
  const join = (from: Socket, to: Socket, isAnswer: boolean): void => {
    sockets.add(from);
    from.on('data', (chunk) => {
      if (isAnswer && state.losesAnswers) from.destroy();
      else to.write(chunk);
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (state.hangs) from.pause();
  };
  const server = createServer((near) => {
    if (state.refuses) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    join(near, far, false);
    join(far, near, true);
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
      Object.assign(state, { hangs: false, losesAnswers: false, refuses: false });
      for (const socket of sockets) socket.resume();
    },
    loseAnswers() {
      state.losesAnswers = true;
    },
    refuse() {
      state.refuses = true;
      cut();
    },
    cut,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
