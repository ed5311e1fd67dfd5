import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { testEpoch } from '../../../../api/test/arbitrary-events.ts';
import { sampleEvent } from '../../../../api/test/sample-event.ts';
import { createTestDatabase } from '../../../../api/test/test-database.ts';
import type { Databases } from '../../../../api/src/database/connect.ts';
import type { EventFilter, EventSort, EventStore } from '../../event-store.ts';
import { createTrafficStore } from '../../open-traffic-store.ts';

const minute = 60_000_000;
const rareEvents = Array.from({ length: 60 }, (_, n) =>
  sampleEvent({
    uuid: `01936b0e-7c1e-7a52-9f0b-${String(n).padStart(12, '0')}`,
    app_id: 1 + n,
    type: 'create',
    country: 'IS',
    occurred_at: testEpoch - n * minute,
  }),
);

/** Events of the same days that no list here asks for, so that reading a day costs much more than reading the matches. */
const insertOthers = `
  insert into events (uuid, app_id, type, flags, occurred_at, ip, country, client_uid, stream_uid, bot, postbacks_domain, user_agent)
  select gen_random_uuid(), 1 + n % 60, 'receive', 0, $1::timestamptz - n * interval '1 second', '192.0.2.1', 'DE', 'c-' || n, '', '', '', ''
  from generate_series(1, 40000) as n`;

type Step = 'matches' | 'others' | 'analyze';

async function open(steps: readonly Step[]): Promise<{ databases: Databases; store: EventStore }> {
  const { databases } = await createTestDatabase();
  const reading = { lookAhead: 5, denseDay: 100 };
  const { events: store } = createTrafficStore({ pools: databases.pools, serverOffset: '+00:00', retentionDays: 90, reading });
  for (const step of steps) {
    if (step === 'matches') await store.insertEvents(rareEvents);
    else if (step === 'others') await databases.pools.ops.query(insertOthers, [new Date(testEpoch / 1000)]);
    else await databases.pools.ops.query('analyze');
  }
  return { databases, store };
}

type Statement = { text: string; values: unknown[] };

function isStatement(query: unknown): query is Statement {
  return typeof query === 'object' && query !== null && 'text' in query && 'values' in query;
}

/** The statements of a list that read events. */
async function statementsOf(store: EventStore, filter: EventFilter, sort: EventSort): Promise<Statement[]> {
  const querySpy = vi.spyOn(pg.Client.prototype, 'query');
  const { rows } = await store.listEventsByCursor({ filter, sort, cursor: undefined, limit: 50 });
  const statements = querySpy.mock.calls.map(([query]: unknown[]) => query).filter((query) => isStatement(query));
  querySpy.mockRestore();
  expect(rows).toHaveLength(50);
  return statements.filter(({ text }) => text.includes('from events'));
}

/** How many pages of 8 KiB the statements read, under settings of the planner. */
async function countPages({ pools }: Databases, statements: readonly Statement[], setting: string): Promise<number> {
  const client = await pools.ops.connect();
  try {
    await client.query(setting);
    let pages = 0;
    for (const { text, values } of statements) {
      const { rows } = await client.query({ text: `explain (analyze, buffers, timing off, format json) ${text}`, values });
      const { Plan: plan } = rows[0]['QUERY PLAN'][0];
      pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    }
    return pages;
  } finally {
    await client.query('reset all');
    client.release();
  }
}

const byTime = { orderBy: 'concatenated_date', orderDirection: 'desc' } as const;
const byType = { orderBy: 'type', orderDirection: 'desc' } as const;

describe('a list of rare requests in the current week', () => {
  const settings = ['select', 'set plan_cache_mode = force_generic_plan', 'set random_page_cost = 4', `set effective_cache_size = '64MB'`];

  it.each<[string, ...Step[]]>([
    ['without statistics', 'matches', 'others'],
    ['with statistics of fewer requests', 'matches', 'analyze', 'others'],
    ['with statistics', 'matches', 'others', 'analyze'],
  ])('[OPS-014] reads about as many pages as it has rows, %s', async (_when, ...steps) => {
    const { databases, store } = await open(steps);
    for (const sort of [byTime, byType]) {
      const statements = await statementsOf(store, { scope: 'all', countries: ['IS'] }, sort);
      for (const setting of settings)
        expect(await countPages(databases, statements, setting), `${sort.orderBy}, ${setting}`).toBeLessThan(1000);
    }
  });
});
