import { sql } from 'kysely';
import type { ViewedSubject } from '@switchyard/contract/view-as';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { OpenTransaction } from '../../database/transaction.ts';

/** A role or an account that can be viewed; a role is not limited to apps. */
export type StoredSubject = { subject: ViewedSubject; apps: AppScope | null };

/** A role or an account that is not deleted; undefined if there is none. */
export async function findSubject(tx: OpenTransaction, kind: ViewedSubject['kind'], id: number): Promise<StoredSubject | undefined> {
  if (kind === 'role') {
    const { rows } = await sql<{ name: string }>`select label as name from roles where id = ${id}::bigint`.execute(tx);
    return rows[0] && { subject: { kind, id, ...rows[0] }, apps: null };
  }
  const { rows } = await sql<{ name: string; app_ids: number[] | null }>`
    select name, case when all_apps then null else array(
      select app_id from app_accounts where account_id = a.id union select app_id from app_buyers where account_id = a.id
    ) end as app_ids
    from accounts a where id = ${id}::bigint and deleted_at is null
  `.execute(tx);
  const [row] = rows;
  return row && { subject: { kind, id, name: row.name }, apps: row.app_ids ?? 'all' };
}

/** Locks the views of a session until the end of the transaction; false if another one has the lock. */
export async function lockSession(tx: OpenTransaction, sessionId: number): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('view_as', ${sessionId}::bigint)) as locked
  `.execute(tx);
  return rows[0]?.locked === true;
}

/** Inserts a view of a session that has none and gives its id. */
export async function insertView(
  tx: OpenTransaction,
  view: { tokenHash: Buffer; sessionId: number; subject: ViewedSubject; now: Date; expiresAt: Date },
): Promise<number> {
  const { kind, id } = view.subject;
  const row = await tx
    .insertInto('view_as_sessions')
    .values({
      token_hash: view.tokenHash,
      session_id: view.sessionId,
      role_id: kind === 'role' ? id : null,
      account_id: kind === 'account' ? id : null,
      created_at: view.now,
      expires_at: view.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** A view that is over, the name of what it showed, and when its time was over. */
export type EndedView = { id: number; name: string; expiresAt: Date };

const endedView = sql`id, expires_at as "expiresAt",
  coalesce((select label from roles where id = v.role_id), (select name from accounts where id = v.account_id)) as name`;

/** Deletes the view of a session and gives it. */
export async function deleteViewOf(tx: OpenTransaction, sessionId: number): Promise<EndedView | undefined> {
  const { rows } = await sql<EndedView>`delete from view_as_sessions v where session_id = ${sessionId} returning ${endedView}`.execute(tx);
  return rows[0];
}

/** Deletes views whose time is over and gives them. */
export async function deleteExpiredViews(tx: OpenTransaction, now: Date): Promise<EndedView[]> {
  const { rows } = await sql<EndedView>`delete from view_as_sessions v where expires_at <= ${now} returning ${endedView}`.execute(tx);
  return rows;
}
