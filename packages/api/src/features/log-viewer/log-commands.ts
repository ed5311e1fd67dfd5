import { LRUCache } from 'lru-cache';
import { removeLogDay, type LogDay } from '../../adapters/log-files/log-folder.ts';
import type { Databases } from '../../database/connect.ts';
import { recordAudit, transaction, type AuditEvent } from '../../database/transaction.ts';
import { notFound } from '../../errors.ts';
import type { AccountCall } from '../../http/bind.ts';

/** One of the two viewers, as the audit trail names it. */
export type LogSource = 'log' | 'app_log';
export type LogCall = AccountCall & { date: string; source: LogSource };

/**
 * Records that a day is downloaded, and that secrets are shown in it. Call it before the first byte, so that a failure rejects the call.
 */
export async function recordDownload(db: Databases['db'], call: LogCall, showsSecrets: boolean): Promise<void> {
  await transaction(db, async (tx) => {
    if (showsSecrets) await recordAudit(tx, event(call, 'reveal'));
    return recordAudit(tx, event(call, 'download'));
  });
}

export type RecordShowing = (call: LogCall) => Promise<void>;

/** Milliseconds within which pages that an account reads of a day count as one showing of its secrets. */
const showingMilliseconds = 900_000;
const mostShowings = 10_000;

/** Records that secrets of a day are shown, once for all pages of a quarter of an hour. Call it before they are read. */
export function createShowings(db: Databases['db']): RecordShowing {
  const showings = new LRUCache<string, true>({ max: mostShowings, ttl: showingMilliseconds });
  return async (call) => {
    const { caller, request, source, date } = call;
    const key = JSON.stringify([caller.account.id, request.via?.id, source, date]);
    if (showings.has(key)) return;
    await transaction(db, async (tx) => recordAudit(tx, event(call, 'reveal')));
    showings.set(key, true);
  };
}

/** Deletes the file of a day. Throws 404 if it was deleted meanwhile. */
export async function deleteDay(db: Databases['db'], day: LogDay, call: LogCall): Promise<void> {
  await transaction(db, async (tx) => {
    // The entry comes first, because a removed file cannot be rolled back.
    const outcome = await recordAudit(tx, event(call, 'delete'));
    if (!(await removeLogDay(day))) throw notFound();
    return outcome;
  });
}

function event({ date, source, caller, request }: LogCall, action: 'download' | 'delete' | 'reveal'): AuditEvent {
  return { actor: caller.account, entity: source, action, id: date, label: date, request };
}
