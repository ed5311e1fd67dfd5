import { randomUUIDv7 } from 'node:crypto';
import type { FieldErrorMap } from '@switchyard/contract/envelope';
import type { EventRow } from '@switchyard/contract/ingest';
import { ingestLimits } from '@switchyard/contract/limits';
import type { GeoIp } from '../../adapters/geo-ip.ts';
import type { NewRequest } from '../../traffic-store/traffic-store.ts';
import type { NamedApps } from '../apps/apps-lookup.ts';
import { judgeApp, judgeIp, judgeSize, judgeTime, type TimeWindow } from './judge-row.ts';

export type EventContext = {
  apps: NamedApps;
  testerStreams: ReadonlySet<string>;
  window: TimeWindow;
  geoIp: GeoIp;
};

/** A request ready to be stored, or the errors that refuse the row, by field (api [90]). */
export function judgeEvent(row: EventRow, context: EventContext): { request: NewRequest } | { errors: FieldErrorMap } {
  const app = judgeApp(row, context.apps);
  const time = judgeTime(row.date, context.window);
  const address = judgeIp(row.ip);
  const errors: FieldErrorMap = 'errors' in app ? { ...app.errors } : {};
  if ('error' in time) errors['date'] = [time.error];
  if ('error' in address) errors['ip'] = [address.error];
  const error = typeof row.error === 'string' ? { exception_type: 'Error', message: row.error } : withType(row.error);
  for (const [field, value] of Object.entries({ ...bodiesOf(row), error })) {
    const message = judgeSize(field, value);
    if (message !== null) errors[field] = [message];
  }
  if ('errors' in app || 'error' in time || 'error' in address || Object.keys(errors).length > 0) return { errors };

  return {
    request: {
      uuid: row.id ?? randomUUIDv7(),
      appId: app.appId,
      type: row.type,
      occurredAt: time.instant,
      ip: address.ip,
      clientUid: row.client_uid,
      streamUid: row.stream_uid,
      country: row.country ?? context.geoIp.countryOf(address.ip),
      bot: row.bot.join(' '),
      userAgent: row.user_agent?.slice(0, ingestLimits.userAgentCharacters).toWellFormed() ?? null,
      bodyRequest: row.body_request,
      bodyResponse: row.body_response,
      additionalData: row.additional_data,
      error,
      postbacksDomain: row.postbacks_domain ?? '',
      isQa: row.is_qa ?? (row.stream_uid !== null && context.testerStreams.has(row.stream_uid)),
    },
  };
}

function bodiesOf(row: EventRow): Readonly<Record<string, unknown>> {
  return { body_request: row.body_request, body_response: row.body_response, additional_data: row.additional_data };
}

function withType(error: Readonly<Record<string, unknown>> | null): NewRequest['error'] {
  return error === null || 'exception_type' in error ? error : { exception_type: 'Error', ...error };
}
