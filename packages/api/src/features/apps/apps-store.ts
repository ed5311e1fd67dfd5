import { sql, type Kysely, type SqlBool, type Transaction } from 'kysely';
import type { SecretBox } from '../../adapters/secret-box.ts';
import type { Tables } from '../../database/tables.ts';
import type { AppScope } from '../../traffic-store/traffic-store.ts';
import type { AppSettings } from './app-settings.ts';
import { apiSecretPlace } from './full-app-mapper.ts';

export type AppState = { id: number; name: string; deleted_at: Date | null; version: number };

/** Runs a write in one transaction. */
export async function inTransaction<T>(db: Kysely<Tables>, write: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.transaction().execute(write);
}

/** The app, locked until the transaction ends; undefined when it does not exist or lies outside the scope (S10). */
export async function lockApp(tx: Transaction<Tables>, id: number, scope: AppScope): Promise<AppState | undefined> {
  return tx
    .selectFrom('apps')
    .select(['id', 'name', 'deleted_at', 'version'])
    .where('id', '=', id)
    .where(scope === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`id = any(${scope}::int[])`)
    .forUpdate()
    .executeTakeFirst();
}

/** Archives (a date) or restores (null) an app and gives its new version. */
export async function setDeletedAt(tx: Transaction<Tables>, id: number, deletedAt: Date | null, now: Date): Promise<number> {
  const row = await tx
    .updateTable('apps')
    .set((eb) => ({ deleted_at: deletedAt, updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow();
  return row.version;
}

/** Adds an app and gives its id. The secret is sealed for the very row, so it follows once the row has its id (S17). */
export async function insertApp(
  tx: Transaction<Tables>,
  { settings, secretBox, now }: { settings: AppSettings; secretBox: Pick<SecretBox, 'seal'>; now: Date },
): Promise<number> {
  const { id } = await tx
    .insertInto('apps')
    .values({ ...columnsOf(settings), created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (settings.apiSecret !== null)
    await tx
      .updateTable('apps')
      .set({ api_secret_sealed: secretBox.seal(settings.apiSecret, apiSecretPlace(id)) })
      .where('id', '=', id)
      .execute();
  return id;
}

/** Writes the settings of a locked app and raises its version; a secret that stays is not sealed anew. */
export async function updateApp(
  tx: Transaction<Tables>,
  {
    id,
    before,
    settings,
    secretBox,
    now,
  }: { id: number; before: AppSettings; settings: AppSettings; secretBox: Pick<SecretBox, 'seal'>; now: Date },
): Promise<void> {
  const secret = settings.apiSecret;
  const sealed = secret === null ? null : secretBox.seal(secret, apiSecretPlace(id));
  await tx
    .updateTable('apps')
    .set((eb) => ({
      ...columnsOf(settings),
      ...(secret === before.apiSecret ? {} : { api_secret_sealed: sealed }),
      updated_at: now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Gives and takes access to an app, so that exactly these buyers have it; both lists hold ids of buyers not deleted. */
export async function setBuyers(
  tx: Transaction<Tables>,
  { appId, before, after, now }: { appId: number; before: readonly number[]; after: readonly number[]; now: Date },
): Promise<void> {
  const added = after.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !after.includes(id));
  await raiseAccountVersions(tx, [...added, ...removed], now);
  if (removed.length > 0) await tx.deleteFrom('app_buyers').where('app_id', '=', appId).where('account_id', 'in', removed).execute();
  if (added.length > 0)
    await tx
      .insertInto('app_buyers')
      .values(added.map((id) => ({ app_id: appId, account_id: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Puts an app among those that its restricted creator sees (api 0.11). */
export async function attachToCreator(
  tx: Transaction<Tables>,
  { appId, accountId, now }: { appId: number; accountId: number; now: Date },
): Promise<void> {
  await raiseAccountVersions(tx, [accountId], now);
  await tx.insertInto('app_accounts').values({ app_id: appId, account_id: accountId }).execute();
}

/** An account's set of apps counts for its version also when it is changed from the app's side (api 0.9). */
async function raiseAccountVersions(tx: Transaction<Tables>, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  // Locked in one order, so that two saves that share buyers never wait for each other in a circle.
  await tx.selectFrom('accounts').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute();
  await tx
    .updateTable('accounts')
    .set((eb) => ({ version: eb('version', '+', 1), updated_at: now }))
    .where('id', 'in', ids)
    .execute();
}

/** Every column that the form sets, except the secret. */
function columnsOf(settings: AppSettings) {
  return {
    name: settings.name,
    bundle: settings.bundle,
    domain: settings.domain,
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
