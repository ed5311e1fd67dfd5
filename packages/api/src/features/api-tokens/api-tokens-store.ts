import { sql, type Insertable, type Kysely, type RawBuilder, type Selectable, type Updateable } from 'kysely';
import type { ApiTokensTable, Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

/** A stored token with its owner. */
export type StoredToken = Omit<Selectable<ApiTokensTable>, 'token_hash'> & { owner_name: string; owner_has_access: boolean };

/** The tokens `t` that `which` selects and sorts. */
async function listTokens(db: Kysely<Tables>, which: RawBuilder<unknown>): Promise<StoredToken[]> {
  const { rows } = await sql<StoredToken>`
    select t.id, t.kind, t.owner_id, t.name, t.permission_ids, t.all_apps, t.app_ids, t.networks, t.ends_with, t.created_at, t.expires_at,
      t.last_used_at, t.last_used_ip, a.name as owner_name, a.has_access and a.deleted_at is null as owner_has_access
    from api_tokens t join accounts a on a.id = t.owner_id ${which}
  `.execute(db);
  return rows;
}

/** The personal tokens of an account, newest first. */
export async function listPersonalTokens(db: Kysely<Tables>, ownerId: number): Promise<StoredToken[]> {
  return listTokens(db, sql`where t.kind = 'personal' and t.owner_id = ${ownerId} order by t.id desc`);
}

/** All tokens of either kind, newest first, or those of one owner. */
export async function listAllTokens(db: Kysely<Tables>, ownerId?: number): Promise<StoredToken[]> {
  return listTokens(db, sql`where t.owner_id = coalesce(${ownerId ?? null}, t.owner_id) order by t.id desc`);
}

/** All service accounts by name. */
export async function listServices(db: Kysely<Tables>): Promise<StoredToken[]> {
  return listTokens(db, sql`where t.kind = 'service' order by t.name, t.id`);
}

/** A service account; undefined if there is none with this id. */
export async function findService(db: Kysely<Tables>, id: number): Promise<StoredToken | undefined> {
  return (await listTokens(db, sql`where t.kind = 'service' and t.id = ${id}`))[0];
}

/** Locks a service account until the end of the transaction; false if there is none. */
export async function lockService(tx: OpenTransaction, id: number): Promise<boolean> {
  return (await sql`select from api_tokens where kind = 'service' and id = ${id} for update`.execute(tx)).rows.length > 0;
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
  await sql`delete from api_tokens where id = ${id}`.execute(tx);
}

/** Deletes personal tokens of an account, all or one, and gives those that there were. */
export async function deletePersonalTokens(tx: OpenTransaction, { ownerId, id }: { ownerId: number; id?: number }) {
  const { rows } = await sql<{ id: number; name: string }>`
    delete from api_tokens where kind = 'personal' and owner_id = ${ownerId} and id = coalesce(${id ?? null}, id) returning id, name
  `.execute(tx);
  return rows;
}

/** The first of the ids that no app has. */
export async function findUnknownApp(db: Kysely<Tables>, ids: readonly number[]): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select asked.id from unnest(${ids}::int[]) with ordinality as asked(id, place)
    where not exists (select from apps where apps.id = asked.id) order by place limit 1
  `.execute(db);
  return rows[0]?.id;
}
