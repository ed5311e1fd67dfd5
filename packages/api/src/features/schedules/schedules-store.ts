import { unknownViewParameters } from '@switchyard/contract/view-queries';
import {
  hasFixedDays,
  schedule,
  type ForeignSchedule,
  type Schedule,
  type ScheduleFields,
  type scheduledLists,
  type scheduleMailStates,
} from '@switchyard/contract/schedules';
import { wireDate } from '@switchyard/contract/dates';
import { sql, type Kysely } from 'kysely';
import { inNaturalOrder } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';
import type { ReferenceTable } from '../../entities/entity-store.ts';
import { isSeenBy } from '../saved-views/saved-views-lookup.ts';
import type { Timing } from './next-run.ts';

export type StoredSchedule = ScheduleFields & {
  id: number;
  owner_id: number;
  next_run_at: Date;
  version: number;
  /** Null if the owner does not see the view any more. */
  view_name: string | null;
  list: (typeof scheduledLists)[number];
  query: string;
  /** Whether the owner has access. Without, nothing is sent until they have it again. */
  has_active_owner: boolean;
};
export type MailState = (typeof scheduleMailStates)[number];

export const recipientsOfSchedules: ReferenceTable = { name: 'schedule_recipients', entity: 'schedule_id', reference: 'account_id' };
export const channelsOfSchedules: ReferenceTable = { name: 'schedule_channels', entity: 'schedule_id', reference: 'channel_id' };

const columns = sql`schedule.*, array(select account_id from schedule_recipients where schedule_id = schedule.id order by account_id) as recipient_ids,
  array(select channel_id from schedule_channels where schedule_id = schedule.id order by channel_id) as channel_ids,
  case when ${isSeenBy(sql`schedule.owner_id`)} then view.name end as view_name, view.list, view.query,
  exists (select from accounts where id = schedule.owner_id and has_access and deleted_at is null) as has_active_owner`;
const joined = sql`schedules as schedule join saved_views as view on view.id = schedule.view_id`;

/** The schedules of an account by name; `id`: only this one. */
export async function listOwnSchedules(db: Kysely<Tables>, ownerId: number, id: number | null): Promise<Schedule[]> {
  const { rows } = await sql<StoredSchedule & Pick<Schedule, 'recipients' | 'channels' | 'channels_state'>>`
    select ${columns}, coalesce((
      select jsonb_agg(jsonb_build_object('id', account.id, 'name', account.name, 'state', mail.state,
        'sent_at', to_char(mail.finished_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')) order by ${inNaturalOrder('account.name')}, account.id)
      from schedule_recipients recipient join accounts account on account.id = recipient.account_id left join lateral (
        select state, case when state = 'sent' then finished_at end as finished_at from schedule_mails
        where schedule_id = schedule.id and account_id = account.id order by due_at desc limit 1
      ) mail on true
      where recipient.schedule_id = schedule.id), '[]') as recipients,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', channel.id, 'name', channel.name) order by ${inNaturalOrder('channel.name')}, channel.id)
        from schedule_channels as named join channels as channel on channel.id = named.channel_id
        where named.schedule_id = schedule.id), '[]') as channels,
      (select state from schedule_mails where schedule_id = schedule.id and account_id is null order by due_at desc limit 1) as channels_state
    from ${joined} where schedule.owner_id = ${ownerId} and (${id}::int is null or schedule.id = ${id})
    order by ${inNaturalOrder('schedule.name')}, schedule.id
  `.execute(db);
  return rows.map((row) =>
    schedule.parse({
      ...row,
      view: {
        id: row.view_id,
        name: row.view_name,
        list: row.list,
        unknown_parameters: row.view_name === null ? [] : unknownViewParameters(row),
        has_fixed_days: row.view_name !== null && hasFixedDays(row),
      },
      next_run_at: wireDate(row.next_run_at),
    }),
  );
}

