import { fullApp, type FullApp } from '@switchyard/contract/app-form';
import type { Conflict } from '../../../../shared/form/conflict/conflict-resolver.tsx';
import { currentOf } from '../../../../shared/form/conflict/current-of.ts';
import type { AppFormValues } from '../../configurator/app-form-values.ts';

/** A save of an app that came too late. */
export type AppConflict = Conflict<FullApp, AppFormValues>;

/** The app as somebody else saved it, out of a 412 (api 0.9); null for every other failure. */
export function currentApp(error: unknown): FullApp | null {
  return currentOf(error, fullApp);
}
