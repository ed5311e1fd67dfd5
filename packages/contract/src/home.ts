import { z } from 'zod';
import { alertKinds } from './alerts.ts';
import { defineEndpoint, sessionAccess } from './endpoint.ts';
import { incidentGroup } from './incident-lists.ts';
import type { Permission } from './permissions.ts';
import { viewLists } from './saved-views.ts';

/** Maximum number of rules with open incidents on the home page. The total counts all incidents. */
export const homeIncidentGroups = 5;

/** Permissions of the parts, any of which is enough. Each kind of incident has its own. */
export const homePermissions: Readonly<Record<'incidents' | 'traffic' | 'tiles', readonly Permission[]>> = {
  incidents: [...new Set(Object.values(alertKinds).flatMap(({ needs }): readonly Permission[] => needs))],
  traffic: ['manager_app_statistics'],
  tiles: viewLists.reports,
};

/** Counts of today, and of yesterday up to the same time of day. */
const comparison = z.object({ today: z.int(), yesterday: z.int() });
export type Comparison = z.output<typeof comparison>;

/** `from` is the start of today, `until` the start of the current hour. Requests are null while the event store is unavailable. */
const trafficOfToday = z.object({
  from: z.string(),
  until: z.string(),
  create: comparison.nullable(),
  receive: comparison.nullable(),
  push: comparison,
  conversion: comparison,
});

/** Both parts are null for accounts that may not see them. */
export const home = z.object({
  /** Open incidents by rule. */
  incidents: z.object({ total: z.int(), rules: z.int(), rows: z.array(incidentGroup) }).nullable(),
  /** Rules that are on and reach nobody; 0 for accounts that may not change rules. */
  unheard_rules: z.int(),
  traffic: trafficOfToday.nullable(),
});
export type Home = z.output<typeof home>;

/**
 * Not in the specification. Shows the open incidents that the caller may see by rule, the most severe first. Dates are UTC texts.
 */
export const getHome = defineEndpoint({
  number: 140,
  method: 'GET',
  path: 'home',
  summary: "Open incidents, and today's traffic compared with yesterday's",
  access: sessionAccess,
  answer: { kind: 'data', status: 200, schema: home },
});
