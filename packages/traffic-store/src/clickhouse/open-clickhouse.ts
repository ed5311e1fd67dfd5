import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import type { ConsoleDatabase } from '../console-database.ts';
import type { EventStoreSettings } from '../event-store-settings.ts';
import { reasonOf } from '../event-store-unavailable.ts';
import { openEngine } from './engine-client.ts';
import { migrateEngineAlone } from './migrate-engine.ts';
import { startEngine } from './start-engine.ts';
import type { Engine } from './write/settle-batches.ts';

export type EngineStart = {
  /** Called with one line for each problem of the embedded ClickHouse. */
  onProblem: (line: string) => void;
  onRecovery?: (line: string) => void;
  /** Called when the embedded ClickHouse is started. */
  onStep?: (name: string) => (outcome: string) => void;
  /** How many times longer than usual reads may take. */
  timeoutFactor?: number;
};

/**
 * Opens the ClickHouse of the settings, which starts the embedded one, and migrates its tables.
 * @throws StartupError if it cannot be used
 */
export async function openClickHouse(
  store: Exclude<EventStoreSettings, { kind: 'postgres' }>,
  { pools }: Pick<ConsoleDatabase, 'pools'>,
  start: EngineStart,
): Promise<Engine & { close: () => Promise<void> }> {
  const { url, cluster, stop } = store.kind === 'chdb' ? await startEmbedded(store.folder, start) : { ...store, stop: null };
  const engine = openEngine({ url, cluster, timeoutFactor: start.timeoutFactor });
  const close = async (): Promise<void> => {
    await engine.close();
    await stop?.();
  };
  try {
    await migrateEngineAlone({ engine, cluster }, pools.ops);
  } catch (error) {
    await close();
    if (error instanceof StartupError) throw error;
    throw new StartupError(`EVENT_STORE_URL: ClickHouse cannot be used (${reasonOf(error)})`, { cause: error });
  }
  return { engine, cluster, close };
}

async function startEmbedded(folder: string, { onProblem, onRecovery, onStep }: EngineStart) {
  const endStep = onStep?.('Starting ClickHouse');
  const { url, stop } = await startEngine(folder, { onProblem, onRecovery });
  endStep?.('Started ClickHouse');
  return { url, cluster: null, stop };
}
