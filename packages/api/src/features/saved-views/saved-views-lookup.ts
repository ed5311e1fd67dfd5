import { holdsAny } from '@switchyard/contract/permissions';
import { type SavedView, type ViewList, viewLimits, viewListNames, viewLists, viewMessages } from '@switchyard/contract/saved-views';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { inNaturalOrder } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { lockName } from '../../database/lock-name.ts';
import { FieldErrors } from '../../errors.ts';
import type { AccountCaller } from '../../http/bind.ts';

/** The fields of a view beside its list, as they are stored and audited. */
export type ViewFields = Pick<SavedView, 'name' | 'query' | 'columns' | 'sharing' | 'role_ids'>;
export type StoredView = ViewFields & {
  id: number;
  list: ViewList;
  owner_id: number;
  owner_name: string;
  is_default: boolean;
  updated_at: Date;
};

/** The lists that an account may open. */
export function openLists(account: AccountCaller['account']): ViewList[] {
  return viewListNames.filter((name) => holdsAny(account.permissions, viewLists[name]));
}

/** Whether an account sees a `view`, whatever lists it may open. */
export function isSeenBy(accountId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(view.owner_id = ${accountId} or exists (select from accounts where id = view.owner_id and deleted_at is null)
    and (view.sharing = 'everyone' or view.sharing = 'roles' and exists (
      select from saved_view_roles as shared join account_roles as held on held.role_id = shared.role_id
      where shared.view_id = view.id and held.account_id = ${accountId})))`;
}

/**
 * The views of these lists that an account can see, its own first, then by name. `ids` leaves these of them. Views
 * stored before optional columns were part of them have none. API tokens see no private views.
 */
export async function listVisibleViews(
  db: Kysely<Tables>,
  { caller: { account, by }, lists, ids }: { caller: AccountCaller; lists: readonly ViewList[]; ids?: readonly number[] },
): Promise<StoredView[]> {
  const accountId = account.id;
  const { rows } = await sql<StoredView>`
    select view.id, view.list, view.name, view.query, '{"shown": []}'::jsonb || view.columns as columns,
      view.sharing, view.owner_id, owner.name as owner_name, view.updated_at,
      array(select role_id from saved_view_roles where view_id = view.id order by role_id) as role_ids,
      exists (select from default_views where account_id = ${accountId} and view_id = view.id) as is_default
    from saved_views as view join accounts as owner on owner.id = view.owner_id
    where view.list = any(${lists}::text[]) and (${ids ?? null}::int[] is null or view.id = any(${ids ?? null}))
      and (view.sharing <> 'private' or ${by.kind === 'session'})
      and ${isSeenBy(sql`${accountId}::int`)}
    order by view.owner_id <> ${accountId}, ${inNaturalOrder('view.name')}, view.id
  `.execute(db);
  return rows;
}

/** The name of a `view` for others than its owner: null if it is private. */
export const sharedName = sql`case when view.sharing <> 'private' then view.name end`;

/** Things that end with a view: schedules that mail it, and tiles that show it to others, by their roles or on a shared board. `name`: null for a tile of a private view. */
export type DependentOfView = { entity: 'schedule' | 'dashboard_tile'; id: number; name: string | null };

/** Things of all accounts but one that end with views; locked until the transaction ends. */
export async function lockDependents(
  tx: OpenTransaction,
  { viewIds, exceptOwnerId }: { viewIds: readonly number[]; exceptOwnerId: number | null },
): Promise<DependentOfView[]> {
  const { rows: schedules } = await sql<DependentOfView>`
    select 'schedule' as entity, id, name from schedules
    where view_id = any(${viewIds}::int[]) and owner_id is distinct from ${exceptOwnerId} order by id for update
  `.execute(tx);
  const { rows: tiles } = await sql<DependentOfView>`
    select 'dashboard_tile' as entity, tile.id, ${sharedName} as name from dashboard_tiles tile join saved_views view on view.id = tile.view_id
    where view.id = any(${viewIds}::int[]) and tile.owner_id is distinct from ${exceptOwnerId}
      and (exists (select from dashboard_tile_roles where tile_id = tile.id)
        or exists (select from board_roles where board_id = tile.board_id)
        or exists (select from board_accounts where board_id = tile.board_id)) order by tile.id for update of tile
  `.execute(tx);
  return [...schedules, ...tiles];
}

/** Whether another view of the owner in the list has this name, or one that looks the same. */
export async function isNameTaken(
  tx: OpenTransaction,
  view: { ownerId: number; list: ViewList; name: string; exceptId?: number },
): Promise<boolean> {
  const { rows } = await sql`
    select from saved_views where owner_id = ${view.ownerId} and list = ${view.list}
      and comparable_text(name) = comparable_text(${view.name}) and id <> ${view.exceptId ?? 0}`.execute(tx);
  return rows.length > 0;
}

/**
 * Gives a view another owner, and gives its name. One that the new owner uses in the list already gets the number of the view, and
 * another one where that is used, too.
 */
export async function updateViewOwner(
  tx: OpenTransaction,
  view: { id: number; list: ViewList; name: string },
  ownerId: number,
): Promise<string> {
  for (let number = 0; ; number += 1) {
    const suffix = ` (${view.id}${number === 1 ? '' : `-${number}`})`;
    const start = Array.from(view.name).slice(0, viewLimits.nameCharacters - suffix.length);
    const name = number === 0 ? view.name : `${start.join('')}${suffix}`;
    await lockName(tx, `saved_views.${ownerId}`, name);
    if (await isNameTaken(tx, { ownerId, list: view.list, name })) continue;
    await sql`update saved_views set owner_id = ${ownerId}, name = ${name} where id = ${view.id}`.execute(tx);
    return name;
  }
}

/** A staff role that something may be shared with. */
type ShareRole = { id: number; name: string };

/** The staff roles that an account holds, or all of them. */
export async function listShareRoles(db: Kysely<Tables>, { accountId, all }: { accountId: number; all: boolean }): Promise<ShareRole[]> {
  const { rows } = await sql<ShareRole>`
    select id, name from roles
    where panel = 'user' and (${all} or id in (select role_id from account_roles where account_id = ${accountId})) order by id
  `.execute(db);
  return rows;
}

/**
 * Ids of roles, each once in order. Throws 422 for roles that an account may not share with: staff share with roles that they hold. Those
 * that are `stored` stay: an owner may have lost a role since, or have got the thing from another one.
 */
export async function readShareRoles(
  db: Kysely<Tables>,
  { account }: Pick<AccountCaller, 'account'>,
  { roleIds, stored }: { roleIds: readonly number[]; stored: readonly number[] },
): Promise<number[]> {
  const ids = [...new Set(roleIds)].toSorted((a, b) => a - b);
  const added = ids.filter((id) => !stored.includes(id));
  const knownRoles = added.length === 0 ? [] : await listShareRoles(db, { accountId: account.id, all: account.isSuperAdmin });
  if (added.some((id) => !knownRoles.some((role) => role.id === id))) throw new FieldErrors({ role_ids: [viewMessages.foreignRole] });
  return ids;
}
