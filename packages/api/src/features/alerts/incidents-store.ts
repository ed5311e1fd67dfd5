import type { AlertKind, AlertScope, AlertSeverity, IncidentDetails, WeeklyTimes } from '@switchyard/contract/alerts';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';
import { dropReminders } from '../channels/incident-messages-lookup.ts';
import type { Absence, Condition, EvaluationClock, IncidentPlan, OpenIncident, PendingPeriod, StoredState } from './plan-incidents.ts';
import { subjectKey } from './plan-incidents.ts';
import { channelIds, scopeOf } from './rules-store.ts';

type IncidentEvent = IncidentDetails['timeline'][number]['event'];

/** An incident as its announcements name it. */
export type AnnouncedIncident = {
  id: number;
  ruleId: number | null;
  ruleName: string;
  kind: AlertKind;
  severity: AlertSeverity;
  appId: number | null;
  appName: string | null;
  serverId: number | null;
  serverName: string | null;
  affected: number;
  names: string[];
  value: number | null;
  threshold: number | null;
  reason: string;
  startedAt: Date;
  channelIds: number[] | null;
  /** Number of reminders. */
  reminders: number;
  /** Whether its start was announced. */
  isAnnounced: boolean;
};

/** A silence that covers this moment, if it has no weekly times. */
export type ActiveSilence = {
  kind: AlertKind | null;
  ruleId: number | null;
  serverId: number | null;
  scope: AlertScope;
  weekly: WeeklyTimes | null;
};

/** Locks the evaluation until the transaction ends, so that evaluations and commands wait for each other, and reads what it changes. */
export async function lockState(tx: OpenTransaction): Promise<StoredState> {
  await lockEvaluation(tx);
  const clock = await findEvaluationClock(tx);
  const { rows: pending } = await sql<{ ruleId: number; subjectId: number } & PendingPeriod>`
    select rule_id as "ruleId", subject_id as "subjectId", since, is_waiting as "isWaiting" from alert_pending
  `.execute(tx);
  const { rows: open } = await sql<OpenIncident>`
    select id, rule_id as "ruleId", rule_name as "ruleName", severity, subject_id as "subjectId", value, threshold, affected, names, reason, window_from is not null as "hasWindow", is_silenced as "isSilenced",
      acknowledged_at is not null as "isAcknowledged", started_at as "startedAt", announced_at as "announcedAt", announced_further as "announcedFurther", calm_since as "calmSince", reminded_at as "remindedAt"
    from incidents where resolved_at is null
  `.execute(tx);
  return { clock, pending: new Map(pending.map((row) => [subjectKey(row), row])), open };
}

/** When the last evaluation took place, and when none did. */
export async function findEvaluationClock(db: Kysely<Tables>): Promise<EvaluationClock> {
  const { rows } = await sql<Omit<EvaluationClock, 'absences'>>`
    select evaluated_at as "evaluatedAt", behind_since as "behindSince" from alert_evaluation
  `.execute(db);
  const { rows: absences } = await sql<Absence>`select began_at as "from", ended_at as until from alert_absences order by began_at`.execute(
    db,
  );
  return { ...(rows[0] ?? { evaluatedAt: null, behindSince: null }), absences };
}

/** Stores the times after an evaluation; absences that no rule looks back to go. */
export async function updateClock(tx: OpenTransaction, { evaluatedAt, behindSince, absences }: EvaluationClock): Promise<void> {
  await sql`update alert_evaluation set evaluated_at = ${evaluatedAt}, behind_since = ${behindSince}`.execute(tx);
  const begins = absences.map(({ from }) => from);
  await sql`delete from alert_absences where began_at <> all(${begins}::timestamptz[])`.execute(tx);
  await sql`
    insert into alert_absences (began_at, ended_at) select * from unnest(${begins}::timestamptz[], ${absences.map(({ until }) => until)}::timestamptz[])
    on conflict do nothing
  `.execute(tx);
}

