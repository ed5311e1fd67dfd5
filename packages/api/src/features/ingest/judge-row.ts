import { DateError, type Microseconds, parseDateTime } from '@switchyard/contract/dates';
import type { FieldErrorMap } from '@switchyard/contract/envelope';
import { fieldErrors } from '@switchyard/contract/field-errors';
import { ingestMessages } from '@switchyard/contract/ingest';
import { ingestLimits } from '@switchyard/contract/limits';
import type { z } from 'zod';
import { normalizeIp } from '../../traffic-store/request-search.ts';
import type { NamedApps } from '../apps/apps-lookup.ts';

/** Between which instants a row's time must lie, and how long rows are kept. */
export type TimeWindow = { oldest: Microseconds; furthest: Microseconds; retentionDays: number };

/** A row read by its schema, or its errors by field. */
export type Judged<T> = { row: T } | { errors: FieldErrorMap };

/** Reads one value by the schema of its kind; every failing field is named. */
export function readRow<S extends z.ZodType>(schema: S, value: unknown): Judged<z.output<S>> {
  if (!isRecord(value)) return { errors: { row: [ingestMessages.rowNotObject] } };
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return { row: parsed.data };
  const { shape, value: values } = fieldErrors(parsed.error);
  return { errors: { ...values, ...shape } };
}

/** Whether the value is a JSON object. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The id of a row as it was sent, to name it in the answer; null when there is none. */
export function sentId(value: unknown): unknown {
  return isRecord(value) ? (value['id'] ?? null) : null;
}

/** Instant of a time key, or the message that refuses it (api 13). */
export function judgeTime(value: string | number, window: TimeWindow): { instant: Microseconds } | { error: string } {
  const instant = readInstant(value);
  if (typeof instant === 'string') return { error: instant };
  if (instant < window.oldest) return { error: ingestMessages.tooOld(window.retentionDays) };
  if (instant > window.furthest) return { error: ingestMessages.tooFarAhead };
  return { instant };
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

/** Message when a JSON value is larger than may be stored, else null. */
export function judgeSize(field: string, value: unknown): string | null {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return null;
  return Buffer.byteLength(JSON.stringify(value)) > ingestLimits.jsonBytes ? ingestMessages.tooLarge(field) : null;
}
