import { type IncidentState, incidentStates, visibleKinds } from '@switchyard/contract/alerts';
import { homeIncidentGroups, type Home } from '@switchyard/contract/home';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { AccountCaller } from '../../http/bind.ts';
import { listGroupedIncidents } from './incidents-read-model.ts';

const openStates = incidentStates.filter((state): state is Exclude<IncidentState, 'resolved'> => state !== 'resolved');

/** The first rules with open incidents that a caller may see, and the numbers of all; null if they may see no kind. */
export async function findOpenIncidents(db: Kysely<Tables>, caller: AccountCaller): Promise<Home['incidents']> {
  const kinds = visibleKinds(caller.account.permissions);
  if (kinds.length === 0) return null;
  const { rows, groups, incidents } = await listGroupedIncidents(
    db,
    { kinds, scope: caller.scope },
    { by: 'rule', filters: { state: openStates }, limit: homeIncidentGroups, offset: 0 },
  );
  return { total: incidents, rules: groups, rows };
}
