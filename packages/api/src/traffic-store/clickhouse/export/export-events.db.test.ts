import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { testEpoch } from '../../../../test/arbitrary-events.ts';
import { createTestEngine, isClickHouseAvailable } from '../../../../test/clickhouse-database.ts';
import { sampleEvent } from '../../../../test/sample-event.ts';
import { createTestDatabase } from '../../../../test/test-database.ts';
import { createEventWriter } from '../write/add-events.ts';
import { exportEvents } from './export-events.ts';

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
  });
});
