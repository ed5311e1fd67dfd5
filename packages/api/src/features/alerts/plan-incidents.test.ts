import type { AlertSeverity } from '@switchyard/contract/alerts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planIncidents, subjectKey, type Condition, type IncidentPlan, type RuleReading, type StoredState } from './plan-incidents.ts';

const minute = 60_000;
const start = Date.parse('2026-11-20T10:00:00Z');
const condition = (subjectId: number, value: number | null = 1, level = 0): Condition => ({
  subjectId,
  value,
  threshold: 30 - level,
  further: level === 0 ? null : 30 - level,
  affected: 1,
  names: ['app'],
  reason: 'why',
  window: null,
});
const nobody = () => false;
const empty: StoredState = { clock: { evaluatedAt: null, behindSince: null, absences: [] }, pending: new Map(), open: [] };

/** A state as the database keeps it, and what was announced and resolved on the way to it. */
type World = { state: StoredState; lastId: number; fired: string[]; ended: string[]; announcements: string[] };
const newWorld = (): World => ({ state: empty, lastId: 0, fired: [], ended: [], announcements: [] });

/** Applies a plan as the store does. */
function apply(world: World, plan: IncidentPlan, now: Date): World {
  const { state } = world;
  const pending = new Map(state.pending);
  for (const key of plan.unpend) pending.delete(subjectKey(key));
  for (const { since, isWaiting, ...key } of plan.pend) pending.set(subjectKey(key), { since, isWaiting });
  let { lastId } = world;
  const announced = new Set(plan.announce);
  const kept = state.open
    .filter(({ id }) => !plan.resolve.includes(id))
    .map((incident) => ({
      ...incident,
      ...plan.update.find(({ id }) => id === incident.id),
      severity: plan.follow.find(({ id }) => id === incident.id)?.severity ?? incident.severity,
      isSilenced: plan.silence.find(({ id }) => id === incident.id)?.isSilenced ?? incident.isSilenced,
      announcedAt: announced.has(incident.id)
        ? now
        : plan.step.includes(incident.id)
          ? (incident.announcedAt ?? now)
          : incident.announcedAt,
      calmSince: plan.calm.some(({ id }) => id === incident.id)
        ? (plan.calm.find(({ id }) => id === incident.id)?.since ?? null)
        : incident.calmSince,
      remindedAt: [...plan.remind, ...plan.step].includes(incident.id) ? now : incident.remindedAt,
      announcedFurther: plan.further.find(({ id }) => id === incident.id)?.further ?? incident.announcedFurther,
    }));
  const added = plan.fire.map((incident) => {
    lastId += 1;
    return {
      ...incident,
      id: lastId,
      hasWindow: false,
      ruleName: 'Rule',
      severity: 'warning' as const,
      isAcknowledged: false,
      startedAt: now,
      announcedAt: incident.isSilenced ? null : now,
      announcedFurther: incident.further,
      calmSince: null,
      remindedAt: null,
    };
  });
  const ended = state.open.filter(({ id }) => plan.resolve.includes(id));
  return {
    state: { clock: plan.clock, pending, open: [...kept, ...added] },
    lastId,
    fired: [...world.fired, ...plan.fire.map(subjectKey)],
    ended: [...world.ended, ...ended.map(({ ruleId, subjectId }) => `${ruleId} ${subjectId}`)],
    announcements: [
      ...world.announcements,
      ...plan.announce.map(String),
      ...plan.step.map((id) => `${id} again`),
      ...added.filter((one) => !one.isSilenced).map(({ id }) => String(id)),
    ],
  };
}

const evaluate = (world: World, readings: readonly RuleReading[], now: Date, isSilenced: () => boolean = nobody): World =>
  apply(world, planIncidents(readings, world.state, { now, isSilenced }), now);
const restarted = ({ state, ...world }: World): World => ({ ...world, state: structuredClone(state) });
const openOf = ({ state }: World): string[] => state.open.map(({ ruleId, subjectId }) => `${ruleId} ${subjectId}`).toSorted();
const isEmpty = ({ pend, unpend, fire, update, follow, silence, announce, calm, remind, resolve, further, step }: IncidentPlan): boolean =>
  [pend, unpend, fire, update, follow, silence, announce, calm, remind, resolve, further, step].every((changes) => changes.length === 0);

type Step = { subjects: readonly number[] | null; isHeld: boolean; isPartial: boolean; elapsed: number; isSilenced: boolean };
const steps = (elapsed: fc.Arbitrary<number>) =>
  fc.array(
    fc.record({
      subjects: fc.oneof({ weight: 6, arbitrary: fc.subarray([1, 2, 3]) }, { weight: 1, arbitrary: fc.constant(null) }),
      isHeld: fc.boolean(),
      isPartial: fc.boolean(),
      elapsed,
      isSilenced: fc.boolean(),
    }),
    { minLength: 1, maxLength: 25 },
  );
