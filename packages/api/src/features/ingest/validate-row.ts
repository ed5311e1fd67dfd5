import { DateError, dateMessages, fromDate, type Microseconds, parseDateTime } from '@switchyard/contract/dates';
import { jsonDepth, JsonText } from '@switchyard/contract/exact-json';
import type { FieldErrorMap } from '@switchyard/contract/envelope';
import { boundMessages, fieldErrors, hasTooManyKeys } from '@switchyard/contract/field-errors';
import { ingestMessages } from '@switchyard/contract/ingest';
import { ingestLimits } from '@switchyard/contract/limits';
import type { z } from 'zod';
import type { NamedApps } from '../apps/apps-lookup.ts';
import { normalizeIp } from '@switchyard/traffic-store/event-search';

/** The instants between which a row's time must lie, and how long rows are stored. */
export type TimeWindow = { oldest: Microseconds; furthest: Microseconds; retentionDays: number };

export type WindowDeps = { now: () => Date; retentionDays: number };

/** The window at this moment. */
export function timeWindow({ now, retentionDays }: WindowDeps): TimeWindow {
  const instant = fromDate(now());
  return { oldest: instant - retentionDays * 86_400_000_000, furthest: instant + ingestLimits.hoursAhead * 3_600_000_000, retentionDays };
}

/** A row as it was sent. */
export type SentRow = Readonly<Record<string, unknown>>;
/** The errors of the schema by field, with the row as it was sent, so that its other fields can be validated too. */
export type RejectedRow = { errors: FieldErrorMap; sent: SentRow };
export type ReadRow<T> = { row: T } | RejectedRow;

/** Parses one value by its schema; every failing field is named. */
export function readRow<Row>(schema: z.ZodType<Row>, value: unknown, isData: (key: string) => boolean): ReadRow<Row> {
  if (!isRecord(value)) return { errors: { row: [ingestMessages.rowNotObject] }, sent: {} };
  if (hasTooManyKeys(value, isData)) return { errors: { row: [boundMessages.keys] }, sent: {} };
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return { row: result.data };
  const { shape, value: values } = fieldErrors(result.error);
  return { errors: { ...values, ...shape }, sent: value };
}

/** The errors of a rejected row's values together with those of its shape, which take precedence. */
export function withShapeErrors({ errors: shape }: RejectedRow, values: FieldErrorMap): FieldErrorMap {
  if ('row' in shape) return shape;
  const { app_id: app, ...others } = values;
  // A misnamed app is not missing.
  const isMisnamed = 'app_id' in shape || 'bundle' in shape;
  return { ...(app === undefined || isMisnamed ? {} : { app_id: app }), ...others, ...shape };
}

/** Whether the value is a JSON object. */
function isRecord(value: unknown): value is SentRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The id of a row for the answer; null if it is absent or too large to repeat. */
export function shownId(id: unknown = null): unknown {
  return validateSize(id, mostIdBytes) === null ? id : null;
}

const mostIdBytes = 256;

/** Numbers below this are seconds; as milliseconds they would be of 1973 at most. */
const secondsBelow = 100_000_000_000;

/** The instant of a time key, or the error message. */
export function validateTime(value: string | number, window: TimeWindow): { instant: Microseconds } | { error: string } {
  const instant = readInstant(value);
  if (typeof instant === 'string') return { error: instant };
  if (typeof value === 'number' && Math.abs(value) < secondsBelow && instant < window.oldest) return { error: ingestMessages.seconds };
  if (instant < window.oldest) return { error: ingestMessages.tooOld(window.retentionDays) };
  if (instant > window.furthest) return { error: ingestMessages.tooFarAhead };
  return { instant };
}

/** The years that PostgreSQL and every date format accept: 1 to 9999. */
const writable = { from: -62_135_596_800_000_000, until: Date.UTC(10_000, 0) * 1000 } as const;

