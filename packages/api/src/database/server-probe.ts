import { connect } from 'node:net';
import pg from 'pg';

/** SSLRequest of the PostgreSQL protocol: every server answers it with one byte, before it asks who connects. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
/** Together with two seconds of waiting for a connection, this stays within the 2.5 s in which a call must return 503. */
const probeMilliseconds = 400;

/**
 * Creates a probe that says whether the database server answers, though all our connections may be taken. It takes none
 * itself: it leaves before it would sign in. Probes that overlap are one.
 */
export function createServerProbe(url: string, timeoutFactor = 1): () => Promise<boolean> {
  const { host, port } = new pg.Client({ connectionString: url });
  const address = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };

  function probe(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(address);
      const end = (answers: boolean): void => {
        clearTimeout(timer);
        socket.destroy();
        resolve(answers);
      };
      const timer = setTimeout(() => end(false), probeMilliseconds * timeoutFactor);
      socket.once('connect', () => socket.write(sslRequest));
      socket.once('data', () => end(true));
      socket.once('close', () => end(false));
      socket.on('error', () => end(false));
    });
  }

  let underWay: Promise<boolean> | null = null;
  return () => {
    underWay ??= probe().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
