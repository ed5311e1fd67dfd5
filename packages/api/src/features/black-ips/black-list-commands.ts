import { blackListMessages, type WrittenExpiry } from '@switchyard/contract/black-list';
import type * as contract from '@switchyard/contract/black-list';
import type * as imports from '@switchyard/contract/black-list-import';
import { wireDate } from '@switchyard/contract/dates';
import { retryOnDeadlock } from '@switchyard/traffic-store/database-errors';
import type { Databases } from '../../database/connect.ts';
import {
  recordAudit,
  recordAudits,
  transaction,
  unchanged,
  type Audited,
  type AuditEvent,
  type OpenTransaction,
} from '../../database/transaction.ts';
import { FieldErrors, notFound } from '../../errors.ts';
import type { AccountCall, Call } from '../../http/bind.ts';
import { deleteCovered, deleteEntry, deleteExpired, insertEntries, insertImport, type StoredEntry } from './black-list-store.ts';
import { classifyImport, countLines, noCounts, readImport } from './classify-import.ts';
import { findProtection, type ProtectionDeps } from './protected-lookup.ts';

export type BlackListDeps = { db: Databases['db']; now: () => Date; protection: ProtectionDeps };

/** Protected entries of a call that are named. */
const namedEntries = 20;

/** Merged entries that the trail names. */
const namedMerged = 200;

/** Adds addresses and networks, all or none. Throws 422 if some are protected. */
export async function addBlackListEntries(
  { db, now, protection }: BlackListDeps,
  call: AccountCall & Pick<Call<typeof contract.addBlackListEntries>, 'body'>,
): Promise<{ created: number; updated: number }> {
  const { entries, reason, source } = call.body;
  const expiresAt = expiryOf(call.body, now());
  const protectedReason = await findProtection(db, protection, call.request.ip);
  const problems = entries.flatMap((entry) => protectedReason(entry) ?? []);
  if (problems.length > 0) throw new FieldErrors({ entries: problems.slice(0, namedEntries).map((problem) => `${problem}.`) });
  return writeEntries({ db, now }, { entries, reason, source, expiresAt }, call);
}

/** When entries expire. Throws 422 for an instant that has passed. */
export function expiryOf({ expires_at: at, expires_in_hours: hours }: WrittenExpiry, now: Date): Date | null {
  if (at !== undefined && hours !== undefined) throw new FieldErrors({ expires_at: [blackListMessages.twoExpiries] });
  if (hours !== undefined) return new Date(now.getTime() + hours * 3_600_000);
  if (at === undefined) return null;
  const expiresAt = new Date(at);
  if (expiresAt <= now) throw new FieldErrors({ expires_at: [blackListMessages.past] });
  return expiresAt;
}

/** Runs a command again that PostgreSQL gave up for one beside it: new entries and known ones are locked in two orders. */
async function alone<T>(db: Databases['db'], command: (tx: OpenTransaction) => Promise<Audited<T>>): Promise<T> {
  return retryOnDeadlock(async () => transaction(db, command));
}

/** Adds entries, or gives known ones these fields; concurrent calls with the same entry wait for each other. Each has its entry in the trail. */
export async function writeEntries(
  { db, now }: Pick<BlackListDeps, 'db' | 'now'>,
  { entries, ...fields }: StoredEntry & { entries: readonly string[] },
  { caller: { account: actor }, request }: AccountCall,
): Promise<{ created: number; updated: number }> {
  return alone(db, async (tx) => {
    const written = await insertEntries(tx, { entries, ...fields, setBy: actor.id, now: now() });
    const created = written.filter(({ before }) => before === null).length;
    const events = written.map(({ entry, before }): AuditEvent => {
      const action = before === null ? 'create' : 'update';
      return { actor, entity: 'black_ip', action, id: entry, label: entry, request, changes: changesOf(before, fields) };
    });
    return recordAudits(tx, events, { created, updated: written.length - created });
  });
}

/**
 * Adds the entries of a list in one transaction with one entry in the trail, which has the counts. What is no entry, protected, covered or
 * on the list already is left out.
 */
export async function importBlackList(
  { db, now, protection }: BlackListDeps,
  { body, caller: { account: actor }, request }: AccountCall & Pick<Call<typeof imports.importBlackList>, 'body'>,
): Promise<imports.ImportCounts> {
  const at = now();
  const { list, reason, source } = body;
  const expiresAt = expiryOf(body, at);
  const protectedReason = await findProtection(db, protection, request.ip);
  return alone(db, async (tx) => {
    const rows = readImport(list);
    let counts = noCounts;
    const entries: string[] = [];
    for await (const lines of classifyImport(tx, rows, { expiresAt, now: at, protectedReason })) {
      counts = countLines(counts, lines);
      for (const line of lines) if (line.entry !== null && (line.result === 'added' || line.extends)) entries.push(line.entry);
    }
    const { added, extended } = await insertImport(tx, { entries, reason, source, expiresAt, setBy: actor.id, now: at });
    // Somebody may have added some of them meanwhile.
    counts = { ...counts, added, extended, existing: counts.existing + counts.added - added };
    if (added + extended === 0) return unchanged(counts);
    const changes = [
      ...changesOf(null, { reason, source, expiresAt }),
      ...Object.entries(counts).map(([field, count]) => ({ field, from: null, to: count })),
    ];
    return recordAudit(tx, { actor, entity: 'black_ip', action: 'import', id: null, label: textOrNull(source), request, changes }, counts);
  });
}

/** Removes the entries that a network covers for as long as they are there, with one entry in the trail, which names the first ones. */
export async function mergeEntries(
  { db, now }: Pick<BlackListDeps, 'db' | 'now'>,
  { caller: { account: actor }, request }: AccountCall,
): Promise<{ removed: number }> {
  // By itself, so that it holds no lock of a network while the merge waits for one of an address.
  await deleteExpired(db, now());
  return alone(db, async (tx) => {
    const removed = await deleteCovered(tx);
    const result = { removed: removed.length };
    if (removed.length === 0) return unchanged(result);
    const changes = [
      { field: 'removed', from: null, to: removed.length },
      { field: 'entries', from: removed.slice(0, namedMerged), to: null },
    ];
    return recordAudit(tx, { actor, entity: 'black_ip', action: 'merge', id: null, label: null, request, changes }, result);
  });
}

/** Removes an entry. Throws 404 if the list does not have it. */
export async function removeEntry(
  { db, now }: Pick<BlackListDeps, 'db' | 'now'>,
  entry: string,
  { caller: { account: actor }, request }: AccountCall,
): Promise<void> {
  await transaction(db, async (tx) => {
    const before = await deleteEntry(tx, entry, now());
    if (before === undefined) throw notFound();
    const changes = changesOf(before, null);
    return recordAudit(tx, { actor, entity: 'black_ip', action: 'delete', id: entry, label: entry, request, changes });
  });
}

/** The fields of an entry before and after; no entry counts as one without source and expiry. */
function changesOf(before: StoredEntry | null, after: StoredEntry | null) {
  return [
    { field: 'reason', from: before?.reason ?? null, to: after?.reason ?? null },
    { field: 'source', from: textOrNull(before?.source), to: textOrNull(after?.source) },
    { field: 'expires_at', from: wireDate(before?.expiresAt ?? null), to: wireDate(after?.expiresAt ?? null) },
  ];
}

function textOrNull(text = ''): string | null {
  return text === '' ? null : text;
}
