import { z } from 'zod';
import { linkStatuses } from './apps.ts';
import { defineEndpoint, sessionAccess } from './endpoint.ts';
import { appsListPermissions, type Permission } from './permissions.ts';

/** When something needs attention, and how much of it the home page names. */
export const attention = {
  /** Rows of a section; its total counts the others too. */
  rows: 10,
  /** Domains and certificates that run out within so many days. */
  expiryDays: 30,
  /** Servers that were not seen for so many minutes. */
  serverMinutes: 10,
  /** Apps without a request for so many whole hours, which had this many in the same hours of yesterday. */
  stoppedHours: 3,
  stoppedRequests: 10,
} as const;

/**
 * Any of which opens the sections: those about apps show what the apps list shows, those about servers what the servers
 * list shows, and sums over apps need what the totals of the apps list need ([17]).
 */
export const homePermissions = {
  apps: appsListPermissions,
  servers: ['manager_settings_server'],
  traffic: ['manager_app_statistics'],
} as const satisfies Record<string, readonly Permission[]>;

const namedApp = z.object({ id: z.int(), name: z.string(), domain: z.string() });
const namedServer = z.object({ id: z.int(), name: z.string() });

/** The first rows and how many there are; null for accounts that may not see them. */
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

/** Counts of today and of yesterday up to the same time of day. */
const comparison = z.object({ today: z.int(), yesterday: z.int() });
export type Comparison = z.output<typeof comparison>;

/** `from` is the start of today, `until` the start of the hour. A figure is null where there is too much to count. */
const trafficOfToday = z.object({
  from: z.string(),
  until: z.string(),
  create: comparison.nullable(),
  receive: comparison.nullable(),
  push: comparison.nullable(),
  conversion: comparison.nullable(),
});

export const home = z.object({
  expiring_domains: section(expiringDomain),
  expiring_certificates: section(expiringCertificate),
  failed_links: section(failedLink),
  unseen_servers: section(unseenServer),
  stopped_apps: section(stoppedApp),
  traffic: trafficOfToday.nullable(),
});
export type Home = z.output<typeof home>;

/** Beyond the specification: what needs attention among what the account may see. Dates are UTC texts. */
export const getHome = defineEndpoint({
  number: 140,
  method: 'GET',
  path: 'home',
  summary: 'What needs attention, and the traffic of today beside that of yesterday',
  access: sessionAccess,
  answer: { kind: 'data', status: 200, schema: home },
});
