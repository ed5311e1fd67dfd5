import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayOf, dayRange } from '@switchyard/contract/dates';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { arbitraryEvent, testEpoch } from '../../../api/test/arbitrary-events.ts';
import { countersOf } from '../../../api/test/counters-of.ts';
import { soon } from '../../../api/test/soon.ts';
import { createTestDatabase, timeoutFactor } from '../../../api/test/test-database.ts';
import type { Databases } from '../../../api/src/database/connect.ts';
import type { NewEvent } from '../event-fields.ts';
import type { EventStore } from '../event-store.ts';
import { week, weekOf } from '../time-buckets.ts';
import { createClickHouseEventStore } from './create-event-store.ts';
import { type EngineClient, openEngine } from './engine-client.ts';
import { migrateEngine } from './migrate-engine.ts';
import { projections } from './schema.ts';
import { type EmbeddedEngine, isEngineInstalled, startEngine } from './start-engine.ts';
import { newParameters } from './statement.ts';
import { maintainEvents } from './upkeep/maintain.ts';

type Step = { kind: 'insert'; rows: NewEvent[] } | { kind: 'merge' | 'drop week' | 'fill' | 'restart' | 'kill' | 'killed fill' };

/** Events of seven weeks. */
const spreadEvent = fc
  .tuple(arbitraryEvent, fc.integer({ min: 0, max: 4 }))
  .map(([row, weeks]): NewEvent => ({ ...row, occurred_at: row.occurred_at - weeks * week }));
const insert: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('insert' as const),
  rows: fc.array(spreadEvent, { minLength: 10, maxLength: 60 }),
});
const step = fc.oneof(
  { weight: 3, arbitrary: insert },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ kind: 'merge' }, { kind: 'drop week' }, { kind: 'fill' }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: 'restart' }, { kind: 'kill' }, { kind: 'killed fill' }) },
);
/** Every kind of step, with merges of parts that were written before and after a drop and a restart. */
const everyStep: Step[] = [
  ...fc.sample(insert, { numRuns: 3, seed: 31 }),
  { kind: 'merge' },
  { kind: 'drop week' },
  ...fc.sample(insert, { numRuns: 2, seed: 32 }),
  { kind: 'killed fill' },
  { kind: 'fill' },
  { kind: 'kill' },
  { kind: 'drop week' },
  { kind: 'merge' },
  ...fc.sample(insert, { numRuns: 1, seed: 33 }),
  { kind: 'restart' },
  { kind: 'merge' },
];

const apps = [1, 2, 3];
const offset = '+02:00';
const { signal } = new AbortController();
const systemOf = (ip: string): string => (ip.includes(':') ? '64501' : '64500');

