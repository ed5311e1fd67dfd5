import { sql } from 'kysely';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { TokenCaller } from '../../http/bind.ts';
import { callerColumns, heldRoles, mayAct, type CallerRow } from '../credentials/caller-lookup.ts';
import { grantColumns, isUnexpired } from './token-holders-lookup.ts';
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
    with asked as (select ${tokenId}::integer as id, ${now}::timestamptz as now, ${demoIsOn}::boolean as demo_is_on)
    select ${sql.raw(`${grantColumns}, ${callerColumns}`)}
    from asked join api_tokens t on t.id = asked.id join accounts a on a.id = t.owner_id
    ${sql.raw(heldRoles)}
    where ${sql.raw(`${isUnexpired('$2')} and ${mayAct('asked.demo_is_on')}`)}
  `.execute(tx);
  return rows[0] && toTokenCaller(rows[0]);
}
