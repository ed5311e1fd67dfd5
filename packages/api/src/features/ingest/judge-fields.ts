import type { Microseconds } from '@switchyard/contract/dates';
import type { FieldErrorMap } from '@switchyard/contract/envelope';
import type { NamedApps } from '../apps/apps-lookup.ts';
import { judgeApp, judgeInstant, judgeTime, type SentRow, type TimeWindow } from './judge-row.ts';

/** The message that refuses a value beside its shape, or null; shapes are the schema's matter. */
export type FieldCheck = (value: unknown) => string | null;

/** Errors of a row's app and of its fields; good rows and rows that their schema refused are judged alike (api 0.4). */
export function judgeFields(sent: SentRow, apps: NamedApps, checks: Readonly<Record<string, FieldCheck>>): FieldErrorMap {
  const { app_id: id, bundle } = sent;
  const app = judgeApp({ app_id: typeof id === 'number' ? id : undefined, bundle: typeof bundle === 'string' ? bundle : undefined }, apps);
  const errors: FieldErrorMap = 'errors' in app ? { ...app.errors } : {};
  for (const [field, check] of Object.entries(checks)) {
    const message = check(sent[field]);
    if (message !== null) errors[field] = [message];
  }
  return errors;
}

/** A time key that has to lie in the window (api 13). */
export function inWindow(window: TimeWindow): FieldCheck {
  return (value) => (typeof value === 'string' && value !== '' ? errorOf(judgeTime(value, window)) : null);
}

/** A date-time that may lie anywhere. */
export const isInstant: FieldCheck = (value) => (typeof value === 'string' && value !== '' ? errorOf(judgeInstant(value)) : null);

function errorOf(judged: { instant: Microseconds } | { error: string }): string | null {
  return 'error' in judged ? judged.error : null;
}

/** The instant of a date-time that a check has let pass. */
export function instantOf(value: string): Microseconds {
  const judged = judgeInstant(value);
  if ('error' in judged) throw new Error(`A date-time was taken unchecked: ${judged.error}`);
  return judged.instant;
}

/** The app of a row whose fields have no errors. */
export function appOf(row: { app_id?: number | undefined; bundle?: string | undefined }, apps: NamedApps): number {
  const app = judgeApp(row, apps);
  if ('errors' in app) throw new Error('A row was taken whose app nobody knows.');
  return app.appId;
}
