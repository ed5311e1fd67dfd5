import { ClickHouseError } from '@clickhouse/client';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { testEpoch } from '../../../../api/test/arbitrary-events.ts';
import { createTestEngine, isClickHouseAvailable } from '../../../../api/test/clickhouse-database.ts';
import { sampleEvent } from '../../../../api/test/sample-event.ts';
import { createTestDatabase } from '../../../../api/test/test-database.ts';
import type { EngineClient } from '../engine-client.ts';
import { createEventWriter } from '../write/add-events.ts';
import { exportEvents } from './export-events.ts';

/** A result behind whose first part the engine runs out of memory. */
async function* failAfterFirstPart(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    yield part;
    throw new ClickHouseError({ code: '241', type: 'MEMORY_LIMIT_EXCEEDED', message: 'memory limit exceeded' });
  }
}

describe.runIf(isClickHouseAvailable())('export from ClickHouse', () => {
  it('[EVT-037] reads events in order that need more memory to sort than estimated', async () => {
    const [{ databases }, { engine }] = await Promise.all([createTestDatabase(), createTestEngine()]);
    const pool = databases.pools.ingest;
    const body_request = { filler: 'Wide'.repeat(10_000) };
    const events = Array.from({ length: 400 }, (_, index) => sampleEvent({ occurred_at: testEpoch + index, body_request }));
    await createEventWriter({ engine, cluster: null, pool })(events);
    const query = {
      filter: { scope: 'all' },
      sort: { orderBy: 'concatenated_date', orderDirection: 'desc' },
      signal: new AbortController().signal,
    } as const;
    const sorted = await text(await exportEvents({ engine, pool }, query));
    expect(sorted.split('\r\n')).toHaveLength(402);
    expect(await text(await exportEvents({ engine, pool, sortMemory: 2 ** 20 }, query))).toBe(sorted);

    // What has been sent cannot be sent again in another order, though that would succeed.
    let readCount = 0;
    const failing: EngineClient = {
      ...engine,
      async bytes(statement, signal) {
        const parts = await engine.bytes(statement, signal);
        readCount += 1;
        return readCount === 1 ? failAfterFirstPart(parts) : parts;
      },
    };
    await expect(text(await exportEvents({ engine: failing, pool }, query))).rejects.toThrow('memory limit exceeded');
  });
});
