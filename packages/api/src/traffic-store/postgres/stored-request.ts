import { formatMicroseconds } from '@switchyard/contract/dates';
import type { RequestType } from '@switchyard/contract/requests';
import type { StoredRequest } from '../traffic-store.ts';

/** What a list reads of an event; `at` are microseconds since 1970. */
export const eventColumns = `id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint as at, host(ip) as ip, country,
  client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request, body_response, error, additional_data`;

export type EventRecord = {
  id: number;
  uuid: string;
  app_id: number;
  type: RequestType;
  at: number;
  ip: string;
  country: string;
  client_uid: string;
  stream_uid: string;
  bot: string;
  postbacks_domain: string;
  user_agent: string | null;
  body_request: unknown;
  body_response: unknown;
  error: Record<string, unknown> | null;
  additional_data: unknown;
};

/** A body counts as present when it is neither null nor empty (api 0.13). */
function isPresent(value: unknown): boolean {
  if (value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** The stored row in the wire's form. */
export function toStoredRequest(record: EventRecord): StoredRequest {
  const instant = formatMicroseconds(record.at);
  return {
    id: record.id,
    uuid: record.uuid,
    app_id: record.app_id,
    stream_uid: record.stream_uid === '' ? null : record.stream_uid,
    client_uid: record.client_uid,
    ip: record.ip,
    country: record.country === '' ? null : record.country,
    bot: record.bot,
    date: instant.slice(0, 'YYYY-MM-DD HH:mm:ss'.length),
    concatenated_date: instant,
    type: record.type,
    postbacks_domain: record.postbacks_domain,
    has_body: isPresent(record.body_request),
    has_response: isPresent(record.body_response),
    has_error: isPresent(record.error),
    has_additional_data: isPresent(record.additional_data),
    has_user_agent: isPresent(record.user_agent),
    user_agent: record.user_agent,
    body_request: record.body_request,
    body_response: record.body_response,
    error: record.error,
    additional_data: record.additional_data,
  };
}
