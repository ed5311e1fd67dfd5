import { z } from 'zod';
import { linkStatuses } from './apps.ts';
import { defineEndpoint, sessionAccess } from './endpoint.ts';
import { appsListPermissions, type Permission } from './permissions.ts';

/** Thresholds and row limits of the home page. */
export const attention = {
  /** Maximum number of rows in a section. The total counts all. */
  rows: 10,
  /** Days until domains and certificates expire. */
  expiryDays: 30,
  /** Minutes since a server was last seen. */
  serverMinutes: 10,
  /** Whole hours without a request, and the minimum of requests in the same hours of yesterday. */
  stoppedHours: 3,
  stoppedRequests: 10,
} as const;

/**
 * Permissions of the sections, any of which is enough. They equal those of the apps list, of the servers list, and of
 * the totals of the apps list ([17]).
 */
export const homePermissions = {
  apps: appsListPermissions,
  servers: ['manager_settings_server'],
  traffic: ['manager_app_statistics'],
} as const satisfies Record<string, readonly Permission[]>;

const namedApp = z.object({ id: z.int(), name: z.string(), domain: z.string() });
const namedServer = z.object({ id: z.int(), name: z.string() });

/** First rows and total; null for accounts without the permission. */
function section<Row extends z.ZodType>(row: Row) {
  return z.object({ total: z.int(), rows: z.array(row) }).nullable();
}

const expiringDomain = z.object({ app: namedApp, expires_at: z.string() });
const expiringCertificate = z.object({ id: z.int(), app: namedApp, server: namedServer, expires_at: z.string() });
const failedLink = z.object({
  id: z.int(),
  app: namedApp,
  server: namedServer,
  status: z.enum(linkStatuses),
  error: z.string().nullable(),
  updated_at: z.string(),
});
const unseenServer = z.object({ id: z.int(), name: z.string(), last_seen_at: z.string().nullable() });
const stoppedApp = z.object({ app: namedApp, requests_yesterday: z.int() });

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

export const home = z.object({
  expiring_domains: section(expiringDomain),
  expiring_certificates: section(expiringCertificate),
  failed_links: section(failedLink),
  unseen_servers: section(unseenServer),
  /** Without rows and a total while the event store is unavailable. */
  stopped_apps: z.object({ total: z.int().nullable(), rows: z.array(stoppedApp) }).nullable(),
  traffic: trafficOfToday.nullable(),
});
export type Home = z.output<typeof home>;

/** Not in the specification. Shows what needs attention within the caller's permissions and app scope. Dates are UTC texts. */
export const getHome = defineEndpoint({
  number: 140,
  method: 'GET',
  path: 'home',
  summary: "Items that need attention, and today's traffic compared with yesterday's",
  access: sessionAccess,
  answer: { kind: 'data', status: 200, schema: home },
});
