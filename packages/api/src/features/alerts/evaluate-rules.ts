import { alertKinds, alertLimits, alertSeverities, type AlertKind } from '@switchyard/contract/alerts';
import { fromDate } from '@switchyard/contract/dates';
import { isWithinWeek } from '@switchyard/contract/weekly-times';
import type { Announce } from '../../announcement.ts';
import { isDatabaseUnavailable, isPoolTimeout, isStorageFull } from '@switchyard/traffic-store/database-errors';
import type { Databases } from '../../database/connect.ts';
import { transaction, unaudited, type OpenTransaction } from '../../database/transaction.ts';
import { createIsInScope } from './alert-access.ts';
import {
  absenceText,
  firedAnnouncement,
  reminder,
  resolvedAnnouncements,
  ruleEndedText,
  stepAnnouncement,
} from './incident-announcements.ts';
import * as store from './incidents-store.ts';
import {
  createWatch,
  minutesBetween,
  nextClock,
  planIncidents,
  type Absence,
  type ComparedSpan,
  type Condition,
  type IncidentPlan,
  type RuleReading,
  type WatchedTime,
} from './plan-incidents.ts';
import {
  createKindReader,
  hasVolume,
  meets,
  presentValue,
  standingOf,
  unknownReading,
  type KindDependencies,
  type KindReading,
  type Part,
} from './read-kinds.ts';
import { listActiveRules, listRuleVersions, type RuleCondition, type StoredRule } from './rules-store.ts';
import { listWatchedApps, type WatchedApp } from './watched-read-model.ts';

export type EvaluationDependencies = KindDependencies & {
  now: () => Date;
  announce: Announce;
  /** Takes the slot of the evaluation, which one process at a time has. */
  takeSharedSlot: Databases['takeSharedSlot'];
  /** Reports what failed: the values of a kind, or an evaluation. */
  onFault: (fault: unknown, kind?: AlertKind) => void;
};

/** Maximum number of incidents that an evaluation opens, critical ones aside; the rest follow with the next one. */
const mostFired = 500;
/** An evaluation this fresh, in seconds, is not repeated by another process. */
const freshSeconds = 45;

type EvaluationOptions = { isRepeat?: boolean; isFirst?: boolean; watch?: ReturnType<typeof createWatch> };

/**
 * Evaluates all rules once, unless another process does or has just done so. Values are read before the transaction, which then
 * applies the plan to the state as it is. `watch` measures the time in which the process could reach and change its database.
 */
export async function evaluateRules(deps: EvaluationDependencies, options: EvaluationOptions = {}): Promise<void> {
  const { isRepeat = false, isFirst = false, watch = createWatch() } = options;
  try {
    await store.findEvaluationClock(deps.db);
    await evaluateWatched(deps, { isRepeat, watched: watch.note(deps.now(), isFirst) });
  } catch (error) {
    if (isDatabaseUnavailable(error) || isStorageFull(error)) watch.reset();
    throw error;
  }
}

async function evaluateWatched(
  deps: EvaluationDependencies,
  { isRepeat, watched }: { isRepeat: boolean; watched: WatchedTime },
): Promise<void> {
  const release = await deps.takeSharedSlot('alerts', { slots: 1 });
  if (release === null) return;
  try {
    const now = deps.now();
    const clock = await store.findEvaluationClock(deps.db);
    const seconds = clock.evaluatedAt === null ? Infinity : minutesBetween(clock.evaluatedAt, now) * 60;
    if (!isRepeat && seconds >= 0 && seconds < freshSeconds) return;
    const rules = await listActiveRules(deps.db);
    const apps = new Map((await listWatchedApps(deps.db)).map((app) => [app.id, app]));
    const read = await readRules(deps, { rules, apps, now, absences: nextClock(clock, now, watched).absences });
    await applyReadings(deps, { rules, apps, now, watched, ...read });
  } finally {
    release();
  }
}

type Watched = { rules: readonly StoredRule[]; apps: ReadonlyMap<number, WatchedApp>; now: Date };

type Readings = { readings: RuleReading[]; ofKinds: ReadonlyMap<AlertKind, KindReading> };

