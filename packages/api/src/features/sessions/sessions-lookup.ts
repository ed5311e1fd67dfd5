import { wireDate } from '@switchyard/contract/dates';
import type { OwnSession } from '@switchyard/contract/own-sessions';
import { sql, type Selectable } from 'kysely';
import type { Databases } from '../../database/connect.ts';
import type { SessionsTable } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { randomToken } from '../../secret-keys/secret-token.ts';

type LiveSession = Omit<Selectable<SessionsTable>, 'token_hash' | 'account_id' | 'authenticated_at'>;

/** Live sessions of an account, newest first; `current` marks the reader's own. */
export async function listLiveSessions(
  db: Databases['db'],
  { accountId, sessionId, now, idleSince }: { accountId: number; sessionId: number; now: Date; idleSince: Date },
): Promise<OwnSession[]> {
  const { rows } = await sql<LiveSession>`
    select id, created_at, last_used_at, expires_at, ip, user_agent from sessions
    where account_id = ${accountId} and expires_at > ${now} and last_used_at > ${idleSince} order by created_at desc, id desc
  `.execute(db);
  return rows.map((session) => ({
    ...session,
    created_at: wireDate(session.created_at),
    last_used_at: wireDate(session.last_used_at),
    expires_at: wireDate(session.expires_at),
    current: session.id === sessionId,
  }));
}

/** Deletes live sessions of an account, one or all except one, and gives the ids of those that were live, ascending. */
export async function deleteLiveSessions(
  tx: OpenTransaction,
  { accountId, which, now, idleSince }: { accountId: number; which: { id: number } | { exceptId: number }; now: Date; idleSince: Date },
): Promise<number[]> {
  const isAsked = 'id' in which ? sql`id = ${which.id}` : sql`id <> ${which.exceptId}`;
  const { rows } = await sql<{ id: number }>`
    delete from sessions
    where account_id = ${accountId} and ${isAsked} and expires_at > ${now} and last_used_at > ${idleSince} returning id
  `.execute(tx);
  return rows.map(({ id }) => id).toSorted((one, other) => one - other);
}

/** Ids of those of these accounts that have a live session other than one. */
export async function listOwnersOfLiveSessions(
  db: Databases['db'],
  { accountIds, exceptId, now, idleSince }: { accountIds: readonly number[]; exceptId: number; now: Date; idleSince: Date },
): Promise<number[]> {
  const { rows } = await sql<{ account_id: number }>`
    select distinct account_id from sessions
    where account_id = any(${accountIds}::bigint[]) and id <> ${exceptId} and expires_at > ${now} and last_used_at > ${idleSince}
  `.execute(db);
  return rows.map(({ account_id: id }) => id);
}

/** Deletes the live sessions of an account that were opened first, past a number, and gives their ids. The clock may have been set back, so their order counts. */
export async function deleteOldestSessions(
  tx: OpenTransaction,
  { accountId, keptCount, now, idleSince }: { accountId: number; keptCount: number; now: Date; idleSince: Date },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    delete from sessions where id in (
      select id from sessions where account_id = ${accountId} and expires_at > ${now} and last_used_at > ${idleSince}
      order by id desc offset ${keptCount}
    ) returning id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

export type NewSession = {
  accountId: number;
  tokenHash: Buffer;
  now: Date;
  expiresAt: Date;
  ip: string;
  userAgent: string | null;
};

const userAgentCharacters = 512;

/** Inserts a session of an account that the transaction has locked, and gives its id. */
export async function insertSession(tx: OpenTransaction, session: NewSession): Promise<number> {
  const row = await tx
    .insertInto('sessions')
    .values({
      account_id: session.accountId,
      token_hash: session.tokenHash,
      created_at: session.now,
      last_used_at: session.now,
      authenticated_at: session.now,
      expires_at: session.expiresAt,
      ip: session.ip,
      user_agent: session.userAgent?.slice(0, userAgentCharacters) ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Records that the owner of a session confirmed their identity; false when the session has ended. */
export async function updateAuthenticationTime(tx: OpenTransaction, id: number, now: Date): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`update sessions set authenticated_at = ${now} where id = ${id}`.execute(tx);
  return numAffectedRows > 0n;
}

const prefix = 'swy_';
const tokenForm = /^swy_[A-Za-z0-9_-]{43}$/;

/** A new token of 256 random bits; the prefix lets secret scanners find a leaked one. */
export function newSessionToken(): string {
  return prefix + randomToken();
}

/** Whether a text has the form of a session token; others never reach the database. */
export function isSessionToken(text: string): boolean {
  return tokenForm.test(text);
}
