import { sql } from 'kysely';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { TokenCaller } from '../../http/bind.ts';
import { callerColumns, heldRoles, type CallerRow } from '../callers/caller-lookup.ts';
import { toTokenCaller, type TokenGrant } from './token-rights.ts';

/**
 * The caller of an API token with its current rights, for what goes on after its call; undefined if the token was revoked or has
 * expired, or its owner may not sign in any more.
 */
export async function findTokenCaller(
  tx: OpenTransaction,
  { tokenId, now, demoIsOn }: { tokenId: number; now: Date; demoIsOn: boolean },
): Promise<TokenCaller | undefined> {
  // The columns of a caller expect the current instant as the second parameter.
  const { rows } = await sql<CallerRow & TokenGrant>`
    with asked as (select ${tokenId}::integer as id, ${now}::timestamptz as now)
    select t.id as token_id, t.name as token_name, t.permission_ids as token_permission_ids, t.all_apps as token_has_all_apps,
      t.app_ids as token_app_ids, ${sql.raw(callerColumns)}
    from asked join api_tokens t on t.id = asked.id and (t.expires_at is null or t.expires_at > asked.now)
      join accounts a on a.id = t.owner_id
    ${sql.raw(heldRoles)}
    where a.has_access and a.deleted_at is null and (${demoIsOn} or not a.is_demo)
  `.execute(tx);
  return rows[0] && toTokenCaller(rows[0]);
}
