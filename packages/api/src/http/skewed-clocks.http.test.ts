import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildTestApi } from '../../test/build-test-api.ts';
import { createClickHouseDatabase, isClickHouseAvailable } from '../../test/clickhouse-database.ts';
import { createApp } from '../../test/factories/app.ts';
import { signInAs, signInAsServer } from '../../test/sign-in-as.ts';
import { createTestDatabase, timeoutFactor } from '../../test/test-database.ts';
import { openEngine } from '@switchyard/traffic-store/clickhouse/engine-client';
import { migrateEngine } from '@switchyard/traffic-store/clickhouse/migrate-engine';

const hour = 3_600_000;
/** Thirty days after a week ended: from now on it is past retention. */
const midnight = Date.parse('2026-11-18T00:00:00Z');

describe.runIf(isClickHouseAvailable())('processes whose clocks differ by hours, with events on ClickHouse', () => {
  it('[API-003] store each event once, deliver in the order of commits, and agree on totals beyond retention', async () => {
    const [{ databases }, { url }] = await Promise.all([createTestDatabase(), createClickHouseDatabase()]);
    const engine = openEngine({ url, cluster: null, timeoutFactor });
    await migrateEngine({ engine, cluster: null });
    const options = { databases, engine: { engine, cluster: null }, env: { EVENT_RETENTION_DAYS: '30' } };
    const slow = await buildTestApi({ ...options, startsAt: new Date(midnight - 3 * hour) });
    const fast = await buildTestApi({ ...options, startsAt: new Date(midnight + 2 * hour) });
    await slow.maintain();
    const { id: appId } = await createApp(databases, { bundle: 'com.skew' });
    const { headers: server } = await signInAsServer(databases);
    const rows = (count: number, at: number) =>
      Array.from({ length: count }, () => ({
        id: randomUUID(),
        app_id: appId,
        type: 'create',
        date: new Date(at).toISOString(),
        ip: '203.0.113.9',
      }));
    const send = async (api: typeof slow, events: unknown) => {
      const { status, body } = await api.call('POST', '/api/ingest/events', { headers: server, body: { events } });
      return status === 200 ? [body.data.accepted, body.data.duplicates] : status;
    };
    const total = async (api: typeof slow): Promise<number> => {
      const { headers } = await signInAs(databases, { role: 'Super Admin', since: api.now() });
      return (await api.call('GET', '/api/apps?isCache=0', { headers })).body.data[0].statistics.all.all_time.create.all;
    };

    const [first, second] = [rows(4, midnight - 4 * hour), rows(5, midnight + hour)];
    // The last day of the oldest week that the slow clock still accepts.
    const old = rows(3, midnight - 30 * 24 * hour - hour);
    expect(await send(slow, [...first, ...old])).toEqual([7, 0]);
    expect(await send(fast, second)).toEqual([5, 0]);
    expect(await Promise.all([send(slow, [...first, ...second]), send(fast, [...second, ...first])])).toEqual([
      [0, 9],
      [0, 9],
    ]);
    const third = rows(2, midnight - 5 * hour);
    expect(await send(slow, third)).toEqual([2, 0]);
    const { rows: batches } = await databases.pools.ops.query(
      `select requests, announced - min(announced) over () as place from event_batches where state = 'stored' order by settled_at`,
    );
    expect(batches).toEqual([
      { requests: 7, place: 0 },
      { requests: 5, place: 1 },
      { requests: 2, place: 2 },
    ]);

    await fast.maintain();
    const { rows: droppedWeeks } = await databases.pools.ops.query(`select week, state from event_weeks`);
    expect(droppedWeeks).toEqual([{ week: '2026-10-12', state: 'dropped' }]);
    expect([await total(slow), await total(fast)]).toEqual([14, 14]);
    // Counted already, so it is not stored again: the sender gets an error until this clock gets there as well.
    expect(await send(slow, old)).toBe(503);
    slow.wait(5 * hour);
    expect(await send(slow, old)).toBe(422);
    expect([await total(slow), await total(fast)]).toEqual([14, 14]);
    await Promise.all([slow.app.close(), fast.app.close()]);
    await engine.close();
  });
});
