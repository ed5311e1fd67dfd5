import pg from 'pg';

/**
 * Hears the notifications of a channel over a connection of its own, until the function that it gives is called. One
 * that broke is opened again; `heard` is then called with '', because something may have been missed meanwhile.
 */
export type Listen = (channel: string, heard: (payload: string) => void) => () => void;

const pauseMilliseconds = 1000;

/** Ways to listen to one database, and how to end them all. */
export function createListening(options: { url: string; onError: (error: Error) => void }): { listen: Listen; close: () => Promise<void> } {
  const open = new Set<() => void>();
  const ending = new Set<Promise<void>>();

  function end(client: pg.Client): void {
    const done = client
      .end()
      .catch(() => undefined)
      .finally(() => ending.delete(done));
    ending.add(done);
  }

  function listen(channel: string, heard: (payload: string) => void): () => void {
    let client: pg.Client | null = null;
    let timer: NodeJS.Timeout | undefined;
    let isStopped = false;

    function again(): void {
      if (!isStopped) timer = setTimeout(() => void connect(), pauseMilliseconds);
    }

    async function connect(): Promise<void> {
      const fresh = new pg.Client({ connectionString: options.url, application_name: 'switchyard listen', keepAlive: true });
      client = fresh;
      fresh.on('error', (error) => {
        if (client !== fresh || isStopped) return;
        client = null;
        options.onError(error);
        end(fresh);
        again();
      });
      fresh.on('notification', ({ payload = '' }) => heard(payload));
      try {
        await fresh.connect();
        await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
        heard('');
      } catch (error) {
        if (client !== fresh || isStopped) return;
        client = null;
        if (error instanceof Error) options.onError(error);
        end(fresh);
        again();
      }
    }

    function stop(): void {
      if (isStopped) return;
      isStopped = true;
      open.delete(stop);
      clearTimeout(timer);
      if (client !== null) end(client);
    }

    open.add(stop);
    void connect();
    return stop;
  }

  return {
    listen,
    async close() {
      for (const stop of open) stop();
      await Promise.all(ending);
    },
  };
}
