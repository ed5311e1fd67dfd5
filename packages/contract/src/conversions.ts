import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { placeFilters, placeOfRow, placeQuery } from './delivery-place.ts';
import { defaultLimits } from './limits.ts';
import { idParams, limit, page, queryBoolean, searchText, single, sortBy, withKnownSort } from './listing.ts';
import { filterDate } from './requests.ts';
import { plainText } from './text-fields.ts';

/** Statuses that the filter always offers first. Other texts can be stored too. */
export const conversionStatuses = ['success', 'error', 'duplicate'] as const;

/** Statuses of conversions that ratios leave out. */
export const invalidConversionStatuses: readonly string[] = ['duplicate', 'error'];

/** A conversion as the list shows it. */
export const conversionRow = z.object({
  id: z.int(),
  source: z.string(),
  client_uid: z.string().nullable(),
  stream_uid: z.string().nullable(),
  click_id: z.string().nullable(),
  receive_apf_uid: z.string().nullable(),
  app_instance_id: z.string().nullable(),
  status_conversion: z.string(),
  payout: z.number().nullable(),
  status: z.string(),
  error: z.string().nullable(),
  is_send: z.boolean(),
  created_at: z.string(),
  ...placeOfRow,
});
export type ConversionRow = z.output<typeof conversionRow>;

export const conversionSortKeys = ['keyId', 'keyClient', 'keyStatus'] as const;
export type ConversionSortKey = (typeof conversionSortKeys)[number];

/** Newest first. */
export const defaultConversionSort = { orderBy: 'keyId', orderDirection: 'desc' } as const;

/** Filters, sort and page of the list. The dates filter `created_at`. */
export const conversionsQuery = z.object({
  page,
  limit: limit(defaultLimits.conversions),
  ...sortBy(conversionSortKeys, defaultConversionSort),
  streamUid: searchText(128),
  clientUid: searchText(128),
  statusConversion: single(plainText(255).optional()),
  status: single(plainText(255).optional()),
  isSend: queryBoolean(),
  ...placeFilters,
  startDate: filterDate,
  endDate: filterDate,
});
export type ConversionsQuery = z.output<typeof conversionsQuery>;

const access = anyPermission('manager_app_conversions');

export const listConversions = defineEndpoint({
  number: 30,
  method: 'GET',
  path: 'apps/{id}/conversions',
  summary: 'Conversions of an app',
  access,
  params: idParams,
  query: withKnownSort(conversionsQuery.extend(placeQuery), conversionSortKeys, defaultConversionSort),
  answer: { kind: 'page', row: conversionRow },
});

const options = z.array(z.object({ name: z.string(), uid: z.string() }));

export const listConversionKinds = defineEndpoint({
  number: 31,
  method: 'GET',
  path: 'apps/conversions/status-conversion/list',
  summary: 'Stored kinds of conversions',
  access,
  answer: { kind: 'data', status: 200, schema: options },
});

export const listConversionStatuses = defineEndpoint({
  number: 32,
  method: 'GET',
  path: 'apps/conversions/status/list',
  summary: 'Statuses of conversions',
  access,
  answer: { kind: 'data', status: 200, schema: options },
});
