import { sql, type Insertable, type Kysely, type Selectable, type Updateable } from 'kysely';
import type { ApiTokensTable, Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

/** A stored token with its owner. */
export type StoredToken = Omit<Selectable<ApiTokensTable>, 'token_hash'> & { owner_name: string; owner_has_access: boolean };

const columns = [
  't.id',
  't.kind',
  't.owner_id',
  't.name',
  't.permission_ids',
  't.all_apps',
  't.app_ids',
  't.networks',
  't.ends_with',
  't.created_at',
  't.expires_at',
  't.last_used_at',
  't.last_used_ip',
] as const;

function selectTokens(db: Kysely<Tables>) {
  return db
    .selectFrom('api_tokens as t')
    .innerJoin('accounts as a', 'a.id', 't.owner_id')
    .select(columns)
    .select(['a.name as owner_name', sql<boolean>`a.has_access and a.deleted_at is null`.as('owner_has_access')]);
}

/** The personal tokens of an account, newest first. */
export async function listPersonalTokens(db: Kysely<Tables>, ownerId: number): Promise<StoredToken[]> {
  return selectTokens(db).where('t.kind', '=', 'personal').where('t.owner_id', '=', ownerId).orderBy('t.id', 'desc').execute();
}

/** All tokens of either kind, newest first, or those of one owner. */
export async function listAllTokens(db: Kysely<Tables>, ownerId?: number): Promise<StoredToken[]> {
  const tokens = selectTokens(db).orderBy('t.id', 'desc');
  return (ownerId === undefined ? tokens : tokens.where('t.owner_id', '=', ownerId)).execute();
}

/** All service accounts by name. */
export async function listServices(db: Kysely<Tables>): Promise<StoredToken[]> {
  return selectTokens(db).where('t.kind', '=', 'service').orderBy('t.name').orderBy('t.id').execute();
}

/** A service account; undefined if there is none with this id. */
export async function findService(db: Kysely<Tables>, id: number): Promise<StoredToken | undefined> {
  return selectTokens(db).where('t.kind', '=', 'service').where('t.id', '=', id).executeTakeFirst();
}

/** Locks a service account until the end of the transaction; false if there is none. */
export async function lockService(tx: OpenTransaction, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('api_tokens')
    .select('id')
    .where('kind', '=', 'service')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds a token and gives its id. */
export async function insertToken(tx: OpenTransaction, token: Insertable<ApiTokensTable>): Promise<number> {
  return (await tx.insertInto('api_tokens').values(token).returning('id').executeTakeFirstOrThrow()).id;
}

/** Changes columns of a token. */
export async function updateToken(tx: OpenTransaction, id: number, changes: Updateable<ApiTokensTable>): Promise<void> {
  await tx.updateTable('api_tokens').set(changes).where('id', '=', id).execute();
}

/** Deletes a token, so that its hash is unknown from the next call on. */
export async function deleteToken(tx: OpenTransaction, id: number): Promise<void> {
  await tx.deleteFrom('api_tokens').where('id', '=', id).execute();
}

/** Deletes personal tokens of an account, all or one, and gives those that there were. */
export async function deletePersonalTokens(tx: OpenTransaction, { ownerId, id }: { ownerId: number; id?: number }) {
  const own = tx.deleteFrom('api_tokens').where('kind', '=', 'personal').where('owner_id', '=', ownerId);
  return (id === undefined ? own : own.where('id', '=', id)).returning(['id', 'name']).execute();
}

/** The first of the ids that no app has. */
export async function findUnknownApp(db: Kysely<Tables>, ids: readonly number[]): Promise<number | undefined> {
  if (ids.length === 0) return undefined;
  const rows = await db.selectFrom('apps').select('id').where('id', 'in', ids).execute();
  const tokenIds = new Set(rows.map(({ id }) => id));
  return ids.find((id) => !tokenIds.has(id));
}
