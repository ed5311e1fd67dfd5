import type { Microseconds } from '@switchyard/contract/dates';

/** What the event that a delivery is attributed to says of where its client was. */
export type DeliveryPlace = {
  /** Two upper-case letters; '' if the event has none. */
  country: string;
  /** Code of the autonomous system; '0' if the registry had none, '' if it was not decided. */
  asn: string;
  serverId: number | null;
  /** Bot labels joined by spaces. */
  bot: string;
};

/** A delivery whose place is asked for: its client in its app, and when it happened. */
export type PlacedDelivery = { appId: number; clientUid: string; at: Microseconds };

/** Deliveries whose places are asked for, and how many days before them their events may lie. */
export type PlaceQuery = { deliveries: readonly PlacedDelivery[]; days: number };

/**
 * A client with more events than this before a delivery is attributed to the newest of so many: a uid that all clients of an app share must
 * not keep the others waiting.
 */
export const mostEventsOfClient = 10_000;

/** How many days before a delivery its event may lie, unless a setting says otherwise. */
export const usualAttributionDays = 30;
