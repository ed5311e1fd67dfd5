import { z } from 'zod';
import { defineEndpoint, peopleAccess, sessionAccess } from './endpoint.ts';
import { viewListNames } from './saved-views.ts';
import { storedId } from './text-fields.ts';

export const lossKinds = ['view', 'tile', 'schedule', 'board'] as const;

/** Number of losses in an answer, days for which they are kept, and those of one account that are noted for people who only saw a thing. */
export const lossLimits = { shown: 100, days: 90, noted: 20_000 } as const;

/** A shared thing that ended with the account of its owner. Dates are UTC texts. */
export const loss = z.object({
  id: z.int(),
  kind: z.enum(lossKinds),
  /** The list of the view, also of that which a tile or a schedule showed. */
  list: z.enum(viewListNames),
  name: z.string(),
  /** Whether the list opened with the view for the caller. */
  was_default: z.boolean(),
  /** Name of the account that was deleted. */
  owner_name: z.string(),
  lost_at: z.string(),
});
export type Loss = z.output<typeof loss>;

export const listLosses = defineEndpoint({
  number: 391,
  method: 'GET',
  path: 'losses',
  summary: 'Shared views, tiles, boards and scheduled reports of the caller that ended with the account of their owner, newest first',
  access: sessionAccess,
  answer: { kind: 'data', status: 200, schema: z.array(loss) },
});

export const dismissLosses = defineEndpoint({
  number: 392,
  method: 'POST',
  path: 'losses/dismiss',
  summary: 'Dismiss losses that the caller has seen',
  access: peopleAccess,
  recentSignIn: null,
  body: z.strictObject({ ids: z.array(storedId()).min(1).max(lossLimits.shown) }),
  answer: { kind: 'empty' },
});
