import { type Incident, visibleKinds } from '@switchyard/contract/alerts';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { AccountCaller } from '../../http/bind.ts';
import { listOpenIncidents } from './incidents-read-model.ts';

/** The first open incidents that a caller may see, and the number of all; null if they may see no kind. */
export async function findOpenIncidents(
  db: Kysely<Tables>,
  caller: AccountCaller,
  limit: number,
): Promise<{ total: number; rows: Incident[] } | null> {
  const kinds = visibleKinds(caller.account.permissions);
  return kinds.length === 0 ? null : listOpenIncidents(db, { kinds, scope: caller.scope }, limit);
}
