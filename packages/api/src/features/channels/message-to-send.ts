import type { AlertSeverity } from '@switchyard/contract/alerts';

/** A message as senders get it. */
export type MessageItem = {
  uid: string;
  type: string;
  severity: AlertSeverity;
  at: Date;
  title: string;
  lines: readonly string[];
  /** Address of the page about it. */
  url: string;
  data: Readonly<Record<string, unknown>>;
};

/** One mail or post. */
export type MessageToSend = {
  /** The same for each attempt. */
  id: string;
  at: Date;
  items: readonly [MessageItem, ...MessageItem[]];
};

/** Where a channel leads, with its secrets. */
export type Destination =
  | { kind: 'mail'; channelName: string; addresses: readonly string[] }
  /** Both keys sign while the first one replaces the second one. */
  | { kind: 'webhook'; url: string; keys: readonly Buffer[] }
  | { kind: 'telegram'; botToken: string; chatId: string }
  | { kind: 'slack' | 'mattermost'; url: string };

/** Response of a receiver. `status` is that of HTTP or SMTP; null if nothing answered. */
export type SendResult = { status: number | null; answer: string } & (
  | { kind: 'sent' }
  | {
      kind: 'failed';
      /** Seconds for which the receiver wants no further message. */
      retryAfter: number | null;
      /** Sending it again is useless. */
      isFinal: boolean;
      /** The receiver wants no messages any more. */
      isGone: boolean;
    }
);

/** Sends one mail or post, once. Failures are results; an abort rejects with the reason of the signal. */
export type Send = (destination: Destination, message: MessageToSend, signal: AbortSignal) => Promise<SendResult>;

/** The title of what is sent: that of its message, or how many there are. */
export function titleOf({ items }: MessageToSend): string {
  return items.length === 1 ? items[0].title : `${items.length} messages`;
}
