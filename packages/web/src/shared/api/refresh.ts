import type { QueryFunctionContext } from '@tanstack/react-query';
import { afterPaint } from '../ui/after-paint.ts';

/**
 * Loads the answer of a query. An answer in the cache is painted before it is loaded again, unless the reader or a change asks for it:
 * sending takes some milliseconds, which the page that opens with it does not have to wait for.
 */
export async function loadOrRefresh<Answer>(
  { client, queryKey, signal }: QueryFunctionContext,
  load: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const state = client.getQueryState(queryKey);
  if (state?.data !== undefined && !state.isInvalidated) await afterPaint();
  return load(signal);
}