const forward = fc.integer({ min: 0, max: 4 * minute });
const anyway = fc.oneof(forward, fc.integer({ min: -40 * minute, max: -1 }), fc.integer({ min: 0, max: 600 * minute }));
type Found = Pick<Step, 'subjects' | 'isHeld'> & Partial<Pick<Step, 'isPartial'>>;
const readingsOf = ({ subjects, isHeld, isPartial = false }: Found, pendingMinutes = 0): RuleReading[] => [
  {
    ruleId: 1,
    name: 'Rule',
    severity: 'warning',
    pendingMinutes,
    coveredBy: [],
    holdMinutes: 0,
    reminderMinutes: 0,
    conditions: subjects === null ? null : subjects.map((id) => condition(id)),
    isHeld,
    isPartial,
  },
];

describe('planned incidents', () => {
  it('[ALERT-006, ALERT-008] follow from the values: known ones decide, unknown ones change nothing, held ones open none, partial ones end none', () => {
    fc.assert(
      fc.property(steps(forward), (sequence) => {
        let world = newWorld();
        let now = start;
        for (const { elapsed, isSilenced, ...step } of sequence) {
          now += elapsed;
          const before = new Set(openOf(world));
          world = evaluate(world, readingsOf(step), new Date(now), () => isSilenced);
          const holds = (step.subjects ?? []).map((id) => `1 ${id}`);
          const found = step.isHeld ? holds.filter((key) => before.has(key)) : holds;
          const expected = step.subjects === null ? before : new Set([...(step.isPartial ? before : []), ...found]);
          expect(openOf(world)).toEqual([...expected].toSorted());
        }
      }),
    );
  });

  it('[ALERT-006] are the same after repeated evaluations, restarts and in any order of rules', () => {
    fc.assert(
      fc.property(steps(anyway), fc.boolean(), (sequence, isReversed) => {
        let world = newWorld();
        let other = newWorld();
        let now = start;
        for (const { elapsed, isSilenced, ...step } of sequence) {
          now += elapsed;
          const readings = [...readingsOf(step, 3), ...readingsOf(step).map((reading) => ({ ...reading, ruleId: 2 }))];
          world = evaluate(world, readings, new Date(now), () => isSilenced);
          expect(isEmpty(planIncidents(readings, world.state, { now: new Date(now), isSilenced: () => isSilenced }))).toBe(true);
          // A restart has nothing but what is stored.
          const shuffled = readings.map((reading) => ({ ...reading, conditions: reading.conditions?.toReversed() ?? null }));
          other = evaluate(restarted(other), isReversed ? shuffled.toReversed() : shuffled, new Date(now), () => isSilenced);
          expect(openOf(other)).toEqual(openOf(world));
        }
        expect(other.fired.toSorted()).toEqual(world.fired.toSorted());
        expect(new Set(openOf(world)).size).toBe(world.state.open.length);
        expect(new Set(world.announcements).size).toBe(world.announcements.length);
      }),
    );
  });

  it('[ALERT-006] are not resolved by a clock that was set back, whatever the values seem to be', () => {
    fc.assert(
      fc.property(steps(forward), fc.integer({ min: 30 * minute, max: 10_000 * minute }), (sequence, back) => {
        let world = evaluate(newWorld(), readingsOf({ subjects: [1, 2, 3], isHeld: false }), new Date(start));
        const ids = world.state.open.map(({ id }) => id);
        let now = start - back;
        for (const { elapsed, isSilenced: _, ...step } of sequence) {
          now += elapsed;
          if (now >= start - back + 60 * minute || now >= start) break;
          world = evaluate(world, readingsOf(step), new Date(now));
          expect(world.state.open.map(({ id }) => id)).toEqual(ids);
        }
        // The clock is right again.
        world = evaluate(world, readingsOf({ subjects: [2], isHeld: false }), new Date(start + minute));
        expect(openOf(world)).toEqual(['1 2']);
        expect(world.ended.toSorted()).toEqual(['1 1', '1 3']);
      }),
    );
  });

  it('[ALERT-006] are resolved an hour after the clock was set back for good', () => {
    let world = evaluate(newWorld(), readingsOf({ subjects: [1], isHeld: false }), new Date(start));
    for (let passed = 0; passed <= 60; passed += 1) {
      expect(openOf(world)).toEqual(['1 1']);
      world = evaluate(world, readingsOf({ subjects: [], isHeld: false }), new Date(start - 5000 * minute + passed * minute));
    }
    expect(openOf(world)).toEqual([]);
  });

  it('[ALERT-007, ALERT-120] fire once the condition has held without a break for the pending period, in which a console ran', () => {
    fc.assert(
      fc.property(steps(forward), fc.integer({ min: 1, max: 15 }), (sequence, pendingMinutes) => {
        let world = newWorld();
        let now = start;
        let watched = 0;
        const since = new Map<number, number>();
        for (const { elapsed, subjects, isHeld } of sequence) {
          now += elapsed;
          // Evaluations follow each other every minute; what is beyond is time in which no console ran.
          watched += elapsed > 1.25 * minute ? minute : elapsed;
          world = evaluate(world, readingsOf({ subjects, isHeld }, pendingMinutes), new Date(now));
          if (subjects === null) continue;
          for (const id of [1, 2, 3]) if (!subjects.includes(id)) since.delete(id);
          if (isHeld) continue;
          for (const id of subjects) since.set(id, since.get(id) ?? watched);
          const due = [...since].filter(([, from]) => watched - from >= pendingMinutes * minute).map(([id]) => `1 ${id}`);
          expect(openOf(world)).toEqual(due.toSorted());
        }
      }),
    );
  });

  it('[ALERT-007] do not fire early after the clock was set back during the pending period', () => {
    let world = evaluate(newWorld(), readingsOf({ subjects: [1], isHeld: false }, 10), new Date(start));
    for (const passed of [-30, -25, -21]) {
      world = evaluate(world, readingsOf({ subjects: [1], isHeld: false }, 10), new Date(start + passed * minute));
      expect(openOf(world)).toEqual([]);
    }
    expect(openOf(evaluate(world, readingsOf({ subjects: [1], isHeld: false }, 10), new Date(start - 20 * minute)))).toEqual(['1 1']);
  });

  it('[ALERT-007, ALERT-008] keep their pending period while values are unknown, and their values while they are held', () => {
    const holding = readingsOf({ subjects: [1], isHeld: false }, 2);
    let world = evaluate(newWorld(), holding, new Date(start));
    world = evaluate(world, readingsOf({ subjects: null, isHeld: false }, 2), new Date(start + minute));
    world = evaluate(world, holding, new Date(start + 2 * minute));
    expect([openOf(world), world.state.pending.size]).toEqual([['1 1'], 0]);
    const held = [
      {
        ruleId: 1,
        name: 'Rule',
        severity: 'warning' as const,
        pendingMinutes: 2,
        coveredBy: [],
        holdMinutes: 0,
        reminderMinutes: 0,
        conditions: [condition(1, 9)],
        isHeld: true,
        isPartial: false,
      },
    ];
    expect(planIncidents(held, world.state, { now: new Date(start + 3 * minute), isSilenced: nobody }).update).toEqual([]);
  });

  it('[ALERT-010] are announced once, when they are not silenced', () => {
    const readings = readingsOf({ subjects: [1], isHeld: false });
    let world = evaluate(newWorld(), readings, new Date(start), () => true);
    expect(world.announcements).toEqual([]);
    for (const isSilenced of [true, false, false, true, false])
      world = evaluate(world, readings, new Date(start + minute), () => isSilenced);
    expect(world.announcements).toEqual(['1']);
    // One that was known before a silence is no news after it.
    for (const isSilenced of [true, true, false]) world = evaluate(world, readings, new Date(start + 2 * minute), () => isSilenced);
    expect(world.announcements).toEqual(['1']);
    const acknowledged = { ...world.state, open: world.state.open.map((one) => ({ ...one, isAcknowledged: true, announcedAt: null })) };
    expect(planIncidents(readings, acknowledged, { now: new Date(start + minute), isSilenced: nobody }).announce).toEqual([]);
  });

  it('[ALERT-192] are announced once for each further threshold, also to those who acknowledged them, and later if they are silenced', () => {
    const readings = (level: number): RuleReading[] =>
      readingsOf({ subjects: [1], isHeld: false }).map((reading) => ({ ...reading, conditions: [condition(1, 30 - level, level)] }));
    const at = (minutes: number) => new Date(start + minutes * minute);
    // Two thresholds at once are one announcement.
    let world = evaluate(newWorld(), readings(1), at(0));
    world = evaluate(evaluate(world, readings(1), at(1)), readings(3), at(2));
    expect(world.announcements).toEqual(['1', '1 again']);
    const acknowledge = ({ state, ...rest }: World): World => ({
      ...rest,
      state: { ...state, open: state.open.map((one) => ({ ...one, isAcknowledged: true })) },
    });
    world = evaluate(acknowledge(world), readings(4), at(3));
    expect(world.announcements).toEqual(['1', '1 again', '1 again']);
    world = evaluate(world, readings(5), at(4), () => true);
    expect(world.announcements).toHaveLength(3);
    world = evaluate(world, readings(5), at(5));
    expect(world.announcements).toHaveLength(4);
    // A certificate that is rolled out to one server after the other goes up and down.
    for (const level of [2, 5, 3, 4, 5]) world = evaluate(world, readings(level), at(6));
    expect(world.announcements).toHaveLength(4);
    expect(isEmpty(planIncidents(readings(3), evaluate(world, readings(3), at(7)).state, { now: at(7), isSilenced: nobody }))).toBe(true);
    // One that was never announced is announced as a beginning.
    const muted = evaluate(
      evaluate(newWorld(), readings(0), at(0), () => true),
      readings(2),
      at(1),
      () => true,
    );
    expect(evaluate(muted, readings(2), at(2)).announcements).toEqual(['1']);
    // It counts what the message said, also if more was reached before.
    const lowered = evaluate(muted, readings(1), at(2));
    expect(evaluate(lowered, readings(2), at(3)).announcements).toEqual(['1', '1 again']);
  });

  it('[ALERT-197] are reminded of at their interval, although evaluations are milliseconds early or late', () => {
    const readings = readingsOf({ subjects: [1], isHeld: false }).map((reading) => ({ ...reading, reminderMinutes: 5 }));
    let world = newWorld();
    const reminded: number[] = [];
    for (let passed = 0; passed <= 20; passed += 1) {
      const now = new Date(start + passed * minute + (passed % 2 === 0 ? 40 : -40));
      const plan = planIncidents(readings, world.state, { now, isSilenced: nobody });
      if (plan.remind.length > 0) reminded.push(passed);
      world = apply(world, plan, now);
    }
    expect(reminded).toEqual([5, 10, 15, 20]);
  });

  it('[ALERT-216] are reminded of while their condition is known to hold, and at once when it is known again', () => {
    let world = newWorld();
    const reminded: number[] = [];
    for (let passed = 0; passed <= 20; passed += 1) {
      const subjects = passed > 5 && passed < 18 ? null : [1];
      const readings = readingsOf({ subjects, isHeld: false }).map((reading) => ({ ...reading, reminderMinutes: 5 }));
      const now = new Date(start + passed * minute);
      const plan = planIncidents(readings, world.state, { now, isSilenced: nobody });
      if (plan.remind.length > 0) reminded.push(passed);
      world = apply(world, plan, now);
    }
    expect(reminded).toEqual([5, 18]);
  });

  it('[ALERT-006, ALERT-135] are reminded of once a clock that was set back is trusted again', () => {
    const readings = readingsOf({ subjects: [1], isHeld: false }).map((reading) => ({ ...reading, reminderMinutes: 5 }));
    let world = evaluate(newWorld(), readings, new Date(start));
    const reminded: number[] = [];
    for (let passed = 0; passed <= 70; passed += 1) {
      const now = new Date(start - 5000 * minute + passed * minute);
      const plan = planIncidents(readings, world.state, { now, isSilenced: nobody });
      if (plan.remind.length > 0) reminded.push(passed);
      world = apply(world, plan, now);
    }
    expect(reminded).toEqual([60, 65, 70]);
  });

  it('[ALERT-010, ALERT-128] are announced after a silence only if their condition holds, and cover others only then', () => {
    const readings = (subjects: readonly number[] | null): RuleReading[] => {
      const [watched] = readingsOf({ subjects, isHeld: false });
      const [other] = readingsOf({ subjects: [1], isHeld: false });
      return watched === undefined || other === undefined
        ? []
        : [
            { ...watched, holdMinutes: 10 },
            { ...other, ruleId: 2, coveredBy: [1] },
          ];
    };
    const at = (minutes: number) => new Date(start + minutes * minute);
    const silenced = evaluate(newWorld(), readings([1]), at(0), () => true);
    for (const subjects of [[], null]) {
      const waiting = evaluate(silenced, readings(subjects), at(1));
      expect([waiting.announcements, openOf(waiting)]).toEqual([['2'], ['1 1', '2 1']]);
      const returned = evaluate(waiting, readings([1]), at(2));
      expect([returned.announcements, openOf(returned)]).toEqual([['2', '1'], ['1 1']]);
    }
  });

  it('[ALERT-006] end with their rule, and beyond a number wait for the next evaluation', () => {
    const readings = readingsOf({ subjects: [1, 2, 3], isHeld: false });
    const first = planIncidents(readings, empty, { now: new Date(start), isSilenced: nobody, mostFired: 2 });
    expect(first.fire.map(({ subjectId }) => subjectId)).toEqual([1, 2]);
    expect(first.pend).toEqual([{ ruleId: 1, subjectId: 3, since: new Date(start), isWaiting: true }]);
    let world = apply(newWorld(), first, new Date(start));
    world = evaluate(world, readings, new Date(start + minute));
    expect(openOf(world)).toHaveLength(3);
    expect(openOf(evaluate(world, [], new Date(start + 2 * minute)))).toEqual([]);
  });

  it('[ALERT-120] count the time before the first evaluation of a process as one in which no console ran', () => {
    const clock = { evaluatedAt: new Date(start), behindSince: null, absences: [] };
    const now = new Date(start + 70_000);
    const absencesOf = (isFirst: boolean) =>
      planIncidents([], { ...empty, clock }, { now, isSilenced: nobody, watched: { since: now, isFirst } }).clock.absences;
    expect(absencesOf(false)).toEqual([]);
    expect(absencesOf(true)).toEqual([{ from: new Date(start), until: now }]);
  });

  it('[ALERT-006] open the critical ones first, and all of them', () => {
    const rule = (ruleId: number, severity: AlertSeverity, subjects: readonly number[]) => ({
      ruleId,
      name: 'Rule',
      severity,
      pendingMinutes: 0,
      coveredBy: [],
      holdMinutes: 0,
      reminderMinutes: 0,
      conditions: subjects.map((subject) => condition(subject, 1)),
      isHeld: false,
      isPartial: false,
    });
    const readings = [rule(1, 'info', [1]), rule(2, 'warning', [1, 2]), rule(3, 'critical', [1, 2, 3])];
    const fired = (mostFired: number) =>
      planIncidents(readings, empty, { now: new Date(start), isSilenced: nobody, mostFired }).fire.map(({ ruleId }) => ruleId);
    expect(fired(2)).toEqual([3, 3, 3]);
    expect(fired(4)).toEqual([3, 3, 3, 2]);
    expect(fired(6)).toEqual([3, 3, 3, 2, 2, 1]);
  });

  it('[ALERT-130] are not opened, and end, while a rule that covers them has an open incident of the subject that is heard', () => {
    const reading = (ruleId: number, subjects: readonly number[], coveredBy: readonly number[] = []): RuleReading => ({
      ruleId,
      name: 'Rule',
      severity: 'warning',
      pendingMinutes: 0,
      coveredBy,
      holdMinutes: 0,
      reminderMinutes: 0,
      conditions: subjects.map((subject) => condition(subject)),
      isHeld: false,
      isPartial: false,
    });
    const at = (minutes: number) => new Date(start + minutes * minute);
    // The covered rule is older, and its incident comes first.
    let world = evaluate(newWorld(), [reading(1, [1], [2]), reading(2, [])], at(0));
    expect(openOf(world)).toEqual(['1 1']);
    const readings = [reading(1, [1, 3], [2]), reading(2, [1])];
    const plan = planIncidents(readings, world.state, { now: at(1), isSilenced: nobody });
    expect([...plan.covered]).toEqual([[1, 2]]);
    world = apply(world, plan, at(1));
    expect([openOf(world), world.ended]).toEqual([['1 3', '2 1'], ['1 1']]);
    expect(isEmpty(planIncidents(readings, world.state, { now: at(1), isSilenced: nobody }))).toBe(true);
    // Nobody hears of an incident that is silenced, so it covers nothing.
    const isSilenced = ({ ruleId }: { ruleId: number }) => ruleId === 2;
    const muted = apply(world, planIncidents(readings, world.state, { now: at(2), isSilenced }), at(2));
    expect(openOf(muted)).toEqual(['1 1', '1 3', '2 1']);
    expect(openOf(evaluate(world, [reading(1, [1, 3], [2]), reading(2, [])], at(2)))).toEqual(['1 1', '1 3']);
  });

  it('[ALERT-005] take new values', () => {
    const world = evaluate(newWorld(), readingsOf({ subjects: [1], isHeld: false }), new Date(start));
    const changed = [
      {
        ruleId: 1,
        name: 'Rule',
        severity: 'warning' as const,
        pendingMinutes: 0,
        coveredBy: [],
        holdMinutes: 0,
        reminderMinutes: 0,
        conditions: [condition(1, 7)],
        isHeld: false,
        isPartial: false,
      },
    ];
    expect(planIncidents(changed, world.state, { now: new Date(start + minute), isSilenced: nobody }).update).toMatchObject([
      { id: 1, value: 7 },
    ]);
  });
});
