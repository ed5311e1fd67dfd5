import { ingestMessages, type IngestResult } from '@switchyard/contract/ingest';
import { type StreamDelivery, streamDelivery } from '@switchyard/contract/ingest-streams';
import type { FieldErrorMap } from '@switchyard/contract/envelope';
import type { Databases } from '../../database/connect.ts';
import type { IngestBody } from '../../http/bind.ts';
import type { NamedApps } from '../apps/apps-lookup.ts';
import type { Buyers } from './buyers-read-model.ts';
import { ingestBatch } from './ingest-batch.ts';
import { appOf, instantOf, inWindow, isInstant, judgeFields } from './judge-fields.ts';
import { type SentRow, timeWindow, type WindowDeps, withShapeErrors } from './judge-row.ts';
import type { NamesInBatches } from './names-in-batches.ts';
import { addStreams, type NewStream, type StreamSender } from './streams-store.ts';

export type IngestStreamsDeps = WindowDeps & { db: Databases['db']; names: NamesInBatches };

/** Stores streams of buyers and replaces those that are there by newer ones (api [93]). */
export async function ingestStreams(deps: IngestStreamsDeps, body: IngestBody, sender: StreamSender): Promise<IngestResult> {
  // A stream may be as old as it likes; only its last change must not lie in the future.
  const updated = inWindow({ ...timeWindow(deps), oldest: -Infinity });
  const checks = {
    created_at: isInstant,
    updated_at: (value: unknown) => isInstant(value) ?? updated(value),
    deleted_at: isInstant,
  };
  return ingestBatch(deps, body, {
    kind: 'streams',
    schema: streamDelivery,
    load: async (_, sent) => ({ buyers: await deps.names.buyers(buyersNamedIn(sent)) }),
    judge(row, { apps, buyers }) {
      const errors = { ...judgeFields(row, apps, checks), ...judgeBuyer(row, buyers) };
      return Object.keys(errors).length > 0 ? { errors } : { stored: toStream(row, apps, buyers) };
    },
    judgeRefused(read, { apps, buyers }) {
      const isMisnamed = 'buyer_id' in read.errors || 'buyer_email' in read.errors;
      const buyer = isMisnamed ? {} : judgeBuyer(read.sent, buyers);
      return withShapeErrors(read, { ...judgeFields(read.sent, apps, checks), ...buyer });
    },
    store: async (streams) => addStreams(deps.db, streams, sender),
  });
}

function emailOf({ buyer_email: email }: SentRow): string | null {
  return typeof email === 'string' && email.trim() !== '' ? email.trim().toLowerCase() : null;
}

function buyersNamedIn(rows: readonly SentRow[]): { ids: number[]; emails: string[] } {
  return {
    ids: [...new Set(rows.flatMap(({ buyer_id: id }) => (typeof id === 'number' && Number.isSafeInteger(id) ? [id] : [])))],
    emails: [...new Set(rows.flatMap((row) => emailOf(row) ?? []))],
  };
}

/** The buyer that a row names; when it names one by id and by e-mail, both must mean the same. */
function buyerOf(row: SentRow, buyers: Buyers): number | null {
  const email = emailOf(row);
  const byEmail = email === null ? undefined : (buyers.idByEmail.get(email) ?? null);
  const { buyer_id: id } = row;
  if (typeof id !== 'number') return byEmail ?? null;
  return buyers.ids.has(id) && (byEmail === undefined || byEmail === id) ? id : null;
}

function judgeBuyer(row: SentRow, buyers: Buyers): FieldErrorMap {
  if (row['buyer_id'] === undefined && emailOf(row) === null) return { buyer_id: [ingestMessages.buyerMissing] };
  return buyerOf(row, buyers) === null ? { buyer_id: [ingestMessages.unknownBuyer] } : {};
}

function toStream(row: StreamDelivery, apps: NamedApps, buyers: Buyers): NewStream {
  return {
    uid: row.uid,
    appId: appOf(row, apps),
    buyerId: buyerOf(row, buyers) ?? 0,
    name: row.name,
    rules: row.rules,
    offer: row.offer,
    levelCloaking: row.level_cloaking,
    createdAt: instantOf(row.created_at),
    updatedAt: instantOf(row.updated_at),
    deletedAt: row.deleted_at === null ? null : instantOf(row.deleted_at),
  };
}
