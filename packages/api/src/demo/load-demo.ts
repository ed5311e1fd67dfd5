import { fromDate } from '@switchyard/contract/dates';
import { randomBytes } from 'node:crypto';
import type { Databases } from '../database/connect.ts';
import type { SealSecret } from '../secret-keys/seal-secret.ts';
import { tokenHash } from '../secret-keys/secret-token.ts';
import { demoAccounts, demoPassword } from '@switchyard/demo/demo-accounts';
import { demoApps } from '@switchyard/demo/demo-apps';
import { demoAuditEntries, demoBlackIps, type ToldApp } from './demo-changes.ts';
import type { DemoFiles, DemoInstallation } from '@switchyard/demo/demo-files';
import { accountRow, appRow, linkRow, secretsOf, serverRow } from './demo-rows.ts';
import { demoLinks, demoServers } from '@switchyard/demo/demo-servers';
import {
  addAccounts,
  addApps,
  addChanges,
  addRelations,
  addServers,
  findContents,
  inDemoTransaction,
  replaceToken,
  setSecrets,
  type DemoTransaction,
} from './demo-store.ts';
import { demoBuyerApps } from '@switchyard/demo/demo-streams';

type Deps = {
  db: Databases['db'];
  files: Pick<DemoFiles, 'readInstallation' | 'writeInstallation'>;
  sealSecret: SealSecret;
  /** Returns the value for `accounts.password_hash`. */
  hashPassword: (password: string) => Promise<string>;
  now: () => Date;
  utcOffset: string;
};

/** History of a new demo. */
const past = { days: 14, events: 200_000 } as const;

/**
 * Loads the demo's accounts, apps, traffic servers, black list and audit entries into a database without apps. A database that
 * already has the demo, or other apps, stays unchanged. Streams and traffic are not loaded; the simulator sends them. Returns
 * whether the database contains the demo afterwards.
 */
export async function loadDemo(deps: Deps): Promise<boolean> {
  const before = await findContents(deps.db);
  // Hashing is slow, so it runs only if needed and before the lock is taken.
  const passwordHash = before === 'nothing' ? await deps.hashPassword(demoPassword) : null;
  return inDemoTransaction(deps.db, async (tx) => {
    const contents = await findContents(tx);
    if (contents === 'nothing' && passwordHash !== null) await fill(tx, deps, passwordHash);
    else if (contents === 'demo' && !(await deps.files.readInstallation())) await renewTokens(tx, deps);
    return contents !== 'other';
  });
}

/** Creates new tokens after the data folder was lost. Its record of the sent history is lost too, so only live traffic continues. */
async function renewTokens(tx: DemoTransaction, deps: Deps): Promise<void> {
  const servers: DemoInstallation['servers'] = [];
  for (const server of newTokens()) {
    if (await replaceToken(tx, { name: server.name, tokenHash: tokenHash(server.token) })) servers.push(server);
  }
  if (servers.length > 0) await deps.files.writeInstallation(newInstallation(deps, { days: 0, events: 0, servers }));
}

function newInstallation(
  deps: Pick<Deps, 'now' | 'utcOffset'>,
  installation: Pick<DemoInstallation, 'days' | 'events' | 'servers'>,
): DemoInstallation {
  return { seed: randomBytes(8).toString('hex'), until: fromDate(deps.now()), utcOffset: deps.utcOffset, ...installation };
}

function newTokens(): DemoInstallation['servers'] {
  return demoServers.map(({ name }) => ({ name, token: `swd_${randomBytes(24).toString('base64url')}` }));
}

async function fill(tx: DemoTransaction, deps: Deps, passwordHash: string): Promise<void> {
  const now = deps.now();
  const tokens = newTokens();
  const accounts = await addAccounts(
    tx,
    demoAccounts.map((account) => accountRow(account, passwordHash, now)),
  );
  const appRows = demoApps.map((app, index) => appRow(app, index, now));
  const archivedAt = new Map(appRows.map((row) => [row.bundle, row.deleted_at ?? null]));
  const apps = await addApps(tx, appRows);
  const servers = await addServers(
    tx,
    tokens.flatMap(({ name, token }) =>
      demoServers.filter((server) => server.name === name).map((server) => serverRow(server, tokenHash(token), now)),
    ),
  );
  const toldApps: ToldApp[] = [];
  for (const app of demoApps) {
    const id = idOf(apps, app.bundle);
    const secrets = await secretsOf(app, now, async (column, secret) => deps.sealSecret(tx, secret, { table: 'apps', column, id }));
    if (secrets) await setSecrets(tx, id, secrets);
    toldApps.push({ id, name: app.name, bundle: app.bundle, archivedAt: archivedAt.get(app.bundle) ?? null, secrets });
  }
  await addRelations(tx, {
    links: demoLinks().map((link) => linkRow(link, { app_id: idOf(apps, link.bundle), server_id: idOf(servers, link.server) }, now)),
    buyerApps: demoBuyerApps().map(({ bundle, buyerEmail }) => ({ app_id: idOf(apps, bundle), account_id: idOf(accounts, buyerEmail) })),
    staffApps: demoAccounts.flatMap(({ email, onlyApps }) =>
      (onlyApps ?? []).map((bundle) => ({ account_id: idOf(accounts, email), app_id: idOf(apps, bundle) })),
    ),
  });
  await addChanges(tx, {
    blackIps: demoBlackIps(now),
    auditEntries: demoAuditEntries({ accounts, servers, apps: toldApps }, now),
  });
  // Last, so that a failure above leaves no file of a demo that was never kept.
  await deps.files.writeInstallation(newInstallation(deps, { ...past, servers: tokens }));
}

function idOf(ids: ReadonlyMap<string, number>, key: string): number {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`The demo names ${key}, which it does not add.`);
  return id;
}
