import { writeExactly } from '@switchyard/contract/exact-json';
import {
  ingestMessages,
  type IngestResult,
  type IngestedPush,
  ingestedPush,
  type IngestedConversion,
  ingestedConversion,
} from '@switchyard/contract/ingest';
import { ingestLimits } from '@switchyard/contract/limits';
import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import type { NamedApps } from '../apps/apps-lookup.ts';
import { ingestBatch } from './ingest-batch.ts';
import type { NamesInBatches } from './names-read-model.ts';
import {
  appOf,
  type FieldCheck,
  instantOf,
  inWindow,
  isInstant,
  validateFields,
  validateSize,
  timeWindow,
  type WindowDeps,
  withShapeErrors,
} from './validate-row.ts';
import type { IngestBody } from '../../http/bind.ts';
import type { DeliveryStore, NewConversion, NewPush } from '@switchyard/traffic-store/delivery-store';

export type IngestPushesDeps = WindowDeps & { names: NamesInBatches; deliveryStore: Pick<DeliveryStore, 'insertPushes'> };

const pushSchema = z.compile(ingestedPush);
const conversionSchema = z.compile(ingestedConversion);

const isMessageSmall: FieldCheck = (value) => {
  const most = ingestLimits.pushMessageBytes;
  if (typeof value === 'string') return Buffer.byteLength(value) > most ? ingestMessages.tooLarge('push_message') : null;
  const problem = validateSize(value, most);
  return problem === null ? null : ingestMessages[problem]('push_message');
};

/** Stores pushes and updates known ones. */
export async function ingestPushes(deps: IngestPushesDeps, body: IngestBody): Promise<IngestResult> {
  const checks = { push_message: isMessageSmall, send_at: inWindow(timeWindow(deps)), updated_at: isInstant };
  return ingestBatch(deps, body, {
    kind: 'pushes',
    schema: pushSchema,
    load: async () => ({}),
    validate(row, { apps }) {
      const errors = validateFields(row, apps, checks);
      return Object.keys(errors).length > 0 ? { errors } : { stored: toPush(row, apps) };
    },
    validateRejected: (row, { apps }) => withShapeErrors(row, validateFields(row.sent, apps, checks)),
    store: async (pushes) => deps.deliveryStore.insertPushes(pushes),
  });
}

function toPush(row: IngestedPush, apps: NamedApps): NewPush {
  const sendAt = instantOf(row.send_at);
  return {
    uuid: row.id ?? randomUUIDv7(),
    appId: appOf(row, apps),
    pushId: row.push_id,
    name: row.push_name,
    message: typeof row.push_message === 'string' ? row.push_message : writeExactly(row.push_message),
    uid: row.uid,
    clientUid: row.client_uid,
    campaignUid: row.push_campaign_uid,
    sendAt,
    status: row.status,
    error: row.error,
    updatedAt: row.updated_at === undefined ? sendAt : instantOf(row.updated_at),
  };
}

export type IngestConversionsDeps = WindowDeps & { names: NamesInBatches; deliveryStore: Pick<DeliveryStore, 'insertConversions'> };

/** Stores conversions. */
export async function ingestConversions(deps: IngestConversionsDeps, body: IngestBody): Promise<IngestResult> {
  const checks = { created_at: inWindow(timeWindow(deps)) };
  return ingestBatch(deps, body, {
    kind: 'conversions',
    schema: conversionSchema,
    load: async (rows) => ({ testerStreams: await deps.names.testerStreams(streamsOf(rows)) }),
    validate(row, { apps, testerStreams }) {
      const errors = validateFields(row, apps, checks);
      if (Object.keys(errors).length > 0) return { errors };
      return { stored: toConversion(row, apps, row.stream_uid !== null && testerStreams.has(row.stream_uid)) };
    },
    validateRejected: (row, { apps }) => withShapeErrors(row, validateFields(row.sent, apps, checks)),
    store: async (conversions) => deps.deliveryStore.insertConversions(conversions),
  });
}

function streamsOf(rows: readonly IngestedConversion[]): string[] {
  return [...new Set(rows.flatMap((row) => row.stream_uid ?? []))];
}

function toConversion(row: IngestedConversion, apps: NamedApps, isQa: boolean): NewConversion {
  return {
    uuid: row.id ?? randomUUIDv7(),
    appId: appOf(row, apps),
    source: row.source,
    clientUid: row.client_uid,
    streamUid: row.stream_uid,
    clickId: row.click_id,
    receiveApfUid: row.receive_apf_uid,
    appInstanceId: row.app_instance_id,
    statusConversion: row.status_conversion,
    payout: row.payout,
    status: row.status,
    error: row.error,
    isSend: row.is_send,
    isQa,
    createdAt: instantOf(row.created_at),
  };
}
