import { z } from 'zod';
import {
  account,
  accountOfEitherPanel,
  accountRow,
  anyAppIds,
  createAccountBody,
  guardedAccountFields,
  queriedAppIds,
  saveAccountBody,
  someAppIds,
  switchAccessBody,
} from './accounts.ts';
import { accountsQuery } from './accounts-query.ts';
import { factorState } from './account-activity.ts';
import { endAccountBody } from './belongings.ts';
import { anyPermission, defineEndpoint, peopleWith } from './endpoint.ts';
import { idParams, queryId, searchText, single } from './listing.ts';
import { panels } from './permissions.ts';

/** Any of these permissions opens the lists of accounts. */
export const accountListPermissions = [
  'manager_user_create',
  'manager_user_buyer_create',
  'manager_user_edit',
  'manager_user_deactivate',
] as const;

/** Either of these permissions opens the pages that create accounts. */
export const accountCreatePermissions = ['manager_user_create', 'manager_user_buyer_create'] as const;

/**
 * All of these are needed to complete the page that creates a staff account: without statistics it offers one role, which staff cannot
 * hold.
 */
export const staffCreatePermissions = ['manager_user_create', 'manager_app_statistics'] as const;

/** A staff account in a select. */
const pickedUser = z.object({ id: z.int(), name: z.string(), email: z.string() });
export type PickedUser = z.output<typeof pickedUser>;

export const listUsers = defineEndpoint({
  number: 46,
  method: 'GET',
  path: 'users',
  summary: 'Staff accounts, by id',
  access: anyPermission(...accountListPermissions),
  answer: { kind: 'data', status: 200, schema: z.array(accountRow) },
});

/**
 * An account as a page of a list shows it, without its apps. `second_factor` is null where [205] does not tell it; `is_read_only`:
 * it is one of [115].
 */
const pagedAccount = accountRow
  .omit({ appIds: true })
  .extend({ second_factor: factorState.omit({ id: true }).nullable(), is_read_only: z.boolean() });
export type PagedAccount = z.output<typeof pagedAccount>;

const ofPanel = { panel: single(z.enum(panels).default('user')) };

export const listAccountsPage = defineEndpoint({
  number: 432,
  method: 'GET',
  path: 'accounts',
  summary: 'A page of the accounts of a panel',
  access: anyPermission(...accountListPermissions),
  query: accountsQuery.extend(ofPanel),
  answer: { kind: 'page', row: pagedAccount },
});

export const checkAccountTaken = defineEndpoint({
  number: 433,
  method: 'GET',
  path: 'accounts/taken',
  summary: 'Whether another account uses a name or an email address',
  access: anyPermission('manager_user_create', 'manager_user_buyer_create', 'manager_user_edit'),
  query: z.object({ ...ofPanel, name: searchText(), email: searchText(), exceptId: queryId() }),
  answer: { kind: 'data', status: 200, schema: z.object({ name: z.boolean(), email: z.boolean() }) },
});

export const createUser = defineEndpoint({
  number: 47,
  method: 'POST',
  path: 'users',
  summary: 'Create a staff account',
  access: peopleWith('manager_user_create'),
  recentSignIn: { before: 'write' },
  body: createAccountBody,
  validatesValues: true,
  answer: { kind: 'data', status: 201, schema: account },
});

export const getUser = defineEndpoint({
  number: 48,
  method: 'GET',
  path: 'users/{id}',
  summary: 'A staff account',
  access: anyPermission('manager_user_edit'),
  params: idParams,
  answer: { kind: 'data', status: 200, schema: account, etag: true },
});

export const saveUser = defineEndpoint({
  number: 49,
  method: 'PUT',
  path: 'users/{id}',
  summary: 'Change a staff account',
  access: anyPermission('manager_user_edit'),
  recentSignIn: { before: 'change', of: guardedAccountFields },
  params: idParams,
  body: saveAccountBody,
  validatesValues: true,
  answer: { kind: 'data', status: 200, schema: account, etag: true },
  rejections: [409, 412],
});

export const deleteUser = defineEndpoint({
  number: 50,
  method: 'DELETE',
  path: 'users/{id}',
  summary: 'Delete a staff account and end its sessions',
  access: anyPermission('manager_user_deactivate'),
  recentSignIn: { before: 'write' },
  params: idParams,
  body: endAccountBody,
  answer: { kind: 'empty' },
  rejections: [409],
});

export const switchUserAccess = defineEndpoint({
  number: 51,
  method: 'PUT',
  path: 'users/{id}/switch-access',
  summary: 'Grant or deny a staff account access; denying ends its sessions',
  access: anyPermission('manager_user_deactivate'),
  recentSignIn: { before: 'write' },
  params: idParams,
  body: switchAccessBody,
  answer: { kind: 'data', status: 200, schema: account },
  rejections: [409],
});

export const listPickUsers = defineEndpoint({
  number: 52,
  method: 'GET',
  path: 'users/list',
  summary: 'Staff accounts for selects',
  access: anyPermission('manager_user_create', 'manager_user_buyer_create', 'manager_user_edit', 'manager_user_activity'),
  answer: { kind: 'data', status: 200, schema: z.array(pickedUser) },
});

export const attachApps = defineEndpoint({
  number: 53,
  method: 'POST',
  path: 'users/{id}/attach-apps',
  summary: 'Add apps to an account of either panel',
  access: anyPermission('manager_user_edit'),
  recentSignIn: { before: 'write' },
  params: idParams,
  body: z.strictObject({ appIds: someAppIds }),
  answer: { kind: 'data', status: 200, schema: accountOfEitherPanel },
  rejections: [409],
});

export const detachApps = defineEndpoint({
  number: 54,
  method: 'DELETE',
  path: 'users/{id}/detach-app',
  summary: 'Remove apps from an account of either panel',
  access: anyPermission('manager_user_edit'),
  recentSignIn: { before: 'write' },
  params: idParams,
  query: z.object({ appIds: queriedAppIds }),
  body: z.strictObject({ appIds: someAppIds.optional() }),
  answer: { kind: 'data', status: 200, schema: accountOfEitherPanel },
  rejections: [409],
});

export const syncApps = defineEndpoint({
  number: 55,
  method: 'POST',
  path: 'users/{id}/sync-apps',
  summary: 'Set the apps of an account of either panel; an empty list means all apps for staff',
  access: anyPermission('manager_user_edit'),
  recentSignIn: { before: 'write' },
  params: idParams,
  body: z.strictObject({ appIds: anyAppIds }),
  answer: { kind: 'data', status: 200, schema: accountOfEitherPanel },
  rejections: [409],
});