/** Silences between whose beginning and end a moment is. */
export async function listActiveSilences(tx: OpenTransaction, at: Date): Promise<ActiveSilence[]> {
  const { rows } = await sql<ActiveSilence>`
    select kind, rule_id as "ruleId", server_id as "serverId", weekly, ${scopeOf('silence')} as scope
    from silences as silence where starts_at <= ${at} and ends_at > ${at}
  `.execute(tx);
  return rows;
}

/** Stores pending periods that begin and deletes those that ended. */
export async function updatePending(tx: OpenTransaction, { pend, unpend }: Pick<IncidentPlan, 'pend' | 'unpend'>): Promise<void> {
  if (unpend.length > 0)
    await sql`
      delete from alert_pending using unnest(${unpend.map(({ ruleId }) => ruleId)}::int[], ${unpend.map(({ subjectId }) => subjectId)}::int[])
        as ended (rule_id, subject_id)
      where alert_pending.rule_id = ended.rule_id and alert_pending.subject_id = ended.subject_id
    `.execute(tx);
  // A rule may have been deleted since it was read.
  if (pend.length > 0)
    await sql`
      insert into alert_pending (rule_id, subject_id, since, is_waiting)
      select begun.* from unnest(${pend.map(({ ruleId }) => ruleId)}::int[], ${pend.map(({ subjectId }) => subjectId)}::int[],
        ${pend.map(({ since }) => since)}::timestamptz[], ${pend.map(({ isWaiting }) => isWaiting)}::bool[])
        as begun (rule_id, subject_id, since, is_waiting)
      join alert_rules as rule on rule.id = begun.rule_id
      on conflict (rule_id, subject_id) do update set since = excluded.since, is_waiting = excluded.is_waiting
    `.execute(tx);
}

type NewIncident = Condition & { ruleId: number; isSilenced: boolean; subject: 'app' | 'server' | 'console' };

/** Inserts incidents of rules that are still switched on, with their first events. Gives the ids of those that are not silenced. */
export async function insertIncidents(tx: OpenTransaction, incidents: readonly NewIncident[], now: Date): Promise<number[]> {
  if (incidents.length === 0) return [];
  const rows = incidents.map(({ ruleId, subjectId, subject, value, threshold, further, affected, names, reason, window, isSilenced }) => ({
    rule_id: ruleId,
    threshold,
    further,
    subject_id: subjectId,
    app_id: subject === 'app' ? subjectId : null,
    server_id: subject === 'server' ? subjectId : null,
    value,
    affected,
    names,
    reason,
    window_from: window?.from,
    window_until: window?.until,
    compared_from: window?.comparedFrom,
    is_silenced: isSilenced,
  }));
  const { rows: inserted } = await sql<{ id: number; is_silenced: boolean }>`
    insert into incidents (rule_id, rule_name, kind, severity, threshold, subject_id, app_id, server_id, affected, names, value, reason,
      window_from, window_until, compared_from, is_silenced, announced_further, request_filter, started_at)
    select rule.id, rule.name, rule.kind, rule.severity, fired.threshold, fired.subject_id, fired.app_id, fired.server_id, fired.affected,
      fired.names, fired.value, fired.reason, fired.window_from, fired.window_until, fired.compared_from, fired.is_silenced, fired.further, rule.request_filter, ${now}
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (rule_id int, subject_id int, app_id int, server_id int, affected int,
      names text[], value float8, reason text, window_from timestamptz, window_until timestamptz, compared_from timestamptz, is_silenced boolean, threshold int, further int)) with ordinality
      as fired (rule_id, subject_id, app_id, server_id, affected, names, value, reason, window_from, window_until, compared_from, is_silenced, threshold, further, nth)
    join alert_rules as rule on rule.id = fired.rule_id and rule.is_on
    order by fired.nth
    on conflict do nothing
    returning id, is_silenced
  `.execute(tx);
  await insertEvents(tx, { ids: inserted.map(({ id }) => id), event: 'fired', at: now });
  await insertEvents(tx, { ids: inserted.filter((row) => row.is_silenced).map(({ id }) => id), event: 'silenced', at: now });
  return inserted.filter((row) => !row.is_silenced).map(({ id }) => id);
}

