import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClickHouseDatabase, isClickHouseAvailable } from '../../../api/test/clickhouse-database.ts';
import { createTestDatabase, timeoutFactor } from '../../../api/test/test-database.ts';
import { openEngine, type EngineClient } from './engine-client.ts';
import { migrateEngine, migrateEngineAlone } from './migrate-engine.ts';
import { engineMigrations, type EngineMigration } from './migrations/all-migrations.ts';
import { createClickHouseEventStore } from './create-event-store.ts';
import { figureSql, projections } from './schema.ts';
import { isEngineInstalled, startEngine } from './start-engine.ts';
import { newParameters } from './statement.ts';

const addsColumn: EngineMigration = () => [
  `alter table events add column if not exists os_version String default 'none'`,
  'alter table events add index if not exists by_os os_version type bloom_filter',
  'alter table events materialize index by_os',
];
const next = { ...engineMigrations, '9001-os-version': addsColumn };

async function ask(engine: EngineClient, text: string): Promise<string[]> {
  return engine.lines({ text, parameters: newParameters() });
}

async function openDatabase(): Promise<EngineClient> {
  const { url } = await createClickHouseDatabase();
  const engine = openEngine({ url, cluster: null, timeoutFactor });
  onTestFinished(() => engine.close());
  return engine;
}

describe('migrations of a cluster', () => {
  it('[REQ-024] create replicated tables on every server', async () => {
    const statements = Object.values(engineMigrations).flatMap((migration) => migration('main `1`'));
    await expect(statements.join(';\n\n')).toMatchFileSnapshot('migrations/cluster.sql');
  });
});

