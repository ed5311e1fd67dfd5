import { z } from 'zod';
import { appFigures, statistics } from './app-statistics.ts';
import { csvFormat } from './csv-format.ts';
import { anyPermission, csvFile, defineEndpoint } from './endpoint.ts';
import { defaultLimits, maximumLimit } from './limits.ts';
import { idParams, limit, multiple, page, queryBoolean, searchText, single, sortBy, withKnownSort } from './listing.ts';
import { appsListPermissions, type Permission } from './permissions.ts';
import { listPickBuyers } from './pick-lists.ts';

/** Verticals with their names. */
export const verticals = [
  { id: 'bet', name: 'Bet' },
  { id: 'casino', name: 'Casino' },
  { id: 'social_casino', name: 'Social casino' },
  { id: 'fantasy', name: 'Fantasy' },
  { id: 'finance', name: 'Finance' },
] as const;
export const verticalIds = verticals.map((vertical) => vertical.id);

export const appModes = ['default', 'push_only', 'one_request_url'] as const;
export const responseModes = ['white', 'custom'] as const;
export const cloakModes = ['default', 'none', 'custom', 'magic_checker'] as const;
export const appStatuses = ['active', 'deleted', 'all'] as const;

/** Stages of a link between an app's domain and a traffic server. */
export const linkStatuses = ['add', 'bind', 'ssl', 'ok', 'err_add', 'err_bind', 'err_ssl'] as const;

/** Confirmations of the apps list. */
export const appConfirms = {
  title: 'Are you sure?',
  archive: 'All data will be ARCHIVED!',
  restore: 'All data will be RESTORED!',
} as const;

/** Link of an app's domain to a traffic server. */
export const checkDomain = z.object({
  id: z.int(),
  server_id: z.int(),
  server_name: z.string(),
  is_bind: z.boolean(),
  ssl_at: z.string().nullable(),
  registrar: z.string().nullable(),
  is_only_cf: z.boolean(),
  status: z.enum(linkStatuses),
  error: z.string().nullable(),
  next_stage_at: z.string().nullable(),
});
export type CheckDomain = z.output<typeof checkDomain>;

/** Status of an app in an external monitor. Read-only. */
export const monitoring = z.object({ app_name: z.string(), status: z.string() });

/** A row of the apps list. Dates are UTC texts; `users_count` is null without manager_app_statistics. */
export const appRow = z.object({
  id: z.int(),
  name: z.string(),
  bundle: z.string(),
  domain: z.string(),
  label: z.string(),
  vertical: z.string(),
  expiration_at: z.string().nullable(),
  deleted_at: z.string().nullable(),
  app_mode: z.enum(appModes),
  response_mode: z.enum(responseModes),
  cloak_mode: z.enum(cloakModes),
  has_clients: z.boolean(),
  check_domains: z.array(checkDomain),
  monitoring: monitoring.nullable(),
  users_count: z.int().nullable(),
  statistics,
  created_at: z.string(),
  updated_at: z.string(),
});
export type AppRow = z.output<typeof appRow>;

const figures = Object.values(appFigures);

/** Sort keys of the columns of an app itself. */
export const appColumnKeys = ['keyId', 'keyName', 'keyBundle', 'keyDomain', 'keyV'] as const;
/** Those of its counters, and of its number of buyers. */
export const appSortKeys = [...appColumnKeys, 'keyUsers', ...figures.map(({ sortKey }) => sortKey)] as const;
export type AppSortKey = (typeof appSortKeys)[number];

/**
 * States of an app's domain. `no_certificate`: a traffic server has no valid certificate for it; `not_bound`: it is linked to no server,
 * or a server has not bound it.
 */
export const domainStates = ['expired', 'expiring', 'no_certificate', 'not_bound'] as const;

/** Traffic of an app: no request in the last 24 hours, or fewer than half of the daily mean of the seven days before. */
export const trafficStates = ['none', 'falling'] as const;

