import { alertSeverities, type AlertSeverity } from '@switchyard/contract/alerts';

/** A rule's condition that holds for a subject: an app, a server, or 0 for the console. */
export type Condition = {
  subjectId: number;
  value: number | null;
  /** The lowest threshold that it reached; `further`: that one, if it is a further one of its rule. */
  threshold: number | null;
  further: number | null;
  affected: number;
  names: readonly string[];
  reason: string;
  window: ComparedSpan | null;
};

/** The time whose rows a condition counts; its end is not part of it. */
export type CountedSpan = { from: Date; until: Date };
/** A counted span, and the beginning of the earlier one of the same length that it is compared with. */
export type ComparedSpan = CountedSpan & { comparedFrom?: Date };

/** Readings of a rule. */
export type RuleReading = {
  ruleId: number;
  name: string;
  severity: AlertSeverity;
  pendingMinutes: number;
  /** Minutes for which a condition has to be over before its incident ends, and between reminders; 0: none. */
  holdMinutes: number;
  reminderMinutes: number;
  /** Rules whose open incident of the same subject covers this rule's. */
  coveredBy: readonly number[];
  /** Null: unknown, so that nothing of the rule changes. */
  conditions: readonly Condition[] | null;
  /** The condition of a subject that opens no incident but keeps one that began then, because too little is known to end it. */
  standing?: (subjectId: number, startedAt: Date) => Condition | undefined;
  /** Whether its conditions may be a consequence of the console's own absence: they do not fire. */
  isHeld: boolean;
  /** Whether conditions may be missing because of that absence: no incident ends. */
  isPartial: boolean;
};

/** An incident that has not been resolved, as far as planning needs it. */
export type OpenIncident = Omit<Condition, 'window' | 'further'> & {
  hasWindow: boolean;
  id: number;
  ruleId: number | null;
  ruleName: string;
  severity: AlertSeverity;
  isSilenced: boolean;
  isAcknowledged: boolean;
  startedAt: Date;
  announcedAt: Date | null;
  /** The lowest further threshold that was announced. */
  announcedFurther: number | null;
  /** Since when its condition has been over, while that has to hold. */
  calmSince: Date | null;
  remindedAt: Date | null;
};

/** A stretch of time in which no console evaluated rules. */
export type Absence = { from: Date; until: Date };

/** When evaluations took place, and when none did in the days that rules look back; the newest absence last. */
export type EvaluationClock = { evaluatedAt: Date | null; behindSince: Date | null; absences: readonly Absence[] };

/** Since when a condition has held that did not fire yet, and whether it only waits for its turn. */
export type PendingPeriod = { since: Date; isWaiting: boolean };

export type StoredState = {
  clock: EvaluationClock;
  /** Conditions that did not fire yet, by `subjectKey`. */
  pending: ReadonlyMap<string, PendingPeriod>;
  open: readonly OpenIncident[];
};

type Key = { ruleId: number; subjectId: number };

/** The changes that an evaluation makes. */
export type IncidentPlan = {
  clock: EvaluationClock;
  /** Conditions whose pending period begins or is over without an incident yet, and those that are no longer pending. */
  pend: (Key & PendingPeriod)[];
  unpend: Key[];
  fire: (Condition & { ruleId: number; isSilenced: boolean })[];
  /** Open incidents whose values changed. */
  update: (Condition & { id: number })[];
  /** Open incidents whose rule has another name or severity by now, and their severity. */
  follow: { id: number; severity: AlertSeverity }[];
  /** Open incidents that became silent, or are no longer. */
  silence: { id: number; isSilenced: boolean }[];
  /** Open incidents that nobody was informed about while they were silent, and those that became more severe. */
  announce: number[];
  /** Open incidents whose condition is over but has to stay so, with the time since when; null: it holds again. */
  calm: { id: number; since: Date | null }[];
  /** Open incidents that channels are reminded of. */
  remind: number[];
  /** Further thresholds that open incidents have reached, and the incidents that are announced again for them. */
  further: { id: number; further: number | null }[];
  step: number[];
  resolve: number[];
  /** Those of them that end because another rule's incident covers them, with the rule. */
  covered: ReadonlyMap<number, number>;
};

