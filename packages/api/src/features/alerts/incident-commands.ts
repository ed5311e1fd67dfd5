import { type acknowledgeIncident as contract, type IncidentDetails, visibleKinds } from '@switchyard/contract/alerts';
import type { Databases } from '../../database/connect.ts';
import { existing, recordAudit, transaction } from '../../database/transaction.ts';
import { conflict, notFound } from '../../errors.ts';
import type { Call } from '../../http/bind.ts';
import { findVisibleIncident } from './incidents-read-model.ts';
import { updateAcknowledged } from './incidents-store.ts';

/** Acknowledges a firing incident. Throws 404 if the caller does not see it, and 409 unless it fires. */
export async function acknowledgeIncident(
  { db, now }: { db: Databases['db']; now: () => Date },
  { params: { id }, body: { note }, caller, request }: Call<typeof contract>,
): Promise<IncidentDetails> {
  const reader = { kinds: visibleKinds(caller.account.permissions), scope: caller.scope };
  return transaction(db, async (tx) => {
    const before = await findVisibleIncident(tx, reader, id);
    if (before === undefined) throw notFound();
    if (!(await updateAcknowledged(tx, { id, accountId: caller.account.id, note, now: now() })))
      throw conflict(before.resolved_at === null ? 'The incident is already acknowledged.' : 'The incident is already resolved.');
    const changes = note === '' ? [] : [{ field: 'note', from: null, to: note }];
    const event = {
      actor: caller.account,
      entity: 'incident',
      action: 'acknowledge',
      id,
      label: before.rule.name,
      request,
      changes,
    } as const;
    return recordAudit(tx, event, existing(await findVisibleIncident(tx, reader, id)));
  });
}
