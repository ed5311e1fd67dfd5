import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { idParams, single } from './listing.ts';
import { allRequestFilters, originQuery, requestFilters } from './requests.ts';

/** `data` of `event: gap`: number of skipped rows, null if unknown. Streams of logs say why: the files changed, or more came than is sent. */
export const streamGap = z.object({ skipped: z.int().nullable(), reason: z.enum(['deleted', 'truncated', 'replaced', 'rate']).optional() });

/** `data` of `event: end`: why the server closed the stream. */
export const streamEnd = z.union([
  z.object({ status: z.int(), message: z.string() }),
  /** The account opened more streams than it may have, and this one was the oldest. */
  z.object({ reason: z.literal('replaced') }),
]);

/** `lastEventId` resumes a stream, like the header `Last-Event-ID`. An unknown id causes a gap, not an error. */
export const resumeQuery = {
  lastEventId: single(z.string().optional()).meta({
    type: 'string',
    description: 'The id of the last event that was read, as in the header `Last-Event-ID`.',
  }),
};

const eventStream = {
  kind: 'raw',
  contentType: 'text/event-stream',
  example: 'retry: 3000\n: ok\n\nid: 918273\nevent: rows\ndata: [{"id":918273,"type":"create"}]\n\n',
} as const;

export const streamPostbacks = defineEndpoint({
  number: 26,
  method: 'GET',
  path: 'apps/{id}/postbacks/stream',
  summary: "An app's new requests as they are stored",
  access: anyPermission('manager_app_requests'),
  params: idParams,
  query: z.object({ ...requestFilters, ...originQuery, ...resumeQuery }),
  answer: eventStream,
});

export const streamAllRequests = defineEndpoint({
  number: 35,
  method: 'GET',
  path: 'all-requests/stream',
  summary: 'New requests of all apps in scope as they are stored',
  access: anyPermission('manager_app_all_requests'),
  query: z.object({ ...allRequestFilters, ...originQuery, ...resumeQuery }),
  answer: eventStream,
});
