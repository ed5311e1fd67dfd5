import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { testEpoch } from '../../../test/arbitrary-events.ts';
import { sampleEvent } from '../../../test/sample-event.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { readEventSearch } from '../event-search.ts';
import type { EventFilter, EventSort } from '../event-store.ts';
import type { EventStore } from '../event-store.ts';
import { createTrafficStore } from '../traffic-store.ts';
import { addEventsStatement } from './write/add-events.ts';

/**
 * The SQL that each read sends, in files that review sees change; refresh them with `npx vitest run emitted-sql -u`. The data are
 * few and the thresholds low, so that every way of reading is taken.
 */
const folder = join(import.meta.dirname, 'sql');
const day = 86_400_000_000;

const event = (n: number) =>
  sampleEvent({
    uuid: `01936b0e-7c1e-7a52-9f0b-${String(n).padStart(12, '0')}`,
    app_id: 1 + (n % 3),
    type: n % 4 === 0 ? 'receive' : 'create',
    occurred_at: testEpoch - (n % 20) * day,
    ip: `203.0.113.${n % 200}`,
    client_uid: `c-${n}`,
    stream_uid: n % 2 === 0 ? 'st_1' : '',
    country: n % 5 === 0 ? 'US' : 'DE',
    body_request: { n },
    error: n % 7 === 0 ? { exception_type: 'Error' } : null,
  });

const newestFirst: EventSort = { orderBy: 'concatenated_date', orderDirection: 'desc' };
const filters: Readonly<Record<string, EventFilter>> = {
  everything: { scope: 'all' },
  'one app': { scope: [1] },
  'types, countries and streams': { scope: [1, 2], types: ['create', 'error'], countries: ['US'], streamUids: ['st_1'] },
  'a range that cuts days': { scope: 'all', types: ['receive'], from: testEpoch - 9.5 * day, until: testEpoch - 1.25 * day },
  'an address block': { scope: 'all', search: readEventSearch('203.0.113.0/28') },
  'one client': { scope: 'all', clientUid: 'c-7' },
};

describe('emitted SQL', async () => {
  const spied = vi.spyOn(pg.Client.prototype, 'query');
  const { databases } = await createTestDatabase();
  let store: EventStore;

  beforeAll(async () => {
    const options = { pools: databases.pools, serverOffset: '+02:00', retentionDays: 90, reading: { lookAhead: 5, denseDay: 1 } };
    store = createTrafficStore(options).events;
    await store.addEvents(Array.from({ length: 200 }, (_, index) => event(index)));
  });
  /** What a read of each filter sends, every statement once. */
  async function sentBy(read: (filter: EventFilter) => Promise<unknown>): Promise<string> {
    const sections: string[] = [];
    for (const [name, filter] of Object.entries(filters)) {
      spied.mockClear();
      await read(filter);
      const texts = spied.mock.calls.map(([query]: unknown[]) => textOf(query)).filter((text) => !withoutMeaning.test(text));
      const statements = [...new Set(texts)].map((text) => text.replaceAll(/null '[^']*'\)$/gm, "null 'row end')"));
      sections.push(`-- ${name}\n\n${statements.join(';\n\n')};\n`);
    }
    return sections.join('\n');
  }

  it('[S15] of ingestion is the committed one', async () => {
    await expect(`${addEventsStatement.trim()};\n`).toMatchFileSnapshot(join(folder, 'add-events.sql'));
  });

  it('[S15] of the cursor list is the committed one', async () => {
    const sql = await sentBy((filter) => store.listEventsByCursor({ filter, sort: newestFirst, cursor: undefined, limit: 20 }));
    await expect(sql).toMatchFileSnapshot(join(folder, 'cursor-list.sql'));
  });

  it('[S15] of the numbered list is the committed one', async () => {
    const sql = await sentBy((filter) => store.listEventsByPage({ filter, sort: newestFirst, page: 2, limit: 20 }));
    await expect(sql).toMatchFileSnapshot(join(folder, 'numbered-list.sql'));
  });

  it('[S15] of exports is the committed one', async () => {
    const { signal } = new AbortController();
    const sql = await sentBy(async (filter) => buffer(await store.exportEvents({ filter, sort: newestFirst, signal })));
    await expect(sql).toMatchFileSnapshot(join(folder, 'export.sql'));
  });

  it('[S15] of the histogram is the committed one', async () => {
    const range = { from: testEpoch - 10 * day + 7, until: testEpoch + 3_600_000_000, bucketSeconds: 10_800 };
    const sql = await sentBy((filter) => store.countByBucket({ filter, ...range }));
    await expect(sql).toMatchFileSnapshot(join(folder, 'histogram.sql'));
  });
});

/** Statements around a read that are the same for all. */
const withoutMeaning = /^(begin|commit|set local|select pg_backend_pid)/;

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  if (typeof query === 'object' && query !== null && 'text' in query && typeof query.text === 'string') return query.text;
  throw new TypeError('A statement of an unknown form was sent');
}