/** Schedules of which an account is a recipient, or all, by name. Recipients read the name of the view, others only if they see the view. */
export async function listForeignSchedules(
  db: Kysely<Tables>,
  { readerId, isRecipient }: { readerId: number; isRecipient: boolean },
): Promise<ForeignSchedule[]> {
  const { rows } = await sql<StoredSchedule & { owner_name: string; names_view: boolean }>`
    select ${columns}, (select name from accounts where id = schedule.owner_id) as owner_name,
      ${isRecipient} or ${isSeenBy(sql`${readerId}::int`)} as names_view from ${joined}
    where ${!isRecipient} or exists (select from schedule_recipients where schedule_id = schedule.id and account_id = ${readerId})
    order by comparable_text(schedule.name), schedule.id
  `.execute(db);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    view: { name: row.names_view ? row.view_name : null, list: row.list },
    owner: { id: row.owner_id, name: row.owner_name },
    interval: row.interval,
    weekday: row.weekday,
    month_day: row.month_day,
    hour: row.hour,
    is_on: row.is_on,
    is_paused: !row.has_active_owner,
    recipients: row.recipient_ids.length,
    next_run_at: wireDate(row.next_run_at),
  }));
}

/** A schedule of an account, or with null of anybody, locked until the transaction ends. */
export async function lockSchedule(tx: OpenTransaction, id: number, ownerId: number | null): Promise<StoredSchedule | undefined> {
  // By itself: a statement that waits for a lock sees the recipients as they were before.
  await sql`select from schedules where id = ${id} for no key update`.execute(tx);
  const { rows } = await sql<StoredSchedule>`
    select ${columns} from ${joined} where schedule.id = ${id} and (${ownerId}::int is null or schedule.owner_id = ${ownerId})
  `.execute(tx);
  return rows[0];
}

/** Whether mails reach accounts of the demo, whose addresses do not exist: those that the inbox keeps do. */
type Reach = { reachesDemo: boolean };

/** Accounts among these that are of staff and can get mail, and whether they have access and hold one of the permissions. */
export async function listRecipients(
  db: Kysely<Tables>,
  ids: readonly number[],
  { permissionIds = [], reachesDemo }: { permissionIds?: readonly number[] } & Reach,
): Promise<{ id: number; name: string; hasAccess: boolean; canOpen: boolean }[]> {
  const { rows } = await sql<{ id: number; name: string; hasAccess: boolean; canOpen: boolean }>`
    select id, name, has_access as "hasAccess", exists (
      select from account_roles as held join role_permissions as given using (role_id)
      where held.account_id = accounts.id and given.permission_id = any(${permissionIds}::int[])) as "canOpen"
    from accounts where id = any(${ids}::int[]) and panel = 'user' and deleted_at is null
      and (not is_demo or ${reachesDemo}) order by id
  `.execute(db);
  return rows;
}

/**
 * Sets when a schedule is due next, and leaves a mail for each recipient and one for its channels, unless it is paused because its owner has no access. Gives the
 * ids of the mails.
 */
export async function insertRun(
  tx: OpenTransaction,
  { id, has_active_owner: isSent }: StoredSchedule,
  { due: dueAt, next }: { due: Date; next: Date },
): Promise<number[]> {
  await sql`update schedules set next_run_at = ${next} where id = ${id}`.execute(tx);
  const { rows } = await sql<{ id: number }>`
    insert into schedule_mails (schedule_id, account_id, due_at)
    select recipient.schedule_id, account.id, ${dueAt} from schedule_recipients recipient join accounts account on account.id = recipient.account_id
    where recipient.schedule_id = ${id} and account.deleted_at is null and ${isSent}
    union all select ${id}::int, null, ${dueAt}::timestamptz where ${isSent} and exists (select from schedule_channels where schedule_id = ${id})
    on conflict do nothing returning id
  `.execute(tx);
  return rows.map((row) => row.id);
}

