import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabases } from '../../packages/api/src/database/connect.ts';
import { migrate } from '../../packages/api/src/database/migrate.ts';
import { migrations } from '../../packages/api/src/database/all-migrations.ts';
import { endOf } from '../../packages/api/test/console-process.ts';
import { soon } from '../../packages/api/test/soon.ts';
import { createApp, missingFrom, nothingMissing, send, startWriting, tell } from '../console/console-under-load.ts';
import { readLists } from '../console/clients.ts';
import { type ConsoleCluster, startCluster } from './console-cluster.ts';
import { databaseUrl, type PostgresServer, startPrimary } from '../console/postgres-pair.ts';

const root = join(import.meta.dirname, '../..');
/** The last commit of version 1.2.14. */
const commit1214 = '3f7fdff';

let postgres: PostgresServer;
let cluster: ConsoleCluster;

beforeAll(async () => {
  postgres = await startPrimary();
  cluster = await startCluster(databaseUrl(postgres.port));
  return async () => {
    await cluster.stop();
    await postgres.stop();
  };
});

type Migration = (typeof migrations)[string];

/** Runs migrations of versions to come, as their first console would. */
async function migrateTo(later: Readonly<Record<string, Migration>>): Promise<string[]> {
  const databases = openDatabases({ url: databaseUrl(postgres.port), onError: () => undefined });
  try {
    return await migrate(databases.opsDb, { ...migrations, ...later });
  } finally {
    await databases.close();
  }
}

/** The sources of an older version with the packages of today, which are the same but for its own. */
function checkOut(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-older-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const archive = execFileSync('git', ['-C', root, 'archive', commit, 'packages', 'package.json'], { maxBuffer: 1e9 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  mkdirSync(join(folder, 'node_modules/@switchyard'), { recursive: true });
  const packages = join(root, 'node_modules');
  for (const name of readdirSync(packages))
    if (name !== '@switchyard') symlinkSync(join(packages, name), join(folder, 'node_modules', name));
  for (const name of readdirSync(join(folder, 'packages')))
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules/@switchyard', name));
  return folder;
}

describe('upgrades without a pause', () => {
  it('[R28] a console of 1.2.14 does not start on the migrated database, and says so in one line', async () => {
    const folder = checkOut(commit1214);
    const child = spawn(process.execPath, [join(folder, 'packages/api/src/main.ts')], { env: { ...cluster.environment(0), PORT: '0' } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    expect(child.exitCode).toBe(1);
    expect(output).toMatch(
      /^The database was made by a newer Switchyard: it holds the migration \S+, which this version does not know\.\n$/,
    );
  });

  it('[R28] under load: this version and the next run side by side while one console after the other is replaced', async () => {
    const { target } = cluster;
    const appId = await createApp(target);
    const lists = readLists(target);
    const writing = startWriting(target, { writers: 8, appId });
    await vi.waitFor(() => expect(writing.writtenRows.events.length).toBeGreaterThan(200), soon);
    // The first console of the next version migrates the database while three of this one run.
    const expand: Migration = { up: async (db) => db.schema.alterTable('apps').addColumn('later', 'text').execute() };
    const later = { '9001-expand': expand };
    expect(await migrateTo(later)).toEqual(['9001-expand']);
    for (const [at, { child }] of cluster.consoles.entries()) {
      const before = writing.writtenRows.events.length;
      expect(await endOf(child, 'SIGTERM')).toBe(0);
      await vi.waitFor(() => expect(writing.writtenRows.events.length).toBeGreaterThan(before), soon);
      // This version starts again on the database of the next one, e.g. after a crash or to go back.
      const startedConsole = await cluster.startAgain(at);
      await vi.waitFor(async () => expect((await send(startedConsole.url, '/readyz', {})).status).toBe(200), soon);
    }
    await Promise.all([writing.stop(), lists.stop()]);
    const { events, apps, strange } = writing.writtenRows;
    tell(`${events.length} events and ${apps.length} apps acknowledged; longest gap of lists ${lists.gap.longest()} ms`);
    expect(strange).toEqual([]);
    expect(Object.keys(lists.statuses)).toEqual(['200']);
    expect(await missingFrom(databaseUrl(postgres.port), writing.writtenRows)).toEqual(nothingMissing);
  });

  it('[R28] once a version drops something, consoles that need it leave the load balancer and do not start again', async () => {
    await migrateTo({
      '9001-expand': { up: async () => undefined },
      '9002-contract-needs-9001': { up: async (db) => db.schema.alterTable('apps').dropColumn('later').execute() },
    });
    const [running] = cluster.consoles;
    await vi.waitFor(async () => {
      const { status, text } = await send(running?.url ?? '', '/readyz', {});
      expect([status, text]).toEqual([503, expect.stringContaining('"migrations":"pending"')]);
    }, soon);
    if (running) await endOf(running.child, 'SIGTERM');
    const { child, output } = cluster.launch(0);
    await once(child, 'close');
    expect([child.exitCode, output()]).toEqual([
      1,
      expect.stringMatching(/^Database: needs a newer Switchyard \(9002-contract-needs-9001 ran, this version knows up to \S+\)\n$/),
    ]);
  });
});
