import { blackListColumns, type BlackListRow } from '@switchyard/contract/black-list';
import type { BlackListFilters } from '@switchyard/contract/black-list-query';
import { wireDate } from '@switchyard/contract/dates';
import { csvLine, guardedText, toFile } from '@switchyard/traffic-store/csv';
import type { Readable } from 'node:stream';
import type { AccountCall } from '../../http/bind.ts';
import { recordExport } from '../audit/record-export-lookup.ts';
import type { BlackListDeps } from './black-list-commands.ts';
import { listEntriesNamed, listMatchingEntries, type ListedEntryRow } from './black-list-store.ts';

/** Entries that are read at once. */
const chunk = 5_000;

/** A row of the list as calls return it. */
export function toBlackListRow({ expires_at, created_at, updated_at, ...row }: ListedEntryRow): BlackListRow {
  return { ...row, expires_at: wireDate(expires_at), created_at: wireDate(created_at), updated_at: wireDate(updated_at) };
}

/** Opens the matching entries as a file, recorded in the audit trail. Which ones it has is decided at once: others may come and go while it is read. */
export async function writeBlackListFile(
  { db, now }: Pick<BlackListDeps, 'db' | 'now'>,
  { query: { format: _format, ...filters }, caller, request }: AccountCall & { query: BlackListFilters & { format: string } },
  signal: AbortSignal,
): Promise<Readable> {
  await recordExport(db, { entity: 'black_ip', caller, request });
  const entries = await listMatchingEntries(db, filters, now());
  async function* lines(): AsyncGenerator<Buffer> {
    yield Buffer.from(csvLine(blackListColumns));
    for (let from = 0; from < entries.length; from += chunk) {
      signal.throwIfAborted();
      const rows = await listEntriesNamed(db, entries.slice(from, from + chunk), now());
      yield Buffer.from(rows.map((row) => csvLine(cellsOf(toBlackListRow(row)))).join(''));
    }
  }
  return toFile(lines());
}

/** The cells of an entry, in the order of the columns. */
function cellsOf(row: BlackListRow): string[] {
  return [
    row.entry,
    row.kind,
    guardedText(row.reason),
    guardedText(row.source),
    row.expires_at ?? '',
    row.created_at,
    row.updated_at,
    row.covered_by ?? '',
  ];
}
