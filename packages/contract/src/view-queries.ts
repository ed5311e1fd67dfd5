import type { z } from 'zod';
import { accountsQuery } from './accounts-query.ts';
import { allRequestsQuery } from './all-requests.ts';
import { appsQuery } from './apps.ts';
import { asnTrafficQuery } from './asns.ts';
import { auditQuery } from './audit.ts';
import { blackListQuery } from './black-list-query.ts';
import { conversionsQuery } from './conversions.ts';
import { unknownNames } from './listing.ts';
import { postbacksQuery } from './postbacks.ts';
import { pushesQuery } from './pushes.ts';
import { keptReportQuery } from './reports.ts';
import type { ViewList } from './saved-views.ts';
import { serversQuery } from './traffic-servers.ts';

/** The query of each list that views are saved for. */
const viewQueries: Readonly<Record<ViewList, z.ZodObject>> = {
  apps: appsQuery,
  users: accountsQuery,
  buyers: accountsQuery,
  servers: serversQuery,
  asns: asnTrafficQuery,
  'black-ips': blackListQuery,
  requests: allRequestsQuery,
  events: postbacksQuery,
  pushes: pushesQuery,
  conversions: conversionsQuery,
  activity: auditQuery,
  reports: keptReportQuery,
};

/** Parameters of a view's query that its list does not have. Views that were stored before such parameters were rejected can have some. */
export function unknownViewParameters({ list, query }: { list: ViewList; query: string }): string[] {
  return unknownNames(viewQueries[list], query);
}
