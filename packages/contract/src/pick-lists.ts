import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';

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
