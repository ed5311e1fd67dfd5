import type { Microseconds } from '@switchyard/contract/dates';
import type { SortDirection } from '@switchyard/contract/listing';
import type { PushRow, PushSortKey } from '@switchyard/contract/pushes';
import type { Readable } from 'node:stream';
import type { AppScope } from './traffic-store.ts';
import type { Span } from './time-buckets.ts';
import type { TimeRange } from './read-time-range.ts';

/** A push that passed every check of ingestion, ready to be stored. */
export type NewPush = {
  /** UUID in lower case; with the app it is the push's identity (O27). */
  uuid: string;
  appId: number;
  pushId: string;
  name: string;
  /** JSON text as it was sent, or any other text. */
  message: string;
  uid: string | null;
  clientUid: string | null;
  campaignUid: string | null;
  sendAt: Microseconds;
  status: string;
  error: string | null;
  updatedAt: Microseconds;
};

/** Which pushes of an app are asked for; texts are substrings, dates are of `send_at` (api [29]). */
export type PushFilter = TimeRange & {
  appId: number;
  uid?: string | undefined;
  campaignUid?: string | undefined;
  /** A substring of the push id; all digits are the row's own id as well. */
  pushId?: string | undefined;
};

export type PushPage = { filter: PushFilter; orderBy: PushSortKey; orderDirection: SortDirection; page: number; limit: number };

/** An export; aborted when the reader has gone. */
export type PushExport = Pick<PushPage, 'filter' | 'orderBy' | 'orderDirection'> & { signal: AbortSignal };

/** How many rows of all apps in scope lie in each span of time; null where the days of the spans hold more rows than `most`. */
export type SpanCounts = { scope: AppScope; spans: readonly Span[]; most: number };

/** Stores and lists pushes. Promises what TrafficStore promises. */
export type PushStore = {
  /**
   * Stores a batch in one transaction with its counts. A push that is there already takes over name, message, time, status
   * and error of a row whose `updatedAt` is newer, which counts as accepted; any other row of it is a duplicate. The rows
   * of a batch count one after the other.
   */
  addPushes(rows: readonly NewPush[]): Promise<{ accepted: number; duplicates: number }>;
  /** A page of an app's pushes and how many match in all, both as of one moment. */
  listPushes(query: PushPage): Promise<{ rows: PushRow[]; total: number }>;
  /** All matches as CSV with a header row, of one moment; fails, but never ends early, when it is cut. */
  exportPushes(query: PushExport): Promise<Readable>;
  /** Rows by `send_at`, a number each span; see SpanCounts. */
  countPushesBySpan(query: SpanCounts): Promise<number[] | null>;
};
