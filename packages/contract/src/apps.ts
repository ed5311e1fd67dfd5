import { z } from 'zod';
import { statistics } from './app-statistics.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { idParams, limit, page, queryBoolean, searchText, single, sortBy, withKnownSort } from './listing.ts';
import { appsListPermissions } from './permissions.ts';

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

export const appSortKeys = ['keyId', 'keyName', 'keyBundle', 'keyDomain', 'keyV'] as const;

/** Filters of the list and its totals. `isCache` 0 recalculates the counters. */
const appsFilter = {
  status: single(z.enum(appStatuses).default('active')),
  search: searchText(),
  isCache: queryBoolean().transform((value) => value ?? true),
};

/** Newest first. */
const defaultAppsSort = { orderBy: 'keyId', orderDirection: 'desc' } as const;

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

export const archiveApp = defineEndpoint({
  number: 15,
  method: 'DELETE',
  path: 'apps/{id}',
  summary: 'Archive an app',
  access: anyPermission('manager_app_delete'),
  params: idParams,
  answer: { kind: 'empty' },
  rejections: [404],
});

export const restoreApp = defineEndpoint({
  number: 16,
  method: 'PUT',
  path: 'apps/{id}/restore',
  summary: 'Restore an archived app',
  access: anyPermission('manager_app_delete'),
  params: idParams,
  answer: { kind: 'data', status: 200, schema: z.object({ id: z.int(), deleted_at: z.null(), version: z.int() }) },
  rejections: [404],
});

export const listVerticals = defineEndpoint({
  number: 23,
  method: 'GET',
  path: 'verticals/list',
  summary: 'Verticals of apps',
  access: anyPermission(...appsListPermissions),
  answer: { kind: 'data', status: 200, schema: z.array(z.object({ id: z.string(), name: z.string() })) },
});
