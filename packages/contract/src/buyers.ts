import { z } from 'zod';
import { buyer, buyerRow, createAccountBody, guardedAccountFields, saveAccountBody, switchAccessBody } from './accounts.ts';
import { endAccountBody } from './belongings.ts';
import { anyPermission, defineEndpoint, peopleWith } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { idParams, limit, page } from './listing.ts';
import { accountListPermissions } from './users.ts';

/** A stream of a buyer. `country` contains country codes or ALL. */
export const buyerStream = z.object({
  uid: z.string(),
  name: z.string(),
  bundle: z.string(),
  rules: z.object({ country: z.array(z.string()) }),
  offer: z.string().nullable(),
  level_cloaking: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type BuyerStream = z.output<typeof buyerStream>;

export const listBuyers = defineEndpoint({
  number: 56,
  method: 'GET',
  path: 'buyers',
  summary: 'Buyers, by id',
  access: anyPermission(...accountListPermissions),
  answer: { kind: 'data', status: 200, schema: z.array(buyerRow) },
});

export const listReadOnlyBuyers = defineEndpoint({
  number: 115,
  method: 'GET',
  path: 'buyers/read-only',
  summary: "Ids of the buyers that the caller may not change, because they work on apps outside the caller's scope",
  access: anyPermission(...accountListPermissions),
  answer: { kind: 'data', status: 200, schema: z.array(z.int()) },
});

export const createBuyer = defineEndpoint({
  number: 57,
  method: 'POST',
  path: 'buyers',
  summary: 'Create a buyer',
  access: peopleWith('manager_user_create', 'manager_user_buyer_create'),
  recentSignIn: { before: 'write' },
  body: createAccountBody,
  validatesValues: true,
  answer: { kind: 'data', status: 201, schema: buyer },
});

export const getBuyer = defineEndpoint({
  number: 58,
  method: 'GET',
  path: 'buyers/{id}',
  summary: 'A buyer',
  access: anyPermission('manager_user_edit'),
  params: idParams,
  answer: { kind: 'data', status: 200, schema: buyer, etag: true },
});

export const saveBuyer = defineEndpoint({
  number: 59,
  method: 'PUT',
  path: 'buyers/{id}',
  summary: 'Change a buyer',
  access: anyPermission('manager_user_edit'),
  recentSignIn: { before: 'change', of: guardedAccountFields },
  params: idParams,
  body: saveAccountBody,
  validatesValues: true,
  answer: { kind: 'data', status: 200, schema: buyer, etag: true },
  rejections: [409, 412],
});

export const deleteBuyer = defineEndpoint({
  number: 60,
  method: 'DELETE',
  path: 'buyers/{id}',
  summary: 'Delete a buyer and end their sessions',
  access: anyPermission('manager_user_deactivate'),
  recentSignIn: { before: 'write' },
  params: idParams,
  body: endAccountBody,
  answer: { kind: 'empty' },
});

export const switchBuyerAccess = defineEndpoint({
  number: 61,
  method: 'PUT',
  path: 'buyers/{id}/switch-access',
  summary: 'Grant or deny a buyer access; denying ends their sessions',
  access: anyPermission('manager_user_deactivate'),
  recentSignIn: { before: 'write' },
  params: idParams,
  body: switchAccessBody,
  answer: { kind: 'data', status: 200, schema: buyer },
});

export const listBuyerStreams = defineEndpoint({
  number: 63,
  method: 'GET',
  path: 'buyers/{userId}/streams/list',
  summary: 'Streams of a buyer, newest first; all streams for a super buyer',
  access: anyPermission('manager_user_edit'),
  params: z.object({ userId: idParams.shape.id }),
  query: z.object({ page, limit: limit(defaultLimits.streams) }),
  answer: { kind: 'page', row: buyerStream },
});
