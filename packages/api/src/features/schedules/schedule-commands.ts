import { holdsAny, permissionId } from '@switchyard/contract/permissions';
import { mayUseChannels } from '@switchyard/contract/channels';
import { viewLists } from '@switchyard/contract/saved-views';
import * as contract from '@switchyard/contract/schedules';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { accountListPermissions } from '@switchyard/contract/users';
import { unknownViewParameters } from '@switchyard/contract/view-queries';
import type { Databases } from '../../database/connect.ts';
import { recordAudit, transaction, type OpenTransaction } from '../../database/transaction.ts';
import type { EntityRules, ValidColumns } from '../../entities/entity-commands.ts';
import { conflict, FieldErrors, notFound, rejectUnknownParameters } from '../../errors.ts';
import type { Call, SessionCaller } from '../../http/bind.ts';
import type { SendJob } from '../../jobs/job-queue.ts';
import { listChangeableAccounts } from '../accounts/changeable-accounts-lookup.ts';
import type { KeepMail } from '../../mails/kept-mail.ts';
import { findUnknownChannel } from '../channels/channel-health-lookup.ts';
import { listVisibleViews, openLists } from '../saved-views/saved-views-lookup.ts';
import { updateWithoutRecipient } from './schedule-receivers-lookup.ts';
import { nextRun, type Timing } from './next-run.ts';
import { mailJob, runJob } from './run-schedules.ts';
import {
  channelsOfSchedules,
  insertMail,
  listForeignSchedules,
  listOwnSchedules,
  listRecipients,
  lockSchedule,
  recipientsOfSchedules,
  type StoredSchedule,
} from './schedules-store.ts';

export type ScheduleDependencies = {
  db: Databases['db'];
  now: () => Date;
  /** Offset `+HH:MM` of the hours of the server. */
  serverOffset: string;
  /** Whether mails are sent, or kept in the inbox of the demo. */
  sendsMail: boolean;
  keepMail: KeepMail | null;
  sendJob: SendJob;
};

type ScheduleRules = EntityRules<contract.ScheduleFields, StoredSchedule, contract.Schedule, SessionCaller, ValidColumns & { next: Date }>;

/**
 * What is special about schedules. They belong to an account; administrators delete those of accounts that they may change, too. Saving
 * throws 422 for a view that the caller cannot open, and for recipients that they may not choose.
 */
export function scheduleRules({ serverOffset, sendsMail, keepMail, sendJob }: ScheduleDependencies): ScheduleRules {
  return {
    entity: 'schedule',
    table: 'schedules',
    references: { recipient_ids: recipientsOfSchedules, channel_ids: channelsOfSchedules },
    limit: { most: contract.scheduleLimits.perAccount, isOwn: true, message: contract.scheduleMessages.tooMany },
    async lock(tx, id, caller, act) {
      const { id: callerId, permissions } = caller.account;
      const isAdministrator = act === 'remove' && holdsAny(permissions, ['manager_user_deactivate']);
      const schedule = await lockSchedule(tx, id, isAdministrator ? null : callerId);
      if (schedule === undefined || schedule.owner_id === callerId) return schedule;
      return (await listChangeableAccounts(tx, caller)).some((one) => one.id === schedule.owner_id) ? schedule : undefined;
    },
    read: async (db, id, { account }) => (await listOwnSchedules(db, account.id, id))[0],
    async validate(tx, { sent, fields, before, caller, now }) {
      const { list } = await readVisibleView(tx, caller, fields.view_id, before?.view_id);
      // Those who were chosen before stay, also without access: their mails say so.
      const stored = before?.list === list ? before.recipient_ids : [];
      const recipientIds = await validRecipients(tx, caller, { ids: fields.recipient_ids, stored, list, reachesDemo: keepMail !== null });
      const channelIds = await validChannels(tx, caller, { ids: fields.channel_ids, stored: before?.channel_ids ?? [] });
      if (recipientIds.length + channelIds.length === 0) throw new FieldErrors({ recipient_ids: [contract.scheduleMessages.recipients] });
      if (recipientIds.length > 0 && !sendsMail) throw new FieldErrors({ recipient_ids: [contract.scheduleMessages.noMail] });
      // A run that is due is made before the new time holds.
      const keepsNext = before?.is_on === true && fields.is_on && (before.next_run_at <= now || hasTimeOf(fields, before));
      const next = keepsNext ? before.next_run_at : nextRun(fields, now, serverOffset);
      return {
        fields: { ...sent, recipient_ids: recipientIds, channel_ids: channelIds },
        others: { owner_id: before?.owner_id ?? caller.account.id, next_run_at: next },
        next,
      };
    },
    afterSave: async (tx, { id, valid: { next }, now }) => sendJob(tx, runJob(id, next, now)),
  };
}

function hasTimeOf(one: Timing, other: Timing): boolean {
  return (['interval', 'weekday', 'month_day', 'hour'] as const).every((name) => one[name] === other[name]);
}

