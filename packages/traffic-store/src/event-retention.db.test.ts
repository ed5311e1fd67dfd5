import { dayOf, dayRange } from '@switchyard/contract/dates';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arbitraryEvent, testEpoch } from '../../api/test/arbitrary-events.ts';
import { type EventStoreUnderTest, eventStores } from '../../api/test/event-stores.ts';
import { day, hour, week, weekOf } from './time-buckets.ts';

const apps = [1, 2, 3];

describe.each(eventStores)('retention on $name', ({ open }) => {
  let stores: EventStoreUnderTest;

  beforeAll(async () => {
    stores = await open();
  });
  beforeEach(async () => stores.empty());

  it.each(['+02:00', '-03:30'])('[R10] drops whole weeks and keeps what counts all time, at %s', async (offset) => {
    const rows = fc
      .sample(arbitraryEvent, { numRuns: 120, seed: 4 })
      .map((row, index) => ({ ...row, occurred_at: testEpoch - (index % 45) * day }));
    const all = stores.openStore(offset);
    await all.insertEvents(rows);
    const before = await all.countEventsByApp(apps, testEpoch);
    const store = stores.openStore(offset, { retentionDays: 20 });
    await Promise.all([store.maintain(testEpoch), all.maintain(testEpoch)]);
    await store.maintain(testEpoch);

    // A week goes only when the whole of it is past.
    const remainingRows = rows.filter((row) => row.occurred_at >= weekOf(testEpoch - 20 * day));
    expect(remainingRows.length).toBeLessThan(rows.length);
    expect(await stores.count()).toBe(remainingRows.length);
    expect(await store.countEvents({ scope: 'all' })).toBe(remainingRows.length);
    const list = await store.listEventsByPage({
      filter: { scope: 'all' },
      sort: { orderBy: 'concatenated_date', orderDirection: 'asc' },
      page: 1,
      limit: 200,
    });
    expect(list.rows.map((row) => row.uuid).toSorted()).toEqual(remainingRows.map((row) => row.uuid).toSorted());
    expect(await store.findOldestId()).toBe(Math.min(...list.rows.map((row) => row.id)));
    const today = dayRange(dayOf(testEpoch, offset), offset);
    const histogram = { filter: { scope: 'all' }, from: testEpoch - 60 * day, until: today.until, bucketSeconds: 86_400 } as const;
    expect((await store.countByBucket(histogram)).reduce((sum, { events }) => sum + events, 0)).toBe(remainingRows.length);
    for (const appId of apps) {
      const countries = new Set(remainingRows.filter((row) => row.app_id === appId).map((row) => row.country));
      countries.delete('');
      expect(new Set((await store.findSeenValues(appId)).countries)).toEqual(countries);
    }
    expect(await store.countEventsByApp(apps, testEpoch)).toEqual(before);
    expect(await store.findAppsWithClients(apps)).toEqual(new Set(apps));
  });

  it('[R10] rebuilds the counters of the day that the end of a dropped week cuts', async () => {
    const [template] = fc.sample(arbitraryEvent, { numRuns: 1, seed: 5 });
    if (!template) throw new Error('no sample');
    // Weeks end on Monday 00:00 UTC, which in this offset is two hours after the day has begun.
    const monday = weekOf(testEpoch) - 3 * week;
    const around = [-3 * hour, -hour, -1, 0, hour].map((offset, index) => ({
      ...template,
      uuid: `01936b0e-7c1e-7a52-9f0b-3c5d2e7a9b1${index}`,
      occurred_at: monday + offset,
    }));
    const store = stores.openStore('+02:00', { retentionDays: 20 });
    await store.insertEvents(around);
    await store.maintain(monday + 21 * day);
    expect(await stores.count()).toBe(2);
    for (const scope of ['all', [template.app_id]] as const) {
      for (const from of [undefined, monday - 2 * hour, monday - day]) expect(await store.countEvents({ scope, from })).toBe(2);
      const histogram = { filter: { scope }, from: monday - day, until: monday + day, bucketSeconds: 86_400 };
      expect((await store.countByBucket(histogram)).map(({ events }) => events)).toEqual([2]);
    }
  });
});
