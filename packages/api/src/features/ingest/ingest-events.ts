import type { Microseconds } from '@switchyard/contract/dates';
import { jsonMembers, JsonText } from '@switchyard/contract/exact-json';
import type { FieldErrorMap } from '@switchyard/contract/envelope';
import { type IngestedEvent, ingestedEvent, ingestMessages, type IngestResult } from '@switchyard/contract/ingest';
import { ingestLimits } from '@switchyard/contract/limits';
import { cutText } from '@switchyard/contract/text-fields';
import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import type { GeoIp } from '../../adapters/geo-ip.ts';
import type { NamedApps } from '../apps/apps-lookup.ts';
import type { AsnOf, AsnRegistry } from '../asns/asn-registry-lookup.ts';
import { ingestBatch } from './ingest-batch.ts';
import type { NamesInBatches } from './names-read-model.ts';
import {
  validateApp,
  validateIp,
  validateSize,
  validateTime,
  type RejectedRow,
  timeWindow,
  type TimeWindow,
  type WindowDeps,
  withShapeErrors,
} from './validate-row.ts';
import type { IngestBody } from '../../http/bind.ts';
import type { NewEvent } from '@switchyard/traffic-store/event-fields';
import type { EventStore } from '@switchyard/traffic-store/event-store';

export type IngestEventsDeps = WindowDeps & {
  names: NamesInBatches;
  eventStore: Pick<EventStore, 'insertEvents'>;
  geoIp: GeoIp;
  asnRegistry: Pick<AsnRegistry, 'current'>;
};

/** Compiled, because rows are validated by the thousand: a fourth of the processor time. */
const eventSchema = z.compile(ingestedEvent);

/** Stores events of a traffic server. */
export async function ingestEvents(deps: IngestEventsDeps, body: IngestBody, serverId: number): Promise<IngestResult> {
  return ingestBatch(deps, body, {
    kind: 'events',
    schema: eventSchema,
    load: async (rows) => ({
      testerStreams: await deps.names.testerStreams(unsaidStreams(rows)),
      geoIp: deps.geoIp,
      asnOf: await deps.asnRegistry.current(),
      serverId,
      window: timeWindow(deps),
    }),
    validate: validateEvent,
    validateRejected,
    store: async (events) => deps.eventStore.insertEvents(events),
  });
}

/** Streams of rows without `is_qa`. */
function unsaidStreams(rows: readonly IngestedEvent[]): string[] {
  return [...new Set(rows.flatMap((row) => (row.is_qa === undefined && row.stream_uid !== null ? [row.stream_uid] : [])))];
}

export type EventContext = {
  apps: NamedApps;
  testerStreams: ReadonlySet<string>;
  window: TimeWindow;
  geoIp: GeoIp;
  asnOf: AsnOf;
  serverId: number;
};

/** The values of a row that are validated beyond their shape; missing and misshapen ones are absent. */
type Values = {
  app_id?: number | undefined;
  bundle?: string | undefined;
  date?: string | number | undefined;
  ip?: string | undefined;
  bodies: Readonly<Record<string, unknown>>;
};

/** The event to store, or the errors of the row by field. */
function validateEvent(row: IngestedEvent, context: EventContext): { stored: NewEvent } | { errors: FieldErrorMap } {
  const error = withType(row.error);
  const { app_id, bundle, date, ip, body_request, body_response, additional_data } = row;
  const bodies = { body_request, body_response, additional_data, error };
  const outcome = validateValues({ app_id, bundle, date, ip, bodies }, context);
  if ('errors' in outcome) return outcome;
  return {
    stored: {
      // Fields that need no change are stored as sent. The store ignores what is not a column.
      ...row,
      uuid: row.id ?? randomUUIDv7(),
      app_id: outcome.appId,
      occurred_at: outcome.occurredAt,
      ip: outcome.ip,
      stream_uid: row.stream_uid ?? '',
      asn: context.asnOf(outcome.ip),
      country: row.country ?? context.geoIp.countryOf(outcome.ip) ?? '',
      bot: row.bot.join(' '),
      user_agent: row.user_agent === null ? null : cutText(row.user_agent, ingestLimits.userAgentCharacters),
      error,
      postbacks_domain: row.postbacks_domain ?? '',
      server_id: context.serverId,
      is_qa: row.is_qa ?? (row.stream_uid !== null && context.testerStreams.has(row.stream_uid)),
    },
  };
}

/** Every error of a row that its schema rejected: one answer names all failing fields. */
function validateRejected(row: RejectedRow, context: EventContext): FieldErrorMap {
  const { app_id: id, bundle, date, ip, ...bodies } = row.sent;
  const values: Values = {
    app_id: typeof id === 'number' ? id : undefined,
    bundle: typeof bundle === 'string' ? bundle : undefined,
    date: typeof date === 'string' || typeof date === 'number' ? date : undefined,
    ip: typeof ip === 'string' ? ip : undefined,
    bodies: Object.fromEntries(Object.entries(bodies).filter(([field]) => jsonFields.has(field))),
  };
  const outcome = validateValues(values, context);
  return withShapeErrors(row, 'errors' in outcome ? outcome.errors : {});
}

const jsonFields = new Set(['body_request', 'body_response', 'additional_data', 'error']);

function validateValues(
  { app_id, bundle, date, ip, bodies }: Values,
  context: EventContext,
): { appId: number; occurredAt: Microseconds; ip: string } | { errors: FieldErrorMap } {
  const app = validateApp({ app_id, bundle }, context.apps);
  const time = date === undefined ? null : validateTime(date, context.window);
  const address = ip === undefined ? null : validateIp(ip);
  const errors: FieldErrorMap = 'errors' in app ? { ...app.errors } : {};
  if (time && 'error' in time) errors['date'] = [time.error];
  if (address && 'error' in address) errors['ip'] = [address.error];
  for (const [field, value] of Object.entries(bodies)) {
    const problem = validateSize(value);
    if (problem !== null) errors[field] = [ingestMessages[problem](field)];
  }
  const isWhole = 'appId' in app && time && 'instant' in time && address && 'ip' in address;
  return isWhole && Object.keys(errors).length === 0 ? { appId: app.appId, occurredAt: time.instant, ip: address.ip } : { errors };
}

/** An error with its type. A text becomes the message. */
function withType(error: IngestedEvent['error']): NewEvent['error'] {
  if (error === null) return null;
  if (typeof error === 'string') return { exception_type: 'Error', message: error };
  if (!(error instanceof JsonText)) return Object.hasOwn(error, 'exception_type') ? error : { exception_type: 'Error', ...error };
  if (error.text.startsWith('"')) return new JsonText(`{"exception_type":"Error","message":${error.text}}`);
  const members = jsonMembers(error.text)?.list ?? [];
  return members.some(({ key }) => key === 'exception_type') ? error : new JsonText(`{"exception_type":"Error",${error.text.slice(1)}`);
}