/** Reads the values of each kind once and gives them, and what each rule makes of them. A kind whose values cannot be read is unknown. */
async function readRules(deps: EvaluationDependencies, watched: Watched & { absences: readonly Absence[] }): Promise<Readings> {
  const { rules, apps, now, absences } = watched;
  const reader = createKindReader(deps, { now, absences, nameOf: (id) => apps.get(id)?.name ?? '' });
  const readings: RuleReading[] = [];
  const ofKinds = new Map<AlertKind, KindReading>();
  for (const [kind, ofKind] of Map.groupBy(inReadingOrder(rules, now), (rule) => rule.kind)) {
    const reading = await reader.read(kind, ofKind).catch((error: unknown) => {
      // Without its database nothing could be stored either.
      if (isDatabaseUnavailable(error) && !isPoolTimeout(error)) throw error;
      deps.onFault(error, kind);
      return unknownReading;
    });
    ofKinds.set(kind, reading);
    const coverers = rules.filter((rule) => rule.kind === covererOf(kind));
    for (const rule of ofKind)
      readings.push({
        ruleId: rule.id,
        name: rule.name,
        severity: rule.severity,
        coveredBy: coverers.filter((coverer) => saysAll(coverer, rule)).map(({ id }) => id),
        pendingMinutes: rule.pending_minutes,
        holdMinutes: rule.hold_minutes,
        reminderMinutes: rule.reminder_minutes,
        conditions: conditionsOf(rule, reading, apps),
        standing: createStanding(rule, reading, apps),
        isHeld: reading.isHeld(rule),
        isPartial: reading.isPartial(rule),
      });
  }
  return { readings, ofKinds };
}

/** The rules, from minute to minute with another filtered one first: these share a time, which slow ones may use up. */
function inReadingOrder(rules: readonly StoredRule[], now: Date): readonly StoredRule[] {
  const filtered = rules.filter(({ request_filter: filter }) => filter !== '');
  const first = filtered[Math.floor(now.getTime() / 60_000) % filtered.length];
  const start = first === undefined ? 0 : rules.indexOf(first);
  return [...rules.slice(start), ...rules.slice(0, start)];
}

/** The kind whose incidents may say all that those of this kind say of the same app; null: none does. */
function covererOf(kind: AlertKind): AlertKind | null {
  const rule = alertKinds[kind];
  return 'coveredBy' in rule ? rule.coveredBy : null;
}

/** Whether a covering rule says all that the other one says: it counts the same requests or all, is as severe, and each channel hears of it. */
function saysAll(coverer: StoredRule, rule: StoredRule): boolean {
  const [ids, otherIds] = [coverer.channel_ids, rule.channel_ids];
  const isHeardAsWide = ids === null || (otherIds !== null && otherIds.every((id) => ids.includes(id)));
  if (coverer.request_filter !== '' && coverer.request_filter !== rule.request_filter) return false;
  return isHeardAsWide && alertSeverities.indexOf(coverer.severity) <= alertSeverities.indexOf(rule.severity);
}

/** The conditions of a rule that hold, one for each subject; null: unknown. */
export function conditionsOf(rule: RuleCondition, reading: KindReading, apps: ReadonlyMap<number, WatchedApp>): Condition[] | null {
  const { kind, threshold, scope, further_thresholds: further = [] } = rule;
  const parts = reading.parts(rule);
  if (parts === null) return null;
  const isInScope = createIsInScope(scope);
  const isOfApps = alertKinds[kind].subject === 'app';
  const groups = new Map<number, Part[]>();
  for (const part of parts) {
    if (!meets(kind, part.value, threshold) || !hasVolume(part, rule)) continue;
    const app = apps.get(part.subjectId);
    if (isOfApps && (app === undefined || !isInScope(app))) continue;
    const group = groups.get(part.subjectId);
    if (group === undefined) groups.set(part.subjectId, [part]);
    else group.push(part);
  }
  const window = reading.window(rule);
  return Array.from(groups, ([subjectId, group]) => ({ ...toCondition({ kind, threshold, further }, subjectId, group), window }));
}

