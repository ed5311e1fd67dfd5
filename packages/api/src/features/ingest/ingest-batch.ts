import { mostMessages } from '@switchyard/contract/field-errors';
import type { FieldErrorMap } from '@switchyard/contract/envelope';
import { ingestMessages, type IngestResult } from '@switchyard/contract/ingest';
import type { IngestedKind } from '@switchyard/contract/ingested-data';
import type { z } from 'zod';
import { HttpError } from '../../errors.ts';
import type { IngestBody } from '../../http/bind.ts';
import { mapInSlices } from '@switchyard/traffic-store/map-in-slices';
import type { NamedApps } from '../apps/apps-lookup.ts';
import { readRow, type ReadRow, type RejectedRow, type SentRow, shownId } from './validate-row.ts';
import type { NamesInBatches } from './names-read-model.ts';
import { idAsSent, isDataOf, type RawRow, readRows } from './read-rows.ts';

/** How rows of one kind are read, validated and stored. */
export type BatchKind<Row extends SentRow, Context extends object, Stored> = {
  /** Key of the rows in the body. */
  kind: IngestedKind;
  schema: z.ZodType<Row>;
  /** Looks up what validation needs, for valid rows and for all rows as they were sent. */
  load: (rows: readonly Row[], sentRows: readonly SentRow[]) => Promise<Context>;
  /** The row to store, or every error by field. */
  validate: (row: Row, context: Context & { apps: NamedApps }) => { stored: Stored } | { errors: FieldErrorMap };
  /** Every error of a row that its schema rejected: one answer names all failing fields. */
  validateRejected: (row: RejectedRow, context: Context & { apps: NamedApps }) => FieldErrorMap;
  store: (rows: readonly Stored[]) => Promise<{ accepted: number; duplicates: number }>;
};

/**
 * Stores the valid rows of a batch and returns the errors of the others; accepted + duplicates + rejected is always the number of
 * rows sent. The result is committed.
 */
export async function ingestBatch<Row extends SentRow, Context extends object, Stored>(
  { names }: { names: Pick<NamesInBatches, 'apps'> },
  body: IngestBody,
  batchKind: BatchKind<Row, Context, Stored>,
): Promise<IngestResult> {
  const raw = await readRows(body, batchKind.kind);
  const parsedRows = await mapInSlices(raw, (row): ReadRow<Row> => readRaw(batchKind, row));
  const rows = parsedRows.flatMap((row) => ('row' in row ? [row.row] : []));
  const sentRows = parsedRows.map((row) => ('row' in row ? row.row : row.sent));
  const [apps, loadedContext] = await Promise.all([names.apps(namesOf(sentRows)), batchKind.load(rows, sentRows)]);
  const context = { ...loadedContext, apps };

  const outcomes = await mapInSlices(parsedRows, (row) =>
    'row' in row ? batchKind.validate(row.row, context) : { errors: batchKind.validateRejected(row, context) },
  );
  const good: Stored[] = [];
  const rejections: IngestResult['rejected'] = [];
  let named = 0;
  for (const [index, outcome] of outcomes.entries()) {
    if ('stored' in outcome) good.push(outcome.stored);
    else {
      named += Object.keys(outcome.errors).length;
      const errors = named <= mostMessages ? outcome.errors : { row: [ingestMessages.moreErrors] };
      rejections.push({ index, id: idOf(raw[index]), errors });
    }
  }
  if (good.length === 0)
    throw new HttpError(422, ingestMessages.allRejected, { data: { accepted: 0, duplicates: 0, rejected: rejections } });
  return { ...(await batchKind.store(good)), rejected: rejections };
}

function readRaw<Row>({ kind, schema }: { kind: IngestedKind; schema: z.ZodType<Row> }, row: RawRow): ReadRow<Row> {
  return 'value' in row
    ? readRow(schema, row.value, (key) => isDataOf(kind, key))
    : { errors: { row: [ingestMessages.invalidJson] }, sent: {} };
}

function idOf(row: RawRow | undefined): unknown {
  return row === undefined ? null : shownId(idAsSent(row));
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
