import { coversApps, type AppScope } from '@switchyard/contract/app-scope';
import type { Databases } from '../../database/connect.ts';
import type { TokenCaller } from '../../http/bind.ts';
import { heldRoles, holderColumns, type Holder } from '../credentials/caller-lookup.ts';
import { toTokenCaller, type TokenGrant } from './token-rights.ts';

/** SQL: the columns of TokenGrant, of the token `t`. */
export const grantColumns = `t.id as token_id, t.name as token_name, t.permission_ids as token_permission_ids, t.all_apps as token_has_all_apps,
  t.app_ids as token_app_ids`;

/** SQL: whether the token `t` has not expired at the instant $2. */
export const isUnexpired = '(t.expires_at is null or t.expires_at > $2)';

/** A token with what its owner holds. */
export type TokenHolder = Holder & TokenGrant & { kind: 'personal' | 'service'; expires_at: Date | null; is_unexpired: boolean };

/**
 * All tokens and service accounts by name, as their next call would have them. Personal tokens of deleted accounts are left out: they
 * never work again, but a service account may get another owner.
 */
export async function listTokenHolders(
  pool: Pick<Databases['pools']['ui'], 'query'>,
  { now, demoIsOn }: { now: Date; demoIsOn: boolean },
): Promise<TokenHolder[]> {
  const text = `
    select t.kind, t.expires_at, ${isUnexpired} as is_unexpired, ${grantColumns}, ${holderColumns('$1')}
    from api_tokens t join accounts a on a.id = t.owner_id ${heldRoles}
    where a.deleted_at is null or t.kind = 'service' order by lower(t.name) collate natural_order, t.id`;
  return (await pool.query<TokenHolder>(text, [demoIsOn, now])).rows;
}

/** The rights of a token, as its next call would have them. */
export function tokenRightsOf(row: TokenHolder): Pick<TokenCaller, 'by' | 'mustSetUpFactor' | 'account' | 'scope'> {
  return toTokenCaller(row);
}

/** Whether a reader with this scope sees a token: a service account by its own apps, a personal token by those of its owner. */
export function seesToken(scope: AppScope, token: TokenHolder): boolean {
  const granted = token.token_has_all_apps ? 'all' : token.token_app_ids;
  return coversApps(scope, token.kind === 'service' ? granted : (token.app_ids ?? 'all'));
}
