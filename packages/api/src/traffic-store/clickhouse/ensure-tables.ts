import type { EngineClient } from './engine-client.ts';
import { createTables } from './schema.ts';

/** Creates the tables where they are missing. */
export async function ensureTables(engine: EngineClient, cluster: string | null): Promise<void> {
  for (const statement of createTables(cluster)) await engine.command(statement);
}