/** Permissions of which a caller needs one to choose apps by what the rows do not show everybody. */
export const appsFilterNeeds = {
  buyerId: [...listPickBuyers.access.anyOf, 'manager_app_statistics'],
  traffic: ['manager_app_statistics'],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;

const ids = multiple(z.string().regex(/^[1-9]\d{0,8}$/));

/** Filters of the list and its totals. `isCache` 0 recalculates the counters. */
const appsFilter = {
  status: single(z.enum(appStatuses).default('active')),
  search: searchText(),
  vertical: multiple(z.enum(verticalIds)),
  buyerId: ids,
  serverId: ids,
  domainState: multiple(z.enum(domainStates)),
  traffic: single(z.enum(trafficStates).optional()),
  isCache: queryBoolean().transform((value) => value ?? true),
};

/** Newest first. */
export const defaultAppsSort = { orderBy: 'keyId', orderDirection: 'desc' } as const;

export const appsQuery = z.object({
  page,
  limit: limit(defaultLimits.apps),
  ...sortBy(appSortKeys, defaultAppsSort),
  ...appsFilter,
});
export type AppsQuery = z.output<typeof appsQuery>;

export const appsTotalQuery = z.object(appsFilter);
export type AppsTotalQuery = z.output<typeof appsTotalQuery>;

export const listApps = defineEndpoint({
  number: 11,
  method: 'GET',
  path: 'apps',
  summary: 'Apps with their statistics',
  access: anyPermission(...appsListPermissions),
  query: withKnownSort(appsQuery, appSortKeys, defaultAppsSort),
  answer: { kind: 'page', row: appRow },
});

export const getAppsTotal = defineEndpoint({
  number: 17,
  method: 'GET',
  path: 'apps/statistics/total',
  summary: 'Statistics summed over all apps that match',
  access: anyPermission('manager_app_statistics'),
  query: appsTotalQuery,
  answer: { kind: 'data', status: 200, schema: z.object({ users_count: z.int(), statistics }) },
});

const ofThePage = { page: true, limit: true } as const;
export const appsDownloadQuery = appsQuery.omit(ofThePage);
export type AppsDownloadQuery = z.output<typeof appsDownloadQuery>;

/** Columns of the apps as a file, in order; dates are UTC. */
export const appsExportColumns = [
  'id',
  'name',
  'bundle',
  'monitoring',
  'domain',
  'expiration_at_utc',
  'servers',
  'vertical',
  ...figures.flatMap(({ csvColumn }) => [csvColumn, `${csvColumn}_success`]),
  'users',
  'created_at_utc',
  'archived_at_utc',
];

/** Every app of the list with what its columns show, in the order of the list. Figures that the reader may not see are empty. */
export const downloadApps = defineEndpoint({
  number: 159,
  method: 'GET',
  path: 'apps/download',
  summary: 'The apps list as CSV',
  access: anyPermission(...appsListPermissions),
  query: withKnownSort(appsDownloadQuery.extend(csvFormat), appSortKeys, defaultAppsSort),
  answer: csvFile(appsExportColumns),
});

/** Number of days of the sparklines in the list, today included. */
export const sparklineDays = 7;

/** Requests of apps by day, oldest first; apps without any are left out. Null while the event store is unavailable. */
const appDays = z.object({
  days: z.array(z.string()),
  apps: z.array(z.object({ id: z.int(), requests: z.array(z.int()) })).nullable(),
});
export type AppDays = z.output<typeof appDays>;

export const getAppDays = defineEndpoint({
  number: 158,
  method: 'GET',
  path: 'apps/statistics/days',
  summary: 'Requests of apps on each of the last seven days',
  access: anyPermission('manager_app_statistics'),
  query: z.object({ ids: multiple(z.string().regex(/^[1-9]\d{0,8}$/), { max: maximumLimit }) }),
  answer: { kind: 'data', status: 200, schema: appDays },
});

export const archiveApp = defineEndpoint({
  number: 15,
  method: 'DELETE',
  path: 'apps/{id}',
  summary: 'Archive an app',
  access: anyPermission('manager_app_delete'),
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
});

export const restoreApp = defineEndpoint({
  number: 16,
  method: 'PUT',
  path: 'apps/{id}/restore',
  summary: 'Restore an archived app',
  access: anyPermission('manager_app_delete'),
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'data', status: 200, schema: z.object({ id: z.int(), deleted_at: z.null(), version: z.int() }) },
});

export const listVerticals = defineEndpoint({
  number: 23,
  method: 'GET',
  path: 'verticals/list',
  summary: 'Verticals of apps',
  access: anyPermission(...appsListPermissions),
  answer: { kind: 'data', status: 200, schema: z.array(z.object({ id: z.string(), name: z.string() })) },
});