/** Leaves a mail of a schedule for one account; undefined if one of the same moment waits. */
export async function insertMail(tx: OpenTransaction, mail: { id: number; accountId: number; dueAt: Date }): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into schedule_mails (schedule_id, account_id, due_at) values (${mail.id}, ${mail.accountId}, ${mail.dueAt})
    on conflict (schedule_id, account_id, due_at) do nothing returning id
  `.execute(tx);
  return rows[0]?.id;
}

/** Schedules that are on and due after a moment. */
export async function listPlanned(db: Kysely<Tables>, now: Date): Promise<(Timing & { id: number; next_run_at: Date })[]> {
  const { rows } = await sql<Timing & { id: number; next_run_at: Date }>`
    select id, interval, weekday, month_day, hour, next_run_at from schedules where is_on and next_run_at > ${now} order by id
  `.execute(db);
  return rows;
}

/** Sets when a schedule is due next, unless it was changed meanwhile. */
export async function updateNextRun(tx: OpenTransaction, { id, from, to }: { id: number; from: Date; to: Date }): Promise<boolean> {
  const { rows } = await sql`update schedules set next_run_at = ${to} where id = ${id} and next_run_at = ${from} returning id`.execute(tx);
  return rows.length > 0;
}

/** Schedules that are due, and mails that wait and are not reserved. */
export async function listDue(db: Kysely<Tables>, now: Date): Promise<{ schedules: number[]; mails: number[] }> {
  const { rows: schedules } = await sql<{ id: number }>`select id from schedules where is_on and next_run_at <= ${now} order by id`.execute(
    db,
  );
  const { rows: mails } = await sql<{ id: number }>`
    select id from schedule_mails where state = 'pending' and (sending_until is null or sending_until < clock_timestamp())
    order by id limit 1000
  `.execute(db);
  return { schedules: schedules.map(({ id }) => id), mails: mails.map(({ id }) => id) };
}

export type ReservedMail = StoredSchedule & {
  mail_id: number;
  due_at: Date;
  is_first_of_run: boolean;
  /** Null: it goes to the channels of the schedule. */
  account_id: number | null;
  recipient_name: string | null;
  recipient_email: string | null;
  owner_name: string;
  owner_email: string;
  owner_is_reachable: boolean;
};

/**
 * Deletes a mail that waits if its schedule was switched off meanwhile, has its recipient or its channels no more, or is paused; gives
 * whether it did. One for the owner that is newer than the schedule was asked for by *Send to me now*, which needs none of these.
 */
export async function deleteUnwanted(tx: OpenTransaction, mailId: number): Promise<boolean> {
  const { rows } = await sql`
    delete from schedule_mails as mail using schedules as schedule
    where mail.id = ${mailId} and mail.state = 'pending' and schedule.id = mail.schedule_id
      and not (mail.account_id is not distinct from schedule.owner_id and mail.due_at >= schedule.updated_at)
      and not (schedule.is_on and exists (select from accounts where id = schedule.owner_id and has_access and deleted_at is null)
        and case when mail.account_id is null then exists (select from schedule_channels where schedule_id = schedule.id)
          else exists (select from schedule_recipients where schedule_id = schedule.id and account_id = mail.account_id) end)
    returning mail.id
  `.execute(tx);
  return rows.length > 0;
}

/** Reserves a mail that waits for this process; undefined if it waits no longer or another process makes it. */
export async function updateReserved(
  tx: OpenTransaction,
  mailId: number,
  { seconds, reachesDemo }: { seconds: number } & Reach,
): Promise<ReservedMail | undefined> {
  const { rows } = await sql<ReservedMail>`
    with reserved as (
      update schedule_mails set sending_until = clock_timestamp() + make_interval(secs => ${seconds})
      where id = ${mailId} and state = 'pending' and (sending_until is null or sending_until < clock_timestamp())
      returning id, schedule_id, account_id, due_at
    )
    select ${columns}, reserved.id as mail_id, reserved.due_at, reserved.account_id,
      not exists (select from schedule_mails where schedule_id = schedule.id and due_at = reserved.due_at and id < reserved.id) as is_first_of_run,
      recipient.name as recipient_name, recipient.email as recipient_email,
      owner.name as owner_name, owner.email as owner_email, owner.deleted_at is null and (not owner.is_demo or ${reachesDemo}) as owner_is_reachable
    from reserved join ${joined} on schedule.id = reserved.schedule_id
    left join accounts recipient on recipient.id = reserved.account_id join accounts owner on owner.id = schedule.owner_id
  `.execute(tx);
  return rows[0];
}

/** Stores what became of a mail. */
export async function updateMail(db: Kysely<Tables>, mailId: number, state: MailState, now: Date): Promise<void> {
  const statement = unauditedStatement('what became of a mail is no change by anybody', db);
  await sql`
    update schedule_mails set sending_until = null, state = ${state}, finished_at = ${now} where id = ${mailId} and state = 'pending'
  `.execute(statement);
}

/** Deletes the records of mails that were due before an instant. */
export async function deleteOldMails(db: Kysely<Tables>, before: Date): Promise<void> {
  const statement = unauditedStatement('records of mails that are shown no longer', db);
  await sql`delete from schedule_mails where due_at < ${before}`.execute(statement);
}
