import { sql, type Insertable, type Kysely, type Transaction, type Updateable } from 'kysely';
import type { AccountsTable, AppsTable, AuditEntriesTable, CheckDomainsTable, Tables, TrafficServersTable } from '../database/tables.ts';

export type DemoTransaction = Transaction<Tables>;
export type NewAccount = { row: Insertable<AccountsTable>; roleId: number };
export type NewApp = Insertable<AppsTable>;
export type NewServer = Insertable<TrafficServersTable>;
export type NewLink = Insertable<CheckDomainsTable>;
export type NewBlackIp = Insertable<Tables['black_ips']>;
export type NewAuditEntry = Insertable<AuditEntriesTable>;
/** What of an app can only be sealed once its id is known. */
export type AppSecrets = Partial<
  Pick<Updateable<AppsTable>, 'api_secret_sealed' | 'push_file_sealed' | 'push_file_name' | 'push_file_project' | 'push_file_at'>
>;

/** Taken while the demo is loaded, so that several processes starting at once load it once. */
const demoLock = 7_413_001;

/** Runs the loading of the demo in one transaction that no other process can run at the same time. */
export async function inDemoTransaction<T>(db: Kysely<Tables>, load: (tx: DemoTransaction) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${demoLock}::bigint)`.execute(tx);
    return load(tx);
  });
}

/** Whether the database holds the demo, things of its own, or nothing to speak of. */
export async function findContents(db: Kysely<Tables>, demoEmailEnd: string): Promise<'demo' | 'other' | 'nothing'> {
  const demo = await db
    .selectFrom('accounts')
    .select('id')
    .where(sql<boolean>`right(email, ${demoEmailEnd.length}) = ${demoEmailEnd}`)
    .limit(1)
    .executeTakeFirst();
  if (demo) return 'demo';
  const app = await db.selectFrom('apps').select('id').limit(1).executeTakeFirst();
  const server = await db.selectFrom('traffic_servers').select('id').limit(1).executeTakeFirst();
  return app || server ? 'other' : 'nothing';
}

/** Adds accounts with their role each; gives ids by e-mail. */
export async function addAccounts(tx: DemoTransaction, accounts: readonly NewAccount[]): Promise<ReadonlyMap<string, number>> {
  const rows = await tx
    .insertInto('accounts')
    .values(accounts.map((account) => account.row))
    .returning(['id', 'email', 'panel'])
    .execute();
  const roleByEmail = new Map(accounts.map((account) => [account.row.email, account.roleId]));
  await tx
    .insertInto('account_roles')
    .values(rows.map(({ id, email, panel }) => ({ account_id: id, role_id: roleByEmail.get(email) ?? 0, panel })))
    .execute();
  return new Map(rows.map((row) => [row.email, row.id]));
}

/** Adds apps; gives ids by bundle. */
export async function addApps(tx: DemoTransaction, apps: readonly NewApp[]): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.insertInto('apps').values(apps).returning(['id', 'bundle']).execute();
  return new Map(rows.map((row) => [row.bundle, row.id]));
}

/** Sets an app's sealed secrets. */
export async function setSecrets(tx: DemoTransaction, id: number, secrets: AppSecrets): Promise<void> {
  await tx.updateTable('apps').set(secrets).where('id', '=', id).execute();
}

/** Adds traffic servers; gives ids by name. */
export async function addServers(tx: DemoTransaction, servers: readonly NewServer[]): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.insertInto('traffic_servers').values(servers).returning(['id', 'name']).execute();
  return new Map(rows.map((row) => [row.name, row.id]));
}

/** Gives a server of the demo a new token, of which only the hash is stored; false when it is gone. */
export async function replaceToken(tx: DemoTransaction, server: { name: string; tokenHash: Buffer }): Promise<boolean> {
  const result = await tx
    .updateTable('traffic_servers')
    .set({ token_hash: server.tokenHash, ingest_enabled: true })
    .where('name', '=', server.name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Adds links and who may use which app. */
export async function addRelations(
  tx: DemoTransaction,
  relations: {
    links: readonly NewLink[];
    buyerApps: readonly { app_id: number; account_id: number }[];
    staffApps: readonly { app_id: number; account_id: number }[];
  },
): Promise<void> {
  await tx.insertInto('check_domains').values(relations.links).execute();
  await tx.insertInto('app_buyers').values(relations.buyerApps).execute();
  await tx.insertInto('app_accounts').values(relations.staffApps).execute();
}

/** Adds what the staff of the demo did: addresses on the black list, and the trail of changes in the order of their time. */
export async function addChanges(
  tx: DemoTransaction,
  changes: { blackIps: readonly NewBlackIp[]; auditEntries: readonly NewAuditEntry[] },
): Promise<void> {
  // A database without apps may have a black list of its own.
  await tx
    .insertInto('black_ips')
    .values(changes.blackIps)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx.insertInto('audit_entries').values(changes.auditEntries).execute();
}
