import type { AuditChange } from '@switchyard/contract/audit';
import { sql, type Kysely } from 'kysely';
import { inNaturalOrder } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import { changesBetween, type OpenTransaction } from '../../database/transaction.ts';

/** A schedule of which recipients or channels changed, and what that changes. */
export type ChangedSchedule = { id: number; name: string; changes: AuditChange[] };

/** Schedules that send to a channel, by name; whether to nobody else. */
export async function listChannelSchedules(
  db: Kysely<Tables>,
  channelId: number,
): Promise<{ id: number; name: string; ownerId: number; isOnly: boolean }[]> {
  const { rows } = await sql<{ id: number; name: string; ownerId: number; isOnly: boolean }>`
    select schedule.id, schedule.name, schedule.owner_id as "ownerId",
      not exists (select from schedule_channels where schedule_id = schedule.id and channel_id <> ${channelId})
        and not exists (select from schedule_recipients where schedule_id = schedule.id) as "isOnly"
    from schedule_channels as named join schedules as schedule on schedule.id = named.schedule_id
    where named.channel_id = ${channelId} order by ${inNaturalOrder('schedule.name')}, schedule.id
  `.execute(db);
  return rows;
}

/** What changes with the receivers of a schedule, by the names of its fields. */
type Received = { id: number; name: string; fields: { recipient_ids: number[]; channel_ids: number[]; is_on: boolean } };

async function lockSchedules(tx: OpenTransaction, ids: readonly number[]): Promise<Received[]> {
  // By itself: a statement that waits for a lock sees the recipients as they were before.
  await sql`select from schedules where id = any(${ids}::int[]) order by id for no key update`.execute(tx);
  return listReceived(tx, ids);
}

async function listReceived(tx: OpenTransaction, ids: readonly number[]): Promise<Received[]> {
  const { rows } = await sql<Received>`
    select id, name, json_build_object(
      'recipient_ids', array(select account_id from schedule_recipients where schedule_id = schedule.id order by account_id),
      'channel_ids', array(select channel_id from schedule_channels where schedule_id = schedule.id order by channel_id),
      'is_on', is_on) as fields
    from schedules as schedule where id = any(${ids}::int[]) order by id
  `.execute(tx);
  return rows;
}

/** Ends a change of the receivers of locked schedules: those that have none any more go off. */
async function updateReceived(tx: OpenTransaction, before: readonly Received[], now: Date): Promise<ChangedSchedule[]> {
  const ids = before.map(({ id }) => id);
  await sql`
    update schedules as schedule set updated_at = ${now}, version = version + 1,
      is_on = is_on and (exists (select from schedule_recipients where schedule_id = schedule.id)
        or exists (select from schedule_channels where schedule_id = schedule.id)) where id = any(${ids}::int[])
  `.execute(tx);
  const after = new Map((await listReceived(tx, ids)).map(({ id, fields }) => [id, fields]));
  return before.map(({ id, name, fields }) => ({ id, name, changes: changesBetween(fields, after.get(id) ?? {}) }));
}

/**
 * Puts another channel, or none, in the place of one in all schedules, and gives these. One that is left without recipients and channels
 * goes off.
 */
export async function updateChannelOfSchedules(
  tx: OpenTransaction,
  { channelId, replacementIds, now }: { channelId: number; replacementIds: readonly number[]; now: Date },
): Promise<ChangedSchedule[]> {
  const { rows: named } = await sql<{
    id: number;
  }>`select schedule_id as id from schedule_channels where channel_id = ${channelId}`.execute(tx);
  const schedules = await lockSchedules(
    tx,
    named.map(({ id }) => id),
  );
  await sql`delete from schedule_channels where channel_id = ${channelId}`.execute(tx);
  await sql`
    insert into schedule_channels (schedule_id, channel_id)
    select schedule_id, channel_id from unnest(${schedules.map(({ id }) => id)}::int[]) as schedule_id,
      unnest(${replacementIds}::int[]) as channel_id on conflict do nothing
  `.execute(tx);
  return updateReceived(tx, schedules, now);
}

/**
 * Takes an account from the recipients of a schedule, or with null of all, and gives these. One that is left without recipients and
 * channels goes off; pending mails to the account are deleted.
 */
export async function updateWithoutRecipient(
  tx: OpenTransaction,
  { scheduleId, accountId, now }: { scheduleId: number | null; accountId: number; now: Date },
): Promise<ChangedSchedule[]> {
  const { rows: received } = await sql<{ id: number }>`
    select schedule_id as id from schedule_recipients
    where account_id = ${accountId} and (${scheduleId}::int is null or schedule_id = ${scheduleId})
  `.execute(tx);
  const locked = await lockSchedules(
    tx,
    received.map(({ id }) => id),
  );
  const schedules = locked.filter(({ fields }) => fields.recipient_ids.includes(accountId));
  const ids = schedules.map(({ id }) => id);
  await sql`delete from schedule_recipients where account_id = ${accountId} and schedule_id = any(${ids}::int[])`.execute(tx);
  await sql`
    delete from schedule_mails where account_id = ${accountId} and schedule_id = any(${ids}::int[]) and state = 'pending'
  `.execute(tx);
  return updateReceived(tx, schedules, now);
}