/** The instant of a date-time without a window, or the error message. */
function validateInstant(value: string): { instant: Microseconds } | { error: string } {
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

/** The address in its stored form, or the error message. */
export function validateIp(value: string): { ip: string } | { error: string } {
  const ip = normalizeIp(value.trim());
  return ip === null ? { error: ingestMessages.ip } : { ip };
}

/** The app that a row names by id, bundle or both, or the errors. */
export function validateApp(
  names: { app_id?: number | undefined; bundle?: string | undefined },
  apps: NamedApps,
): { appId: number } | { errors: FieldErrorMap } {
  const { app_id: id, bundle } = names;
  if (id === undefined && (bundle === undefined || bundle === '')) return { errors: { app_id: [ingestMessages.appMissing] } };
  const byBundle = bundle === undefined || bundle === '' ? undefined : (apps.idByBundle.get(bundle) ?? null);
  if (id !== undefined && !apps.ids.has(id)) return { errors: { app_id: [ingestMessages.unknownApp] } };
  if (byBundle === null) return { errors: { bundle: [ingestMessages.unknownApp] } };
  if (id !== undefined && byBundle !== undefined && byBundle !== id) return { errors: { bundle: [ingestMessages.appMismatch] } };
  return { appId: id ?? byBundle ?? 0 };
}

/** The most levels of a stored JSON value: far more than real data has, far fewer than PostgreSQL or the console can process. */
const deepest = 500;

/** Whether a JSON value is larger (`tooLarge`) or deeper (`tooDeep`) than may be stored; null: neither. */
export function validateSize(value: unknown, most: number = ingestLimits.jsonBytes): 'tooLarge' | 'tooDeep' | null {
  if (value instanceof JsonText) {
    if (jsonDepth(value.text) > deepest) return 'tooDeep';
    return Buffer.byteLength(value.text) > most ? 'tooLarge' : null;
  }
  if (value === null || (typeof value !== 'object' && typeof value !== 'string')) return null;
  const bound = boundOf(value, deepest);
  if (bound === Infinity) return 'tooDeep';
  return bound > most && bytesOf(value) > most ? 'tooLarge' : null;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Bytes that a JSON value takes at most, because writing it takes far longer; infinite if it has more levels. */
function boundOf(value: unknown, levels: number): number {
  // An escape has six characters, a number at most 24. The others are quotes and a comma.
  if (typeof value === 'string') return value.length * 6 + 3;
  if (typeof value !== 'object' || value === null) return 25;
  if (levels === 0) return Infinity;
  let bytes = 3;
  if (isRecord(value)) for (const key in value) bytes += key.length * 6 + 3 + boundOf(value[key], levels - 1);
  else for (const inner of Object.values(value)) bytes += boundOf(inner, levels - 1);
  return bytes;
}

/** Validates a value beyond its shape, which the schema validates: the error message, or null. */
export type FieldCheck = (value: unknown) => string | null;

/** Errors of a row's app and of its fields; rows that their schema rejected are validated in the same way. */
export function validateFields(row: SentRow, apps: NamedApps, checks: Readonly<Record<string, FieldCheck>>): FieldErrorMap {
  const { app_id: id, bundle } = row;
  const app = validateApp(
    { app_id: typeof id === 'number' ? id : undefined, bundle: typeof bundle === 'string' ? bundle : undefined },
    apps,
  );
  const errors: FieldErrorMap = 'errors' in app ? { ...app.errors } : {};
  for (const [field, check] of Object.entries(checks)) {
    const message = check(row[field]);
    if (message !== null) errors[field] = [message];
  }
  return errors;
}

/** Checks that a time key lies in the window. */
export function inWindow(window: TimeWindow): FieldCheck {
  return (value) => (typeof value === 'string' && value !== '' ? errorOf(validateTime(value, window)) : null);
}

/** Checks a date-time without a window. */
export const isInstant: FieldCheck = (value) => (typeof value === 'string' && value !== '' ? errorOf(validateInstant(value)) : null);

function errorOf(result: { instant: Microseconds } | { error: string }): string | null {
  return 'error' in result ? result.error : null;
}

/** The instant of a valid date-time. */
export function instantOf(value: string): Microseconds {
  const result = validateInstant(value);
  if ('error' in result) throw new Error(`A date-time was not validated: ${result.error}`);
  return result.instant;
}

/** The app of a row whose fields have no errors. */
export function appOf(row: { app_id?: number | undefined; bundle?: string | undefined }, apps: NamedApps): number {
  const app = validateApp(row, apps);
  if ('errors' in app) throw new Error('A row with an unknown app was not rejected');
  return app.appId;
}
