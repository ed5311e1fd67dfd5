import type { ConversionRow, ConversionSortKey } from '@switchyard/contract/conversions';
import type { Microseconds } from '@switchyard/contract/dates';
import type { SortDirection } from '@switchyard/contract/listing';
import type { Readable } from 'node:stream';
import type { SpanCounts } from './push-store.ts';
import type { TimeRange } from './read-time-range.ts';
import type { AppScope } from './traffic-store.ts';

/** A conversion that passed every check of ingestion, ready to be stored. */
export type NewConversion = {
  /** UUID in lower case; with app and time it is the conversion's identity. */
  uuid: string;
  appId: number;
  source: string;
  clientUid: string | null;
  streamUid: string | null;
  clickId: string | null;
  receiveApfUid: string | null;
  appInstanceId: string | null;
  statusConversion: string;
  /** Decimal text with at most 4 decimals. */
  payout: string | null;
  status: string;
  error: string | null;
  isSend: boolean;
  /** Of a tester's stream. */
  isQa: boolean;
  createdAt: Microseconds;
};

/** Which conversions of an app are asked for; uids are substrings, dates are of `created_at` (api [30]). */
export type ConversionFilter = TimeRange & {
  appId: number;
  streamUid?: string | undefined;
  clientUid?: string | undefined;
  statusConversion?: string | undefined;
  status?: string | undefined;
  isSend?: boolean | undefined;
};

export type ConversionPage = {
  filter: ConversionFilter;
  orderBy: ConversionSortKey;
  orderDirection: SortDirection;
  page: number;
  limit: number;
};

/** An export; aborted when the reader has gone. */
export type ConversionExport = Pick<ConversionPage, 'filter' | 'orderBy' | 'orderDirection'> & { signal: AbortSignal };

/** Stores and lists conversions. Promises what TrafficStore promises. */
export type ConversionStore = {
  /** Stores a batch in one statement with its counts; says how many rows were new. */
  addConversions(rows: readonly NewConversion[]): Promise<{ accepted: number; duplicates: number }>;
  /** A page of an app's conversions and how many match in all, both as of one moment. */
  listConversions(query: ConversionPage): Promise<{ rows: ConversionRow[]; total: number }>;
  /** All matches as CSV with a header row, of one moment; fails, but never ends early, when it is cut. */
  exportConversions(query: ConversionExport): Promise<Readable>;
  /** Every value of the column that is stored for an app in scope, by name. Costs the same at any number of conversions. */
  conversionValues(column: 'status_conversion' | 'status', scope: AppScope): Promise<string[]>;
  /** Rows by `created_at`, a number each span; see SpanCounts. */
  countConversionsBySpan(query: SpanCounts): Promise<number[] | null>;
};
