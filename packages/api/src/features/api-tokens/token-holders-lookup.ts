import { coversApps, type AppScope } from '@switchyard/contract/app-scope';
import type { Databases } from '../../database/connect.ts';
import type { Claimant } from '../../http/authenticate.ts';
import { permissionLabels, type Holder } from '../credentials/caller-lookup.ts';
import { grantedRights, type TokenGrant } from './token-rights.ts';

/** SQL: the columns of TokenGrant, of the token `t`. */
export const grantColumns = `t.id as token_id, t.name as token_name, t.permission_ids as token_permission_ids, t.all_apps as token_has_all_apps,
  t.app_ids as token_app_ids`;

/** SQL: whether the token `t` has not expired at an instant, which is a parameter of the query. */
export const isUnexpired = (now: string): string => `(t.expires_at is null or t.expires_at > ${now})`;

/** A token with what its owner holds. */
export type TokenHolder = Holder & TokenGrant & { kind: 'personal' | 'service'; expires_at: Date | null; is_unexpired: boolean };

/**
 * Tokens and service accounts of these owners in order of id, as their next call would have them. Personal tokens of deleted accounts are left
 * out: they never work again, but a service account may get another owner.
 */
export async function listTokenHolders(
  pool: Pick<Databases['pools']['ui'], 'query'>,
  { now, owners }: { now: Date; owners: readonly Holder[] },
): Promise<TokenHolder[]> {
  const text = `
    select t.owner_id, t.kind, t.expires_at, ${isUnexpired('$1')} as is_unexpired, ${grantColumns}
    from api_tokens t order by t.id`;
  const { rows } = await pool.query<Omit<TokenHolder, keyof Holder> & { owner_id: number }>(text, [now]);
  const byId = new Map(owners.map((owner) => [owner.account_id, owner]));
  return rows.flatMap((row) => {
    const owner = byId.get(row.owner_id);
    return owner === undefined || (owner.is_deleted && row.kind === 'personal') ? [] : [{ ...owner, ...row }];
  });
}

/** The rights of a token whose owner has these permissions, as its next call would have them. */
export function tokenRightsOf(row: TokenHolder, ownedIds: readonly number[]): Claimant {
  const { permissionIds, scope } = grantedRights(ownedIds, row);
  return {
    by: { kind: 'token' },
    mustSetUpFactor: row.must_set_up_factor,
    account: { permissions: permissionLabels(permissionIds) },
    scope,
  };
}

/** Whether a reader with this scope sees a token: a service account by its own apps, a personal token by those of its owner. */
export function seesToken(scope: AppScope, token: TokenHolder): boolean {
  const granted = token.token_has_all_apps ? 'all' : token.token_app_ids;
  return coversApps(scope, token.kind === 'service' ? granted : (token.app_ids ?? 'all'));
}
