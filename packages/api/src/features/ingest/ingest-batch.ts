import type { FieldErrorMap } from '@switchyard/contract/envelope';
import { ingestMessages, type IngestResult } from '@switchyard/contract/ingest';
import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { HttpError } from '../../errors.ts';
import type { IngestBody } from '../../http/bind.ts';
import type { NamedApps } from '../apps/apps-lookup.ts';
import { readRow, type ReadRow, type RejectedRow, type SentRow, sentId } from './validate-row.ts';
import type { NamesInBatches } from './names-read-model.ts';
import { type RawRow, readRows } from './read-rows.ts';

/** How rows of one kind are read, validated and stored. */
export type BatchKind<Row extends SentRow, Context extends object, Stored> = {
  /** Key of the rows in the body. */
  kind: 'events' | 'pushes' | 'conversions' | 'streams';
  schema: z.ZodType<Row>;
  /** Looks up what validation needs, for valid rows and for all rows as they were sent. */
  load: (rows: readonly Row[], sent: readonly SentRow[]) => Promise<Context>;
  /** The row to store, or every error by field. */
  validate: (row: Row, context: Context & { apps: NamedApps }) => { stored: Stored } | { errors: FieldErrorMap };
  /** Every error of a row that its schema rejected: one answer names all failing fields. */
  validateRejected: (read: RejectedRow, context: Context & { apps: NamedApps }) => FieldErrorMap;
  store: (rows: readonly Stored[]) => Promise<{ accepted: number; duplicates: number }>;
};

/**
 * Stores the valid rows of a batch and returns the errors of the others; accepted + duplicates + rejected is always the number of
 * rows sent. The result is committed.
 */
export async function ingestBatch<Row extends SentRow, Context extends object, Stored>(
  { names }: { names: Pick<NamesInBatches, 'apps'> },
  body: IngestBody,
  given: BatchKind<Row, Context, Stored>,
): Promise<IngestResult> {
  const raw = readRows(body, given.kind);
  const read = await mapInSlices(raw, (row): ReadRow<Row> => readRaw(given.schema, row));
  const rows = read.flatMap((found) => ('row' in found ? [found.row] : []));
  const sent = read.map((found) => ('row' in found ? found.row : found.sent));
  const [apps, loaded] = await Promise.all([names.apps(namesOf(sent)), given.load(rows, sent)]);
  const context = { ...loaded, apps };

  const outcomes = await mapInSlices(read, (found) =>
    'row' in found ? given.validate(found.row, context) : { errors: given.validateRejected(found, context) },
  );
  const good: Stored[] = [];
  const rejected: IngestResult['rejected'] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if ('stored' in outcome) good.push(outcome.stored);
    else rejected.push({ index, id: idOf(raw[index]), errors: outcome.errors });
  }
  if (good.length === 0) throw new HttpError(422, ingestMessages.allRejected, { data: { accepted: 0, duplicates: 0, rejected } });
  return { ...(await given.store(good)), rejected };
}

/** A batch of thousands of rows blocks other calls no longer than this. */
const sliceMilliseconds = 5;

/** Maps many rows without blocking the event loop. */
async function mapInSlices<From, To>(rows: readonly From[], map: (row: From) => To): Promise<To[]> {
  const mapped: To[] = [];
  let began = performance.now();
  for (const row of rows) {
    mapped.push(map(row));
    if (performance.now() - began < sliceMilliseconds) continue;
    await setImmediate();
    began = performance.now();
  }
  return mapped;
}

function readRaw<Row>(schema: z.ZodType<Row>, row: RawRow): ReadRow<Row> {
  return 'value' in row ? readRow(schema, row.value) : { errors: { row: [ingestMessages.invalidJson] }, sent: {} };
}

function idOf(row: RawRow | undefined): unknown {
  return row !== undefined && 'value' in row ? sentId(row.value) : null;
}

function namesOf(rows: readonly SentRow[]): { ids: number[]; bundles: string[] } {
  const ids = new Set<number>();
  const bundles = new Set<string>();
  for (const { app_id: id, bundle } of rows) {
    if (Number.isSafeInteger(id)) ids.add(Number(id));
    if (typeof bundle === 'string' && bundle !== '') bundles.add(bundle);
  }
  return { ids: [...ids], bundles: [...bundles] };
}
