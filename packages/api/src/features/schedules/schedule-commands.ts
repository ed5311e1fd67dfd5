import { holdsAny } from '@switchyard/contract/permissions';
import { viewLists } from '@switchyard/contract/saved-views';
import * as contract from '@switchyard/contract/schedules';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { accountListPermissions } from '@switchyard/contract/users';
import { unknownViewParameters } from '@switchyard/contract/view-queries';
import type { Databases } from '../../database/connect.ts';
import { changesBetween, existing, recordAudit, transaction, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors, notFound, rejectUnknownParameters, stale } from '../../errors.ts';
import type { Call, SessionCaller } from '../../http/bind.ts';
import type { SendJob } from '../../jobs/job-queue.ts';
import { listChangeableAccounts } from '../accounts/changeable-accounts-lookup.ts';
import { listVisibleViews } from '../saved-views/saved-views-lookup.ts';
import { nextRun } from './next-run.ts';
import { runJob } from './run-schedules.ts';
import {
  countOwnSchedules,
  deleteStoredSchedule,
  insertSchedule,
  listForeignSchedules,
  listOwnSchedules,
  listRecipientIds,
  lockSchedule,
  updateSchedule,
  updateWithoutRecipient,
  type ScheduleFields,
} from './schedules-store.ts';

export type ScheduleDependencies = {
  db: Databases['db'];
  now: () => Date;
  /** Offset `+HH:MM` of the hours of the server. */
  serverOffset: string;
  /** Whether a mail server is set. */
  sendsMail: boolean;
  sendJob: SendJob;
};

/** An own schedule; throws 404 if there is none. */
export async function readSchedule(
  { db }: Pick<ScheduleDependencies, 'db'>,
  id: number,
  caller: SessionCaller,
): Promise<contract.Schedule> {
  const [schedule] = await listOwnSchedules(db, caller.account.id, id);
  if (!schedule) throw notFound();
  return schedule;
}

/** Adds a schedule. Throws 422 for one too many, a view that the caller cannot open, and recipients that they may not choose. */
export async function createSchedule(deps: ScheduleDependencies, { body, caller, request }: Call<typeof contract.createSchedule>) {
  const { account } = caller;
  return transaction(deps.db, async (tx) => {
    if ((await countOwnSchedules(tx, account.id)) >= contract.scheduleLimits.perAccount)
      throw new FieldErrors({ name: [contract.scheduleMessages.tooMany] });
    const fields = await validFields(tx, deps, { fields: body, caller });
    const now = deps.now();
    const next = nextRun(fields, now, deps.serverOffset);
    const id = await insertSchedule(tx, { fields, ownerId: account.id, next, now });
    await deps.sendJob(tx, runJob(id, next, now));
    const event = { actor: account, entity: 'schedule', action: 'create', id, label: fields.name, request } as const;
    return recordAudit(tx, { ...event, changes: changesBetween({}, fields) }, await read(tx, account.id, id));
  });
}

/** Changes the fields of an own schedule that were sent. Throws 404, then 412, then as `createSchedule`. */
export async function saveSchedule(
  deps: ScheduleDependencies,
  { params: { id }, body, caller, matchesIfMatch, request }: Call<typeof contract.updateSchedule>,
): Promise<contract.Schedule> {
  const { account } = caller;
  return transaction(deps.db, async (tx) => {
    const before = await lockSchedule(tx, id, account.id);
    if (!before) throw notFound();
    if (!matchesIfMatch(before.version)) throw stale(await read(tx, account.id, id));
    const { name, view_id, interval, weekday, month_day, hour, recipient_ids, is_on } = before;
    const old: ScheduleFields = { name, view_id, interval, weekday, month_day, hour, recipient_ids, is_on };
    const fields = await validFields(tx, deps, { fields: mergeFields(old, body), caller, viewId: before.view_id });
    const changes = changesBetween(old, fields);
    if (changes.length === 0) return unchanged(await read(tx, account.id, id));
    const now = deps.now();
    const next = nextRun(fields, now, deps.serverOffset);
    await updateSchedule(tx, { id, fields, next, now });
    await deps.sendJob(tx, runJob(id, next, now));
    const event = { actor: account, entity: 'schedule', action: 'update', id, label: fields.name, request, changes } as const;
    return recordAudit(tx, event, await read(tx, account.id, id));
  });
}

