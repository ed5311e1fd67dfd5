import { channel as channelRow, type Channel, type ChannelMessage } from '@switchyard/contract/channels';
import { wireDate } from '@switchyard/contract/dates';
import type { Delivery } from '@switchyard/contract/message-delivery';
import type { CountedChannel, StoredChannel } from './channels-store.ts';
import type { StoredMessage } from './messages-store.ts';

/** The wire form of a channel, without its secrets. */
export function toChannel(channel: CountedChannel): Channel {
  return channelRow.parse({
    ...channel,
    shown_target: describeTarget(channel),
    url: channel.kind === 'webhook' ? channel.url : null,
    last_sent_at: wireDate(channel.last_sent_at),
    created_at: wireDate(channel.created_at),
    updated_at: wireDate(channel.updated_at),
  });
}

function describeTarget({ kind, addresses, url, chat_id: chatId }: StoredChannel): string {
  if (kind === 'console') return 'Inbox of the demo';
  if (kind === 'mail') return (addresses ?? []).join(', ');
  if (kind === 'telegram') return chatId ?? '';
  return kind === 'webhook' ? (url ?? '') : `${url ?? ''}/…`;
}

/** The wire form of a message. */
export function toChannelMessage(message: StoredMessage): ChannelMessage {
  const { id, uid, severity, title } = message;
  return { id, uid, severity, title, ...toDelivery(message) };
}

/** How far the delivery of a message has come. */
export function toDelivery({
  state,
  attempts,
  answer,
  ...dates
}: Pick<StoredMessage, 'state' | 'attempts' | 'answer' | 'created_at' | 'sent_at' | 'next_attempt_at'>): Delivery {
  return {
    state,
    attempts,
    answer,
    created_at: wireDate(dates.created_at),
    sent_at: wireDate(dates.sent_at),
    next_attempt_at: wireDate(dates.next_attempt_at),
  };
}
