import { ClickHouseError } from '@clickhouse/client';
import { eventsReadAtOnce } from '@switchyard/contract/report-rules';
import type { EventFilter } from '@switchyard/traffic-store/event-store';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/test-database.ts';
import { readTopValues } from './top-values-lookup.ts';

const { databases } = await createTestDatabase();
const timeouts = {
  PostgreSQL: Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
  ClickHouse: new ClickHouseError({ message: 'Timeout exceeded', code: '159', type: 'TIMEOUT_EXCEEDED' }),
};

/** The error of a search whose store fails, where the chosen days have this number of requests, and the filter that was counted. */
async function failureOf(fault: Error, requests: number) {
  const counted: EventFilter[] = [];
  const eventStore = {
    findTopValues: async () => Promise.reject(fault),
    countEvents: async (filter: EventFilter) => {
      counted.push(filter);
      return requests;
    },
  };
  const query = { field: 'country' as const, search: '1.0.0.0/10', geo: ['DE'], startDate: '2026-11-20' };
  const deps = { db: databases.db, eventStore, serverOffset: '+00:00' };
  const [top] = await Promise.allSettled([readTopValues(deps, { query, scope: [7] })]);
  return { failure: top.status === 'rejected' ? top.reason : null, counted };
}

it.each(Object.entries(timeouts))(
  '[INV-065] top values that %s cannot read in time say how many requests they read',
  async (_store, error) => {
    const { failure, counted } = await failureOf(error, 7_143_000);
    expect(failure).toMatchObject({
      status: 503,
      message: 'Up to 7,143,000 requests are read one by one, which takes too long. Choose fewer days.',
    });
    // As roll-ups count them: of the apps and days alone.
    expect(counted).toEqual([{ scope: [7], from: Date.UTC(2026, 10, 20) * 1000 }]);
  },
);

it.each(Object.values(timeouts))(
  '[INV-065] top values that are few, and still not read in time, are those of a busy server',
  async (error) => {
    expect((await failureOf(error, eventsReadAtOnce)).failure).toBe(error);
  },
);

it('[INV-065] other errors of the event store stay what they are', async () => {
  const defect = new Error('no such column');
  expect(await failureOf(defect, 7_143_000)).toEqual({ failure: defect, counted: [] });
});
