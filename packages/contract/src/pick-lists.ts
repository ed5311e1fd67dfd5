import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { limit, page, queryId, queryIds, searchText } from './listing.ts';

/** An app in a select. `label` is `{name} ({bundle})`. */
const pickedApp = z.object({ id: z.int(), name: z.string(), bundle: z.string(), domain: z.string(), label: z.string() });
export type PickedApp = z.output<typeof pickedApp>;

/** A buyer in a select or an app. `role` contains the badges, joined by `, `. */
export const pickedBuyer = z.object({ id: z.int(), name: z.string(), email: z.string(), role: z.string(), has_access: z.boolean() });
export type PickedBuyer = z.output<typeof pickedBuyer>;

/** A traffic server in a select. */
const pickedServer = z.object({ id: z.int(), name: z.string(), ip: z.string().nullable() });
export type PickedServer = z.output<typeof pickedServer>;

export const listPickApps = defineEndpoint({
  number: 22,
  method: 'GET',
  path: 'apps/list',
  summary: 'Active apps for selects, by name',
  access: anyPermission(
    'manager_app_create',
    'manager_app_edit',
    'manager_user_create',
    'manager_user_buyer_create',
    'manager_user_edit',
    'manager_dev_request_encryption',
  ),
  answer: { kind: 'data', status: 200, schema: z.array(pickedApp) },
});

export const listPickBuyers = defineEndpoint({
  number: 62,
  method: 'GET',
  path: 'buyers/list',
  summary: 'Buyers for selects',
  access: anyPermission('manager_app_create', 'manager_app_edit', 'manager_user_create', 'manager_user_buyer_create', 'manager_user_edit'),
  answer: { kind: 'data', status: 200, schema: z.array(pickedBuyer) },
});

export const listPickServers = defineEndpoint({
  number: 69,
  method: 'GET',
  path: 'servers/list',
  summary: 'Traffic servers for selects, by name',
  access: anyPermission('manager_app_create', 'manager_app_edit', 'manager_settings_server'),
  answer: { kind: 'data', status: 200, schema: z.array(pickedServer) },
});

/**
 * Query of a select whose options are not all loaded: a part of their texts, or the ids of those whose names are needed. `ids` that
 * do not exist or that the caller does not see are left out.
 */
const pickFilters = {
  search: searchText(),
  ids: queryIds(),
  page,
  limit: limit(defaultLimits.picks),
};

export const findPickApps = defineEndpoint({
  number: 430,
  method: 'GET',
  path: 'picks/apps',
  summary: 'A page of active apps for selects, by name, found by a part of name, bundle or domain',
  access: listPickApps.access,
  query: z.object({
    ...pickFilters,
    /** Leaves out the apps of this account of either panel. Needs `manager_user_edit`. */
    exceptAccount: queryId(),
  }),
  answer: { kind: 'page', row: pickedApp },
});

export const findPickBuyers = defineEndpoint({
  number: 431,
  method: 'GET',
  path: 'picks/buyers',
  summary: 'A page of buyers for selects, by name, found by a part of name, email or badge',
  access: listPickBuyers.access,
  query: z.object({
    ...pickFilters,
    /** Leaves out the buyers of this app. Needs `manager_app_edit`; 404 for an app that the caller does not see. */
    exceptApp: queryId(),
  }),
  answer: { kind: 'page', row: pickedBuyer },
  rejections: [404],
});
