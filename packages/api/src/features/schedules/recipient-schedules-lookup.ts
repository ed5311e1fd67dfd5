import type { AuditChange } from '@switchyard/contract/audit';
import { sql } from 'kysely';
import type { OpenTransaction } from '../../database/transaction.ts';

/** A schedule without one of its recipients, and what that changes. */
export type LeftSchedule = { id: number; name: string; changes: AuditChange[] };

type Found = { id: number; name: string; recipientIds: number[]; isOn: boolean; staysOn: boolean };

/**
 * Takes an account from the recipients of a schedule, or with null of all, and gives these. One that is left without recipients and
 * channels goes off; pending mails to the account are deleted.
 */
export async function updateWithoutRecipient(
  tx: OpenTransaction,
  { scheduleId, accountId, now }: { scheduleId: number | null; accountId: number; now: Date },
): Promise<LeftSchedule[]> {
  const { rows: received } = await sql<{ id: number }>`
    select schedule_id as id from schedule_recipients
    where account_id = ${accountId} and (${scheduleId}::int is null or schedule_id = ${scheduleId})
  `.execute(tx);
  const ids = received.map(({ id }) => id);
  // By itself: a statement that waits for a lock sees the recipients as they were before.
  await sql`select from schedules where id = any(${ids}::int[]) order by id for no key update`.execute(tx);
  const { rows } = await sql<Found>`
    select schedule.id, schedule.name, schedule.is_on as "isOn",
      array(select account_id from schedule_recipients where schedule_id = schedule.id order by account_id) as "recipientIds",
      schedule.is_on and (exists (select from schedule_channels where schedule_id = schedule.id)
        or exists (select from schedule_recipients where schedule_id = schedule.id and account_id <> ${accountId})) as "staysOn"
    from schedules as schedule where schedule.id = any(${ids}::int[])
      and exists (select from schedule_recipients where schedule_id = schedule.id and account_id = ${accountId}) order by schedule.id
  `.execute(tx);
  const left = rows.map(({ id }) => id);
  const on = rows.flatMap(({ id, staysOn }) => (staysOn ? id : []));
  await sql`delete from schedule_recipients where account_id = ${accountId} and schedule_id = any(${left}::int[])`.execute(tx);
  await sql`
    update schedules set is_on = id = any(${on}::int[]), updated_at = ${now}, version = version + 1 where id = any(${left}::int[])
  `.execute(tx);
  await sql`
    delete from schedule_mails where account_id = ${accountId} and schedule_id = any(${left}::int[]) and state = 'pending'
  `.execute(tx);
  return rows.map(({ id, name, recipientIds, isOn, staysOn }) => ({
    id,
    name,
    changes: [
      { field: 'recipient_ids', from: recipientIds, to: recipientIds.filter((one) => one !== accountId) },
      ...(isOn === staysOn ? [] : [{ field: 'is_on', from: isOn, to: staysOn }]),
    ],
  }));
}
