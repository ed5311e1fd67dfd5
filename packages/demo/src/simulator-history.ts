import { type Microseconds, offsetMinutes } from '@switchyard/contract/dates';
import { type EventRow, eventRowAt } from './ingest-rows.ts';
import { type Random, seededRandom } from './seeded-random.ts';
import { type SimulatedApp, simulatedClient, type SimulatedClient } from './simulator-clients.ts';
import { planVisit, type VisitKind, visitShares } from './simulator-visits.ts';

/** Traffic by hour of the day, relative to the average hour: few at night, most in the evening. */
const byHour = [
  0.72, 0.55, 0.44, 0.38, 0.36, 0.42, 0.55, 0.72, 0.86, 0.95, 1.0, 1.06, 1.12, 1.1, 1.06, 1.05, 1.1, 1.2, 1.36, 1.52, 1.66, 1.62, 1.36,
  1.02,
] as const;
const average = byHour.reduce((sum, share) => sum + share, 0) / byHour.length;

/** How busy the moment's hour is in the given offset: 1 on average over a day. */
export function busyness(at: Microseconds, utcOffset: string): number {
  const localHours = Math.floor((at / 60_000_000 + (offsetMinutes(utcOffset) ?? 0)) / 60);
  return (byHour[((localHours % 24) + 24) % 24] ?? average) / average;
}

/** A past that can be made again row by row: the same plan gives the same rows with the same ids. */
export type HistoryPlan = {
  seed: string;
  /** First hour, counted in whole hours since 1970. */
  firstHour: number;
  /** Nothing happens at or after this moment. */
  until: Microseconds;
  /** About how many events happen in all. */
  events: number;
  utcOffset: string;
};

const hour = 3_600_000_000;
const kinds = ['install', 'return', 'page', 'proxy', 'failure'] as const satisfies readonly VisitKind[];
const blockedClientReturns = 0.25;

/** The plan of the days before a moment. */
export function planHistory(options: { seed: string; until: Microseconds; days: number; events: number; utcOffset: string }): HistoryPlan {
  const { seed, until, events, utcOffset } = options;
  return { seed, firstHour: Math.floor(until / hour) - options.days * 24, until, events, utcOffset };
}

/** The hours of a plan, newest first, so that today's figures are complete after the first batches. */
export function hoursOf(plan: HistoryPlan): number[] {
  const last = Math.floor((plan.until - 1) / hour);
  return Array.from({ length: last - plan.firstHour + 1 }, (_, index) => last - index);
}

/**
 * Makes the rows of a plan hour by hour. Traffic grows towards the end of the plan, where live traffic
 * takes over, and follows the time of day; three in ten visits are of clients that were there before.
 */
export function createHistory(plan: HistoryPlan, apps: readonly SimulatedApp[]) {
  const allApps = apps.reduce((sum, app) => sum + app.weight, 0);
  const allHours = hoursOf(plan).reduce((sum, at) => sum + loadOf(at), 0);

  function loadOf(at: number): number {
    const hoursAgo = plan.until / hour - at;
    const ofWhole = Math.min(1, hoursAgo);
    return (1 + 12 * Math.exp(-hoursAgo / 10)) * busyness(at * hour, plan.utcOffset) * ofWhole;
  }

  function visits(app: SimulatedApp, kind: VisitKind, at: number): number {
    if (at < plan.firstHour) return 1;
    const expected = (plan.events * loadOf(at) * app.weight * visitShares[kind]) / (allHours * allApps);
    const random = seededRandom(plan.seed, app.bundle, at, kind);
    return random.around(expected * (0.7 + 0.6 * random.fraction()));
  }

  /** Somebody who came some hours, mostly a day or two, before. */
  function formerClient(app: SimulatedApp, at: number, random: Random): SimulatedClient {
    const before = at - 1 - Math.floor(-Math.log(1 - random.fraction()) * 30);
    const candidates = Math.max(1, visits(app, 'install', before));
    return simulatedClient(app, plan.seed, before, random.integer(0, candidates - 1));
  }

  function rowsOfApp(app: SimulatedApp, at: number): { at: Microseconds; row: EventRow }[] {
    return kinds.flatMap((kind) =>
      Array.from({ length: visits(app, kind, at) }, (_, nth) => {
        const random = seededRandom(plan.seed, app.bundle, at, kind, nth);
        const start = at * hour + Math.floor(random.fraction() * hour);
        const isFormer = kind === 'return' || kind === 'failure';
        const client = isFormer
          ? formerClient(app, at, random)
          : simulatedClient(app, plan.seed, at, ...(kind === 'install' ? [nth] : [kind, nth]));
        if (kind === 'return' && client.isBlocked && !random.chance(blockedClientReturns)) return [];
        return planVisit(kind, app, client, random).map(({ after, facts }) => ({
          at: start + after,
          row: eventRowAt(start + after, facts, random),
        }));
      }).flat(),
    );
  }

  return {
    /** Rows of one hour's visits in order of time; some lie in the next hour, none after the end of the plan. */
    rowsOfHour: (at: number): EventRow[] =>
      apps
        .flatMap((app) => rowsOfApp(app, at))
        .filter((event) => event.at < plan.until)
        .sort((a, b) => a.at - b.at)
        .map((event) => event.row),
    /** Which share of the plan's events is expected in an hour. */
    shareOfHour: (at: number): number => loadOf(at) / allHours,
    /** A client of the plan's last two days, who returns in live traffic. */
    recentClient: (app: SimulatedApp, random: Random): SimulatedClient => formerClient(app, Math.floor(plan.until / hour), random),
  };
}
