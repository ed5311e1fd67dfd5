import { sql, type Kysely, type Selectable } from 'kysely';
import { inNaturalOrder } from '../../database/sql-conditions.ts';
import type { ChannelsTable, Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';

/** A stored channel. */
export type StoredChannel = Omit<Selectable<ChannelsTable>, 'sending_until' | 'paused_until'>;

/** A stored channel with the counts of its messages. */
export type CountedChannel = StoredChannel & { last_sent_at: Date | null; failed: number; pending: number };

/** Channels with the counts of their messages, by name; `id`: only this one. */
export async function listCountedChannels(db: Kysely<Tables>, id: number | null): Promise<CountedChannel[]> {
  const { rows } = await sql<CountedChannel>`
    select channels.*, counts.* from channels cross join lateral (
      select max(sent_at) as last_sent_at, count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'pending') as pending
      from channel_messages where channel_id = channels.id
    ) counts
    where ${id}::int is null or id = ${id} order by ${inNaturalOrder('name')}, id
  `.execute(db);
  return rows;
}

/** The channel, locked until the transaction ends; undefined if there is none. */
export async function lockChannel(tx: OpenTransaction, id: number): Promise<StoredChannel | undefined> {
  const { rows } = await sql<StoredChannel>`select * from channels where id = ${id} for no key update`.execute(tx);
  return rows[0];
}

/** A channel; undefined if there is none. */
export async function findChannel(db: Kysely<Tables>, id: number): Promise<StoredChannel | undefined> {
  const { rows } = await sql<StoredChannel>`select * from channels where id = ${id}`.execute(db);
  return rows[0];
}

/** The channels that have messages to send. */
export async function listDueChannels(db: Kysely<Tables>, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from channels where is_on and (paused_until is null or paused_until <= ${now})
      and exists (select from channel_messages where channel_id = channels.id and state = 'pending' and next_attempt_at <= ${now}) order by id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Reserves a channel that has messages to send for this process; undefined if it has none, is off or paused, or another process
 * sends its messages. The reservation ends by itself, by the clock of the database, in case the process is killed.
 */
export async function updateReserved(
  tx: OpenTransaction,
  { id, seconds, now }: { id: number; seconds: number; now: Date },
): Promise<StoredChannel | undefined> {
  const { rows } = await sql<StoredChannel>`
    update channels set sending_until = clock_timestamp() + make_interval(secs => ${seconds})
    where id = ${id} and is_on and (sending_until is null or sending_until < clock_timestamp())
      and (paused_until is null or paused_until <= ${now})
      and exists (select from channel_messages where channel_id = channels.id and state = 'pending' and next_attempt_at <= ${now})
    returning *
  `.execute(tx);
  return rows[0];
}

/** Ends a reservation and gives when the next message is due; null if none waits or the channel is off. */
export async function updateReleased(tx: OpenTransaction, id: number): Promise<Date | null> {
  await sql`update channels set sending_until = null where id = ${id}`.execute(tx);
  const { rows } = await sql<{ due: Date | null }>`
    select greatest(min(next_attempt_at), channels.paused_until) as due from channels
    join channel_messages on channel_id = channels.id and state = 'pending'
    where channels.id = ${id} and is_on group by channels.id
  `.execute(tx);
  return rows[0]?.due ?? null;
}

/** Sends nothing before this time; null: at once. */
export async function updatePause(db: Kysely<Tables>, id: number, until: Date | null): Promise<void> {
  const statement = unauditedStatement('the pace of sending is no setting', db);
  await sql`update channels set paused_until = ${until} where id = ${id} and paused_until is distinct from ${until}`.execute(statement);
}