describe.runIf(isClickHouseAvailable())('migrations of the event engine', () => {
  it('[REQ-024] run once, in order, and are recorded', async () => {
    const engine = await openDatabase();
    expect(await migrateEngine({ engine, cluster: null })).toEqual(Object.keys(engineMigrations));
    expect(await migrateEngine({ engine, cluster: null }, next)).toEqual(['9001-os-version']);
    expect(await migrateEngine({ engine, cluster: null }, next)).toEqual([]);
    expect(await ask(engine, 'select name from schema_migrations order by name')).toEqual(Object.keys(next));
  });

  it('[REQ-024] do not wait until stored events are in new projections, and leave none out', async () => {
    const engine = await openDatabase();
    const [[firstName, first] = [], ...others] = Object.entries(engineMigrations);
    if (firstName === undefined || first === undefined) throw new Error('There are no migrations');
    await migrateEngine({ engine, cluster: null }, { [firstName]: first });
    for (const week of ['2026-01-05', '2026-01-12', '2026-01-19', '2026-01-26'])
      await engine.command(`insert into events (id, app_id, occurred_at) values (1, 1, '${week} 00:00:00')`);
    // Mutations that wait for the same part run as one.
    await engine.command('system stop merges events');
    expect(await migrateEngine({ engine, cluster: null })).toEqual(others.map(([name]) => name));
    await engine.command('system start merges events');
    await expect
      .poll(async () => ask(engine, 'select command from system.mutations where database = currentDatabase() and not is_done'), {
        timeout: 30_000 * timeoutFactor,
      })
      .toEqual([]);
    const incomplete = `
      select p.name, countIf(t.name != '') as parts from system.projections as p left join (
        select name from system.projection_parts where active and database = currentDatabase() and table = 'events') as t on t.name = p.name
      where p.database = currentDatabase() and p.table = 'events' group by p.name having parts != 4`;
    expect(await ask(engine, incomplete)).toEqual([]);
  });

  it('[R14] go on after a start that was killed between two statements', async () => {
    const engine = await openDatabase();
    // With the table of records and the first statement of the last migration.
    const executed = Object.values(engineMigrations).flatMap((migration) => migration(null)).length + 2;
    let statements = 0;
    const interruptedEngine: EngineClient = {
      ...engine,
      command: async (...args) => {
        if ((statements += 1) > executed) throw new Error('killed');
        return engine.command(...args);
      },
    };
    await expect(migrateEngine({ engine: interruptedEngine, cluster: null }, next)).rejects.toThrow('killed');
    expect(await migrateEngine({ engine, cluster: null }, next)).toEqual(['9001-os-version']);
    expect(
      await ask(engine, `select name from system.data_skipping_indices where database = currentDatabase() and name = 'by_os'`),
    ).toEqual(['by_os']);
  });

  it('[R26] are done by one of three consoles that start together', async () => {
    const [engine, { databases }] = await Promise.all([openDatabase(), createTestDatabase()]);
    // Connections of different pools, as each console has its own.
    const { ops, ui, jobs } = databases.pools;
    const outcomes = await Promise.all([ops, ui, jobs].map(async (pool) => migrateEngineAlone({ engine, cluster: null }, pool, next)));
    expect(outcomes.toSorted((one, other) => one.length - other.length)).toEqual([[], [], Object.keys(next)]);
  });

  it('[R28] of a newer version that only add leave the tables as they are; others stop older versions', async () => {
    const engine = await openDatabase();
    await migrateEngine({ engine, cluster: null }, next);
    expect(await migrateEngine({ engine, cluster: null })).toEqual([]);
    await migrateEngine({ engine, cluster: null }, { ...next, '9002-drop-needs-9001': () => [] });
    const rejection = migrateEngine({ engine, cluster: null });
    await expect(rejection).rejects.toBeInstanceOf(StartupError);
    await expect(rejection).rejects.toThrow(
      `ClickHouse: needs a newer Switchyard (9002-drop-needs-9001 ran, this version knows up to ${Object.keys(engineMigrations).at(-1)})`,
    );
  });

  it('[REQ-024] define the projections that statements name, and the figures that counters count', async () => {
    const engine = await openDatabase();
    await migrateEngine({ engine, cluster: null });
    const projectionNames = await ask(engine, `select name from system.projections where database = currentDatabase() order by name`);
    expect(projectionNames).toEqual(projections.toSorted());
    const [totals = ''] = await ask(
      engine,
      `select query from system.projections where database = currentDatabase() and name = 'by_total'`,
    );
    for (const figure of Object.values(figureSql)) {
      const [formattedText = ''] = await ask(engine, `select formatQuerySingleLine($$select ${figure}$$)`);
      expect(totals).toContain(formattedText.replace('SELECT ', ''));
    }
  });
});

describe.runIf(isEngineInstalled())('a folder that a version without migrations wrote', () => {
  it('[R14] is upgraded with its events', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-engine-upgrade-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    execFileSync('tar', [
      '-xzf',
      join(import.meta.dirname, '../../../api/test/databases/clickhouse-before-migrations.tar.gz'),
      '-C',
      folder,
    ]);
    const running = await startEngine(join(folder, 'events'), { onProblem: () => undefined });
    onTestFinished(() => running.stop());
    const engine = openEngine({ url: running.url, cluster: null, timeoutFactor });
    onTestFinished(() => engine.close());
    const { databases } = await createTestDatabase();
    expect(await migrateEngineAlone({ engine, cluster: null }, databases.pools.ops, next)).toEqual(Object.keys(next));
    expect(await ask(engine, `select os_version, count() from events group by os_version`)).toEqual(['none\t3']);
    const store = createClickHouseEventStore({ engine, cluster: null, pools: databases.pools, serverOffset: '+00:00', retentionDays: 90 });
    const { rows } = await store.listEventsByCursor({ filter: { scope: 'all' }, sort: {}, cursor: undefined, limit: 10, origin: true });
    expect(rows.map(({ client_uid: client, server_id: server }) => [client, server])).toEqual([
      ['c-2', null],
      ['c-1', null],
      ['c-0', null],
    ]);
    expect(await store.countEvents({ scope: 'all', clientUid: 'c-1' })).toBe(1);
  });
});
