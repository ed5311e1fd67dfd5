import type pg from 'pg';

const directCounters = `count(*)::integer as requests, count(*) filter (where type = 'create')::integer as creates,
  count(*) filter (where type = 'create' and flags & 3 = 0)::integer as creates_ok, count(*) filter (where type = 'receive')::integer as receives,
  count(*) filter (where type = 'receive' and flags & 3 = 0)::integer as receives_ok, count(*) filter (where flags & 2 <> 0)::integer as bots,
  count(*) filter (where flags & 3 = 2)::integer as bots_ok`;
const keptCounters = ['requests', 'creates', 'creates_ok', 'receives', 'receives_ok', 'bots', 'bots_ok']
  .map((name) => `${name}::integer`)
  .join(', ');

const asEpoch = (name: string) => `extract(epoch from ${name})::bigint as ${name}`;

/** How many events a table of PostgreSQL counts. */
export async function countIn(pool: pg.Pool, table: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select coalesce(sum(${table === 'events' ? '1' : 'requests'}), 0)::integer as n from ${table}`,
  );
  return rows[0]?.n ?? 0;
}

/** Every roll-up row that a direct count of the events would give, and every one that is there. */
export async function compareRollups(pool: pg.Pool, offset: string): Promise<{ expected: unknown[]; stored: unknown[] }> {
  const dayOfEvent = `(occurred_at at time zone 'UTC' + interval '${offset}')::date::text as day`;
  const start = (length: string, name: string) =>
    `extract(epoch from date_bin('${length}', occurred_at + interval '${offset}', timestamptz 'epoch') - interval '${offset}')::bigint as ${name}`;
  const plain = { counted: 'count(*)::integer as requests', kept: 'requests::integer as requests' };
  const outcomes = {
    counted: `${plain.counted}, count(*) filter (where flags & 3 = 0)::integer as successes, count(*) filter (where flags & 2 <> 0)::integer as bots`,
    kept: `${plain.kept}, successes::integer, bots::integer`,
  };
  const ofTypes = {
    counted: `${outcomes.counted}, count(*) filter (where flags & 1 <> 0)::integer as errors`,
    kept: `${outcomes.kept}, errors::integer`,
  };
  const ids = {
    counted: `${plain.counted}, min(id)::integer as first_id, max(id)::integer as last_id`,
    kept: `${plain.kept}, first_id::integer, last_id::integer`,
  };
  const ends = {
    counted: `${directCounters}, count(*) filter (where flags & 3 = 0)::integer as successes, host(min(ip)) as first_ip, host(max(ip)) as last_ip, min(left(lower(client_uid), 8) collate "C") as first_uid,
      max(left(lower(client_uid), 8) collate "C") as last_uid`,
    kept: `${keptCounters}, successes::integer, host(first_ip) as first_ip, host(last_ip) as last_ip, first_uid, last_uid`,
  };
  const parts = [
    ['traffic_totals', 'app_id, flags & 8 <> 0 as is_qa', 'app_id, is_qa', { counted: directCounters, kept: keptCounters }],
    ['traffic_hours', `${start('1 hour', 'hour')}, app_id, type, flags`, `${asEpoch('hour')}, app_id, type, flags`, plain],
    ['traffic_all_hours', `${start('1 hour', 'hour')}, type`, `${asEpoch('hour')}, type`, ofTypes],
    ['traffic_all_quarters', `${start('15 minutes', 'quarter')}, type`, `${asEpoch('quarter')}, type`, plain],
    ['traffic_days', `${dayOfEvent}, app_id, type, flags`, 'day::text as day, app_id, type, flags', ids],
    ['traffic_day_types', `${dayOfEvent}, app_id, type`, 'day::text as day, app_id, type', ids],
    ['traffic_day_types', `${dayOfEvent}, app_id, type`, 'day::text as day, app_id, type', ofTypes],
    ['traffic_country_days', `${dayOfEvent}, country, type`, 'day::text as day, country, type', ofTypes],
    ['traffic_stream_days', `${dayOfEvent}, app_id, stream_uid`, 'day::text as day, app_id, stream_uid', outcomes],
    ['traffic_asn_days', `${dayOfEvent}, asn, app_id, type`, 'day::text as day, asn, app_id, type', ids],
    ['traffic_asn_days', `${dayOfEvent}, asn, app_id, type`, 'day::text as day, asn, app_id, type', ofTypes],
    ['traffic_app_days', `${dayOfEvent}, app_id`, 'day::text as day, app_id', ends],
    ['traffic_all_days', `${dayOfEvent}, type`, 'day::text as day, type', ids],
    ['traffic_all_days', `${dayOfEvent}, type`, 'day::text as day, type', ofTypes],
    [
      'traffic_breakdown',
      `${dayOfEvent}, app_id, type, country, stream_uid, flags`,
      'day::text as day, app_id, type, country, stream_uid, flags',
      ids,
    ],
  ] as const;
  const expected: unknown[] = [];
  const storedRows: unknown[] = [];
  for (const [table, bucket, key, { counted, kept }] of parts) {
    const places = key.split(',').map((_, index) => index + 2);
    const order = places.join(', ');
    const direct = await pool.query(`select '${table}' as rollup, ${bucket}, ${counted} from events group by ${order} order by ${order}`);
    const rollup = await pool.query(`select '${table}' as rollup, ${key}, ${kept} from ${table} order by ${order}`);
    expected.push(...direct.rows);
    storedRows.push(...rollup.rows);
  }
  const expectedSeen = await pool.query(`select app_id, country, stream_uid, max(${dayOfEvent.replace(' as day', '')}) as day
    from events group by 1, 2, 3 order by 1, 2, 3`);
  const storedSeen = await pool.query(
    'select app_id, country, stream_uid, day::text as day from traffic_seen order by app_id, country, stream_uid',
  );
  expected.push(...expectedSeen.rows);
  storedRows.push(...storedSeen.rows);
  return { expected, stored: storedRows };
}
