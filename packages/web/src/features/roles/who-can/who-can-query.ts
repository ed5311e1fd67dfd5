import { limit, page, searchText, single, sortBy } from '@switchyard/contract/listing';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import { z } from 'zod';

/** Kinds of those who can, as the filter says them. */
export const holderKinds = ['account', 'personal', 'service'] as const;

/** The state of the list in the URL. The server gives all rows of a permission and an app at once; they are filtered and sorted here. */
export const whoCanQuery = z.object({
  search: searchText(),
  permission: single(z.enum(permissionCatalogue.map(({ label }) => label)).optional()),
  appId: single(
    z
      .string()
      .regex(/^[1-9]\d{0,8}$/)
      .optional(),
  ),
  kind: single(z.enum(holderKinds).optional()),
  now: single(z.enum(['can', 'cannot']).optional()),
  page,
  limit: limit(100),
  ...sortBy(['keyName', 'keyOwner'], { orderBy: 'keyName', orderDirection: 'asc' }),
});
export type WhoCanQuery = z.output<typeof whoCanQuery>;
