import type { EventStore } from '../src/traffic-store/event-store.ts';
import { createTrafficStore } from '../src/traffic-store/traffic-store.ts';
import { createTestDatabase } from './test-database.ts';

type Reading = { lookAhead: number; denseDay: number };

const directCounters = `count(*)::integer as requests, count(*) filter (where type = 'create')::integer as creates,
  count(*) filter (where type = 'create' and flags & 3 = 0)::integer as creates_ok, count(*) filter (where type = 'receive')::integer as receives,
  count(*) filter (where type = 'receive' and flags & 3 = 0)::integer as receives_ok, count(*) filter (where flags & 2 <> 0)::integer as bots,
  count(*) filter (where flags & 3 = 2)::integer as bots_ok`;
const keptCounters = ['requests', 'creates', 'creates_ok', 'receives', 'receives_ok', 'bots', 'bots_ok']
  .map((name) => `${name}::integer`)
  .join(', ');

const asEpoch = (name: string) => `extract(epoch from ${name})::bigint as ${name}`;

/**
 * A database of the test file's own for requests: stores over it by their server's offset, what empties it, the sum of
 * what a table counts, and its roll-ups beside a direct count of the events.
 */
export async function openTrafficDatabase() {
  const { databases } = await createTestDatabase();

  function openStore(
    serverOffset: string,
    { retentionDays = 90, reading }: { retentionDays?: number; reading?: Reading } = {},
  ): EventStore {
    return createTrafficStore({
      pools: databases.pools,
      serverOffset,
      retentionDays,
      ...(reading === undefined ? {} : { reading }),
    }).events;
  }

  async function empty(): Promise<void> {
    await databases.pools.ops.query(
      'truncate events, traffic_totals, traffic_all_days, traffic_all_hours, traffic_all_quarters, traffic_app_days, traffic_seen, traffic_days, traffic_day_types, traffic_hours, traffic_breakdown, traffic_calendar',
    );
  }

  async function count(table: string): Promise<number> {
    const { rows } = await databases.pools.ops.query<{ n: number }>(
      `select coalesce(sum(${table === 'events' ? '1' : 'requests'}), 0)::integer as n from ${table}`,
    );
    return rows[0]?.n ?? 0;
  }

  /** Every roll-up row that a direct count of the events would give, and every one that is there. */
  async function compareRollups(offset: string): Promise<{ expected: unknown[]; stored: unknown[] }> {
    const dayOfEvent = `(occurred_at at time zone 'UTC' + interval '${offset}')::date::text as day`;
    const start = (length: string, name: string) =>
      `extract(epoch from date_bin('${length}', occurred_at + interval '${offset}', timestamptz 'epoch') - interval '${offset}')::bigint as ${name}`;
    const plain = { counted: 'count(*)::integer as requests', kept: 'requests::integer as requests' };
    const ids = {
      counted: `${plain.counted}, min(id)::integer as first_id, max(id)::integer as last_id`,
      kept: `${plain.kept}, first_id::integer, last_id::integer`,
    };
    const ends = {
      counted: `${directCounters}, host(min(ip)) as first_ip, host(max(ip)) as last_ip, min(left(lower(client_uid), 8) collate "C") as first_uid,
        max(left(lower(client_uid), 8) collate "C") as last_uid`,
      kept: `${keptCounters}, host(first_ip) as first_ip, host(last_ip) as last_ip, first_uid, last_uid`,
    };
    const parts = [
      ['traffic_totals', 'app_id, flags & 8 <> 0 as is_qa', 'app_id, is_qa', { counted: directCounters, kept: keptCounters }],
      ['traffic_hours', `${start('1 hour', 'hour')}, app_id, type, flags`, `${asEpoch('hour')}, app_id, type, flags`, plain],
      ['traffic_all_hours', `${start('1 hour', 'hour')}, type`, `${asEpoch('hour')}, type`, plain],
      ['traffic_all_quarters', `${start('15 minutes', 'quarter')}, type`, `${asEpoch('quarter')}, type`, plain],
      ['traffic_days', `${dayOfEvent}, app_id, type, flags`, 'day::text as day, app_id, type, flags', ids],
      ['traffic_day_types', `${dayOfEvent}, app_id, type`, 'day::text as day, app_id, type', ids],
      ['traffic_app_days', `${dayOfEvent}, app_id`, 'day::text as day, app_id', ends],
      ['traffic_all_days', `${dayOfEvent}, type`, 'day::text as day, type', ids],
      [
        'traffic_breakdown',
        `${dayOfEvent}, app_id, type, country, stream_uid, flags`,
        'day::text as day, app_id, type, country, stream_uid, flags',
        ids,
      ],
    ] as const;
    const expected: unknown[] = [];
    const stored: unknown[] = [];
    for (const [table, bucket, key, { counted, kept }] of parts) {
      const places = key.split(',').map((_, index) => index + 2);
      const order = places.join(', ');
      const direct = await databases.pools.ops.query(
        `select '${table}' as rollup, ${bucket}, ${counted} from events group by ${order} order by ${order}`,
      );
      const found = await databases.pools.ops.query(`select '${table}' as rollup, ${key}, ${kept} from ${table} order by ${order}`);
      expected.push(...direct.rows);
      stored.push(...found.rows);
    }
    const seen = await databases.pools.ops.query(`select app_id, country, stream_uid, max(${dayOfEvent.replace(' as day', '')}) as day
      from events group by 1, 2, 3 order by 1, 2, 3`);
    const known = await databases.pools.ops.query(
      'select app_id, country, stream_uid, day::text as day from traffic_seen order by app_id, country, stream_uid',
    );
    expected.push(...seen.rows);
    stored.push(...known.rows);
    return { expected, stored };
  }

  return { databases, openStore, empty, count, compareRollups };
}
