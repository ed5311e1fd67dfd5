import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import type { EventStoreSettings } from './env.ts';
import { openEngine } from './traffic-store/clickhouse/engine-client.ts';
import { migrateEngineAlone } from './traffic-store/clickhouse/migrate-engine.ts';
import type { Databases } from './database/connect.ts';
import type { Engine } from './traffic-store/clickhouse/write/settle-batches.ts';

/**
 * Opens the ClickHouse of the settings and migrates its tables; null where events live in PostgreSQL. The embedded one must have been started.
 * @param timeoutFactor how many times longer than usual reads may take.
 * @throws StartupError if it cannot be used
 */
export async function openEventEngine(
  store: EventStoreSettings,
  { pools }: Pick<Databases, 'pools'>,
  timeoutFactor?: number,
): Promise<Engine | null> {
  if (store.kind !== 'clickhouse') return null;
  const { url, cluster } = store;
  const engine = openEngine({ url, cluster, ...(timeoutFactor === undefined ? {} : { timeoutFactor }) });
  try {
    await migrateEngineAlone({ engine, cluster }, pools.ops);
  } catch (error) {
    await engine.close();
    if (error instanceof StartupError) throw error;
    // The message of a failed connection has several lines, of which the first says what happened.
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new StartupError(`EVENT_STORE_URL: ClickHouse cannot be used (${reason})`, { cause: error });
  }
  return { engine, cluster };
}
