import { createEntryIndex } from '@switchyard/contract/black-list-entry';
import { importLimits, importMessages, type ImportCounts, type ImportLine } from '@switchyard/contract/black-list-import';
import { maximumImportLines, readBlackListText, type ListedEntry } from '@switchyard/contract/black-list-text';
import { cutText } from '@switchyard/contract/text-fields';
import type { Databases } from '../../database/connect.ts';
import { FieldErrors } from '../../errors.ts';
import { listCoveringCandidates, listExpiries } from './black-list-store.ts';

/** Lines that are looked up at once. */
const chunk = 5_000;

/** A line of an import with its result. `extends`: the entry is there, and expires later now. */
export type ClassifiedLine = ImportLine & { extends: boolean };

type ImportPlan = {
  expiresAt: Date | null;
  now: Date;
  /** Why an entry must not be black-listed; null if it may be. */
  protectedReason: (entry: string) => string | null;
};

/** The lines of a list as the contract reads them. Throws 422 if there are too many. */
export function readImport(text: string): ListedEntry[] {
  const rows: ListedEntry[] = [];
  for (const row of readBlackListText(text)) {
    rows.push(row);
    if (row.line > maximumImportLines || rows.length > maximumImportLines) throw new FieldErrors({ list: [importMessages.tooManyLines] });
  }
  return rows;
}

/** What an import does with each line, in parts. */
export async function* classifyImport(
  db: Databases['db'],
  rows: readonly ListedEntry[],
  { expiresAt, now, protectedReason }: ImportPlan,
): AsyncGenerator<ClassifiedLine[]> {
  const networks = createEntryIndex<{ network: string; line: number | null }>();
  for (const network of await listCoveringCandidates(db, { expiresAt, now })) networks.set(network, { network, line: null });
  const firstRows = new Map<string, ListedEntry>();
  for (const row of rows) {
    if (!('entry' in row) || firstRows.has(row.entry)) continue;
    firstRows.set(row.entry, row);
    const isNetwork = row.entry.includes('/');
    if (isNetwork && protectedReason(row.entry) === null && networks.listCovering(row.entry).every(({ network }) => network !== row.entry))
      networks.set(row.entry, { network: row.entry, line: row.line });
  }
  for (let from = 0; from < rows.length; from += chunk) {
    const part = rows.slice(from, from + chunk);
    const entries = part.flatMap((row) => ('entry' in row ? [row.entry] : []));
    const expiries = await listExpiries(db, entries, now);
    yield part.map((row) => classifyLine(row, { firstRows, networks, expiries, expiresAt, protectedReason }));
  }
}

type Known = {
  /** The row that names an entry first; a line may name it again. */
  firstRows: ReadonlyMap<string, ListedEntry>;
  networks: ReturnType<typeof createEntryIndex<{ network: string; line: number | null }>>;
  /** Expiries of entries of the list; null for those that stay. */
  expiries: ReadonlyMap<string, Date | null>;
} & Pick<ImportPlan, 'expiresAt' | 'protectedReason'>;

function classifyLine(row: ListedEntry, known: Known): ClassifiedLine {
  const text =
    row.text.length > importLimits.lineCharacters ? `${cutText(row.text, importLimits.lineCharacters)}…` : row.text.toWellFormed();
  const none = {
    line: row.line,
    ...(row.lines !== undefined && { lines: row.lines }),
    text,
    entry: null,
    message: null,
    suggestion: null,
    extends: false,
  };
  if ('isSkipped' in row) return { ...none, result: 'skipped', message: row.message ?? null };
  if ('message' in row) {
    const { message, suggestion, part } = row;
    return { ...none, result: 'invalid', message, suggestion, ...(part !== undefined && { part }) };
  }
  const { entry } = row;
  const result = { ...none, entry };
  const protection = known.protectedReason(entry);
  if (protection !== null) return { ...result, result: 'protected', message: `${protection}.` };
  const first = known.firstRows.get(entry) ?? row;
  if (first !== row) return { ...result, result: 'existing', message: importMessages.repeated(entry, first.line) };
  const expiry = known.expiries.get(entry);
  if (expiry !== undefined) {
    const isExtended = expiry !== null && (known.expiresAt === null || known.expiresAt > expiry);
    const { kept, extended, existing } = importMessages;
    const message = (isExtended ? (known.expiresAt === null ? kept : extended) : existing)(entry);
    return { ...result, result: 'existing', message, extends: isExtended };
  }
  const cover = known.networks.listCovering(entry).find(({ network }) => network !== entry);
  if (cover !== undefined) return { ...result, result: 'covered', message: importMessages.covered(entry, cover.network, cover.line) };
  return { ...result, result: 'added' };
}

/** Counts of no lines. */
export const noCounts: ImportCounts = { added: 0, existing: 0, extended: 0, covered: 0, invalid: 0, protected: 0, skipped: 0 };

/** The counts with those of further lines. */
export function countLines(counts: ImportCounts, lines: readonly ClassifiedLine[]): ImportCounts {
  const sum = { ...counts };
  for (const line of lines) {
    sum[line.result] += 1;
    if (line.extends) sum.extended += 1;
  }
  return sum;
}
