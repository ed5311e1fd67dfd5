import { trimText } from '@switchyard/contract/text-fields';
import { asciiEmail } from '@switchyard/contract/account-rules';
import type { FieldErrorMap } from '@switchyard/contract/envelope';
import { ingestMessages, type IngestResult, type IngestedStream, ingestedStream } from '@switchyard/contract/ingest';
import type { Databases } from '../../database/connect.ts';
import type { NamedApps } from '../apps/apps-lookup.ts';
import { ingestBatch } from './ingest-batch.ts';
import type { Buyers, NamesInBatches } from './names-read-model.ts';
import { addStreams, type StreamSender } from './stream-commands.ts';
import type { NewStream } from './streams-store.ts';
import {
  appOf,
  instantOf,
  inWindow,
  isInstant,
  validateFields,
  type SentRow,
  timeWindow,
  type WindowDeps,
  withShapeErrors,
} from './validate-row.ts';
import type { IngestBody } from '../../http/bind.ts';

export type IngestStreamsDeps = WindowDeps & { db: Databases['db']; names: NamesInBatches };

/** Stores streams of buyers and replaces known ones by newer ones. */
export async function ingestStreams(deps: IngestStreamsDeps, body: IngestBody, sender: StreamSender): Promise<IngestResult> {
  // A stream may be of any age; only its last change must not lie in the future.
  const checkUpdatedAt = inWindow({ ...timeWindow(deps), oldest: -Infinity });
  const checks = {
    created_at: isInstant,
    updated_at: (value: unknown) => isInstant(value) ?? checkUpdatedAt(value),
    deleted_at: isInstant,
  };
  return ingestBatch(deps, body, {
    kind: 'streams',
    schema: ingestedStream,
    load: async (_, rows) => ({ buyers: await deps.names.buyers(buyersNamedIn(rows)) }),
    validate(row, { apps, buyers }) {
      const errors = { ...validateFields(row, apps, checks), ...validateBuyer(row, buyers) };
      return Object.keys(errors).length > 0 ? { errors } : { stored: toStream(row, apps, buyers) };
    },
    validateRejected(row, { apps, buyers }) {
      const isMisnamed = 'buyer_id' in row.errors || 'buyer_email' in row.errors;
      const buyer = isMisnamed ? {} : validateBuyer(row.sent, buyers);
      return withShapeErrors(row, { ...validateFields(row.sent, apps, checks), ...buyer });
    },
    store: async (streams) => addStreams(deps.db, streams, sender),
  });
}

function emailOf({ buyer_email: email }: SentRow): string | null {
  const text = typeof email === 'string' ? trimText(email) : '';
  return text === '' ? null : asciiEmail(text).toLowerCase();
}

function buyersNamedIn(rows: readonly SentRow[]): { ids: number[]; emails: string[] } {
  return {
    ids: [...new Set(rows.flatMap(({ buyer_id: id }) => (typeof id === 'number' && Number.isSafeInteger(id) ? [id] : [])))],
    emails: [...new Set(rows.flatMap((row) => emailOf(row) ?? []))],
  };
}

/** The buyer that a row names; an id and an e-mail must name the same one. */
function buyerOf(row: SentRow, buyers: Buyers): number | null {
  const email = emailOf(row);
  const byEmail = email === null ? undefined : (buyers.idByEmail.get(email) ?? null);
  const { buyer_id: id } = row;
  if (typeof id !== 'number') return byEmail ?? null;
  return buyers.ids.has(id) && (byEmail === undefined || byEmail === id) ? id : null;
}

function validateBuyer(row: SentRow, buyers: Buyers): FieldErrorMap {
  if (row['buyer_id'] === undefined && emailOf(row) === null) return { buyer_id: [ingestMessages.buyerMissing] };
  return buyerOf(row, buyers) === null ? { buyer_id: [ingestMessages.unknownBuyer] } : {};
}

function toStream(row: IngestedStream, apps: NamedApps, buyers: Buyers): NewStream {
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
