import type { Listen } from '@switchyard/traffic-store/console-database';
import pg from 'pg';

/** Runs on each new connection before anybody else uses it. */
type Restore = (query: Query) => Promise<void>;

type Query = <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/**
 * The one connection that a process keeps for itself. It receives notifications and holds session locks. It opens with its first
 * use and again after a loss.
 */
export type ProcessConnection = {
  listen: Listen;
  /** Runs a statement that takes no time by itself. Rejects at once while the database is unavailable, and within two seconds if it hangs. */
  query: Query;
  onConnect: (restore: Restore) => void;
  close: () => Promise<void>;
};

const pauseMilliseconds = 1000;
/** For connecting and for each statement. */
const timeoutMilliseconds = 1000;

/** The server notices within 20 s that the machine of a process has vanished, and frees its locks. */
export const keepalive =
  'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set tcp_user_timeout = 20000';

/** @param timeoutFactor how many times longer than usual connecting and statements may take; for tests. */
export function createProcessConnection(options: {
  url: string;
  onError: (error: Error) => void;
  timeoutFactor?: number;
}): ProcessConnection {
  const { url, onError, timeoutFactor = 1 } = options;
  const restores = new Set<Restore>();
  const listeners = new Map<string, Set<(payload: string) => void>>();
  const ending = new Set<Promise<void>>();
  let newest: pg.Client | null = null;
  let current: Promise<pg.Client> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  let isReported = false;

  function end(client: pg.Client): void {
    const closing = client
      .end()
      .catch(() => undefined)
      .finally(() => ending.delete(closing));
    ending.add(closing);
  }

  function notify(channel: string, payload: string): void {
    for (const handler of listeners.get(channel) ?? []) handler(payload);
  }

  async function open(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'switchyard process',
      keepAlive: true,
      connectionTimeoutMillis: timeoutMilliseconds * timeoutFactor,
      query_timeout: timeoutMilliseconds * timeoutFactor,
    });
    newest = client;
    client.on('error', (error) => lose(client, error));
    client.on('notification', ({ channel, payload = '' }) => notify(channel, payload));
    try {
      await client.connect();
      await client.query(keepalive);
      for (const restore of restores) await restore(async (text, values) => (await client.query(text, [...values])).rows);
      for (const channel of listeners.keys()) {
        await client.query(listenTo(channel));
        notify(channel, '');
      }
      isReported = false;
      return client;
    } catch (error) {
      lose(client, error);
      throw error;
    }
  }

  function connect(): Promise<pg.Client> {
    if (isClosed) return Promise.reject(new Error('The connection of the process is closed'));
    current ??= open();
    return current;
  }

  /** Gives a connection up; callers are rejected until the next one is opened. */
  function lose(client: pg.Client, error: unknown): void {
    if (client !== newest || isClosed) return;
    newest = null;
    // Once for all attempts until one succeeds.
    if (!isReported && error instanceof Error) onError(error);
    isReported = true;
    end(client);
    current = Promise.reject(error);
    current.catch(() => undefined);
    timer = setTimeout(() => {
      current = null;
      connect().catch(() => undefined);
    }, pauseMilliseconds);
  }

  /** One at a time, as the driver wants it. */
  function query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const result = last.then(() => run<Row>(text, values));
    last = result.catch(() => undefined);
    return result;
  }

  async function run<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const client = await connect();
    try {
      return (await client.query<Row>(text, [...values])).rows;
    } catch (error) {
      // After a time limit the statement may still run, and nobody else needs this connection.
      lose(client, error);
      throw error;
    }
  }

  return {
    listen(channel, handler) {
      const channelListeners = listeners.get(channel) ?? new Set();
      listeners.set(channel, channelListeners.add(handler));
      query(listenTo(channel), [])
        .then(() => handler(''))
        .catch(() => undefined);
      return () => void channelListeners.delete(handler);
    },
    query,
    onConnect: (restore) => void restores.add(restore),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      if (newest !== null) end(newest);
      await Promise.all(ending);
    },
  };
}

function listenTo(channel: string): string {
  return `listen ${pg.escapeIdentifier(channel)}`;
}