/** Ends the mails of a schedule for the caller. Throws 404 if they get none. */
export async function leaveSchedule(
  { db, now }: ScheduleDependencies,
  { params: { id }, caller, request }: Call<typeof contract.leaveSchedule>,
): Promise<void> {
  const { account } = caller;
  await transaction(db, async (tx) => {
    const before = await lockSchedule(tx, id, null);
    if (!before?.recipient_ids.includes(account.id)) throw notFound();
    await updateWithoutRecipient(tx, id, account.id, now());
    const changes = [{ field: 'recipient_ids', from: before.recipient_ids, to: before.recipient_ids.filter((one) => one !== account.id) }];
    return recordAudit(tx, { actor: account, entity: 'schedule', action: 'update', id, label: before.name, request, changes });
  });
}

/** Schedules of all accounts that the caller may change, and the caller's own. */
export async function listAllSchedules(
  { db }: Pick<ScheduleDependencies, 'db'>,
  caller: SessionCaller,
): Promise<contract.ForeignSchedule[]> {
  const ids = new Set((await listChangeableAccounts(db, caller)).map(({ id }) => id)).add(caller.account.id);
  return (await listForeignSchedules(db, null)).filter(({ owner }) => ids.has(owner.id));
}

/** Deletes an own schedule; administrators delete those of accounts that they may change, too. Throws 404 if there is none. */
export async function deleteSchedule(
  { db }: ScheduleDependencies,
  { params: { id }, caller, request }: Call<typeof contract.deleteSchedule>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const isAdministrator = holdsAny(caller.account.permissions, ['manager_user_deactivate']);
    const before = await lockSchedule(tx, id, isAdministrator ? null : caller.account.id);
    if (!before) throw notFound();
    const mayDelete =
      before.owner_id === caller.account.id || (await listChangeableAccounts(tx, caller)).some((one) => one.id === before.owner_id);
    if (!mayDelete) throw notFound();
    await deleteStoredSchedule(tx, id);
    return recordAudit(tx, { actor: caller.account, entity: 'schedule', action: 'delete', id, label: before.name, request });
  });
}

function mergeFields(old: ScheduleFields, sent: Call<typeof contract.updateSchedule>['body']): ScheduleFields {
  return {
    name: sent.name ?? old.name,
    view_id: sent.view_id ?? old.view_id,
    interval: sent.interval ?? old.interval,
    weekday: sent.weekday ?? old.weekday,
    month_day: sent.month_day ?? old.month_day,
    hour: sent.hour ?? old.hour,
    recipient_ids: sent.recipient_ids ?? old.recipient_ids,
    is_on: sent.is_on ?? old.is_on,
  };
}

async function read(tx: OpenTransaction, ownerId: number, id: number): Promise<contract.Schedule> {
  const [schedule] = await listOwnSchedules(tx, ownerId, id);
  return existing(schedule);
}

async function validFields(
  tx: OpenTransaction,
  { sendsMail }: ScheduleDependencies,
  { fields, caller, viewId }: { fields: ScheduleFields; caller: SessionCaller; /** The view that it already has. */ viewId?: number },
): Promise<ScheduleFields> {
  const { account } = caller;
  if (!sendsMail) throw new FieldErrors({ name: [contract.scheduleMessages.noMail] });
  const lists = contract.scheduledLists.filter((name) => holdsAny(account.permissions, viewLists[name]));
  const [view] = await listVisibleViews(tx, { caller, lists, ids: [fields.view_id] });
  if (!view) throw new FieldErrors({ view_id: [contract.scheduleMessages.view] });
  if (view.id !== viewId) rejectUnknownParameters(unknownViewParameters(view));
  const ids = [...new Set(fields.recipient_ids)].toSorted((a, b) => a - b);
  if (ids.some((id) => id !== account.id) && !holdsAny(account.permissions, accountListPermissions))
    throw new FieldErrors({ recipient_ids: [contract.scheduleMessages.otherRecipients] });
  const knownIds = new Set(await listRecipientIds(tx, ids));
  const unknown = ids.find((id) => !knownIds.has(id));
  if (unknown !== undefined) throw new FieldErrors({ recipient_ids: [unknownIdMessage('recipient_ids', unknown)] });
  return { ...fields, recipient_ids: ids };
}
