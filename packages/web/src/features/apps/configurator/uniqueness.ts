import { checkNotTaken } from '@switchyard/contract/app-form';
import { uniquenessFrom } from '@switchyard/contract/app-form-texts';
import { appMessages, type UniqueAppField } from '@switchyard/contract/app-rules';
import { call } from '../../../shared/api/call.ts';

/** Asks the server whether a value is free; a failed question counts as free, because saving decides anew (CONF-059). */
async function isFree(field: UniqueAppField, value: string, exceptId: number | undefined, signal: AbortSignal): Promise<boolean> {
  try {
    const query = { search: value, exceptId };
    const { data } = await call(checkNotTaken, {
      params: { field },
      query,
      signal,
      isSilent: true,
      showsFailureItself: (status) => status !== 401,
    });
    return data;
  } catch {
    return true;
  }
}

type Question = { field: UniqueAppField; value: string; loaded: string; exceptId: number | undefined; signal: AbortSignal };
/** Message of a taken value, else null. */
export type AskUniqueness = (question: Question) => Promise<string | null>;

/**
 * Tells whether names, bundles and domains are free (CONF-056 to CONF-062). Nothing is asked about short values and
 * about the loaded one, nor twice in a row about the same one: saving judges every field again.
 */
export function createUniqueness(): AskUniqueness {
  const last = new Map<UniqueAppField, { value: string; isFree: boolean }>();
  return async ({ field, value, loaded, exceptId, signal }) => {
    if (value.length < uniquenessFrom || value === loaded) return null;
    const known = last.get(field);
    const free = known?.value === value ? known.isFree : await isFree(field, value, exceptId, signal);
    if (!signal.aborted) last.set(field, { value, isFree: free });
    return free ? null : appMessages.taken(field, value);
  };
}
