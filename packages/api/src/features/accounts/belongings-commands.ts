import { belongingsMessages, type HandOverKind, handOverKinds, type HandOverTo } from '@switchyard/contract/belongings';
import { permissionId } from '@switchyard/contract/permissions';
import { viewLists } from '@switchyard/contract/saved-views';
import type { Announce } from '../../announcement.ts';
import { changesBetween, type AuditEvent, type OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors } from '../../errors.ts';
import type { AccountCall } from '../../http/bind.ts';
import { endSilencesOf } from '../alerts/leaver-silences-lookup.ts';
import { revokeTokensOf } from '../api-tokens/account-tokens-lookup.ts';
import { holderOf, targetDenial } from './access-rules-lookup.ts';
import { standingOf, stateOf, type AccountWriter } from './account-mapper.ts';
import { getAccount, listRoles } from './accounts-store.ts';
import { updateWithoutRecipient } from '../schedules/schedule-receivers-lookup.ts';
import { lockDependents, updateViewOwner } from '../saved-views/saved-views-lookup.ts';
import * as store from './belongings-store.ts';
import { insertLosses } from './losses-store.ts';

/** How the audit trail names what is handed over. */
const names = {
  views: { entity: 'saved_view', action: 'update' },
  boards: { entity: 'board', action: 'update' },
  tiles: { entity: 'dashboard_tile', action: 'update' },
  service_accounts: { entity: 'service_account', action: 'take_over' },
  rules: { entity: 'alert_rule', action: 'update' },
} as const satisfies Readonly<Record<HandOverKind, Pick<AuditEvent, 'entity' | 'action'>>>;

/** `writer`: the caller, with the rights that the transaction sees. */
type Leaving = { id: number; name: string; call: AccountCall; writer: AccountWriter };

/**
 * Gives what an account shares to other accounts, and the events to record. Throws 422 on `handOverTo` unless they are staff accounts
 * with access that can open the lists of what they get. Service accounts act within the rights of their owner, so they go to nobody who ranks above the caller.
 */
export async function handOver(tx: OpenTransaction, leaving: Leaving, to: HandOverTo | undefined): Promise<AuditEvent[]> {
  if (to === undefined) return [];
  const events: AuditEvent[] = [];
  for (const kind of handOverKinds) {
    const ownerId = typeof to === 'number' ? to : to[kind];
    if (ownerId === undefined) continue;
    const field = typeof to === 'number' ? 'handOverTo' : `handOverTo.${kind}`;
    if (ownerId === leaving.id || !(await store.isStaffWithAccess(tx, ownerId)))
      throw new FieldErrors({ [field]: [belongingsMessages.newOwner] });
    const owned = await store.lockOwned(tx, kind, leaving.id);
    if (owned.length === 0) continue;
    const closed = await listClosed(tx, ownerId, owned);
    if (closed.length > 0) throw new FieldErrors({ [field]: [belongingsMessages.closedList(closed)] });
    if (kind === 'service_accounts' && !(await mayBecomeOwner(tx, leaving.writer, ownerId)))
      throw new FieldErrors({ [field]: [belongingsMessages.higherOwner] });
    const newNames = await moveOwned(tx, kind, { owned, ownerId, previousId: leaving.id });
    events.push(
      ...owned.map(({ id, name }) => {
        const label = newNames.get(id) ?? name;
        const changes = [{ field: 'owner', from: leaving.id, to: ownerId }, ...changesBetween({ name }, { name: label })];
        return { ...by(leaving.call), ...names[kind], id, label, changes };
      }),
    );
  }
  return events;
}

/** Ends what an account that is deleted did not hand over, and gives the events to record. Rules go on without an owner. */
export async function endBelongings(
  tx: OpenTransaction,
  leaving: Leaving,
  { announce, now }: { announce: Announce; now: Date },
): Promise<AuditEvent[]> {
  const { id: ownerId, call } = leaving;
  const events: AuditEvent[] = [];
  await insertLosses(tx, leaving, now);
  for (const kind of ['boards', 'tiles', 'views', 'service_accounts'] as const) {
    const { entity } = names[kind];
    for (const { id, name } of await store.lockOwned(tx, kind, ownerId))
      events.push({ ...by(call), entity, action: 'delete', id, label: name });
  }
  const rules = await store.lockOwned(tx, 'rules', ownerId);
  const changes = [{ field: 'owner', from: ownerId, to: null }];
  events.push(...rules.map(({ id, name }) => ({ ...by(call), ...names.rules, id, label: name, changes })));
  await store.updateOwnerless(tx, ownerId);
  for (const { id, name } of await store.deleteSchedulesOf(tx, ownerId))
    events.push({ ...by(call), entity: 'schedule', action: 'delete', id, label: name });
  for (const { id, name, changes: left } of await updateWithoutRecipient(tx, { scheduleId: null, accountId: ownerId, now }))
    events.push({ ...by(call), entity: 'schedule', action: 'update', id, label: name, changes: left });
  for (const { id, name } of await endSilencesOf(tx, leaving, { announce, now }))
    events.push({ ...by(call), entity: 'silence', action: 'end', id, label: name });
  const viewIds = await store.listViewIds(tx, ownerId);
  for (const { name, ...dependent } of await lockDependents(tx, { viewIds, exceptOwnerId: ownerId }))
    events.push({ ...by(call), ...dependent, action: 'delete', label: name });
  events.push(...(await revokeTokensOf(tx, { ownerId, actor: call.caller.account, request: call.request })));
  await store.deleteOwned(tx, ownerId);
  return events;
}

/** The permissions that an account lacks to open lists of these things, and so to change them: `a or b` where one of them is enough. */
async function listClosed(tx: OpenTransaction, ownerId: number, owned: readonly store.Owned[]): Promise<string[]> {
  const { permissionIds } = holderOf((await getAccount(tx, { id: ownerId })).roles);
  const needs = owned.flatMap(({ list }) => (list === null ? [] : [viewLists[list]]));
  return [...new Set(needs.flatMap((labels) => (labels.some((one) => permissionIds.has(permissionId(one))) ? [] : labels.join(' or '))))];
}

/** Gives things of a kind another owner, and gives the names of views, which may change. */
async function moveOwned(
  tx: OpenTransaction,
  kind: HandOverKind,
  { owned, ownerId, previousId }: { owned: readonly store.Owned[]; ownerId: number; previousId: number },
): Promise<ReadonlyMap<number, string>> {
  const newNames = new Map<number, string>();
  if (kind !== 'views') {
    await store.updateOwner(tx, kind, { ids: owned.map(({ id }) => id), ownerId, previousId });
    return newNames;
  }
  for (const { id, list, name } of owned)
    if (list !== null && name !== null) newNames.set(id, await updateViewOwner(tx, { id, list, name }, ownerId));
  return newNames;
}

/** Whether the rights of an account are open to the caller anyway: it is the caller's, or one that the caller may change. */
async function mayBecomeOwner(tx: OpenTransaction, writer: AccountWriter, id: number): Promise<boolean> {
  if (id === writer.id) return true;
  const account = await getAccount(tx, { id });
  const roles = await listRoles(tx, account.panel);
  return targetDenial(writer, standingOf(stateOf(account), { panel: account.panel, roles })) === null;
}

function by({ caller, request }: AccountCall) {
  return { actor: caller.account, request } as const;
}