/**
 * The time up to now in which a process was there each minute, so that traffic servers could deliver, whether or not its evaluations
 * succeeded. `isFirst`: it began with the process.
 */
export type WatchedTime = { since: Date; isFirst: boolean };

/** Minutes between evaluations. */
export const everyMinutes = 1;
/** How many minutes later one may be before the console counts as having been away. */
const lateMinutes = 0.25;
/** Days for which absences matter: a payout is compared with the day a week before yesterday. */
const absenceDays = 9;
/** Minutes for which a clock that was set back resolves nothing; afterwards it is trusted. */
const graceMinutes = 60;

export function subjectKey({ ruleId, subjectId }: Key): string {
  return `${ruleId} ${subjectId}`;
}

/** Minutes from one instant to another. */
export function minutesBetween(from: Date, until: Date): number {
  return (until.getTime() - from.getTime()) / 60_000;
}

/** Minutes from one instant to another without those in which no console ran. */
export function watchedMinutes(absences: readonly Absence[], from: Date, until: Date): number {
  const away = absences.map(
    (absence) => Math.min(absence.until.getTime(), until.getTime()) - Math.max(absence.from.getTime(), from.getTime()),
  );
  // In milliseconds, of which a sum is exact.
  return away.reduce((left, part) => left - Math.max(0, part), until.getTime() - from.getTime()) / 60_000;
}

/** Measures the time in which this process is there. */
export function createWatch() {
  let watched: (WatchedTime & { until: Date }) | null = null;
  return {
    /** Notes that the process is there, and gives the time since when it has been without a break. */
    note(now: Date, isFirst: boolean): WatchedTime {
      const minutes = watched === null ? Infinity : minutesBetween(watched.until, now);
      const isUnbroken = watched !== null && minutes >= 0 && minutes <= everyMinutes + lateMinutes;
      watched = isUnbroken && watched !== null ? { ...watched, until: now } : { since: now, isFirst, until: now };
      return watched;
    },
    /** Forgets that time, because traffic servers could not deliver in it. */
    reset() {
      watched = null;
    },
  };
}

/**
 * The times after an evaluation. A clock behind the newest evaluation was set back or belongs to another machine: it is trusted once it
 * caught up, or after an hour. Before the first evaluation of a process no console may have run since the last one, even if it is
 * hardly late: traffic servers that call each minute missed a call.
 */
export function nextClock({ evaluatedAt, behindSince, absences }: EvaluationClock, now: Date, watched?: WatchedTime): EvaluationClock {
  const { since: backAt, isFirst } = watched ?? { since: now, isFirst: false };
  const due = new Date((evaluatedAt?.getTime() ?? 0) + (isFirst ? 0 : everyMinutes * 60_000));
  const isAway = minutesBetween(due, backAt) > (isFirst ? 0 : lateMinutes);
  const oldest = new Date(now.getTime() - absenceDays * 86_400_000);
  const isBehind = evaluatedAt !== null && now < evaluatedAt;
  const since = behindSince === null || now < behindSince ? now : behindSince;
  const isTrusted = !isBehind || minutesBetween(since, now) >= graceMinutes;
  return {
    evaluatedAt: isTrusted ? now : evaluatedAt,
    behindSince: isTrusted ? null : since,
    // One that ends later was stored before the clock was set back.
    absences: [...absences.filter(({ until }) => until > oldest && until <= now), ...(isAway ? [{ from: due, until: backAt }] : [])],
  };
}

/** `watched`: the time in which the process was there, if that is not just now. */
type PlanOptions = { now: Date; isSilenced: (subject: Key) => boolean; mostFired?: number; watched?: WatchedTime };

/**
 * Plans what an evaluation changes. It depends on nothing but the given values, the stored state and the time, so that evaluations
 * in any order, repeated ones and restarts lead to the same incidents. Without news the plan is empty. Incidents beyond `mostFired` wait
 * for the next evaluation, the least severe ones; critical ones never wait.
 */
