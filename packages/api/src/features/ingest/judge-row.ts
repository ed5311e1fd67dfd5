import { DateError, dateMessages, fromDate, type Microseconds, parseDateTime } from '@switchyard/contract/dates';
import type { FieldErrorMap } from '@switchyard/contract/envelope';
import { fieldErrors } from '@switchyard/contract/field-errors';
import { ingestMessages } from '@switchyard/contract/ingest';
import { ingestLimits } from '@switchyard/contract/limits';
import type { z } from 'zod';
import { normalizeIp } from '../../traffic-store/request-search.ts';
import type { NamedApps } from '../apps/apps-lookup.ts';

/** Between which instants a row's time must lie, and how long rows are kept. */
export type TimeWindow = { oldest: Microseconds; furthest: Microseconds; retentionDays: number };

export type WindowDeps = { now: () => Date; retentionDays: number };

/** The window at this moment. */
export function timeWindow({ now, retentionDays }: WindowDeps): TimeWindow {
  const instant = fromDate(now());
  return { oldest: instant - retentionDays * 86_400_000_000, furthest: instant + ingestLimits.hoursAhead * 3_600_000_000, retentionDays };
}

/** A row as it was sent. */
export type SentRow = Readonly<Record<string, unknown>>;
/** What the schema of a row refused, by field, with what was sent, so that its other fields can be judged too. */
export type RefusedRow = { errors: FieldErrorMap; sent: SentRow };
export type ReadRow<T> = { row: T } | RefusedRow;

/** Reads one value by the schema of its kind; every failing field is named. */
export function readRow<Row>(schema: z.ZodType<Row>, value: unknown): ReadRow<Row> {
  if (!isRecord(value)) return { errors: { row: [ingestMessages.rowNotObject] }, sent: {} };
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return { row: parsed.data };
  const { shape, value: values } = fieldErrors(parsed.error);
  return { errors: { ...values, ...shape }, sent: value };
}

/** The errors of a refused row's values together with those of its shape, which come first. */
export function withShapeErrors({ errors: shape }: RefusedRow, values: FieldErrorMap): FieldErrorMap {
  if ('row' in shape) return shape;
  const { app_id: app, ...others } = values;
  // An app that is named in a wrong way is not missing.
  const isMisnamed = 'app_id' in shape || 'bundle' in shape;
  return { ...(app === undefined || isMisnamed ? {} : { app_id: app }), ...others, ...shape };
}

/** Whether the value is a JSON object. */
function isRecord(value: unknown): value is SentRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The id of a row as it was sent, to name it in the answer; null when there is none, or none that could be repeated. */
export function sentId(value: unknown): unknown {
  const id = isRecord(value) ? (value['id'] ?? null) : null;
  return isTooLarge(id) ? null : id;
}

/** Instant of a time key, or the message that refuses it (api 13). */
export function judgeTime(value: string | number, window: TimeWindow): { instant: Microseconds } | { error: string } {
  const instant = readInstant(value);
  if (typeof instant === 'string') return { error: instant };
  if (instant < window.oldest) return { error: ingestMessages.tooOld(window.retentionDays) };
  if (instant > window.furthest) return { error: ingestMessages.tooFarAhead };
  return { instant };
}

/** Years that PostgreSQL reads and every form of a date can be written in: 1 to 9999. */
const writable = { from: -62_135_596_800_000_000, until: Date.UTC(10_000, 0) * 1000 } as const;

/** Instant of a date-time that may lie anywhere, or the message that refuses it. */
export function judgeInstant(value: string): { instant: Microseconds } | { error: string } {
  const instant = readInstant(value);
  if (typeof instant === 'string') return { error: instant };
  return instant >= writable.from && instant < writable.until ? { instant } : { error: dateMessages.format };
}

function readInstant(value: string | number): Microseconds | string {
  if (typeof value === 'number') return value * 1000;
  try {
    return parseDateTime(value);
  } catch (error) {
    if (error instanceof DateError) return error.message;
    throw error;
  }
}

/** Address in its stored form, or the message that refuses it. */
export function judgeIp(value: string): { ip: string } | { error: string } {
  const ip = normalizeIp(value.trim());
  return ip === null ? { error: ingestMessages.ip } : { ip };
}

/** The app that a row names by id, bundle or both, or the errors that refuse it (api 13). */
export function judgeApp(
  named: { app_id?: number | undefined; bundle?: string | undefined },
  apps: NamedApps,
): { appId: number } | { errors: FieldErrorMap } {
  const { app_id: id, bundle } = named;
  if (id === undefined && (bundle === undefined || bundle === '')) return { errors: { app_id: [ingestMessages.appMissing] } };
  const byBundle = bundle === undefined || bundle === '' ? undefined : (apps.idByBundle.get(bundle) ?? null);
  if (id !== undefined && !apps.ids.has(id)) return { errors: { app_id: [ingestMessages.unknownApp] } };
  if (byBundle === null) return { errors: { bundle: [ingestMessages.unknownApp] } };
  if (id !== undefined && byBundle !== undefined && byBundle !== id) return { errors: { bundle: [ingestMessages.appMismatch] } };
  return { appId: id ?? byBundle ?? 0 };
}

/** Levels of a stored JSON value: far more than anything real has, far fewer than PostgreSQL or we can walk. */
const deepest = 500;

/** Whether a JSON value is larger or deeper than may be stored. */
export function isTooLarge(value: unknown, most: number = ingestLimits.jsonBytes): boolean {
  if (typeof value === 'string') return value.length > most / 6 && bytesOf(value) > most;
  if (typeof value !== 'object' || value === null) return false;
  return isDeeper(value, deepest) || bytesOf(value) > most;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
