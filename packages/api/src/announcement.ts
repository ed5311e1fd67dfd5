import type { AlertSeverity } from '@switchyard/contract/alerts';
import type { OpenTransaction } from './database/transaction.ts';

/** A message for people, which the channels bring out. */
export type Announcement = {
  /**
   * The same whenever the same thing is announced: a channel gets it once. Letters, digits, `_` and `-`; receivers of webhooks get it
   * as their idempotency key, so it must be unique among all announcements.
   */
  uid: string;
  /** Its type for programs, e.g. `incident.fired`. */
  type: 'incident.fired' | 'incident.reminded' | 'incident.resolved' | 'silence.ended' | 'report.ready';
  severity: AlertSeverity;
  at: Date;
  title: string;
  /** The event in plain sentences, one a line. */
  lines: readonly string[];
  /** Path of the page about it, e.g. `/incidents/7`. */
  path: string;
  /** Channels that are informed; null: all of them. */
  channelIds: readonly number[] | null;
  /**
   * The messages that this one ends: those whose uids lie between these two in the order of the alphabet, the first one included. Where a
   * channel has one of them, this one goes to just the channels that have one, whatever they and the rule choose by now, and waits in those
   * that are off.
   */
  ends?: readonly [first: string, end: string];
  /** Channels combine the messages of a group. */
  group?: string;
  /** The content for programs, as JSON. */
  data: Readonly<Record<string, unknown>>;
};

/**
 * Stores messages of announcements within the caller's transaction: they are sent if and only if it commits. Gives the uids of those
 * that a channel gets.
 */
export type Announce = (tx: OpenTransaction, announcements: readonly Announcement[]) => Promise<ReadonlySet<string>>;

/** What the message of the end of an incident ends: the uids of reminders lie between those of the beginning and the end. */
export function endedUids(id: number): readonly [first: string, end: string] {
  return [incidentUid(id, 'fired'), incidentUid(id, 'resolved')];
}

/** The uid of the messages about an event of an incident, the same in each channel; reminders are counted. */
export function incidentUid(id: number, event: 'fired' | 'resolved' | `reminded-${number}`): string {
  return `incident-${id}-${event}`;
}
