import { randomUUIDv7 } from 'node:crypto';
import { ingestMessages, type IngestResult } from '@switchyard/contract/ingest';
import { type PushDelivery, pushDelivery } from '@switchyard/contract/ingest-pushes';
import { ingestLimits } from '@switchyard/contract/limits';
import type { IngestBody } from '../../http/bind.ts';
import type { NewPush, PushStore } from '../../traffic-store/push-store.ts';
import type { NamedApps } from '../apps/apps-lookup.ts';
import { ingestBatch } from './ingest-batch.ts';
import { appOf, type FieldCheck, instantOf, inWindow, isInstant, judgeFields } from './judge-fields.ts';
import { isTooLarge, timeWindow, type WindowDeps, withShapeErrors } from './judge-row.ts';
import type { NamesInBatches } from './names-in-batches.ts';

export type IngestPushesDeps = WindowDeps & { names: NamesInBatches; pushStore: Pick<PushStore, 'addPushes'> };

const isMessageSmall: FieldCheck = (value) => {
  const most = ingestLimits.pushMessageBytes;
  const isLarge = typeof value === 'string' ? Buffer.byteLength(value) > most : isTooLarge(value, most);
  return isLarge ? ingestMessages.tooLarge('push_message') : null;
};

/** Stores pushes, and what became of those that are there already (api [91]). */
export async function ingestPushes(deps: IngestPushesDeps, body: IngestBody): Promise<IngestResult> {
  const checks = { push_message: isMessageSmall, send_at: inWindow(timeWindow(deps)), updated_at: isInstant };
  return ingestBatch(deps, body, {
    kind: 'pushes',
    schema: pushDelivery,
    load: async () => ({}),
    judge(row, { apps }) {
      const errors = judgeFields(row, apps, checks);
      return Object.keys(errors).length > 0 ? { errors } : { stored: toPush(row, apps) };
    },
    judgeRefused: (read, { apps }) => withShapeErrors(read, judgeFields(read.sent, apps, checks)),
    store: async (pushes) => deps.pushStore.addPushes(pushes),
  });
}

function toPush(row: PushDelivery, apps: NamedApps): NewPush {
  const sendAt = instantOf(row.send_at);
  return {
    uuid: row.id ?? randomUUIDv7(),
    appId: appOf(row, apps),
    pushId: row.push_id,
    name: row.push_name,
    message: typeof row.push_message === 'string' ? row.push_message : JSON.stringify(row.push_message),
    uid: row.uid,
    clientUid: row.client_uid,
    campaignUid: row.push_campaign_uid,
    sendAt,
    status: row.status,
    error: row.error,
    updatedAt: row.updated_at === undefined ? sendAt : instantOf(row.updated_at),
  };
}
