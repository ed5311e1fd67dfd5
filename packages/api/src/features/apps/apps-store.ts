import { uniqueAppFields, type UniqueAppField } from '@switchyard/contract/app-rules';
import { storedDomain, unicodeDomain } from '@switchyard/contract/host-name';
import type { findPickApps, PickedApp, PickedBuyer } from '@switchyard/contract/pick-lists';
import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely';
import type { AppScope } from '@switchyard/contract/app-scope';
import { totalOfPage } from '../../database/total-of-page.ts';
import { containsComparable, inNaturalOrder, isInScope } from '../../database/sql-conditions.ts';
import type { AppsTable, Tables } from '../../database/tables.ts';
import { existing, type OpenTransaction } from '../../database/transaction.ts';
import type { AccountCaller, Call } from '../../http/bind.ts';
import type { SealSecret } from '../../secret-keys/seal-secret.ts';
import { listBuyerIds, listBuyers } from '../accounts/buyers-lookup.ts';
import { listCheckDomains, type ListedCheckDomain } from '../app-domains/links-lookup.ts';
import type { AppSettings } from './app-settings.ts';

/** A stored app with its buyers and its links to traffic servers. */
export type StoredApp = { row: Omit<Selectable<AppsTable>, 'push_file_sealed'>; buyers: PickedBuyer[]; checkDomains: ListedCheckDomain[] };

/** The name of an app in selects and lists. */
export function appLabel(app: { name: string; bundle: string }): string {
  return `${app.name} (${app.bundle})`;
}

/** The column in which an app's API secret is sealed. */
export function apiSecretPlace(id: number) {
  return { table: 'apps', column: 'api_secret_sealed', id };
}

/** An app; undefined when it does not exist or lies outside the scope. */
export async function findApp(db: Kysely<Tables>, id: number, scope: AppScope): Promise<StoredApp | undefined> {
  const row = await selectApp(db, { id, scope, lock: sql`` });
  return row && { row, buyers: await listBuyers(db, { appId: id }), checkDomains: await listCheckDomains(db, [id]) };
}

/** An app with what its form sets. */
export type AppWithSettings = { row: StoredApp['row']; buyers: readonly { id: number }[] };

/**
 * An app, locked until the transaction ends; undefined when it does not exist or lies outside the scope. Without `setsBuyers` its
 * buyers are not read, as if it had none.
 */
export async function lockAppWithSettings(
  tx: OpenTransaction,
  { id, scope, setsBuyers }: { id: number; scope: AppScope; setsBuyers: boolean },
): Promise<AppWithSettings | undefined> {
  const row = await selectApp(tx, { id, scope, lock: sql`for update` });
  // Read by a later statement than the one that waited, so that it sees what others committed meanwhile.
  return row && { row, buyers: setsBuyers ? await listBuyerIds(tx, id) : [] };
}

async function selectApp(
  db: Kysely<Tables>,
  { id, scope, lock }: { id: number; scope: AppScope; lock: RawBuilder<unknown> },
): Promise<StoredApp['row'] | undefined> {
  const { rows } = await sql<Selectable<AppsTable>>`select * from apps where id = ${id} and ${isInScope('id', scope)} ${lock}`.execute(db);
  if (!rows[0]) return undefined;
  const { push_file_sealed: _sealed, ...row } = rows[0];
  return row;
}

/** The expressions by which values are compared. */
const comparable = {
  name: (value) => sql`trim(comparable_text(${value}))`,
  bundle: (value) => sql`comparable_text(${value})`,
  domain: (value) => sql`lower(${value})`,
} as const satisfies Record<UniqueAppField, (value: unknown) => RawBuilder<unknown>>;

