import { type acknowledgeIncident as contract, type IncidentDetails } from '@switchyard/contract/alerts';
import type { Databases } from '../../database/connect.ts';
import { existing, recordAudits, transaction, type AuditEvent } from '../../database/transaction.ts';
import { conflict, notFound } from '../../errors.ts';
import type { AccountCall, Call } from '../../http/bind.ts';
import { readerOf } from './alert-access.ts';
import { findVisibleIncident } from './incidents-read-model.ts';
import { updateAcknowledged } from './incidents-store.ts';

/** Acknowledges a firing incident. Throws 404 if the caller does not see it, and 409 unless it fires. */
export async function acknowledgeIncident(
  { db, now }: { db: Databases['db']; now: () => Date },
  { params: { id }, body: { note }, caller, request }: Call<typeof contract>,
): Promise<IncidentDetails> {
  const reader = readerOf(caller);
  return transaction(db, async (tx) => {
    const before = await findVisibleIncident(tx, reader, id);
    if (before === undefined) throw notFound();
    const rows = await updateAcknowledged(tx, { ids: [id], accountId: caller.account.id, note, now: now() });
    if (rows.length === 0)
      throw conflict(before.resolved_at === null ? 'The incident is already acknowledged.' : 'The incident is already resolved.');
    return recordAudits(tx, acknowledgedEvents(rows, { note, caller, request }), existing(await findVisibleIncident(tx, reader, id)));
  });
}

/** The audit entries of acknowledged incidents. */
export function acknowledgedEvents(
  incidents: readonly { id: number; ruleName: string }[],
  { note, caller, request }: AccountCall & { note: string },
): AuditEvent[] {
  const changes = note === '' ? [] : [{ field: 'note', from: null, to: note }];
  return incidents.map(({ id, ruleName }) => {
    return { actor: caller.account, entity: 'incident', action: 'acknowledge', id, label: ruleName, request, changes };
  });
}