export function planIncidents(
  readings: readonly RuleReading[],
  { clock, pending, open }: StoredState,
  { now, isSilenced, mostFired = Infinity, watched }: PlanOptions,
): IncidentPlan {
  const next = nextClock(clock, now, watched);
  const covered = new Map<number, number>();
  const plan: IncidentPlan = {
    clock: next,
    pend: [],
    unpend: [],
    fire: [],
    update: [],
    follow: [],
    silence: [],
    announce: [],
    calm: [],
    remind: [],
    further: [],
    step: [],
    resolve: [],
    covered,
  };
  const rules = new Map(readings.map((reading) => [reading.ruleId, reading]));
  /** Incidents that are open before the evaluation or after it. */
  const openKeys = new Set<string>();
  /** Those that are open after it and not silenced. */
  const heardKeys = new Set<string>();
  const conditions = new Map<string, Condition>();
  for (const { ruleId, conditions: found } of readings)
    for (const condition of found ?? []) conditions.set(subjectKey({ ruleId, subjectId: condition.subjectId }), condition);
  const covererOf = ({ coveredBy }: RuleReading, subjectId: number): number | undefined =>
    coveredBy.find((ruleId) => heardKeys.has(subjectKey({ ruleId, subjectId })));

  function planOpen(incident: OpenIncident, reading: RuleReading | undefined): void {
    const { id, ruleId, subjectId } = incident;
    if (ruleId !== null) openKeys.add(subjectKey({ ruleId, subjectId }));
    const found = ruleId === null ? undefined : conditions.get(subjectKey({ ruleId, subjectId }));
    // One whose condition is over already is not kept.
    const condition = found ?? (incident.calmSince === null ? reading?.standing?.(subjectId, incident.startedAt) : undefined);
    const coverer = reading && condition && covererOf(reading, subjectId);
    if (coverer !== undefined) covered.set(id, coverer);
    const isOver = condition === undefined && findsAll(reading) && next.behindSince === null;
    // A time in the future was stored before the clock was set back.
    const calmSince = incident.calmSince === null || now < incident.calmSince ? now : incident.calmSince;
    const hasHeld = reading === undefined || watchedMinutes(next.absences, calmSince, now) >= reading.holdMinutes;
    if (coverer !== undefined || (isOver && hasHeld)) {
      plan.resolve.push(id);
      return;
    }
    if (isOver && calmSince !== incident.calmSince) plan.calm.push({ id, since: calmSince });
    if (condition !== undefined && incident.calmSince !== null) plan.calm.push({ id, since: null });
    if (condition !== undefined && reading?.isHeld === false && differs(condition, incident)) plan.update.push({ ...condition, id });
    const isSilent = ruleId !== null && isSilenced({ ruleId, subjectId });
    // An incident that nobody knows of waits for its condition to return.
    const isUnheard = isSilent || (condition === undefined && incident.announcedAt === null && !incident.isAcknowledged);
    if (ruleId !== null && !isUnheard) heardKeys.add(subjectKey({ ruleId, subjectId }));
    if (isSilent !== incident.isSilenced) plan.silence.push({ id, isSilenced: isSilent });
    const isRaised = reading !== undefined && planFollow(incident, reading, { canAnnounce: !isSilent && !isOver });
    const steps = condition !== undefined && reading?.isHeld === false && planFurther(incident, { further: condition.further, isSilent });
    if (isUnheard || incident.isAcknowledged || steps) return;
    if (incident.announcedAt === null || isRaised) plan.announce.push(id);
    // What is not known to hold is not said to be still so.
    else if (condition !== undefined && isReminderDue(incident.remindedAt ?? incident.announcedAt, reading, { now, clock: next }))
      plan.remind.push(id);
  }

  /**
   * Whether an incident becomes more severe, as its rule did, so that channels hear of it that did not before. If it was announced, that
   * waits until it can be announced again.
   */
  function planFollow(
    { id, severity, ruleName, announcedAt, isAcknowledged }: OpenIncident,
    reading: RuleReading,
    { canAnnounce }: { canAnnounce: boolean },
  ): boolean {
    const isRaised = alertSeverities.indexOf(reading.severity) < alertSeverities.indexOf(severity);
    const waits = isRaised && announcedAt !== null && !isAcknowledged && !canAnnounce;
    const followed = waits ? severity : reading.severity;
    if (followed !== severity || reading.name !== ruleName) plan.follow.push({ id, severity: followed });
    return isRaised && !waits;
  }

  /**
   * Whether an incident is announced again, also to those who acknowledged it: for a lower further threshold than was announced. The
   * threshold itself is compared, not its place, because rules change while their incidents are open.
   */
  function planFurther(
    { id, announcedFurther, announcedAt, isAcknowledged }: OpenIncident,
    { further, isSilent }: { further: number | null; isSilent: boolean },
  ): boolean {
    const isKnown = announcedAt !== null || isAcknowledged;
    const isLower = further !== null && (announcedFurther === null || further < announcedFurther);
    // A value that goes up and down around a threshold is announced once, and one that passes it during a silence after it.
    if (isKnown ? !isLower || isSilent : further === announcedFurther) return false;
    plan.further.push({ id, further });
    if (isKnown) plan.step.push(id);
    return isKnown;
  }

  function planNew(reading: RuleReading): void {
    if (reading.isHeld) return;
    const most = reading.severity === 'critical' ? Infinity : mostFired;
    for (const condition of reading.conditions ?? []) {
      const key = { ruleId: reading.ruleId, subjectId: condition.subjectId };
      const text = subjectKey(key);
      if (openKeys.has(text) || covererOf(reading, condition.subjectId) !== undefined) continue;
      const stored = pending.get(text);
      // A period that begins in the future was stored before the clock was set back.
      const since = stored === undefined || now < stored.since ? now : stored.since;
      const isDue = watchedMinutes(next.absences, since, now) >= reading.pendingMinutes;
      if (isDue && plan.fire.length < most) {
        const isSilent = isSilenced(key);
        plan.fire.push({ ...condition, ruleId: reading.ruleId, isSilenced: isSilent });
        if (!isSilent) heardKeys.add(text);
      } else if (since !== stored?.since || isDue !== stored.isWaiting) plan.pend.push({ ...key, since, isWaiting: isDue });
    }
  }

  // Rules that others cover come last, when it is known which incidents are open.
  const isCoverable = (reading: RuleReading | undefined): boolean => reading !== undefined && reading.coveredBy.length > 0;
  for (const isLast of [false, true]) {
    for (const incident of open) {
      const reading = incident.ruleId === null ? undefined : rules.get(incident.ruleId);
      if (isCoverable(reading) === isLast) planOpen(incident, reading);
    }
    for (const reading of bySeverity(readings)) if (isCoverable(reading) === isLast) planNew(reading);
  }

  const fired = new Set(plan.fire.map(subjectKey));
  for (const text of pending.keys()) {
    const [ruleId = 0, subjectId = 0] = text.split(' ').map(Number);
    const reading = rules.get(ruleId);
    const isOver = findsAll(reading) && next.behindSince === null && !conditions.has(text);
    if (fired.has(text) || isOver) plan.unpend.push({ ruleId, subjectId });
  }
  return plan;
}

