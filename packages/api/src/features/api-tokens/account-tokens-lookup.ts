import type { AccountToken } from '@switchyard/contract/account-tokens';
import { expiringSoonDays } from '@switchyard/contract/account-tokens';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { AuditEvent, OpenTransaction } from '../../database/transaction.ts';
import type { RequestContext, SessionCaller } from '../../http/bind.ts';
import { deletePersonalTokens, listAllTokens, type StoredToken } from './api-tokens-store.ts';
import { isVisible, toApiToken } from './token-mapper.ts';

export type TokenOwner = AccountToken['owner'];

/**
 * Personal tokens, and service accounts whose apps the caller sees, with their owners, newest first; `ownerId` leaves those of
 * one account.
 */
export async function listTokensOf(
  db: Kysely<Tables>,
  { ownerId, owners, caller, now }: { ownerId?: number; owners: ReadonlyMap<number, TokenOwner>; caller: SessionCaller; now: Date },
): Promise<AccountToken[]> {
  const soon = new Date(now.getTime() + expiringSoonDays * 86_400_000);
  return (await listAllTokens(db, ownerId)).flatMap((token) => {
    const owner = owners.get(token.owner_id);
    const isHidden = owner === undefined || (token.kind === 'service' && !isVisible(token, caller));
    return isHidden ? [] : [toAccountToken(token, { owner, caller, now, soon })];
  });
}

function toAccountToken(
  token: StoredToken,
  { owner, caller, now, soon }: { owner: TokenOwner; caller: SessionCaller; now: Date; soon: Date },
): AccountToken {
  const { kind, expires_at: expires } = token;
  return { ...toApiToken(token, { caller, now }), kind, owner, expires_soon: expires !== null && expires > now && expires <= soon };
}

/** Deletes the personal tokens of an account, all or one, and gives the events to record. They are unknown from the next call on. */
export async function revokeTokensOf(
  tx: OpenTransaction,
  { ownerId, id, actor, request }: { ownerId: number; id?: number; actor: { id: number }; request: RequestContext },
): Promise<AuditEvent[]> {
  const revokedTokens = await deletePersonalTokens(tx, { ownerId, ...(id === undefined ? {} : { id }) });
  const common = { actor, entity: 'api_token', action: 'revoke', request } as const;
  return revokedTokens.map((token) => ({ ...common, id: token.id, label: token.name }));
}

/** The owner of a personal token; undefined if there is no such token. */
export async function findTokenOwner(db: Kysely<Tables>, id: number): Promise<number | undefined> {
  const { rows } = await sql<{ owner_id: number }>`select owner_id from api_tokens where kind = 'personal' and id = ${id}`.execute(db);
  return rows[0]?.owner_id;
}