/** Gives the condition of an open incident of a subject that lacks the rows to say that it is over. */
function createStanding(rule: StoredRule, reading: KindReading, apps: ReadonlyMap<number, WatchedApp>): Required<RuleReading>['standing'] {
  const { kind, threshold, scope } = rule;
  const isInScope = createIsInScope(scope);
  const window = reading.window(rule);
  return (subjectId, startedAt) => {
    const app = apps.get(subjectId);
    const part = app !== undefined && isInScope(app) ? reading.partOf?.(rule, subjectId) : null;
    const standing = part && standingOf(part, rule, isBeforeOutage(window, { startedAt, pendingMinutes: rule.pending_minutes }));
    return standing ? { ...toCondition({ kind, threshold, further: [] }, subjectId, [standing]), window } : undefined;
  };
}

/** Whether the earlier of two compared times ended before an outage that opened an incident. */
function isBeforeOutage(window: ComparedSpan | null, { startedAt, pendingMinutes }: { startedAt: Date; pendingMinutes: number }): boolean {
  if (window?.comparedFrom === undefined) return false;
  // The outage is older than its incident, by the length of a window at most.
  return minutesBetween(window.comparedFrom, startedAt) >= 2 * minutesBetween(window.from, window.until) + pendingMinutes;
}

type Limits = { kind: AlertKind; threshold: number | null; further: readonly number[] };

function toCondition({ kind, threshold, further }: Limits, subjectId: number, parts: readonly Part[]): Omit<Condition, 'window'> {
  const [first] = parts;
  const values = parts.flatMap(({ value }) => (value === null ? [] : [value]));
  const worst = values.length === 0 ? null : 'firesBelow' in alertKinds[kind] ? Math.min(...values) : Math.max(...values);
  // Each part has reached the threshold itself.
  const reached = further.findLast((limit) => meets(kind, worst, limit)) ?? null;
  const reason = first?.reason() ?? '';
  return {
    subjectId,
    value: alertKinds[kind].unit === null ? null : presentValue(kind, worst),
    threshold: reached ?? threshold,
    further: reached,
    affected: parts.length,
    names: parts.slice(0, alertLimits.names).map(({ name }) => name),
    reason: parts.length > 1 ? `${reason} ${parts.length - 1} more of this app.` : reason,
  };
}

/** Plans and applies the changes in one transaction, with their timeline and announcements. */
async function applyReadings(
  deps: EvaluationDependencies,
  { rules, apps, readings: asRead, ofKinds, now, watched }: Watched & Readings & { watched: WatchedTime },
): Promise<void> {
  const { announce } = deps;
  const rulesById = new Map(rules.map((rule) => [rule.id, rule]));
  await transaction(deps.db, async (tx) => {
    const state = await store.lockState(tx);
    const versions = await listRuleVersions(tx);
    const readings = asRead.map((reading) =>
      withoutChanged(reading, { asRead: rulesById.get(reading.ruleId), now: versions.get(reading.ruleId) }),
    );
    const silences = (await store.listActiveSilences(tx, now)).filter(
      ({ weekly }) => weekly === null || isWithinWeek(weekly, fromDate(now), deps.serverOffset),
    );
    const isSilenced = createIsSilenced(silences, { rulesById, apps });
    const plan = planIncidents(readings, state, { now, isSilenced, mostFired, watched });
    await store.updateClock(tx, plan.clock);
    await store.updatePending(tx, plan);
    await store.updateValues(tx, plan.update);
    await store.updateFollow(tx, plan.follow);
    await store.updateSilenced(tx, plan.silence, now);
    await store.updateCalm(tx, plan.calm);
    await store.updateFurther(tx, plan.further);
    const unknown = readings.filter(({ conditions }) => conditions === null);
    await store.updateUnknown(
      tx,
      unknown.map(({ ruleId }) => ruleId),
      state.clock.evaluatedAt,
    );
    const fired = plan.fire.flatMap((incident) => {
      const rule = rulesById.get(incident.ruleId);
      return rule === undefined ? [] : [{ ...incident, subject: alertKinds[rule.kind].subject }];
    });
    const audible = await store.insertIncidents(tx, fired, now);
    await announceFiring(tx, announce, { ids: [...plan.announce, ...audible], now });
    const reminded = await store.updateReminded(tx, [...plan.remind, ...plan.step], now);
    await announce(
      tx,
      reminded.map((incident) => (plan.step.includes(incident.id) ? stepAnnouncement(incident, now) : reminder(incident, now))),
    );
    await announce(
      tx,
      resolvedAnnouncements(
        await store.updateResolved(tx, plan.resolve, now),
        now,
        createPresentState({ rulesById, apps, ofKinds, covered: plan.covered }),
      ),
    );
    return unaudited('incidents have a timeline of their own', undefined);
  });
}

