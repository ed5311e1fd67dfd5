import type { IncidentMessage } from '@switchyard/contract/alerts';
import { channelMessages } from '@switchyard/contract/channels';
import { sql, type Kysely } from 'kysely';
import { incidentUid } from '../../announcement.ts';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { toDelivery } from './channel-mapper.ts';
import type { StoredMessage } from './messages-store.ts';

type Row = Pick<StoredMessage, 'channel_id' | 'uid' | 'state' | 'attempts' | 'answer' | 'created_at' | 'sent_at' | 'next_attempt_at'>;

/** The messages about an incident in each channel, oldest first, and what became of them; `reminders` is the number of reminders of it. */
export async function listIncidentMessages(db: Kysely<Tables>, incidentId: number, reminders: number): Promise<IncidentMessage[]> {
  const events = new Map<string, IncidentMessage['event']>([
    [incidentUid(incidentId, 'fired'), 'fired'],
    [incidentUid(incidentId, 'resolved'), 'resolved'],
  ]);
  for (let count = 1; count <= reminders; count += 1) events.set(incidentUid(incidentId, `reminded-${count}`), 'reminded');
  const { rows } = await sql<Row & { name: string }>`
    select message.channel_id, channel.name, message.uid, message.state, message.attempts, message.answer, message.created_at,
      message.sent_at, message.next_attempt_at
    from channels as channel
      join channel_messages as message on message.channel_id = channel.id and message.uid = any(${[...events.keys()]}::text[])
    order by message.id
  `.execute(db);
  return rows.flatMap(({ channel_id: id, name, uid, ...message }) => {
    const event = events.get(uid);
    return event === undefined ? [] : { channel: { id, name }, event, ...toDelivery(message) };
  });
}

/** Drops reminders of acknowledged incidents that wait to be sent: they ask to acknowledge what is acknowledged. */
export async function dropReminders(tx: OpenTransaction, incidentIds: readonly number[]): Promise<void> {
  await sql`
    update channel_messages set state = 'dropped', answer = ${channelMessages.acknowledged}, next_attempt_at = null
    where state = 'pending' and type = 'incident.reminded' and split_part(uid, '-', 2) = any(${incidentIds.map(String)}::text[])
  `.execute(tx);
}