/** Whether any other app, archived or not, has this value, or one that looks the same, ignoring case and surrounding spaces. */
export async function isTaken(
  db: Kysely<Tables>,
  value: { field: UniqueAppField; value: string; exceptId?: number | undefined },
): Promise<boolean> {
  const compared = comparable[value.field];
  const text = value.field === 'domain' ? storedDomain(value.value.trim()) : value.value.trim();
  const { rows } = await sql<{ taken: boolean }>`
    select exists (
      select from apps where ${compared(sql.ref(value.field))} = ${compared(text)} and id <> ${value.exceptId ?? 0}::bigint
    ) as taken
  `.execute(db);
  return rows[0]?.taken === true;
}

/** The field of a unique index of the apps. */
export function fieldOfIndex(index: string | null): UniqueAppField | undefined {
  return uniqueAppFields.find((field) => index === `apps_${field}_key`);
}

/** Active apps in the scope in order of name, ignoring case. */
export async function listAppsToPick(db: Kysely<Tables>, scope: AppScope): Promise<PickedApp[]> {
  const { rows } = await sql<Omit<PickedApp, 'label'>>`
    select id, name, bundle, domain from apps where deleted_at is null and ${isInScope('id', scope)} order by ${inNaturalOrder('name')}, id
  `.execute(db);
  return rows.map((app) => ({ ...app, label: appLabel(app) }));
}

/** A page of the same apps, of those that an account does not have if one is named, and their total. */
export async function listAppsToPickPage(
  db: Kysely<Tables>,
  { search, ids, exceptAccount, page, limit }: Call<typeof findPickApps>['query'],
  scope: AppScope,
): Promise<{ apps: PickedApp[]; total: number }> {
  const conditions = [
    sql`deleted_at is null`,
    isInScope('id', scope),
    ...(search === undefined ? [] : [containsComparable(sql<string>`found_by`, search)]),
    ...(ids === undefined ? [] : [sql`id = any(${ids}::int[])`]),
    ...(exceptAccount === undefined
      ? []
      : [
          sql`id not in (
            select app_id from app_accounts where account_id = ${exceptAccount}::bigint union all select app_id from app_buyers where account_id = ${exceptAccount}::bigint
          )`,
        ]),
  ];
  const found = sql`from apps where ${sql.join(conditions, sql` and `)}`;
  const { rows } = await sql<Omit<PickedApp, 'label'> & { total: number }>`
    select id, name, bundle, domain, (count(*) over ())::int as total ${found}
    order by ${inNaturalOrder('name')}, id limit ${limit} offset ${(page - 1) * limit}
  `.execute(db);
  const apps = rows.map(({ total: _total, ...app }) => ({ ...app, label: appLabel(app) }));
  return { apps, total: await totalOfPage(db, { rows, page, found }) };
}

export type AppState = { id: number; name: string; deleted_at: Date | null; version: number };

/** The app, locked until the transaction ends; undefined when it does not exist or lies outside the scope. */
export async function lockApp(tx: OpenTransaction, id: number, scope: AppScope): Promise<AppState | undefined> {
  const { rows } = await sql<AppState>`
    select id, name, deleted_at, version from apps where id = ${id} and ${isInScope('id', scope)} for update
  `.execute(tx);
  return rows[0];
}

