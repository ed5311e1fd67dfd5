import { channelLimits } from '@switchyard/contract/channels';
import { superAdminRoleId, type Panel } from '@switchyard/contract/permissions';
import { sql, type Insertable, type Kysely, type Updateable } from 'kysely';
import type { AccountsTable, AppsTable, AuditEntriesTable, CheckDomainsTable, Tables, TrafficServersTable } from '../database/tables.ts';
import { secretChange, transaction, unaudited, type OpenTransaction } from '../database/transaction.ts';

export type DemoTransaction = OpenTransaction;
export type NewAccount = { row: Insertable<AccountsTable>; roleId: number };
export type NewApp = Insertable<AppsTable>;
export type NewServer = Insertable<TrafficServersTable>;
export type NewLink = Insertable<CheckDomainsTable>;
export type NewBlackIp = Insertable<Tables['black_ips']>;
export type NewAuditEntry = Insertable<AuditEntriesTable>;
/** Fields of an app that can only be sealed once its id is known. */
export type AppSecrets = Partial<
  Pick<Updateable<AppsTable>, 'api_secret_sealed' | 'push_file_sealed' | 'push_file_name' | 'push_file_project' | 'push_file_at'>
>;

/** Taken while the demo is loaded, so that several processes starting at once load it once. */
const demoLock = 7_413_001;

/** Runs the loading of the demo in one transaction that no other process can run at the same time. */
export async function inDemoTransaction<T>(db: Kysely<Tables>, load: (tx: DemoTransaction) => Promise<T>): Promise<T> {
  return transaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${demoLock}::bigint)`.execute(tx);
    return unaudited('the demo brings an audit trail of its own', await load(tx));
  });
}

/** Whether the database holds the demo, things of its own, or nothing to speak of. */
export async function findContents(db: Kysely<Tables>): Promise<'demo' | 'other' | 'nothing'> {
  if (await holdsDemo(db)) return 'demo';
  const { rows } = await sql`select where exists (select from apps) or exists (select from traffic_servers)`.execute(db);
  return rows.length > 0 ? 'other' : 'nothing';
}

/** Whether the demo was loaded into this database. */
export async function holdsDemo(db: Kysely<Tables>): Promise<boolean> {
  return (await sql`select from accounts where is_demo limit 1`.execute(db)).rows.length > 0;
}

/** Adds the channel whose messages the demo shows in its inbox, unless there is one. */
export async function ensureInbox(db: Kysely<Tables>, now: Date): Promise<void> {
  await inDemoTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: number }>`
      insert into channels (name, kind, is_on, minimum_severity, digest_minutes, per_hour, created_at, updated_at)
      select 'Inbox', 'console', true, 'info', 0, ${channelLimits.perHour}, ${now}, ${now}
      where not exists (select from channels where kind = 'console') returning id
    `.execute(tx);
    for (const { id } of rows)
      await tx
        .insertInto('audit_entries')
        .values({ action: 'create', entity: 'channel', entity_id: String(id), entity_label: 'Inbox', changes: '[]' })
        .execute();
  });
}

/** Ends the sessions of demo accounts, and gives how many of these accounts there are and how many other super admins can sign in. */
export async function lockDemoAccounts(db: Kysely<Tables>): Promise<{ accounts: number; otherSuperAdmins: number }> {
  return transaction(db, async (tx) => {
    await sql`delete from sessions using accounts a where account_id = a.id and a.is_demo`.execute(tx);
    const { rows } = await sql<{ accounts: number; otherSuperAdmins: number }>`
      select (count(*) filter (where is_demo))::int as accounts,
        (count(*) filter (where not is_demo and has_access and exists (
          select from account_roles where account_id = accounts.id and role_id = ${superAdminRoleId}
        )))::int as "otherSuperAdmins"
      from accounts where deleted_at is null
    `.execute(tx);
    return unaudited('the start ends sessions of accounts that are locked anyway', rows[0] ?? { accounts: 0, otherSuperAdmins: 0 });
  });
}

/** A demo account that a password opens. */
export type DemoSignIn = { id: number; panel: Panel; name: string; email: string; passwordHash: string };

/** Demo accounts that can sign in, in the order they were made. */
export async function findDemoSignIns(db: Kysely<Tables>): Promise<DemoSignIn[]> {
  const { rows } = await sql<DemoSignIn>`
    select id, panel, name, email, password_hash as "passwordHash" from accounts
    where is_demo and has_access and deleted_at is null and password_hash is not null order by id
  `.execute(db);
  return rows;
}

/** Sets another password for demo accounts and ends the sessions that the old one opened. Each change is audited. */
export async function replaceDemoPassword(tx: DemoTransaction, accounts: readonly DemoSignIn[], passwordHash: string): Promise<void> {
  const ids = accounts.map(({ id }) => id);
  await sql`
    update accounts set password_hash = ${passwordHash}, updated_at = now(), version = version + 1 where id = any(${ids}::int[])
  `.execute(tx);
  await sql`delete from sessions where account_id = any(${ids}::int[])`.execute(tx);
  const changes = JSON.stringify([secretChange('password')]);
  await tx
    .insertInto('audit_entries')
    .values(
      accounts.map(({ id, panel, name }) => ({ action: 'update', entity: panel, entity_id: String(id), entity_label: name, changes })),
    )
    .execute();
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

/** Gives a server of the demo a new token, of which only the hash is stored. Returns false if the server was deleted. */
export async function replaceToken(tx: DemoTransaction, server: { name: string; tokenHash: Buffer }): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update traffic_servers set token_hash = ${server.tokenHash}, ingest_enabled = true where name = ${server.name} and deleted_at is null
  `.execute(tx);
  return numAffectedRows > 0n;
}

type AppOfAccount = { app_id: number; account_id: number };
type Relations = { links: readonly NewLink[]; buyerApps: readonly AppOfAccount[]; staffApps: readonly AppOfAccount[] };

/** Adds links and who may use which app. */
export async function addRelations(tx: DemoTransaction, { links, buyerApps, staffApps }: Relations): Promise<void> {
  await tx.insertInto('check_domains').values(links).execute();
  await tx.insertInto('app_buyers').values(buyerApps).execute();
  await tx.insertInto('app_accounts').values(staffApps).execute();
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
