import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { testEpoch } from '../../../test/arbitrary-requests.ts';
import { openTrafficDatabase } from '../../../test/traffic-database.ts';
import { readRequestSearch } from '../request-search.ts';
import type { NewRequest, RequestFilter, RequestSort, TrafficStore } from '../traffic-store.ts';
import { addRequestsStatement } from './write/add-events.ts';

/**
 * The SQL that each read sends, in files that review sees change; refresh them with `npx vitest run emitted-sql -u`. The data are
 * few and the thresholds low, so that every way of reading is taken.
 */
const folder = join(import.meta.dirname, 'sql');
const day = 86_400_000_000;

const event = (n: number): NewRequest => ({
  uuid: `01936b0e-7c1e-7a52-9f0b-${String(n).padStart(12, '0')}`,
  appId: 1 + (n % 3),
  type: n % 4 === 0 ? 'receive' : 'create',
  occurredAt: testEpoch - (n % 20) * day,
  ip: `203.0.113.${n % 200}`,
  clientUid: `c-${n}`,
  streamUid: n % 2 === 0 ? 'st_1' : null,
  country: n % 5 === 0 ? 'US' : 'DE',
  bot: '',
  userAgent: null,
  bodyRequest: { n },
  bodyResponse: null,
  additionalData: null,
  error: n % 7 === 0 ? { exception_type: 'Error' } : null,
  postbacksDomain: '',
  isQa: false,
});

const newestFirst: RequestSort = { orderBy: 'concatenated_date', orderDirection: 'desc' };
const filters: Readonly<Record<string, RequestFilter>> = {
  everything: { scope: 'all' },
  'one app': { scope: [1] },
  'types, countries and streams': { scope: [1, 2], types: ['create', 'error'], countries: ['US'], streamUids: ['st_1'] },
  'a range that cuts days': { scope: 'all', types: ['receive'], from: testEpoch - 9.5 * day, until: testEpoch - 1.25 * day },
  'an address block': { scope: 'all', search: readRequestSearch('203.0.113.0/28') },
  'one client': { scope: 'all', clientUid: 'c-7' },
};

describe('emitted SQL', async () => {
  const spied = vi.spyOn(pg.Client.prototype, 'query');
  const database = await openTrafficDatabase();
  let store: TrafficStore;

  beforeAll(async () => {
    store = database.openStore('+02:00', { reading: { lookAhead: 5, denseDay: 1 } });
    await store.addRequests(Array.from({ length: 200 }, (_, index) => event(index)));
  });
  /** What a read of each filter sends, every statement once. */
  async function sentBy(read: (filter: RequestFilter) => Promise<unknown>): Promise<string> {
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
    await expect(`${addRequestsStatement.trim()};\n`).toMatchFileSnapshot(join(folder, 'add-events.sql'));
  });

  it('[S15] of the cursor list is the committed one', async () => {
    const sql = await sentBy((filter) => store.listRequestsByCursor({ filter, sort: newestFirst, cursor: undefined, limit: 20 }));
    await expect(sql).toMatchFileSnapshot(join(folder, 'cursor-list.sql'));
  });

  it('[S15] of the numbered list is the committed one', async () => {
    const sql = await sentBy((filter) => store.listRequestsByPage({ filter, sort: newestFirst, page: 2, limit: 20 }));
    await expect(sql).toMatchFileSnapshot(join(folder, 'numbered-list.sql'));
  });

  it('[S15] of exports is the committed one', async () => {
    const { signal } = new AbortController();
    const sql = await sentBy(async (filter) => buffer(await store.exportRequests({ filter, sort: newestFirst, signal })));
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