type RuleVersion = Pick<StoredRule, 'version' | 'name' | 'severity'>;

/** The readings of a rule; unknown if it was changed, or switched off, while they were read. */
function withoutChanged(reading: RuleReading, rule: { asRead: RuleVersion | undefined; now: RuleVersion | undefined }): RuleReading {
  if (rule.now?.version === rule.asRead?.version) return reading;
  const { name, severity } = rule.now ?? reading;
  return { ...reading, name, severity, conditions: null, standing: () => undefined };
}

/** Says what is true of the subject of an incident that ended. */
function createPresentState({
  rulesById,
  apps,
  ofKinds,
  covered,
}: Pick<Watched, 'apps'> & Pick<Readings, 'ofKinds'> & Pick<IncidentPlan, 'covered'> & { rulesById: ReadonlyMap<number, StoredRule> }) {
  return ({ id, ruleId, kind, appId, serverId }: store.AnnouncedIncident): string => {
    const coverer = rulesById.get(covered.get(id) ?? 0);
    if (coverer !== undefined) return `It is part of a larger problem now: ${coverer.name}.`;
    const rule = ruleId === null ? undefined : rulesById.get(ruleId);
    if (rule === undefined) return ruleEndedText;
    const app = appId === null ? undefined : apps.get(appId);
    if (appId !== null && app === undefined) return 'The app was archived.';
    if (app !== undefined && !createIsInScope(rule.scope)(app)) return 'The rule no longer covers the app.';
    const subjectId = appId ?? serverId ?? 0;
    const reading = ofKinds.get(kind);
    const part =
      reading?.partOf?.(rule, subjectId) ?? reading?.parts(rule)?.find((one) => one.subjectId === subjectId && hasVolume(one, rule));
    return part === undefined ? absenceText(kind, rule.threshold) : (part.calm ?? part.reason)();
  };
}

async function announceFiring(tx: OpenTransaction, announce: Announce, { ids, now }: { ids: readonly number[]; now: Date }): Promise<void> {
  const announcements = new Map((await store.listAnnounced(tx, ids)).map((incident) => [incident.id, firedAnnouncement(incident, now)]));
  const reached = await announce(tx, [...announcements.values()]);
  // The timeline says only what a channel gets.
  const reachedIds = ids.filter((id) => reached.has(announcements.get(id)?.uid ?? ''));
  await store.updateAnnounced(tx, { ids, reachedIds, now });
}

/** Whether a silence covers the incident of a rule and a subject. */
function createIsSilenced(
  silences: readonly store.ActiveSilence[],
  { rulesById, apps }: { rulesById: ReadonlyMap<number, StoredRule>; apps: ReadonlyMap<number, WatchedApp> },
): (subject: { ruleId: number; subjectId: number }) => boolean {
  const covers = silences.map(({ kind, ruleId, serverId, scope }) => {
    const isInScope = createIsInScope(scope);
    return (rule: StoredRule, subjectId: number): boolean => {
      const { subject } = alertKinds[rule.kind];
      if (kind !== null && kind !== rule.kind) return false;
      if (ruleId !== null && ruleId !== rule.id) return false;
      if (serverId !== null && (subject !== 'server' || serverId !== subjectId)) return false;
      if (scope.apps === 'all') return true;
      const app = subject === 'app' ? apps.get(subjectId) : undefined;
      return app !== undefined && isInScope(app);
    };
  });
  return ({ ruleId, subjectId }) => {
    const rule = rulesById.get(ruleId);
    return rule !== undefined && covers.some((cover) => cover(rule, subjectId));
  };
}
