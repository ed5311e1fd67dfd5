import { superAdminRoleId } from '@switchyard/contract/permissions';
import { CompiledQuery } from 'kysely';
import type { Databases } from '../../database/connect.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { AccountCaller } from '../../http/bind.ts';
import { callerColumns, heldRoles, mayAct, type CallerRow } from '../credentials/caller-lookup.ts';
import { tokenHash } from '../../secret-keys/secret-token.ts';
import { createCredentialLookup } from '../credentials/credential-lookup.ts';
import { toViewAsCaller, type ViewedRow } from './view-as-rights.ts';
import { isViewAsToken } from './view-as-token.ts';

/** One statement for many requests: the live views of live sessions with the current rights of viewer and viewed. */
const callerQuery = `
select v.token_hash, ${callerColumns},
  coalesce(viewed.name, as_role.label) as viewed_name, coalesce(viewed.panel, as_role.panel) as viewed_panel,
  shown.roles as viewed_roles, shown.badges as viewed_badges, shown.is_super_admin as viewed_is_super_admin,
  array(select permission_id from role_permissions where role_id = any(shown.ids)) as viewed_permission_ids,
  case
    when viewed.id is null or viewed.all_apps then null
    when viewed.panel = 'user' then array(select app_id from app_accounts where account_id = viewed.id)
    else array(select app_id from app_buyers where account_id = viewed.id)
  end as viewed_app_ids
from view_as_sessions v join sessions s on s.id = v.session_id join accounts a on a.id = s.account_id
${heldRoles}
left join accounts viewed on viewed.id = v.account_id
left join roles as_role on as_role.id = v.role_id
cross join lateral (
  select array_agg(r.id) as ids, coalesce(array_agg(r.label order by r.id), '{}') as roles,
    coalesce(array_agg(r.badge order by r.id), '{}') as badges, coalesce(bool_or(r.id = ${superAdminRoleId}), false) as is_super_admin
  from roles r where r.id = v.role_id or r.id in (select role_id from account_roles where account_id = v.account_id)
) as shown
where v.token_hash = any($1::bytea[]) and v.expires_at > $2 and viewed.deleted_at is null
  and s.expires_at > $2 and s.last_used_at > $3 and ${mayAct('$4')}`;

/**
 * Looks up the callers behind tokens of views; null when the view is unknown or over, its session is not live, its viewer may not view
 * any more, or what it shows was deleted. It does not count as a use of the session.
 */
export function createViewAsLookup({
  pool,
  now,
  idleMinutes,
  demoIsOn,
}: Lookup & { pool: Databases['pools']['sessions'] }): (token: string) => Promise<AccountCaller | null> {
  const values = () => valuesOf({ now, idleMinutes, demoIsOn });
  const findRow = createCredentialLookup<Row>(pool, { name: 'view-as-callers', text: callerQuery, values });
  return async (token) => {
    const row = isViewAsToken(token) ? await findRow(token) : undefined;
    return row ? toViewAsCaller(row) : null;
  };
}

type Lookup = { now: () => Date; idleMinutes: number; demoIsOn: boolean };
type Row = CallerRow & ViewedRow & { token_hash: Buffer };

function valuesOf({ now, idleMinutes, demoIsOn }: Lookup): unknown[] {
  const moment = now();
  return [moment, new Date(moment.getTime() - idleMinutes * 60_000), demoIsOn];
}

/** The caller behind the token of a view that a transaction has inserted. */
export async function findNewCaller(tx: OpenTransaction, token: string, lookup: Lookup): Promise<AccountCaller | null> {
  const { rows } = await tx.executeQuery<Row>(CompiledQuery.raw(callerQuery, [[tokenHash(token)], ...valuesOf(lookup)]));
  return rows[0] ? toViewAsCaller(rows[0]) : null;
}
