import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import type { RequestType } from '@switchyard/contract/requests';
import type { StoredRequest } from '../traffic-store.ts';

/** An event as a list reads it: in this order, `at` in microseconds since 1970. */
type EventTuple = [
  id: number,
  uuid: string,
  appId: number,
  type: RequestType,
  at: number,
  ip: string,
  country: string,
  clientUid: string,
  streamUid: string,
  bot: string,
  postbacksDomain: string,
  userAgent: string | null,
  bodyRequest: unknown,
  bodyResponse: unknown,
  error: Record<string, unknown> | null,
  additionalData: unknown,
  appBundle: string | null,
  streamName: string | null,
];

/**
 * The bundle that the app has now, and the name of the stream: that of another app, or one nobody has told us of, has
 * none (O32), a deleted one keeps its own (api [93]). A look-up of its own would cost a page half as much again.
 */
const nameColumns = `(select bundle from apps where apps.id = selected.app_id),
  (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id)`;

const eventColumns = `id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, host(ip), country, client_uid,
  stream_uid, bot, postbacks_domain, user_agent, body_request, body_response, error, additional_data, ${nameColumns}`;

/** A page of events as one JSON text. */
export type EventPage = { page: EventTuple[] };

/**
 * Makes a selection of events give an `EventPage`. One text is read in one go: taking 50 rows apart field by field costs
 * the process that serves everybody half as much again (0.27 against 0.18 ms a page).
 */
export function asEventPage(selection: string): string {
  return `select coalesce(json_agg(json_build_array(${eventColumns})), '[]') as page from (${selection}) as selected`;
}

/** A request, and what a cursor needs to know of it. */
export type FoundRequest = { id: number; at: Microseconds; type: RequestType; tuple: EventTuple };

/** The requests of a page, in its order. */
export function readEventPage({ page }: EventPage): FoundRequest[] {
  return page.map((tuple) => ({ id: tuple[0], at: tuple[4], type: tuple[3], tuple }));
}

/** A body counts as present when it is neither null nor empty (api 0.13). */
function isPresent(value: unknown): boolean {
  if (value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** The stored row in the wire's form. */
export function toStoredRequest({ tuple }: FoundRequest): StoredRequest {
  const [id, uuid, appId, type, at, ip, country, clientUid, streamUid, bot, postbacksDomain, userAgent] = tuple;
  const [bodyRequest, bodyResponse, error, additionalData] = [tuple[12], tuple[13], tuple[14], tuple[15]];
  const [appBundle, streamName] = [tuple[16], tuple[17]];
  const instant = formatMicroseconds(at);
  return {
    id,
    uuid,
    app_id: appId,
    app_bundle: appBundle ?? '',
    stream: streamUid === '' ? null : { uid: streamUid, name: streamName },
    client_uid: clientUid,
    ip,
    country: country === '' ? null : country,
    bot,
    date: instant.slice(0, 'YYYY-MM-DD HH:mm:ss'.length),
    concatenated_date: instant,
    type,
    postbacks_domain: postbacksDomain,
    has_body: isPresent(bodyRequest),
    has_response: isPresent(bodyResponse),
    has_error: isPresent(error),
    has_additional_data: isPresent(additionalData),
    has_user_agent: isPresent(userAgent),
    user_agent: userAgent,
    body_request: bodyRequest,
    body_response: bodyResponse,
    error,
    additional_data: additionalData,
  };
}
