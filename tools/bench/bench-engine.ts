import { ClickHouseLogLevel, type ClickHouseClient, createClient } from '@clickhouse/client';
import { openEngine } from '@switchyard/traffic-store/clickhouse/engine-client';
import { migrateEngine } from '@switchyard/traffic-store/clickhouse/migrate-engine';
import { startEngine } from '@switchyard/traffic-store/clickhouse/start-engine';
import { processorTimeOf } from './processor-time.ts';

/** The embedded ClickHouse with the tables of the console. */
export type BenchEngine = {
  /** Address for the console, with the credentials. */
  url: string;
  /** The official client: what an application without a product between it and ClickHouse would use. */
  raw: ClickHouseClient;
  /** Seconds of processor time the engine has used so far. */
  processorTime: () => Promise<number>;
  stop: () => Promise<void>;
};

const longestMilliseconds = 600_000;

/** Starts the engine on a folder and creates the tables where they are missing. Throws a StartupError if it is not installed. */
export async function startBenchEngine(folder: string): Promise<BenchEngine> {
  const running = await startEngine(folder, { onProblem: (problem) => console.error(problem) });
  const engine = openEngine({ url: running.url, cluster: null });
  await migrateEngine({ engine, cluster: null });
  await engine.close();
  const raw = createClient({
    url: running.url,
    request_timeout: longestMilliseconds,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  return {
    url: running.url,
    raw,
    processorTime: async () => processorTimeOf(running.pid()),
    async stop() {
      await raw.close();
      await running.stop();
    },
  };
}

/** Number of the events, and their bytes on disk with everything that is kept beside them. */
export async function sizeOfEvents(raw: ClickHouseClient): Promise<{ rows: number; bytes: number }> {
  const result = await raw.query({
    query: `select sum(rows) as rows, sum(bytes_on_disk) as bytes from system.parts
      where active and table = 'events' and database = currentDatabase()`,
    format: 'JSONEachRow',
  });
  const [row] = await result.json<{ rows: number; bytes: number }>();
  return row ?? { rows: 0, bytes: 0 };
}