/** Whether a condition that a rule does not find is over. */
function findsAll(reading: RuleReading | undefined): boolean {
  return reading === undefined || (reading.conditions !== null && !reading.isPartial);
}

function isReminderDue(
  announcedAt: Date,
  reading: RuleReading | undefined,
  { now, clock }: { now: Date; clock: EvaluationClock },
): boolean {
  if (reading === undefined || reading.reminderMinutes === 0) return false;
  // A time in the future was stored before the clock was set back.
  if (now < announcedAt) return clock.behindSince === null;
  // Evaluations are not a minute apart to the millisecond: without the half, a reminder every 5 minutes would come every 6.
  return minutesBetween(announcedAt, now) >= reading.reminderMinutes - everyMinutes / 2;
}

/** The readings of the gravest rules first, in their order otherwise. */
function bySeverity(readings: readonly RuleReading[]): RuleReading[] {
  return readings.toSorted((one, other) => alertSeverities.indexOf(one.severity) - alertSeverities.indexOf(other.severity));
}

function differs(one: Condition, other: OpenIncident): boolean {
  return (
    one.value !== other.value ||
    one.threshold !== other.threshold ||
    one.affected !== other.affected ||
    one.reason !== other.reason ||
    (one.window !== null) !== other.hasWindow ||
    one.names.length !== other.names.length ||
    one.names.some((name, index) => name !== other.names[index])
  );
}
