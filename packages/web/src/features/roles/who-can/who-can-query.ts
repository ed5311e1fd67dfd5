import { single } from '@switchyard/contract/listing';
import { holdersQuery } from '@switchyard/contract/who-can';
import { z } from 'zod';

/** The state of the list in the URL: the query of its call, in which an id that is none counts as absent. */
export const whoCanQuery = holdersQuery.omit({ accountId: true }).extend({
  appId: single(
    z
      .string()
      .regex(/^[1-9]\d{0,8}$/)
      .optional(),
  ),
});
export type WhoCanQuery = z.output<typeof whoCanQuery>;
