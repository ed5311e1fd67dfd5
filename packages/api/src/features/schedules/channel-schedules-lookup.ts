import { sql, type Kysely } from 'kysely';
import { inNaturalOrder } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

/** A schedule that names a channel, as it was and as it is without it. */
export type ChannelSchedule = { id: number; name: string; channelIds: number[]; isOn: boolean; staysOn: boolean };

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

/**
 * Puts another channel, or none, in the place of one in all schedules, and gives these. One that is left without recipients and channels
 * goes off.
 */
export async function updateChannelOfSchedules(
  tx: OpenTransaction,
  { channelId, replacementIds, now }: { channelId: number; replacementIds: readonly number[]; now: Date },
): Promise<ChannelSchedule[]> {
  const { rows: named } = await sql<{ id: number }>`
    select schedule_id as id from schedule_channels where channel_id = ${channelId} order by schedule_id
  `.execute(tx);
  const ids = named.map(({ id }) => id);
  // By itself: a statement that waits for a lock sees the recipients as they were before.
  await sql`select from schedules where id = any(${ids}::int[]) order by id for no key update`.execute(tx);
  const { rows } = await sql<ChannelSchedule>`
    select schedule.id, schedule.name, schedule.is_on as "isOn",
      array(select channel_id from schedule_channels where schedule_id = schedule.id order by channel_id) as "channelIds",
      schedule.is_on and (${replacementIds.length > 0}
        or exists (select from schedule_channels where schedule_id = schedule.id and channel_id <> ${channelId})
        or exists (select from schedule_recipients where schedule_id = schedule.id)) as "staysOn"
    from schedules as schedule where schedule.id = any(${ids}::int[]) order by schedule.id
  `.execute(tx);
  await sql`delete from schedule_channels where channel_id = ${channelId}`.execute(tx);
  await sql`
    insert into schedule_channels (schedule_id, channel_id)
    select schedule_id, channel_id from unnest(${ids}::int[]) as schedule_id, unnest(${replacementIds}::int[]) as channel_id on conflict do nothing
  `.execute(tx);
  const on = rows.flatMap(({ id, staysOn }) => (staysOn ? id : []));
  await sql`
    update schedules set is_on = id = any(${on}::int[]), updated_at = ${now}, version = version + 1 where id = any(${ids}::int[])
  `.execute(tx);
  return rows;
}
