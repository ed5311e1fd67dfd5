import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestEngine, isClickHouseAvailable } from '../../api/test/clickhouse-database.ts';
import { eventReads, everyWay, fewEvents, postgresReads, type Reads, recordStatements } from '../../api/test/store-reads.ts';
import { createTestDatabase } from '../../api/test/test-database.ts';
import type { EngineClient } from './clickhouse/engine-client.ts';
import { createTrafficStore } from './open-traffic-store.ts';
import { type TrafficStore } from './traffic-store.ts';
import { addEventsStatement } from './postgres/write/add-events.ts';

/**
 * Names every read, with the statements that it sent, each once. The files let review see what changes; refresh them with
 * `npx vitest run emitted-sql -u`.
 */
async function statementsOf(reads: Reads, stores: TrafficStore, takeSent: () => string[]): Promise<string> {
  const sections: string[] = [];
  for (const [name, read] of Object.entries(reads)) {
    takeSent();
    await read(stores);
    const texts = new Set(takeSent().map((text) => text.replaceAll(/null '[^']*'\)$/gm, "null 'row end')")));
    sections.push(`-- ${name}\n\n${[...texts].map((text) => `${text};\n`).join('\n')}`);
  }
  return sections.join('\n');
}

describe('SQL of PostgreSQL', async () => {
  const { databases } = await createTestDatabase();
  const takeStatements = recordStatements();
  const stores = createTrafficStore({ pools: databases.pools, serverOffset: '+02:00', retentionDays: 90, reading: everyWay });
  const takeSent = (): string[] => takeStatements().map(({ text }) => text);
  const fileOf = (name: string): string => join(import.meta.dirname, 'postgres/sql', `${name}.sql`);

  beforeAll(async () => {
    await stores.events.insertEvents(fewEvents);
  });

  it('[S15] of ingestion is the committed one', async () => {
    await expect(`${addEventsStatement.trim()};\n`).toMatchFileSnapshot(fileOf('add-events'));
  });

  it.each(Object.entries(postgresReads))('[S15] of %s is the committed one', async (name, reads) => {
    await expect(await statementsOf(reads, stores, takeSent)).toMatchFileSnapshot(fileOf(name));
  });
});

describe.runIf(isClickHouseAvailable())('SQL of ClickHouse', async () => {
  if (!isClickHouseAvailable()) return;
  const [{ databases }, { engine }] = await Promise.all([createTestDatabase(), createTestEngine()]);
  const statements: string[] = [];
  const recordingEngine: EngineClient = {
    ...engine,
    rows: async (statement, abortSignal) => {
      statements.push(statement.text);
      return engine.rows(statement, abortSignal);
    },
    lines: async (statement) => {
      statements.push(statement.text);
      return engine.lines(statement);
    },
    stream: async (statement, abortSignal) => {
      statements.push(statement.text);
      return engine.stream(statement, abortSignal);
    },
    bytes: async (statement, abortSignal) => {
      statements.push(statement.text);
      return engine.bytes(statement, abortSignal);
    },
    insert: async (batch) => {
      statements.push(`insert into ${batch.table} (${batch.columns.join(', ')})`);
      await engine.insert(batch);
    },
  };
  const clickhouse = { engine: recordingEngine, cluster: null };
  const stores = createTrafficStore({ pools: databases.pools, serverOffset: '+02:00', retentionDays: 90, clickhouse });
  const fileOf = (name: string): string => join(import.meta.dirname, 'clickhouse/sql', `${name}.sql`);

  it('[S15] of ingestion is the committed one', async () => {
    const insertStatements = await statementsOf({ 'a batch': async () => stores.events.insertEvents(fewEvents) }, stores, () =>
      statements.splice(0),
    );
    await expect(insertStatements).toMatchFileSnapshot(fileOf('add-events'));
  });

  it.each(Object.entries(eventReads))('[S15] of %s is the committed one', async (name, reads) => {
    await expect(await statementsOf(reads, stores, () => statements.splice(0))).toMatchFileSnapshot(fileOf(name));
  });
});
