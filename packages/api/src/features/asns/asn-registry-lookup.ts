import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { Databases } from '../../database/connect.ts';
import { type AsnOf, createAsnRanges } from './asn-ranges.ts';

export type { AsnOf } from './asn-ranges.ts';

/** Channel on which a process announces that it replaced the registry. */
export const registryChannel = 'switchyard_asn_registry';

/** The registry of autonomous systems in the memory of this process. */
export type AsnRegistry = {
  /** Decides the system of addresses. Loads the registry at first; gives '' for every address while the database has none. */
  current(): Promise<AsnOf>;
  /** Loads the registry again if it was replaced since. */
  refresh(): Promise<void>;
};

type Loaded = { version: string | null; asnOf: AsnOf };

const unknown: AsnOf = () => '';

/**
 * Holds the registry from its first use on, and loads it again when another one is announced. Events that arrive meanwhile get the systems of
 * the previous one.
 */
export function createAsnRegistry({
  pools,
  listen,
  onProblem,
}: Pick<Databases, 'pools' | 'listen'> & { onProblem: (error: unknown) => void }): AsnRegistry {
  let loaded: Promise<Loaded> | null = null;
  let isListening = false;
  /** Loads run one at a time. */
  let last: Promise<unknown> = Promise.resolve();

  async function reload(): Promise<void> {
    const before = await loaded;
    if (before === null || before.version === (await findVersion(pools))) return;
    const next = await load(pools);
    loaded = Promise.resolve(next);
  }
  const refresh = async (): Promise<void> => {
    const running = last.then(reload);
    last = running.catch(() => undefined);
    return running;
  };

  return {
    refresh,
    async current() {
      if (loaded === null) {
        const loading = load(pools);
        loaded = loading;
        // The next caller tries again.
        loading.catch(() => (loaded = null));
      }
      const { asnOf } = await loaded;
      if (!isListening) listen(registryChannel, () => void refresh().catch(onProblem));
      isListening = true;
      return asnOf;
    },
  };
}

const versionQuery = `select loaded_at::text as version from registry_loads where registry = 'asn'`;

async function findVersion({ exports: pool }: Databases['pools']): Promise<string | null> {
  return (await pool.query<{ version: string }>(versionQuery)).rows[0]?.version ?? null;
}

/** Reads the registry in one snapshot, in the order in which ranges are tried. */
async function load({ exports: pool }: Databases['pools']): Promise<Loaded> {
  const client = await pool.connect();
  let isWhole = false;
  try {
    await client.query('begin isolation level repeatable read read only');
    const version = (await client.query<{ version: string }>(versionQuery)).rows[0]?.version ?? null;
    const ranges = createAsnRanges();
    const lines = client.query(
      copyTo(`copy (select host(first), host(last), code from asn_prefixes order by first desc, last, code) to stdout (format csv)`),
    );
    await pipeline(lines, async (pieces: AsyncIterable<Buffer>) => {
      let rest = '';
      for await (const piece of pieces) {
        const texts = (rest + piece.toString('latin1')).split('\n');
        rest = texts.pop() ?? '';
        for (const text of texts) {
          const [first = '', end = '', code = ''] = text.split(',');
          ranges.add(first, end, Number(code));
        }
      }
    });
    await client.query('commit');
    isWhole = true;
    return { version, asnOf: version === null ? unknown : ranges.build() };
  } finally {
    // Closing the connection ends what a failed load left.
    client.release(!isWhole);
  }
}