/** Archives (a date) or restores (null) an app and gives its new version. */
export async function updateDeletedAt(tx: OpenTransaction, id: number, deletedAt: Date | null, now: Date): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    update apps set deleted_at = ${deletedAt}, updated_at = ${now}, version = version + 1 where id = ${id} returning version
  `.execute(tx);
  return existing(rows[0]).version;
}

type WrittenApp = { settings: AppSettings; sealSecret: SealSecret; now: Date };

/** Inserts an app and gives its id. The secret follows in a second statement, because it is sealed for the id of its row. */
export async function insertApp(tx: OpenTransaction, { settings, sealSecret, now }: WrittenApp): Promise<number> {
  const { id } = await tx
    .insertInto('apps')
    .values({ ...columnsOf(settings), created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (settings.apiSecret !== null) {
    const sealedSecret = await sealSecret(tx, settings.apiSecret, apiSecretPlace(id));
    await sql`update apps set api_secret_sealed = ${sealedSecret} where id = ${id}`.execute(tx);
  }
  return id;
}

/** Writes the settings of a locked app and raises its version; an unchanged secret is not sealed again. */
export async function updateApp(
  tx: OpenTransaction,
  { id, before, settings, sealSecret, now }: WrittenApp & { id: number; before: AppSettings },
): Promise<void> {
  const secret = settings.apiSecret;
  const isSameSecret = secret === before.apiSecret;
  const sealedSecret = isSameSecret || secret === null ? null : await sealSecret(tx, secret, apiSecretPlace(id));
  await tx
    .updateTable('apps')
    .set((eb) => ({
      ...columnsOf(settings),
      ...(isSameSecret ? {} : { api_secret_sealed: sealedSecret }),
      updated_at: now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Gives exactly these buyers access to an app; both lists hold ids of buyers that are not deleted. */
export async function updateBuyers(
  tx: OpenTransaction,
  { appId, before, after, now }: { appId: number; before: readonly number[]; after: readonly number[]; now: Date },
): Promise<void> {
  const addedIds = after.filter((id) => !before.includes(id));
  const removedIds = before.filter((id) => !after.includes(id));
  if (addedIds.length + removedIds.length === 0) return;
  await raiseAccountVersions(tx, [...addedIds, ...removedIds], now);
  await sql`delete from app_buyers where app_id = ${appId} and account_id = any(${removedIds}::int[])`.execute(tx);
  await sql`
    insert into app_buyers (app_id, account_id) select ${appId}, unnest(${addedIds}::int[]) on conflict do nothing
  `.execute(tx);
}

/** Adds an app to those that its creator, who has a restricted scope, sees: the account, the API token, or both. */
export async function insertForCreator(
  tx: OpenTransaction,
  { appId, caller, now }: { appId: number; caller: AccountCaller; now: Date },
): Promise<void> {
  const accountId = caller.account.id;
  if (caller.by.kind === 'token') {
    await sql`update api_tokens set app_ids = app_ids || ${appId}::integer where id = ${caller.by.tokenId} and not all_apps`.execute(tx);
    const { rows: owners } = await sql<{ all_apps: boolean }>`select all_apps from accounts where id = ${accountId}`.execute(tx);
    if (owners[0]?.all_apps === true) return;
  }
  await raiseAccountVersions(tx, [accountId], now);
  await tx.insertInto('app_accounts').values({ app_id: appId, account_id: accountId }).execute();
}

/** Raises the versions of accounts: a change of an app's buyers counts for them, too. */
async function raiseAccountVersions(tx: OpenTransaction, ids: readonly number[], now: Date): Promise<void> {
  // All commands lock in one order, so that two that share buyers cannot deadlock.
  await sql`select from accounts where id = any(${ids}::int[]) order by id for no key update`.execute(tx);
  await sql`update accounts set version = version + 1, updated_at = ${now} where id = any(${ids}::int[])`.execute(tx);
}

/** Every column that the form sets, except the secret. */
function columnsOf(settings: AppSettings) {
  return {
    name: settings.name,
    bundle: settings.bundle,
    domain: settings.domain,
    domain_unicode: unicodeDomain(settings.domain),
    vertical: settings.vertical,
    white_user_agent: settings.whiteUserAgent,
    create_apf_dev_key: settings.createApfDevKey,
    firebase_app_id: settings.firebaseAppId,
    conversion_api_type: settings.conversion_api_type,
    app_mode: settings.app_mode,
    response_mode: settings.response_mode,
    response_message: JSON.stringify(settings.response_message),
    proxy_api_url: settings.proxy_api_url,
    static_response_path: settings.static_response_path,
    proxy_cache_seconds: settings.proxy_cache_seconds,
    cloak_mode: settings.cloak_mode,
    adspect_cloak: settings.adspect_cloak,
  };
}
