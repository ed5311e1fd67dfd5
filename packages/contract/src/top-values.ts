import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { idParams, single } from './listing.ts';
import { allRequestFilters, requestFilters } from './requests.ts';

/** Fields of requests whose most frequent values are counted. */
export const topFields = ['app', 'country', 'type', 'stream', 'bot', 'asn', 'error'] as const;
export type TopField = (typeof topFields)[number];

/** Top values of the requests of one app. */
export const appTopFields = topFields.filter((field) => field !== 'app');

/** So many values are returned at most. */
export const mostTopValues = 10;

export const topMessages = {
  /** `requests`: those of the chosen days and apps. */
  tooSlow: (requests: number) =>
    `Up to ${requests.toLocaleString('en')} requests are read one by one, which takes too long. Choose fewer days.`,
} as const;

/**
 * The most frequent values of a field, most frequent first. `total`: the requests that shares refer to. `counted`: whether all matches
 * were counted or the newest `rows` of them.
 */
export const topValues = z.object({
  field: z.enum(topFields),
  values: z.array(z.object({ value: z.string(), name: z.string().nullable(), count: z.int() })),
  total: z.int(),
  counted: z.enum(['all', 'newest']),
  rows: z.int(),
});
export type TopValues = z.output<typeof topValues>;

export const topOfAllRequests = defineEndpoint({
  number: 148,
  method: 'GET',
  path: 'all-requests/top',
  summary: 'Most frequent values of a field of the requests of all apps in scope',
  access: anyPermission('manager_app_all_requests'),
  query: z.object({ ...allRequestFilters, field: single(z.enum(topFields)) }),
  answer: { kind: 'data', status: 200, schema: topValues },
});

export const topOfPostbacks = defineEndpoint({
  number: 149,
  method: 'GET',
  path: 'apps/{id}/postbacks/top',
  summary: 'Most frequent values of a field of the requests of one app',
  access: anyPermission('manager_app_requests'),
  params: idParams,
  query: z.object({ ...requestFilters, field: single(z.enum(appTopFields)) }),
  answer: { kind: 'data', status: 200, schema: topValues },
});
