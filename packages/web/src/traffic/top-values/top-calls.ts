import type { AllRequestFilters } from '@switchyard/contract/requests';
import { topFields, topOfAllRequests, type TopField, type TopValues } from '@switchyard/contract/top-values';
import { call } from '../../shared/api/call.ts';

/** A call beside the page, which can be aborted; its part of the page shows a failure. */
type Options = { signal: AbortSignal; isSilent: true; showsFailureItself: (status: number | null) => boolean };
type Load<Query> = (input: { query: Query } & Options) => Promise<{ data: TopValues }>;

/** The fields whose most frequent values a list of requests counts, each with the call that counts it under the list's filters. */
export type TopCalls = readonly { field: TopField; load: Load<AllRequestFilters> }[];

/** The calls of all fields that an endpoint counts. */
export function topCalls<Field extends TopField>(fields: readonly Field[], load: Load<AllRequestFilters & { field: Field }>): TopCalls {
  return fields.map((field) => ({ field, load: ({ query, ...options }) => load({ query: { ...query, field }, ...options }) }));
}

/** The calls for requests of all apps. */
export const topOfAll = topCalls(topFields, (input) => call(topOfAllRequests, input));