/** Stores new values of incidents, and what their rules demand by now. */
export async function updateValues(tx: OpenTransaction, updates: IncidentPlan['update']): Promise<void> {
  if (updates.length === 0) return;
  const rows = updates.map(({ id, value, threshold, affected, names, reason, window }) => {
    return { id, value, threshold, affected, names, reason, ...window };
  });
  await sql`
    update incidents set value = found.value, affected = found.affected, names = found.names, reason = found.reason,
      window_from = found."from", window_until = found.until, compared_from = found."comparedFrom",
      threshold = found.threshold, request_filter = rule.request_filter
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as found (id int, value float8, threshold int, affected int, names text[], reason text,
      "from" timestamptz, until timestamptz, "comparedFrom" timestamptz), alert_rules as rule
    where incidents.id = found.id and rule.id = incidents.rule_id and incidents.resolved_at is null
  `.execute(tx);
}

/** Stores severities of incidents, and what their rules are called by now. */
export async function updateFollow(tx: OpenTransaction, follow: IncidentPlan['follow']): Promise<void> {
  if (follow.length === 0) return;
  await sql`
    update incidents set rule_name = rule.name, severity = found.severity
    from unnest(${follow.map(({ id }) => id)}::int[], ${follow.map(({ severity }) => severity)}::text[]) as found (id, severity), alert_rules as rule
    where incidents.id = found.id and rule.id = incidents.rule_id and incidents.resolved_at is null
  `.execute(tx);
}

/** Marks incidents as silent, or as no longer silent. */
export async function updateSilenced(tx: OpenTransaction, changes: IncidentPlan['silence'], now: Date): Promise<void> {
  for (const isSilenced of [true, false]) {
    const ids = changes.filter((change) => change.isSilenced === isSilenced).map(({ id }) => id);
    if (ids.length === 0) continue;
    await sql`update incidents set is_silenced = ${isSilenced} where id = any(${ids}::int[])`.execute(tx);
    if (isSilenced) await insertEvents(tx, { ids, event: 'silenced', at: now });
  }
}

/** Marks incidents as announced; `reachedIds` are those of which a channel was informed. */
export async function updateAnnounced(
  tx: OpenTransaction,
  { ids, reachedIds, now }: { ids: readonly number[]; reachedIds: readonly number[]; now: Date },
): Promise<void> {
  if (ids.length === 0) return;
  await sql`update incidents set announced_at = coalesce(announced_at, ${now}) where id = any(${ids}::int[])`.execute(tx);
  await insertEvents(tx, { ids: reachedIds, event: 'announced', at: now });
}

/** Stores since when conditions of open incidents have been over. */
export async function updateCalm(tx: OpenTransaction, calm: IncidentPlan['calm']): Promise<void> {
  if (calm.length === 0) return;
  await sql`
    update incidents set calm_since = found.since
    from unnest(${calm.map(({ id }) => id)}::int[], ${calm.map(({ since }) => since)}::timestamptz[]) as found (id, since)
    where incidents.id = found.id
  `.execute(tx);
}

/** Stores the further thresholds that incidents were announced for. */
export async function updateFurther(tx: OpenTransaction, reached: IncidentPlan['further']): Promise<void> {
  if (reached.length === 0) return;
  await sql`
    update incidents set announced_further = found.further
    from unnest(${reached.map(({ id }) => id)}::int[], ${reached.map(({ further }) => further)}::int[]) as found (id, further)
    where incidents.id = found.id
  `.execute(tx);
}

/** Counts a reminder of each of these incidents and gives them. One that was acknowledged before it was announced is announced by it. */
export async function updateReminded(tx: OpenTransaction, ids: readonly number[], now: Date): Promise<AnnouncedIncident[]> {
  if (ids.length === 0) return [];
  await sql`update incidents set reminded_at = ${now}, reminders = reminders + 1, announced_at = coalesce(announced_at, ${now}) where id = any(${ids}::int[])`.execute(
    tx,
  );
  return listAnnounced(tx, ids);
}

/** Stores since when the values of rules are unknown: since the evaluation before; `ids` are those whose values are unknown. */
export async function updateUnknown(tx: OpenTransaction, ids: readonly number[], evaluatedAt: Date | null): Promise<void> {
  await sql`
    update alert_rules set unknown_since = case when id = any(${ids}::int[]) then ${evaluatedAt ?? new Date(0)}::timestamptz end
    where (unknown_since is null) = (id = any(${ids}::int[]))
  `.execute(tx);
}

