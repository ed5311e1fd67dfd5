import { fullApp, type FullApp } from '@switchyard/contract/app-form';
import { z } from 'zod';
import { CallError } from '../../../../shared/api/call-error.ts';
import type { AppFormValues } from '../../configurator/app-form-values.ts';

/** A save that came too late: the app as it was loaded, as it is now, and the form. */
export type Conflict = { readonly loaded: FullApp; readonly current: FullApp; readonly values: AppFormValues };

const conflictBody = z.object({ data: z.object({ current: fullApp }) });

/** The app as somebody else saved it, out of a 412 (api 0.9); null for every other failure. */
export function currentApp(error: unknown): FullApp | null {
  if (!(error instanceof CallError) || error.status !== 412) return null;
  return conflictBody.safeParse(error.body).data?.data.current ?? null;
}
