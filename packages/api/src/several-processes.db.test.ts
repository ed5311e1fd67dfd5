import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@switchyard/embedded-postgres/start-embedded-postgres';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { demoAccounts } from '@switchyard/demo/demo-accounts';
import { demoFiles } from '@switchyard/demo/demo-files';
import { type ConsoleProcesses, consoleProcesses } from '../test/console-process.ts';
import { soon } from '../test/soon.ts';
import { openDatabases, type Databases } from './database/connect.ts';
import { migrations } from './database/all-migrations.ts';
import { createServerLookup } from './features/traffic-servers/server-token-lookup.ts';

let consoles: ConsoleProcesses;
let url = '';
let databases: Databases;
let stopServer: () => Promise<void>;
const serverFolder = mkdtempSync(join(tmpdir(), 'switchyard-server-'));

beforeAll(async () => {
  consoles = consoleProcesses();
  // The server of other tests is rejected, because it may lose acknowledged writes.
  ({ url, stop: stopServer } = await startEmbeddedPostgres({ dataDir: serverFolder, onProblem: () => undefined }));
  databases = openDatabases({ url, onError: () => undefined });
});
afterAll(async () => {
  await databases.close();
  await consoles.cleanUp();
  await stopServer();
  rmSync(serverFolder, { recursive: true, force: true });
});

describe('several processes', { timeout: 120_000 }, () => {
  it('[API-010] [R14] that start at once on an empty database create everything once', async () => {
    const names = ['one', 'two', 'three'];
    const dataDir = (name: string) => join(consoles.folder, name);
    const env = { DATABASE_URL: url, SECRET_KEY: 'the secret key of three processes', DEMO: '1' };
    const startedConsoles = await Promise.all(names.map(async (name) => consoles.start({ ...env, DATA_DIR: dataDir(name) })));

    const outputs = startedConsoles.map(({ output }) => output());
    const saying = (text: RegExp) => outputs.filter((output) => text.test(output)).length;
    expect([saying(/First administrator/), saying(/Loaded the demo/)]).toEqual([1, 1]);
    const appliedCounts = outputs.map((output) => Number(/migrations applied: (\d+)/.exec(output)?.[1] ?? 0));
    expect(appliedCounts.reduce((sum, count) => sum + count)).toBe(Object.keys(migrations).length);
    const accounts = await databases.db.selectFrom('accounts').select('is_demo').execute();
    expect(accounts.filter((account) => !account.is_demo)).toHaveLength(1);
    expect(accounts).toHaveLength(1 + demoAccounts.length);

    // One process simulates traffic, with tokens that nobody replaced.
    const installations = await Promise.all(names.map(async (name) => demoFiles(dataDir(name)).readInstallation()));
    const [installation, ...others] = installations.filter((each) => each !== null);
    expect(others).toEqual([]);
    const findServer = createServerLookup(databases);
    for (const { token } of installation?.servers ?? []) expect(await findServer(token)).not.toBeNull();
    await vi.waitFor(() => expect(startedConsoles.filter(({ output }) => output().includes('Demo back-fill'))).toHaveLength(1), soon);
  });
});
