import type { AlertSeverity } from '@switchyard/contract/alerts';
import { channelMessages } from '@switchyard/contract/channels';
import type { MessageState } from '@switchyard/contract/message-delivery';
import { sql, type Kysely } from 'kysely';
import type { Announcement } from '../../announcement.ts';
import type { Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';
import { takesSeverity } from './channel-health-lookup.ts';

/** The type of the messages about scheduled reports. */
export const reportType: Announcement['type'] = 'report.ready';

/** A stored message. */
export type StoredMessage = {
  id: number;
  channel_id: number;
  uid: string;
  type: string;
  severity: AlertSeverity;
  title: string;
  lines: string[];
  path: string;
  data: Record<string, unknown>;
  happened_at: Date;
  state: MessageState;
  attempts: number;
  answer: string | null;
  batch_id: number | null;
  group_key: string | null;
  /** The addresses that the next attempt goes to; null: all of the channel. */
  unreached: string[] | null;
  created_at: Date;
  sent_at: Date | null;
  next_attempt_at: Date | null;
};

/**
 * Inserts messages for each channel that announcements concern and have not reached, and gives when they are due. Critical ones wait neither
 * for a digest nor for their group, and reports, which were asked for at their time, neither for them nor for a severity.
 */
export async function insertMessages(
  tx: OpenTransaction,
  announcements: readonly Announcement[],
  now: Date,
): Promise<{ channelId: number; dueAt: Date | null; uid: string }[]> {
  if (announcements.length === 0) return [];
  const messages = announcements.map(({ uid, type, severity, at, title, lines, path, channelIds, ends, group, data }, position) => ({
    position,
    uid,
    type,
    severity,
    happened_at: at,
    title,
    lines,
    path,
    channel_ids: channelIds,
    ends,
    group_key: group,
    data,
  }));
  // `begun`: the channels that have a message which a message ends, found once for all. One of them is enough, of which there may be thousands.
  const { rows } = await sql<{ channelId: number; dueAt: Date | null; uid: string }>`
    with message as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as message (position int, uid text, type text, severity text,
        happened_at timestamptz, title text, lines text[], path text, channel_ids int[], ends text[], group_key text, data jsonb)
    ), begun as materialized (
      select message.position, earlier.channel_id from message cross join channels cross join lateral (
        select channel_id from channel_messages where channel_id = channels.id and uid >= message.ends[1] and uid < message.ends[2] limit 1
      ) as earlier
    )
    insert into channel_messages (channel_id, uid, type, severity, title, lines, path, data, happened_at, group_key, next_attempt_at, created_at)
    select channel.id, message.uid, message.type, message.severity, message.title, message.lines, message.path, message.data,
      message.happened_at, message.group_key, case
        when message.severity = 'critical' or message.type = ${reportType} then ${now}
        when channel.digest_minutes > 0 then ${now}::timestamptz + make_interval(mins => channel.digest_minutes)
        when message.group_key is null or channel.group_minutes = 0 then ${now}
        else greatest(${now}::timestamptz + make_interval(secs => channel.group_wait_seconds), (
          select max(batched_at) from channel_messages as earlier
          where earlier.channel_id = channel.id and earlier.group_key = message.group_key and batched_at <= ${now}
        ) + make_interval(mins => channel.group_minutes)) end, ${now}
    from message join channels as channel on case when message.position in (select position from begun)
      then (message.position, channel.id) in (select position, channel_id from begun)
      else channel.is_on and (message.type = ${reportType} or ${takesSeverity('message.severity')})
        and (message.channel_ids is null or channel.id = any(message.channel_ids)) end
    order by channel.id, message.position on conflict (channel_id, uid) do nothing
    returning channel_id as "channelId", next_attempt_at as "dueAt", uid
  `.execute(tx);
  return rows;
}

/** Messages that are sent together, in their order. */
export type Batch = readonly [StoredMessage, ...StoredMessage[]];

function toBatch(messages: readonly StoredMessage[]): Batch | null {
  const [first, ...others] = messages;
  return first ? [first, ...others] : null;
}

/** SQL: whether a message is that of the end of the incident whose beginning, or a reminder of it, another message is about, in the same channel. */
const isEndOf = (begin: string, end: string) =>
  sql.raw(
    `${begin}.type in ('incident.fired', 'incident.reminded') and ${end}.type = 'incident.resolved' and ${end}.channel_id = ${begin}.channel_id
      and ${end}.uid = regexp_replace(${begin}.uid, '-(fired|reminded-[0-9]+)$', '-resolved')`,
  );

/** SQL: the number of a reminder of an incident. */
const reminderOf = (message: string) => sql.raw(`substring(${message}.uid from '-reminded-([0-9]+)$')::int`);

/** SQL: the incident of a message as the messages of its rule about the same app or server name it. */
const subjectOf = (message: string) =>
  sql.raw(`(${message}.data -> 'rule' -> 'id', ${message}.data -> 'app' -> 'id', ${message}.data -> 'server' -> 'id')`);

/**
 * Drops what the receiver would hear too late, and gives the number of messages that changed: the beginning of an incident, and reminders, whose
 * end waits to be announced; and reminders with a newer one. The message that is left says what there was none of. The end of an incident that
 * could not be delivered says so where the next one of the same rule and subject has begun: receivers that know incidents by their id need it.
 */
export async function updateOvertaken(tx: OpenTransaction, channelId: number): Promise<number> {
  const { rows: ends } = await sql`
    update channel_messages as ended set lines = array_append(ended.lines, ${channelMessages.beginUndelivered}::text)
    from channel_messages as begun
    where ended.channel_id = ${channelId} and ended.state = 'pending' and ${isEndOf('begun', 'ended')} and begun.state <> 'sent'
      and begun.type = 'incident.fired'
      and ${channelMessages.beginUndelivered}::text <> all(ended.lines)
    returning ended.id
  `.execute(tx);
  const { rows: dropped } = await sql`
    update channel_messages as begun set state = 'dropped', answer = ${channelMessages.dropped}, next_attempt_at = null
    from channel_messages as ended
    where begun.channel_id = ${channelId} and begun.state = 'pending' and ${isEndOf('begun', 'ended')} and ended.state = 'pending'
    returning begun.id
  `.execute(tx);
  const { rows: reminders } = await sql`
    update channel_messages as former set state = 'dropped', answer = ${channelMessages.newerReminder}, next_attempt_at = null
    from channel_messages as newer
    where former.channel_id = ${channelId} and former.state = 'pending' and former.type = 'incident.reminded'
      and newer.channel_id = former.channel_id and newer.state in ('pending', 'sent') and newer.type = 'incident.reminded'
      and split_part(newer.uid, '-', 2) = split_part(former.uid, '-', 2) and ${reminderOf('newer')} > ${reminderOf('former')}
    returning former.id
  `.execute(tx);
  const { rows: formerEnds } = await sql`
    update channel_messages as ended set title = ${`${channelMessages.beganAgain} · `}::text || ended.title,
      lines = array_prepend(${channelMessages.nextBegun}::text, ended.lines), data = ended.data || '{"began_again": true}'
    from channel_messages as next
    where ended.channel_id = ${channelId} and ended.state = 'pending' and ended.attempts > 0 and ended.type = 'incident.resolved'
      and not ended.data ? 'began_again' and next.channel_id = ended.channel_id and next.id > ended.id and next.type = 'incident.fired'
      and next.state in ('pending', 'sent') and ${subjectOf('next')} is not distinct from ${subjectOf('ended')}
    returning ended.id
  `.execute(tx);
  return ends.length + dropped.length + reminders.length + formerEnds.length;
}

/** Whether the end of the incident that a message announces was announced too. */
export async function isOvertaken(tx: OpenTransaction, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from channel_messages as begun join channel_messages as ended on ${isEndOf('begun', 'ended')} where begun.id = ${id}
  `.execute(tx);
  return rows.length > 0;
}

/** Messages that were tried before and are due again, those that wait longest first. */
export async function findDueBatch(db: Kysely<Tables>, channelId: number, now: Date): Promise<Batch | null> {
  const { rows } = await sql<StoredMessage>`
    select * from channel_messages where channel_id = ${channelId} and state = 'pending' and batch_id = (
      select batch_id from channel_messages
      where channel_id = ${channelId} and state = 'pending' and batch_id is not null and next_attempt_at <= ${now}
      order by next_attempt_at, id limit 1
    ) order by id
  `.execute(db);
  return toBatch(rows);
}

/** A message that was never tried. */
export type FreshMessage = Pick<StoredMessage, 'id' | 'type' | 'severity' | 'group_key'>;

/** The message of a channel that is due first among those that were never tried, critical ones before others. */
export async function findFreshDue(db: Kysely<Tables>, channelId: number, now: Date): Promise<FreshMessage | undefined> {
  const { rows } = await sql<FreshMessage>`
    select id, type, severity, group_key from channel_messages
    where channel_id = ${channelId} and state = 'pending' and batch_id is null and next_attempt_at <= ${now}
    order by severity <> 'critical', id limit 1
  `.execute(db);
  return rows[0];
}

/**
 * The ids of the first messages that were never tried, critical ones before others, without reports, which are sent by themselves; `like`: of
 * its group, and as critical as it is.
 */
export async function listFreshMessages(
  db: Kysely<Tables>,
  channelId: number,
  { like, limit }: { like: FreshMessage | null; limit: number },
): Promise<number[]> {
  const isAlike = like && sql`group_key = ${like.group_key} and (severity = 'critical') = ${like.severity === 'critical'}`;
  const { rows } = await sql<{ id: number }>`
    select id from channel_messages
    where channel_id = ${channelId} and state = 'pending' and batch_id is null and type <> ${reportType} and ${isAlike ?? sql`true`}
    order by severity <> 'critical', id limit ${limit}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** When the batches of a channel were first sent since an instant, oldest first. */
export async function listBatchTimes(db: Kysely<Tables>, channelId: number, since: Date): Promise<Date[]> {
  const { rows } = await sql<{ at: Date }>`
    select batched_at as at from channel_messages
    where channel_id = ${channelId} and batched_at > ${since} and id = batch_id order by batched_at
  `.execute(db);
  return rows.map(({ at }) => at);
}

/** Binds messages to each other, so that each attempt sends the same ones under the same id. */
export async function updateToBatch(tx: OpenTransaction, ids: readonly number[], now: Date): Promise<Batch | null> {
  const { rows } = await sql<StoredMessage>`
    update channel_messages set batch_id = ${ids[0]}, batched_at = ${now}
    where id = any(${ids}::int[]) returning *
  `.execute(tx);
  return toBatch(rows.toSorted((a, b) => a.id - b.id));
}

/** Postpones messages that were never tried. */
export async function updateFreshDue(tx: OpenTransaction, channelId: number, until: Date): Promise<void> {
  await sql`
    update channel_messages set next_attempt_at = ${until}
    where channel_id = ${channelId} and state = 'pending' and batch_id is null and next_attempt_at < ${until}
  `.execute(tx);
}

/** Stores the outcome of an attempt. `unreached`: the addresses that it did not reach; where absent, those of the attempt before stay. */
export async function updateAttempted(
  db: Kysely<Tables>,
  batch: Batch,
  {
    state,
    answer,
    next,
    now,
    unreached,
  }: { state: MessageState; answer: string; next: Date | null; now: Date; unreached?: readonly string[] },
): Promise<void> {
  const statement = unauditedStatement('what became of a message is no change by anybody', db);
  await sql`
    update channel_messages set state = ${state}, attempts = attempts + 1, answer = ${answer}, next_attempt_at = ${next},
      sent_at = ${state === 'sent' ? now : null}, unreached = coalesce(${unreached ?? null}::text[], unreached)
    where id = any(${batch.map(({ id }) => id)}::int[]) and state = 'pending'
  `.execute(statement);
}

/** Gives up everything that waits in a channel. */
export async function updateAllFailed(tx: OpenTransaction, channelId: number, answer: string): Promise<void> {
  await sql`
    update channel_messages set state = 'failed', answer = ${answer}, next_attempt_at = null where channel_id = ${channelId} and state = 'pending'
  `.execute(tx);
}

/** A message, locked until the transaction ends. */
export async function lockMessage(tx: OpenTransaction, id: number): Promise<StoredMessage | undefined> {
  const { rows } = await sql<StoredMessage>`select * from channel_messages where id = ${id} for update`.execute(tx);
  return rows[0];
}

/** Has a failed message sent again, by itself. */
export async function updateToPending(tx: OpenTransaction, id: number, now: Date): Promise<StoredMessage | undefined> {
  const { rows } = await sql<StoredMessage>`
    update channel_messages set state = 'pending', attempts = 0, batch_id = id, batched_at = ${now}, next_attempt_at = ${now}
    where id = ${id} returning *
  `.execute(tx);
  return rows[0];
}

/** One page of the messages of a channel, newest first, and whether older ones follow. */
export async function listMessagesPage(
  db: Kysely<Tables>,
  { channelId, states, before, limit }: { channelId: number; states: readonly MessageState[] | null; before: number | null; limit: number },
): Promise<{ rows: StoredMessage[]; hasMore: boolean }> {
  const { rows } = await sql<StoredMessage>`
    select * from channel_messages
    where channel_id = ${channelId} and (${before}::int is null or id < ${before}) and (${states}::text[] is null or state = any(${states}::text[]))
    order by id desc limit ${limit + 1}
  `.execute(db);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Deletes messages that were made before an instant. Those of the beginning of an open incident stay: they say who is told of its end. */
export async function deleteOldMessages(db: Kysely<Tables>, before: Date): Promise<void> {
  const statement = unauditedStatement('messages that are shown no longer', db);
  await sql`
    delete from channel_messages where created_at < ${before} and not (type = 'incident.fired'
      and exists (select from incidents where resolved_at is null and channel_messages.uid = 'incident-' || incidents.id || '-fired'))
  `.execute(statement);
}

/** The longest that a message waits by design: for the next message of its group, or the last of its attempts. */
const longestWait = sql`interval '25 hours'`;
/** A receiver is left alone for six hours at most. */
const longestPause = sql`interval '7 hours'`;

/** Makes due what waits for an instant that a clock ahead of its time has named: such a clock would silence channels until then. */
export async function updateAheadOfTime(db: Kysely<Tables>, now: Date): Promise<void> {
  const statement = unauditedStatement('the pace of sending is no setting', db);
  await sql`
    update channel_messages set batched_at = least(batched_at, ${now}),
      next_attempt_at = case when next_attempt_at > ${now}::timestamptz + ${longestWait} then ${now} else next_attempt_at end
    where batched_at > ${now}::timestamptz + interval '1 minute' or state = 'pending' and next_attempt_at > ${now}::timestamptz + ${longestWait}
  `.execute(statement);
  await sql`update channels set paused_until = null where paused_until > ${now}::timestamptz + ${longestPause}`.execute(statement);
}