describe.runIf(isEngineInstalled())('projections of the event engine', () => {
  let databases: Databases;
  let folder: string;
  let running: EmbeddedEngine;
  let engine: EngineClient;
  let store: EventStore;

  async function open(): Promise<void> {
    running = await startEngine(folder, { onProblem: () => undefined });
    engine = openEngine({ url: running.url, cluster: null, timeoutFactor });
    store = createClickHouseEventStore({ engine, cluster: null, pools: databases.pools, serverOffset: offset, retentionDays: 90 });
  }
  async function close(): Promise<void> {
    await engine.close();
    await running.stop();
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchyard-projections-'));
    ({ databases } = await createTestDatabase());
    await open();
    await migrateEngine({ engine, cluster: null });
    return async () => {
      await close();
      await rm(folder, { recursive: true, force: true });
    };
  });

  const ask = async (text: string): Promise<string[]> => engine.lines({ text, parameters: newParameters() });

  /** Waits until the engine has begun to update events, or has nothing to update. */
  async function isUpdating(): Promise<void> {
    const updates = `select count() from system.mutations where command like '%asn_of_addresses%'`;
    const before = await ask(updates);
    await vi.waitFor(
      async () => expect((await ask(updates)) > before || (await ask(`select count() from events where asn = ''`))[0] === '0').toBe(true),
      soon,
    );
  }

  /** Expects that a projection holds what the events themselves say. */
  async function compare([name = '', query = '']: readonly string[]): Promise<void> {
    const [, columns = '', key = ''] = /^SELECT (.*?) (?:GROUP|ORDER) BY (.*)$/.exec(query) ?? [];
    const isCounted = query.includes('GROUP BY');
    const direct = `select ${columns} from events ${isCounted ? `group by ${key} ` : ''}settings optimize_use_projections = 0`;
    const fromProjection = isCounted
      ? // Fails if it is not answered by this projection.
        `select ${columns} from events group by ${key} settings optimize_use_projections = 1,
          preferred_optimize_projection_name = '${name}', force_optimize_projection_name = '${name}'`
      : `select ${columns} from mergeTreeProjection(currentDatabase(), events, ${name})`;
    expect([name, (await ask(fromProjection)).toSorted()]).toEqual([name, (await ask(direct)).toSorted()]);
  }

  async function compareAll(): Promise<void> {
    const steps = projections.map((name) => `materialize projection ${name}`);
    await engine.command(`alter table events ${steps.join(', ')}`, { mutations_sync: '1' });
    const definitions = await ask('select name, query from system.projections where database = currentDatabase() order by name');
    expect(definitions.map((line) => line.split('\t')[0])).toEqual(projections.toSorted());
    await Promise.all(definitions.map(async (line) => compare(line.split('\t'))));
  }

  it('[R10, ASNX-111] equal direct counts after merges, dropped weeks, filled systems, restarts and kills, as do the counters of apps', async () => {
    const takenKinds = new Set<Step['kind']>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async (steps) => {
        await engine.command('truncate table events');
        await databases.pools.ops.query('truncate event_batches, event_weeks, event_totals_dropped');
        const insertedRows: NewEvent[] = [];
        let first = weekOf(testEpoch - 6 * week);
        for (const next of steps) {
          takenKinds.add(next.kind);
          if (next.kind === 'insert') {
            const rows = next.rows.filter((row) => row.occurred_at >= first);
            await store.insertEvents(rows);
            insertedRows.push(...rows);
          } else if (next.kind === 'merge') await engine.command('optimize table events final');
          else if (next.kind === 'drop week') {
            first += week;
            await maintainEvents({ engine, cluster: null, pool: databases.pools.ops }, first);
          } else if (next.kind === 'fill') await store.updateSystems(systemOf, signal);
          else if (next.kind === 'restart') {
            await close();
            await open();
          } else {
            const filling = next.kind === 'kill' ? Promise.resolve() : store.updateSystems(systemOf, signal);
            if (next.kind === 'killed fill') await isUpdating();
            process.kill(running.pid(), 'SIGKILL');
            await filling.catch(() => undefined);
            await vi.waitFor(async () => ask('select 1'), soon);
          }
          const storedRows = insertedRows.filter((row) => row.occurred_at >= first);
          expect(await store.countEvents({ scope: 'all' })).toBe(storedRows.length);
          // An insert writes parts of its own, which the next step changes.
          if (next.kind !== 'insert') await compareAll();
          const today = dayRange(dayOf(testEpoch, offset), offset);
          const ofApp = (rows: readonly NewEvent[], appId: number) => rows.filter((row) => row.app_id === appId);
          const withEvents = apps.filter((appId) => ofApp(insertedRows, appId).length > 0);
          expect(await store.countEventsByApp(apps, testEpoch)).toEqual(
            new Map(
              withEvents.map((appId) => [
                appId,
                { ...countersOf(ofApp(insertedRows, appId), today), today: countersOf(ofApp(storedRows, appId), today).today },
              ]),
            ),
          );
        }
        while (await store.updateSystems(systemOf, signal));
        await compareAll();
        const expected = insertedRows.filter((row) => row.occurred_at >= first).map((row) => row.asn || systemOf(row.ip));
        expect(await ask('select toString(asn) from events order by asn')).toEqual(expected.toSorted());
      }),
      { numRuns: 2, seed: 30, examples: [[everyStep]] },
    );
    expect(takenKinds).toEqual(new Set(['insert', 'merge', 'drop week', 'fill', 'restart', 'kill', 'killed fill']));
  });
});
