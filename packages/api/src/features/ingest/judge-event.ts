import { randomUUIDv7 } from 'node:crypto';
import type { FieldErrorMap } from '@switchyard/contract/envelope';
import type { Microseconds } from '@switchyard/contract/dates';
import { type EventRow, ingestMessages } from '@switchyard/contract/ingest';
import { ingestLimits } from '@switchyard/contract/limits';
import type { GeoIp } from '../../adapters/geo-ip.ts';
import type { NewRequest } from '../../traffic-store/traffic-store.ts';
import type { NamedApps } from '../apps/apps-lookup.ts';
import { isTooLarge, judgeApp, judgeIp, judgeTime, type RefusedRow, type TimeWindow, withShapeErrors } from './judge-row.ts';

export type EventContext = {
  apps: NamedApps;
  testerStreams: ReadonlySet<string>;
  window: TimeWindow;
  geoIp: GeoIp;
};

/** The values of a row that are judged beside their shape; what is missing or misshapen is left out. */
type Values = {
  app_id?: number | undefined;
  bundle?: string | undefined;
  date?: string | number | undefined;
  ip?: string | undefined;
  bodies: Readonly<Record<string, unknown>>;
};

/** A request ready to be stored, or the errors that refuse the row, by field (api [90]). */
export function judgeEvent(row: EventRow, context: EventContext): { stored: NewRequest } | { errors: FieldErrorMap } {
  const error = typeof row.error === 'string' ? { exception_type: 'Error', message: row.error } : withType(row.error);
  const { body_request, body_response, additional_data } = row;
  const found = judgeValues({ ...row, bodies: { body_request, body_response, additional_data, error } }, context);
  if ('errors' in found) return found;
  return {
    stored: {
      uuid: row.id ?? randomUUIDv7(),
      appId: found.appId,
      type: row.type,
      occurredAt: found.occurredAt,
      ip: found.ip,
      clientUid: row.client_uid,
      streamUid: row.stream_uid,
      country: row.country ?? context.geoIp.countryOf(found.ip),
      bot: row.bot.join(' '),
      userAgent: row.user_agent?.slice(0, ingestLimits.userAgentCharacters).toWellFormed() ?? null,
      bodyRequest: body_request,
      bodyResponse: body_response,
      additionalData: additional_data,
      error,
      postbacksDomain: row.postbacks_domain ?? '',
      isQa: row.is_qa ?? (row.stream_uid !== null && context.testerStreams.has(row.stream_uid)),
    },
  };
}

/** Every error of a row that its schema refused: one answer names all failing fields (api 0.4). */
export function judgeRefused(read: RefusedRow, context: EventContext): FieldErrorMap {
  const { app_id: id, bundle, date, ip, ...bodies } = read.sent;
  const values: Values = {
    app_id: typeof id === 'number' ? id : undefined,
    bundle: typeof bundle === 'string' ? bundle : undefined,
    date: typeof date === 'string' || typeof date === 'number' ? date : undefined,
    ip: typeof ip === 'string' ? ip : undefined,
    bodies: Object.fromEntries(Object.entries(bodies).filter(([field]) => jsonFields.has(field))),
  };
  const found = judgeValues(values, context);
  return withShapeErrors(read, 'errors' in found ? found.errors : {});
}

const jsonFields = new Set(['body_request', 'body_response', 'additional_data', 'error']);

function judgeValues(
  { date, ip, bodies, ...named }: Values,
  context: EventContext,
): { appId: number; occurredAt: Microseconds; ip: string } | { errors: FieldErrorMap } {
  const app = judgeApp(named, context.apps);
  const time = date === undefined ? null : judgeTime(date, context.window);
  const address = ip === undefined ? null : judgeIp(ip);
  const errors: FieldErrorMap = 'errors' in app ? { ...app.errors } : {};
  if (time && 'error' in time) errors['date'] = [time.error];
  if (address && 'error' in address) errors['ip'] = [address.error];
  for (const [field, value] of Object.entries(bodies)) if (isTooLarge(value)) errors[field] = [ingestMessages.tooLarge(field)];
  const isWhole = 'appId' in app && time && 'instant' in time && address && 'ip' in address;
  return isWhole && Object.keys(errors).length === 0 ? { appId: app.appId, occurredAt: time.instant, ip: address.ip } : { errors };
}

function withType(error: Readonly<Record<string, unknown>> | null): NewRequest['error'] {
  return error === null || 'exception_type' in error ? error : { exception_type: 'Error', ...error };
}
