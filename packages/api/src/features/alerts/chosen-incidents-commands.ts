import { alertLimits, alertMessages, incidentsQuery, type AlertScope } from '@switchyard/contract/alerts';
import { bulkLimits, bulkMessages, type BulkTarget } from '@switchyard/contract/bulk';
import type { acknowledgeIncidents as acknowledgeContract, silenceIncidents as silenceContract } from '@switchyard/contract/incident-lists';
import { numbersOf, parseFilter } from '../../bulk-rows.ts';
import { recordAudits, transaction, type AuditEvent, type OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors } from '../../errors.ts';
import type { AccountCaller, Call } from '../../http/bind.ts';
import { readerOf, requireChange } from './alert-access.ts';
import { acknowledgedEvents } from './incident-commands.ts';
import { listChosenIncidents, type ChosenIncident } from './incidents-read-model.ts';
import { updateAcknowledged } from './incidents-store.ts';
import { addSilence, rejectBadTimes, type SilenceDependencies } from './silence-commands.ts';
import { countSilences } from './silences-store.ts';

/** Acknowledges the chosen incidents that fire. Throws 422 for a target without incidents, or with too many. */
export async function acknowledgeIncidents(
  { db, now }: SilenceDependencies,
  { body: { target, note }, caller, request }: Call<typeof acknowledgeContract>,
): Promise<{ acknowledged: number }> {
  return transaction(db, async (tx) => {
    const ids = (await listTarget(tx, target, caller)).map(({ id }) => id);
    const rows = await updateAcknowledged(tx, { ids, accountId: caller.account.id, note, now: now() });
    return recordAudits(tx, acknowledgedEvents(rows, { note, caller, request }), { acknowledged: rows.length });
  });
}

/**
 * Silences the chosen incidents that are open until a moment: the apps of a rule by one silence, each server of a rule by one of its own.
 * Throws as `createSilence`, and 422 for a target without open incidents, or with too many.
 */
export async function silenceIncidents(
  { db, now }: SilenceDependencies,
  { body: { target, note, ends_at: end }, caller, request }: Call<typeof silenceContract>,
): Promise<{ silences: number }> {
  requireChange(caller, []);
  return transaction(db, async (tx) => {
    const at = now();
    const endsAt = new Date(end);
    rejectBadTimes({ startsAt: at, endsAt, weekly: null }, at);
    const silences = silencesOf((await listTarget(tx, target, caller)).filter(({ isOpen }) => isOpen));
    if (silences.length === 0) throw new FieldErrors({ target: [bulkMessages.none] });
    if ((await countSilences(tx, at)) + silences.length > alertLimits.silences)
      throw new FieldErrors({ target: [alertMessages.tooManySilences] });
    const events: AuditEvent[] = [];
    for (const { ruleId, serverId, scope } of silences) {
      const silence = { note, kind: null, ruleId, serverId, scope, startsAt: at, endsAt, weekly: null, now: at };
      events.push((await addSilence(tx, silence, { caller, request })).event);
    }
    return recordAudits(tx, events, { silences: silences.length });
  });
}

type Cover = { ruleId: number; serverId: number | null; scope: AlertScope };

/** Silences that cover the subjects of incidents and nothing else of their rules. */
function silencesOf(incidents: readonly ChosenIncident[]): Cover[] {
  const covers = new Map<string, Cover>();
  for (const { ruleId, appId, serverId } of incidents) {
    // The incidents of a rule that is deleted end.
    if (ruleId === null) continue;
    const key = `${ruleId} ${serverId ?? ''}`;
    const scope: AlertScope = { apps: appId === null ? 'all' : 'chosen', verticals: [], app_ids: [] };
    const cover = covers.get(key) ?? { ruleId, serverId, scope };
    if (appId !== null) cover.scope.app_ids.push(appId);
    covers.set(key, cover);
  }
  return [...covers.values()];
}

async function listTarget(tx: OpenTransaction, target: BulkTarget, caller: AccountCaller): Promise<ChosenIncident[]> {
  const reader = readerOf(caller);
  const choice =
    'keys' in target
      ? { filters: {}, ids: numbersOf(target.keys) }
      : { filters: parseFilter(incidentsQuery, target), except: numbersOf(target.except) };
  const incidents = await listChosenIncidents(tx, reader, { ...choice, limit: bulkLimits.rows + 1 });
  if (incidents.length === 0) throw new FieldErrors({ target: [bulkMessages.none] });
  if (incidents.length > bulkLimits.rows) throw new FieldErrors({ target: [bulkMessages.tooMany] });
  return incidents;
}
