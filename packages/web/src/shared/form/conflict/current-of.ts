import { z } from 'zod';
import { CallError } from '../../api/call-error.ts';

/** What somebody else saved meanwhile, out of a 412 (api 0.9), read by its schema; null for every other failure. */
export function currentOf<S extends z.ZodType>(error: unknown, schema: S): z.output<S> | null {
  if (!(error instanceof CallError) || error.status !== 412) return null;
  const read = z.object({ data: z.object({ current: z.unknown() }) }).safeParse(error.body);
  return schema.safeParse(read.data?.data.current).data ?? null;
}
