import type { AlertKind } from '@switchyard/contract/alerts';
import { channelLimits, channelMessages, type InboxEntry } from '@switchyard/contract/channels';
import { wireDate } from '@switchyard/contract/dates';
import type { ViewList } from '@switchyard/contract/saved-views';
import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../database/tables.ts';
import { unauditedStatement } from '../../database/transaction.ts';
import { byGravity, titleOf, type MessageItem } from './message-to-send.ts';
import { reportType, type StoredMessage } from './messages-store.ts';

/** The type of mails of scheduled reports that the inbox keeps. */
export const mailType = 'report.mail';

type KeptMessage = Omit<MessageItem, 'url'> & { path: string };

/** Inserts a message that is delivered with that, into a channel, or with null into every inbox that is on. Gives the number of channels. */
export async function insertKept(
  db: Kysely<Tables>,
  channelId: number | null,
  { uid, type, severity, at, title, lines, path, data }: KeptMessage,
): Promise<number> {
  const statement = unauditedStatement('a message that is sent is no change by anybody', db);
  const { rows } = await sql`
    insert into channel_messages (channel_id, uid, type, severity, title, lines, path, data, happened_at, state, attempts, answer, sent_at, created_at)
    select channel.id, ${uid}, ${type}, ${severity}, ${title}, ${lines}::text[], ${path}, ${JSON.stringify(data)}::jsonb, ${at}, 'sent', 1,
      ${channelMessages.inInbox}, ${at}, ${at}
    from channels as channel where channel.kind = 'console' and ${channelId === null ? sql`channel.is_on` : sql`channel.id = ${channelId}`}
    on conflict (channel_id, uid) do update set sent_at = channel_messages.sent_at
    returning id
  `.execute(statement);
  return rows.length;
}

/** What a reader of the inbox may see: incidents of these kinds, and reports of these lists. */
export type InboxReader = { kinds: readonly AlertKind[]; lists: readonly ViewList[] };

type Row = StoredMessage & { channel_name: string; entry_id: number };

/** SQL: the messages of the inbox that a reader may see. Those that were combined are one entry. */
function visible({ kinds, lists }: InboxReader) {
  return sql`select message.*, channel.name as channel_name, coalesce(message.batch_id, message.id) as entry_id
    from channels as channel join channel_messages as message on message.channel_id = channel.id
    where channel.kind = 'console' and message.state = 'sent' and case
      when message.type like 'incident.%' then message.data #>> '{rule,kind}' = any(${kinds}::text[])
      when message.type in (${reportType}, ${mailType}) then message.data #>> '{view,list}' = any(${lists}::text[])
      else true end`;
}

/** One page of the inbox, newest first, and the number of entries. */
export async function listInboxPage(
  db: Kysely<Tables>,
  reader: InboxReader,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: InboxEntry[]; total: number }> {
  const { rows: found } = await sql<Row & { total: number }>`
    with visible as (${visible(reader)}),
      entries as (
        select entry_id, max(sent_at) as at, count(*) over () as total from visible group by entry_id
        order by at desc, entry_id desc limit ${limit} offset ${(page - 1) * limit})
    select visible.*, entries.total::int as total from entries join visible using (entry_id) order by entries.at desc, entry_id desc, visible.id
  `.execute(db);
  const rows = Array.from(Map.groupBy(found, (row) => row.entry_id).values(), toEntry);
  const [first] = found;
  if (first !== undefined || page === 1) return { rows, total: first?.total ?? 0 };
  const { rows: counts } = await sql<{ total: number }>`
    select count(distinct entry_id)::int as total from (${visible(reader)}) as visible
  `.execute(db);
  return { rows, total: counts[0]?.total ?? 0 };
}

const mailData = z.object({ to: z.string(), attachment: z.object({ name: z.string(), bytes: z.int() }).nullable() });

/** Messages of one batch, of which there is at least one. */
function toEntry(messages: readonly Row[]): InboxEntry {
  const [worst, ...others] = byGravity(messages.map((message) => ({ ...message, at: message.happened_at, url: message.path })));
  if (worst === undefined) throw new Error('Inbox: an entry has no message');
  const mail = worst.type === mailType ? mailData.parse(worst.data) : null;
  return {
    id: worst.entry_id,
    channel: { id: worst.channel_id, name: worst.channel_name },
    title: titleOf({ id: worst.uid, at: worst.at, items: [worst, ...others] }),
    severity: worst.severity,
    sent_at: wireDate(worst.sent_at ?? worst.created_at),
    to: mail?.to ?? null,
    attachment: mail?.attachment ?? null,
    messages: [worst, ...others].map(({ id, type, severity, title, lines, path, at }) => {
      return { id, type, severity, title, lines, path, happened_at: wireDate(at) };
    }),
  };
}

/** Deletes all but the newest messages of the inbox. */
export async function deleteBeyondInbox(db: Kysely<Tables>): Promise<void> {
  const statement = unauditedStatement('messages that are shown no longer', db);
  await sql`
    delete from channel_messages using channels as channel where channel.id = channel_id and channel.kind = 'console'
      and channel_messages.id <= (
        select id from channel_messages as kept where kept.channel_id = channel.id order by id desc offset ${channelLimits.inboxMessages} limit 1)
  `.execute(statement);
}
