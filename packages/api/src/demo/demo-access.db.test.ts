import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ConsoleProcesses, type StartedConsole, consoleProcesses, endOf } from '../../test/console-process.ts';
import { countRegistryAsLoaded } from '../../test/prepare-folder.ts';
import { signInAs } from '../../test/sign-in-as.ts';
import { soon } from '../../test/soon.ts';
import { createTestDatabase } from '../../test/test-database.ts';
import { openDatabases } from '../database/connect.ts';
import { markDemoAccounts } from '../database/migrations/0016-sign-in-and-tokens.ts';
import { demoAccounts } from '@switchyard/demo/demo-accounts';

const publicPassword = 'Demo-Switchyard-1';
const email = 'super.demo@switchyard.local';

async function signIn({ url }: StartedConsole, password: string): Promise<{ status: number; token: string }> {
  const answer = await fetch(`${url}/api/sanctum/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const body: { data?: { token: { accessToken: string } } } = JSON.parse(await answer.text());
  return { status: answer.status, token: body.data?.token.accessToken ?? '' };
}

const whoAmI = async ({ url }: StartedConsole, token: string): Promise<number> =>
  (await fetch(`${url}/api/sanctum/user`, { headers: { authorization: `Bearer ${token}` } })).status;

// One folder for all: each test starts the console on what the one before left.
describe('the accounts of a demo', { timeout: 120_000 }, () => {
  let consoles: ConsoleProcesses;
  let token = '';
  let generatedPassword = '';

  /** Runs a console with these variables, then ends it. */
  async function withConsole(env: Record<string, string>, check: (running: StartedConsole) => Promise<void>): Promise<void> {
    const running = await consoles.start({ DEMO: '', ...env });
    try {
      await check(running);
    } finally {
      // A console that is left would keep the folder from the next one.
      expect(await endOf(running.child, 'SIGTERM')).toBe(0);
    }
  }

  const logLines = (): string => {
    const folder = join(consoles.folder, 'data/logs');
    return readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
  };

  beforeAll(() => {
    consoles = consoleProcesses();
  });
  afterAll(() => consoles.cleanUp());

  it('[O35] [AMB-153] open with the public password on a loopback address, and their past is handed in behind the address', async () => {
    await withConsole({}, async (running) => {
      await vi.waitFor(() => expect(running.output()).toMatch(/ is ready at \S+\nDemo back-fill: 0 %\n/), soon);
      expect(running.output()).toContain('Loaded the demo');
      expect(running.output()).toContain(`Demo accounts, password ${publicPassword}:\n  ${email}`);
      const signedIn = await signIn(running, publicPassword);
      expect(signedIn.status).toBe(200);
      ({ token } = signedIn);
      expect(await whoAmI(running, token)).toBe(200);
      const databases = openDatabases({ url: consoles.databaseUrl(), onError: () => undefined });
      await countRegistryAsLoaded(databases);
      await databases.close();
    });
  });

  it('[O35] [S34] are locked and signed out once the demo is off, by default where others reach the console, until it is on again', async () => {
    await withConsole({ HOST: '0.0.0.0' }, async (running) => {
      expect((await signIn(running, publicPassword)).status).toBe(401);
      expect(await whoAmI(running, token)).toBe(401);
      const line = 'Demo accounts: 13 cannot sign in, because the demo is off';
      expect(running.output().split(line)).toHaveLength(2);
      expect(logLines().split(line)).toHaveLength(2);
      expect(running.output()).not.toContain('First administrator');
    });
    // A later start with the defaults goes on with the demo.
    await withConsole({}, async (running) => {
      expect((await signIn(running, publicPassword)).status).toBe(200);
      // The earlier session stays ended.
      expect(await whoAmI(running, token)).toBe(401);
    });
  });

  it('[O35] [S34] get a generated password, shown once, when the demo is on where others reach the console', async () => {
    await withConsole({ HOST: '0.0.0.0', DEMO: '1' }, async (running) => {
      expect((await signIn(running, publicPassword)).status).toBe(401);
      generatedPassword = /Demo accounts, password (\S{23}) \(shown only now\):/.exec(running.output())?.[1] ?? '';
      expect((await signIn(running, generatedPassword)).status).toBe(200);
    });
    for (const env of [{ HOST: '0.0.0.0', DEMO: '1' }, {}]) {
      await withConsole(env, async (running) => {
        expect(running.output()).toContain('Demo accounts, with the password set before:');
        expect(running.output()).not.toContain(generatedPassword);
        expect(running.output()).not.toContain(publicPassword);
        expect((await signIn(running, publicPassword)).status).toBe(401);
        expect((await signIn(running, generatedPassword)).status).toBe(200);
      });
    }
    expect(logLines()).not.toContain(generatedPassword);
  });
});

describe('a database with the demo of an earlier version', () => {
  it('[O35] has its demo accounts marked by the migration, and no others', async () => {
    const { databases } = await createTestDatabase();
    const { db, opsDb } = databases;
    await sql`alter table accounts drop column is_demo`.execute(db);
    for (const account of demoAccounts) {
      await sql`insert into accounts (panel, name, email) values (${account.panel}, ${account.name}, ${account.email})`.execute(db);
    }
    await sql`insert into accounts (panel, name, email) values ('user', 'A', 'admin@switchyard.local'), ('user', 'B', 'own.demo@switchyard.local')`.execute(
      db,
    );
    await markDemoAccounts(opsDb);
    const markedAccounts = await db.selectFrom('accounts').select('email').where('is_demo', '=', true).orderBy('id').execute();
    expect(markedAccounts.map((row) => row.email)).toEqual(demoAccounts.map((account) => account.email));
    await signInAs(databases, {});
    expect(await db.selectFrom('accounts').select('id').where('is_demo', '=', true).execute()).toHaveLength(demoAccounts.length);
  });
});
