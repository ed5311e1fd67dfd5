import { randomUUIDv7 } from 'node:crypto';
import type { IngestResult } from '@switchyard/contract/ingest';
import { type ConversionDelivery, conversionDelivery } from '@switchyard/contract/ingest-conversions';
import type { IngestBody } from '../../http/bind.ts';
import type { ConversionStore, NewConversion } from '../../traffic-store/conversion-store.ts';
import type { NamedApps } from '../apps/apps-lookup.ts';
import { ingestBatch } from './ingest-batch.ts';
import { appOf, instantOf, inWindow, judgeFields } from './judge-fields.ts';
import { timeWindow, type WindowDeps, withShapeErrors } from './judge-row.ts';
import type { NamesInBatches } from './names-in-batches.ts';

export type IngestConversionsDeps = WindowDeps & { names: NamesInBatches; conversionStore: Pick<ConversionStore, 'addConversions'> };

/** Stores what clients did that is worth something (api [92]). */
export async function ingestConversions(deps: IngestConversionsDeps, body: IngestBody): Promise<IngestResult> {
  const checks = { created_at: inWindow(timeWindow(deps)) };
  return ingestBatch(deps, body, {
    kind: 'conversions',
    schema: conversionDelivery,
    load: async (rows) => ({ testerStreams: await deps.names.testerStreams(streamsOf(rows)) }),
    judge(row, { apps, testerStreams }) {
      const errors = judgeFields(row, apps, checks);
      if (Object.keys(errors).length > 0) return { errors };
      return { stored: toConversion(row, apps, row.stream_uid !== null && testerStreams.has(row.stream_uid)) };
    },
    judgeRefused: (read, { apps }) => withShapeErrors(read, judgeFields(read.sent, apps, checks)),
    store: async (conversions) => deps.conversionStore.addConversions(conversions),
  });
}

function streamsOf(rows: readonly ConversionDelivery[]): string[] {
  return [...new Set(rows.flatMap((row) => row.stream_uid ?? []))];
}

function toConversion(row: ConversionDelivery, apps: NamedApps, isQa: boolean): NewConversion {
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