/** The view, which is of a list that can be sent. */
async function readVisibleView(tx: OpenTransaction, caller: SessionCaller, id: number, storedId: number | undefined) {
  const open = openLists(caller.account);
  const lists = contract.scheduledLists.filter((name) => open.includes(name));
  const [view] = await listVisibleViews(tx, { caller, lists, ids: [id] });
  const list = lists.find((name) => name === view?.list);
  if (view === undefined || list === undefined) throw new FieldErrors({ view_id: [contract.scheduleMessages.view] });
  if (id !== storedId) rejectUnknownParameters(unknownViewParameters(view));
  return { list };
}

type ChosenRecipients = {
  ids: readonly number[];
  stored: readonly number[];
  list: (typeof contract.scheduledLists)[number];
  reachesDemo: boolean;
};

async function validRecipients(tx: OpenTransaction, { account }: SessionCaller, chosen: ChosenRecipients): Promise<number[]> {
  const ids = [...new Set(chosen.ids)].toSorted((a, b) => a - b);
  if (ids.some((id) => id !== account.id) && !holdsAny(account.permissions, accountListPermissions))
    throw new FieldErrors({ recipient_ids: [contract.scheduleMessages.otherRecipients] });
  const needs = viewLists[chosen.list];
  const known = await listRecipients(tx, ids, { permissionIds: needs.map(permissionId), reachesDemo: chosen.reachesDemo });
  const unknown = ids.find((id) => !known.some((one) => one.id === id));
  if (unknown !== undefined) throw new FieldErrors({ recipient_ids: [unknownIdMessage('recipient_ids', unknown)] });
  const messages = known.flatMap(({ id, name, hasAccess, canOpen }) => {
    if (chosen.stored.includes(id) || (hasAccess && canOpen)) return [];
    return hasAccess ? contract.scheduleMessages.cannotOpen(name, chosen.list, needs) : contract.scheduleMessages.noAccess(name);
  });
  if (messages.length > 0) throw new FieldErrors({ recipient_ids: messages });
  return ids;
}

async function validChannels(
  tx: OpenTransaction,
  { account }: SessionCaller,
  chosen: { ids: readonly number[]; stored: readonly number[] },
): Promise<number[]> {
  const ids = [...new Set(chosen.ids)].toSorted((a, b) => a - b);
  if (!mayUseChannels(account) && ids.some((id) => !chosen.stored.includes(id)))
    throw new FieldErrors({ channel_ids: [contract.scheduleMessages.foreignChannels] });
  const unknown = await findUnknownChannel(tx, ids);
  if (unknown !== undefined) throw new FieldErrors({ channel_ids: [unknownIdMessage('channel_ids', unknown)] });
  return ids;
}

/** Mails an own schedule now, to its owner. Throws 404 for schedules of others, and 409 if they do not see its view any more, where no mail is sent, or to a demo account. */
export async function sendSchedule(
  { db, now, sendsMail, keepMail, sendJob }: ScheduleDependencies,
  { params: { id }, caller, request }: Call<typeof contract.sendSchedule>,
): Promise<void> {
  const { account } = caller;
  await transaction(db, async (tx) => {
    const schedule = await lockSchedule(tx, id, account.id);
    if (schedule === undefined) throw notFound();
    if (schedule.view_name === null) throw conflict(contract.scheduleMessages.lostView);
    if (!sendsMail) throw conflict(contract.scheduleMessages.noMail);
    if ((await listRecipients(tx, [account.id], { reachesDemo: keepMail !== null })).length === 0)
      throw conflict(contract.scheduleMessages.notReachable);
    const mailId = await insertMail(tx, { id, accountId: account.id, dueAt: now() });
    if (mailId !== undefined) await sendJob(tx, mailJob(mailId));
    return recordAudit(tx, { actor: account, entity: 'schedule', action: 'send', id, label: schedule.name, request });
  });
}

/** Ends the mails of a schedule for the caller. Throws 404 if they get none. */
export async function leaveSchedule(
  { db, now }: ScheduleDependencies,
  { params: { id }, caller, request }: Call<typeof contract.leaveSchedule>,
): Promise<void> {
  const { account } = caller;
  await transaction(db, async (tx) => {
    const [left] = await updateWithoutRecipient(tx, { scheduleId: id, accountId: account.id, now: now() });
    if (left === undefined) throw notFound();
    return recordAudit(tx, { actor: account, entity: 'schedule', action: 'update', id, label: left.name, request, changes: left.changes });
  });
}

/** Schedules of all accounts that the caller may change, and the caller's own. Names of others only to callers who see all apps. */
export async function listAllSchedules({ db }: Pick<ScheduleDependencies, 'db'>, caller: SessionCaller): Promise<contract.AnySchedule[]> {
  const { id: callerId } = caller.account;
  const ids = new Set((await listChangeableAccounts(db, caller)).map(({ id }) => id)).add(callerId);
  const schedules = (await listForeignSchedules(db, { readerId: callerId, isRecipient: false })).filter(({ owner }) => ids.has(owner.id));
  const showsNames = caller.scope === 'all';
  return schedules.map((one) => (showsNames || one.owner.id === callerId ? one : { ...one, name: null }));
}
