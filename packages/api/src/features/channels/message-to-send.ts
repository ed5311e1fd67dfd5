import { alertSeverities, type AlertSeverity } from '@switchyard/contract/alerts';
import { channelMessages } from '@switchyard/contract/channels';
import { z } from 'zod';

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
  /** Does not change from attempt to attempt. */
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
  | { kind: 'slack' | 'mattermost'; url: string }
  /** The inbox of the demo, which shows the stored messages. */
  | { kind: 'console' };

/** Response of a receiver. `status` is that of HTTP or SMTP; null if nothing answered. */
export type SendResult = { status: number | null; answer: string } & (
  | {
      kind: 'sent';
      /** Addresses for which the mail server took nothing for now. */
      unreached?: readonly string[];
    }
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

const isEnd = ({ type }: MessageItem): boolean => type === 'incident.resolved';

/** Messages with the worst first: by severity, and those of ends after all others. */
export function byGravity<Item extends MessageItem>(items: readonly Item[]): Item[] {
  const rank = (item: Item): number => (isEnd(item) ? alertSeverities.length : alertSeverities.indexOf(item.severity));
  return items.toSorted((one, other) => rank(one) - rank(other));
}

const named = z.object({ name: z.string() });
/** Names in the data of an incident's message. */
const namesOfIncident = z.object({ rule: named, app: named.nullable(), server: named.nullable() });
const namedSubjects = 3;

/** What a message tells of its incident: that it is over, perhaps with the next one begun, or its severity. */
function stateOf(item: MessageItem): string {
  if (!isEnd(item)) return item.severity;
  return item.data['began_again'] === true ? channelMessages.beganAgain : 'Resolved';
}

/** The title of what is sent: that of its message, the subjects of a rule whose incidents began or ended, or counts by severity. */
export function titleOf({ items }: MessageToSend): string {
  if (items.length === 1) return items[0].title;
  const counts = Map.groupBy(items, stateOf);
  const countsText = Array.from(counts, ([state, { length }]) => `${length} ${state.toLowerCase()}`).join(', ');
  const incidents = items.map(({ data }) => namesOfIncident.safeParse(data).data);
  const rules = new Set(incidents.map((incident) => incident?.rule.name));
  const [rule] = rules;
  if (rules.size > 1 || rule === undefined) return countsText;
  const subjects = incidents.flatMap((incident) => incident?.app?.name ?? incident?.server?.name ?? []);
  if (counts.size > 1 || subjects.length < items.length) return `${rule}: ${countsText}`;
  const more = subjects.length - namedSubjects;
  const [first] = items;
  return `${isEnd(first) ? stateOf(first) : first.severity.toUpperCase()} · ${rule}: ${subjects.slice(0, namedSubjects).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
