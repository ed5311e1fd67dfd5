import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { placeFilters, placeOfRow, placeQuery } from './delivery-place.ts';
import { defaultLimits } from './limits.ts';
import { idParams, limit, page, searchText, sortBy, withKnownSort } from './listing.ts';
import { filterDate } from './requests.ts';

/** Statuses that count as success. Other texts can be stored too. */
export const pushSuccesses: readonly string[] = ['sent', 'success'];

/** A push as the list shows it. `push_message` is JSON text with `notification`, or any other text. */
export const pushRow = z.object({
  id: z.int(),
  push_id: z.string(),
  push_name: z.string(),
  push_message: z.string(),
  uid: z.string().nullable(),
  client_uid: z.string().nullable(),
  push_campaign_uid: z.string().nullable(),
  send_at: z.string(),
  status: z.string(),
  error: z.string().nullable(),
  ...placeOfRow,
});
export type PushRow = z.output<typeof pushRow>;

export const pushSortKeys = ['keyId', 'keyCampaign', 'keySendAt', 'keyStatus'] as const;
export type PushSortKey = (typeof pushSortKeys)[number];

/** Newest first. */
export const defaultPushSort = { orderBy: 'keyId', orderDirection: 'desc' } as const;

/** Filters, sort and page of the list. The dates filter `send_at`. */
export const pushesQuery = z.object({
  page,
  limit: limit(defaultLimits.pushes),
  ...sortBy(pushSortKeys, defaultPushSort),
  uid: searchText(),
  pushCampaignUid: searchText(),
  pushId: searchText(),
  ...placeFilters,
  startDate: filterDate,
  endDate: filterDate,
});
export type PushesQuery = z.output<typeof pushesQuery>;

export const listPushes = defineEndpoint({
  number: 29,
  method: 'GET',
  path: 'apps/{id}/pushes',
  summary: 'Pushes of an app',
  access: anyPermission('manager_app_pushes'),
  params: idParams,
  query: withKnownSort(pushesQuery.extend(placeQuery), pushSortKeys, defaultPushSort),
  answer: { kind: 'page', row: pushRow },
});
