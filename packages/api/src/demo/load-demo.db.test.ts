import { linkStatuses } from '@switchyard/contract/apps';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp } from '../../test/factories/app.ts';
import { createTestDatabase } from '../../test/test-database.ts';
import { createPasswordHash } from '../adapters/password-hash.ts';
import { testKeys } from '../../test/build-test-api.ts';
import { claimDatabase } from '../secret-keys/claim-database.ts';
import { createSealSecret } from '../secret-keys/seal-secret.ts';
import { createServerLookup } from '../features/traffic-servers/server-token-lookup.ts';
import { demoPassword } from '@switchyard/demo/demo-accounts';
import type { DemoInstallation } from '@switchyard/demo/demo-files';
import { loadDemo } from './load-demo.ts';

const { databases } = await createTestDatabase();
const { db, pools } = databases;
const findServerByToken = createServerLookup(databases);
const passwords = createPasswordHash();
await claimDatabase(databases, testKeys);

/** Keeps the installation as a data folder would. */
function dataFolder() {
  const keptFile: { installation: DemoInstallation | null } = { installation: null };
  const files = {
    readInstallation: async () => keptFile.installation,
    writeInstallation: async (value: DemoInstallation) => {
      keptFile.installation = value;
    },
  };
  return { keptFile, files };
}

const load = async (files: ReturnType<typeof dataFolder>['files']) =>
  loadDemo({
    db,
    files,
    sealSecret: createSealSecret(testKeys),
    hashPassword: async (text) => passwords.hash(text),
    now: () => new Date('2026-11-20T10:00:00Z'),
    utcOffset: '+00:00',
  });

async function counts() {
  const tables = [
    'accounts',
    'account_roles',
    'apps',
    'traffic_servers',
    'check_domains',
    'streams',
    'app_buyers',
    'app_accounts',
    'black_ips',
    'audit_entries',
  ] as const;
  const entries = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await pools.ui.query<{ n: number }>(`select count(*) as n from ${table}`);
      return [table, rows[0]?.n ?? 0] as const;
    }),
  );
  return Object.fromEntries(entries);
}

describe('loading the demo', () => {
  afterEach(async () => {
    await pools.ui.query('truncate accounts, apps, traffic_servers, black_ips cascade');
  });

  it('fills a fresh database once, also when several processes start together', async () => {
    const { keptFile, files } = dataFolder();
    expect(await Promise.all([load(files), load(files), load(files)])).toEqual([true, true, true]);
    const first = await counts();
    expect(first).toMatchObject({ accounts: 13, account_roles: 13, apps: 40, traffic_servers: 6, app_accounts: 6, black_ips: 8 });
    expect(first['audit_entries']).toBeGreaterThan(20);
    expect(first['streams']).toBe(0);
    const installation = keptFile.installation;
    expect(await load(files)).toBe(true);
    expect(await counts()).toEqual(first);
    expect(keptFile.installation).toBe(installation);
  });

  it('loads no traffic at all', async () => {
    await load(dataFolder().files);
    for (const table of ['streams', 'events', 'pushes', 'conversions', 'traffic_totals', 'traffic_days', 'traffic_hours']) {
      expect((await pools.ui.query(`select 1 from ${table} limit 1`)).rowCount).toBe(0);
    }
  });

  it('makes accounts that the documented password opens, and a staff account restricted to its apps', async () => {
    await load(dataFolder().files);
    const accounts = await db.selectFrom('accounts').select(['email', 'password_hash', 'all_apps', 'panel', 'is_qa']).execute();
    const byEmail = new Map(accounts.map((account) => [account.email, account]));
    expect(await passwords.matches(demoPassword, byEmail.get('admin.demo@switchyard.local')?.password_hash ?? null)).toBe(true);
    expect(byEmail.get('restricted.demo@switchyard.local')).toMatchObject({ panel: 'user', all_apps: false });
    expect(byEmail.get('super.demo@switchyard.local')).toMatchObject({ panel: 'user', all_apps: true });
    expect(byEmail.get('qa.demo@switchyard.local')).toMatchObject({ panel: 'buyer', all_apps: false, is_qa: true });
    expect(accounts.filter((account) => account.password_hash !== null)).toHaveLength(8);
  });

  it('makes servers whose tokens only the data folder knows, and links in every stage', async () => {
    const { keptFile, files } = dataFolder();
    await load(files);
    for (const server of keptFile.installation?.servers ?? []) {
      expect(await findServerByToken(server.token)).toMatchObject({ serverName: server.name });
    }
    expect(new Set(keptFile.installation?.servers.map((server) => server.token)).size).toBe(6);
    const links = await db.selectFrom('check_domains').select('status').execute();
    expect(new Set(links.map((link) => link.status))).toEqual(new Set(linkStatuses));
  });

  it('[ENT-003] seals the keys it stores, each for its own app', async () => {
    await load(dataFolder().files);
    const apps = await db.selectFrom('apps').select(['id', 'api_secret_sealed']).where('api_secret_sealed', 'is not', null).execute();
    expect(apps.length).toBeGreaterThan(3);
    for (const { id, api_secret_sealed: sealedSecret } of apps) {
      const place = { table: 'apps', column: 'api_secret_sealed', id };
      expect(testKeys.open(sealedSecret ?? '', place)).toMatch(/^[0-9a-f]{24}$/);
      expect(() => testKeys.open(sealedSecret ?? '', { ...place, id: id + 1 })).toThrow();
    }
  });

  it('leaves a database alone that holds apps of its own', async () => {
    const { keptFile, files } = dataFolder();
    await createApp(databases);
    const before = await counts();
    expect(await load(files)).toBe(false);
    expect(await counts()).toEqual(before);
    expect(keptFile.installation).toBeNull();
  });

  it('gives the servers new tokens when the data folder was lost, and makes no second past', async () => {
    const first = dataFolder();
    await load(first.files);
    const old = first.keptFile.installation?.servers[0]?.token ?? '';
    const second = dataFolder();
    expect(await load(second.files)).toBe(true);
    expect(second.keptFile.installation).toMatchObject({ days: 0, events: 0 });
    expect(await findServerByToken(old)).toBeNull();
    expect(await findServerByToken(second.keptFile.installation?.servers[0]?.token ?? '')).not.toBeNull();
  });

  it('keeps nothing when it fails halfway', async () => {
    const { files } = dataFolder();
    const failing = {
      ...files,
      writeInstallation: async () => {
        throw new Error('disk full');
      },
    };
    await expect(load(failing)).rejects.toThrow('disk full');
    expect(await counts()).toMatchObject({ accounts: 0, apps: 0, traffic_servers: 0, streams: 0, black_ips: 0, audit_entries: 0 });
  });
});
