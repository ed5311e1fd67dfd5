import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { arbitraryRequest } from '../../../../test/arbitrary-requests.ts';
import { createTestDatabase } from '../../../../test/test-database.ts';
import type { NewRequest, TrafficStore } from '../../traffic-store.ts';
import { createPostgresTrafficStore } from '../create-postgres-traffic-store.ts';
import { asksForNewestOfApp } from './newest-of-app.ts';

let store: TrafficStore;

beforeAll(async () => {
  const { databases } = await createTestDatabase();
  store = createPostgresTrafficStore({ pools: databases.pools, serverOffset: '+05:45', retentionDays: 90 });
});

const firstPage = (appId: number, limit: number) =>
  ({ filter: { scope: [appId] }, sort: { orderBy: 'concatenated_date', orderDirection: 'desc' }, page: 1, limit }) as const;

it('[API-028] is asked for by the first page of one app without a filter, and by no other', () => {
  const query = firstPage(1, 50);
  expect(asksForNewestOfApp({ ...query, filter: { ...query.filter, types: undefined, search: undefined } })).toBe(true);
  const others = [
    { page: 2 },
    { sort: { orderBy: 'concatenated_date', orderDirection: 'asc' } },
    { sort: { orderBy: 'id', orderDirection: 'desc' } },
    { filter: { scope: 'all' } },
    { filter: { scope: [1, 2] } },
    { filter: { scope: [1], types: ['create'] } },
    { filter: { scope: [1], search: [] } },
    { filter: { scope: [1], from: 0 } },
  ] as const;
  for (const other of others) expect(asksForNewestOfApp({ ...query, ...other })).toBe(false);
});

it('[API-028, EVT-017, EVT-018] gives the newest requests of an app with their exact total, of one moment while more arrive', async () => {
  const arrivals = fc.sample(arbitraryRequest, { numRuns: 500, seed: 31 });
  const sent: NewRequest[] = [];
  async function arrive(rows: number): Promise<void> {
    while (rows > 0 && arrivals.length > 0) {
      const batch = arrivals.splice(0, 10);
      await store.addRequests(batch);
      sent.push(...batch);
      rows -= batch.length;
    }
  }
  expect(await store.listRequestsByPage(firstPage(1, 50))).toEqual({ rows: [], total: 0 });
  await arrive(200);
  for (const appId of [1, 2, 9]) {
    const stored = sent.filter((row) => row.appId === appId);
    for (const limit of [1, 7, 20, 50]) {
      const { rows, total } = await store.listRequestsByPage(firstPage(appId, limit));
      expect(total).toBe(stored.length);
      const newest = stored.map((row) => row.occurredAt).toSorted((a, b) => b - a);
      expect(rows.map((row) => Date.parse(`${row.concatenated_date.slice(0, 23).replace(' ', 'T')}Z`))).toEqual(
        newest.slice(0, limit).map((at) => Math.floor(at / 1000)),
      );
      const inOrder = rows.toSorted((a, b) => b.concatenated_date.localeCompare(a.concatenated_date) || b.id - a.id);
      expect(rows).toEqual(inOrder);
    }
  }
  const arriving = arrive(300);
  while (arrivals.length > 0) {
    const { rows, total } = await store.listRequestsByPage(firstPage(1, 2000));
    expect(rows.length).toBe(total);
  }
  await arriving;
});