/** Resolves incidents and gives them. */
export async function updateResolved(tx: OpenTransaction, ids: readonly number[], now: Date): Promise<AnnouncedIncident[]> {
  if (ids.length === 0) return [];
  await sql`update incidents set resolved_at = ${now} where id = any(${ids}::int[]) and resolved_at is null`.execute(tx);
  await insertEvents(tx, { ids, event: 'resolved', at: now });
  return listAnnounced(tx, ids);
}

/** Resolves the open incidents of a rule on behalf of an account and gives them. The evaluation has to be locked. */
export async function updateEnded(
  tx: OpenTransaction,
  { ruleId, actorId, now }: { ruleId: number; actorId: number; now: Date },
): Promise<AnnouncedIncident[]> {
  const { rows } = await sql<{ id: number }>`
    update incidents set resolved_at = ${now} where rule_id = ${ruleId} and resolved_at is null returning id
  `.execute(tx);
  await sql`delete from alert_pending where rule_id = ${ruleId}`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await insertEvents(tx, { ids, event: 'resolved', at: now, actorId });
  return listAnnounced(tx, ids);
}

/** Waits for an evaluation under way, which could open an incident, and for commands on rules; keeps others away until the transaction ends. */
export async function lockEvaluation(tx: OpenTransaction): Promise<void> {
  await sql`select from alert_evaluation for update`.execute(tx);
}

/** Incidents with all that announcements say of them. */
export async function listAnnounced(tx: OpenTransaction, ids: readonly number[]): Promise<AnnouncedIncident[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<AnnouncedIncident>`
    select incident.id, incident.rule_id as "ruleId", incident.rule_name as "ruleName", incident.kind, incident.severity,
      incident.app_id as "appId", app.name as "appName", incident.server_id as "serverId", server.name as "serverName",
      incident.affected, incident.names, incident.value, incident.threshold, incident.reason, incident.started_at as "startedAt",
      ${channelIds} as "channelIds", incident.reminders, incident.announced_at is not null as "isAnnounced"
    from incidents as incident left join alert_rules as rule on rule.id = incident.rule_id
    left join apps as app on app.id = incident.app_id left join traffic_servers as server on server.id = incident.server_id
    where incident.id = any(${ids}::int[]) order by incident.id
  `.execute(tx);
  return rows;
}

/** Acknowledges those of these incidents that fire, and gives them. */
export async function updateAcknowledged(
  tx: OpenTransaction,
  { ids, accountId, note, now }: { ids: readonly number[]; accountId: number; note: string; now: Date },
): Promise<{ id: number; ruleName: string }[]> {
  const { rows } = await sql<{ id: number; ruleName: string }>`
    update incidents set acknowledged_at = ${now}, acknowledged_by = ${accountId}
    where id = any(${ids}::int[]) and acknowledged_at is null and resolved_at is null returning id, rule_name as "ruleName"
  `.execute(tx);
  const acknowledgedIds = rows.map(({ id }) => id);
  await insertEvents(tx, { ids: acknowledgedIds, event: 'acknowledged', at: now, actorId: accountId, note });
  await dropReminders(tx, acknowledgedIds);
  return rows;
}

/** Deletes incidents that were resolved before a moment. */
export async function deleteOldIncidents(db: Kysely<Tables>, before: Date): Promise<void> {
  const unaudited = unauditedStatement('incidents are kept for a time', db);
  await sql`delete from incidents where resolved_at < ${before}`.execute(unaudited);
}

async function insertEvents(
  tx: OpenTransaction,
  {
    ids,
    event,
    at,
    actorId = null,
    note = null,
  }: { ids: readonly number[]; event: IncidentEvent; at: Date; actorId?: number | null; note?: string | null },
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into incident_events (incident_id, at, event, actor_id, note)
    select id, ${at}, ${event}, ${actorId}::int, ${note === '' ? null : note}::text from unnest(${ids}::int[]) as id
  `.execute(tx);
}
