import { alertKinds, alertWindow, type AlertKind } from '@switchyard/contract/alerts';
import { dayOf, displayDay, displayUtc, fromDate, type Microseconds } from '@switchyard/contract/dates';
import { statfs } from 'node:fs/promises';
import type { Databases } from '../../database/connect.ts';
import type { DeliveryStore } from '@switchyard/traffic-store/delivery-store';
import type { EventStore } from '@switchyard/traffic-store/event-store';
import { bucketStart, hour, week, type Span } from '@switchyard/traffic-store/time-buckets';
import { eventsOr } from '@switchyard/traffic-store/traffic-store';
import { minutesBetween, watchedMinutes, type Absence, type CountedSpan } from './plan-incidents.ts';
import {
  countBanChanges,
  countFailedJobs,
  listExpiringCertificates,
  listExpiringDomains,
  listFailedLinks,
  listWatchedServers,
} from './watched-read-model.ts';

export type KindDependencies = {
  db: Databases['db'];
  eventStore: Pick<EventStore, 'countGroups'>;
  deliveryStore: Pick<DeliveryStore, 'countConversionHours'>;
  serverOffset: string;
  /** Problems of the seals of the audit trail. */
  countSealProblems: () => number;
  logDir: string;
};

/** A value of a kind. Several parts may be about one subject, e.g. the links of an app. `calm` is its reason where it does not fire. */
export type Part = { subjectId: number; name: string; value: number | null; reason: () => string; calm?: () => string };

/** The values of a kind. */
export type KindReading = {
  /** Those that may fire at a threshold; null: unknown. */
  parts: (threshold: number | null) => readonly Part[] | null;
  /** Whether values at a threshold may be a consequence of the console's own absence. */
  isHeld: (threshold: number | null) => boolean;
  /** The time whose rows the reasons count; null where they count none. */
  window: (threshold: number | null) => CountedSpan | null;
};

/** Sums of an app's requests in a span. */
type Sums = { all: number; bots: number; creates: number };

/** At most so many groups of apps and types are read. */
const groupLimit = 1_000_000;
/** Minutes after an absence of the console in which traffic servers call again, and deliver what they kept. */
const callMinutes = 1;
const catchUpMinutes = 10;
/** The share of hours in which no console ran from which on nothing follows from missing traffic: servers do not keep everything. */
const mostAway = 0.1;
const dayMilliseconds = 86_400_000;
const noWindow = { isHeld: () => false, window: () => null };

type Moment = {
  now: Date;
  /** When no console ran in the last days; none where only values are asked for. */
  absences?: readonly Absence[];
  /** The name of an app. */
  nameOf: (appId: number) => string;
};

/** Reads values of kinds as of a moment, each source once, however many rules need it. */
export function createKindReader(deps: KindDependencies, { now, absences = [], nameOf }: Moment) {
  const { db, serverOffset } = deps;
  const isBackFor = (minutes: number): boolean => absences.every(({ until }) => minutesBetween(until, now) >= minutes);
  const until = bucketStart(fromDate(now), hour, serverOffset);
  const recent: Span = { from: until - alertWindow.hours * hour, until };
  const before = aWeekBefore(recent);
  const lacksHours = (hours: number): boolean => {
    const from = new Date((until - hours * hour) / 1000);
    return !isBackFor(catchUpMinutes) || watchedMinutes(absences, from, new Date(until / 1000)) < (1 - mostAway) * hours * 60;
  };
  const ofRecentHours = { isHeld: () => false, window: () => datesOf(recent) };
  const missingTraffic = { ...ofRecentHours, isHeld: () => lacksHours(alertWindow.hours) };
  const readSpans = new Map<string, Promise<ReadonlyMap<number, Sums> | null>>();

  /** Reads a span of events by app once; null while the event store is unavailable. */
  async function sumsOf(span: Span): Promise<ReadonlyMap<number, Sums> | null> {
    const key = `${span.from} ${span.until}`;
    const sums = readSpans.get(key) ?? eventsOr(readSums(deps.eventStore, span), null);
    readSpans.set(key, sums);
    return sums;
  }

  async function conversionsOf(span: Span): Promise<ReadonlyMap<number, number>> {
    const counts = new Map<number, number>();
    for (const { appId, conversions } of await deps.deliveryStore.countConversionHours({ ...span, scope: 'all' }))
      counts.set(appId, (counts.get(appId) ?? 0) + conversions);
    return counts;
  }

  /** Parts of apps from sums of the last hours, and of the same hours of last week where the kind compares. */
  function ofApps<Counted>(
    [current, previous]: [ReadonlyMap<number, Counted> | null, ReadonlyMap<number, Counted> | null],
    toPart: (app: { id: number; current: Counted | undefined; previous: Counted | undefined }) => Omit<Part, 'subjectId' | 'name'> | null,
  ): readonly Part[] | null {
    if (current === null || previous === null) return null;
    const ids = new Set([...current.keys(), ...previous.keys()]);
    return [...ids].flatMap((id) => {
      const part = toPart({ id, current: current.get(id), previous: previous.get(id) });
      return part === null ? [] : [{ subjectId: id, name: nameOf(id), ...part }];
    });
  }

  async function share(countsOf: (sums: Sums, appId: number) => number, words: string): Promise<KindReading> {
    const sums = await sumsOf(recent);
    const parts = ofApps([sums, sums], ({ id, current }) => {
      if (current === undefined || current.all < alertWindow.atLeast) return null;
      const value = (100 * countsOf(current, id)) / current.all;
      return {
        value,
        reason: () => `${percent(value)} of ${counted(current.all, 'request')} in the last ${alertWindow.hours} hours ${words}.`,
      };
    });
    return { parts: () => parts, ...ofRecentHours };
  }

  /** The whole hours in which an app without requests is silent. */
  function silentHours(threshold: number): Span {
    return { from: until - threshold * hour, until };
  }

  async function silentApps(threshold: number): Promise<readonly Part[] | null> {
    const span = silentHours(threshold);
    // Events may be dated up to a day ahead, and count as recent too.
    const [current, previous] = [await sumsOf({ ...span, until: until + 25 * hour }), await sumsOf(aWeekBefore(span))];
    return ofApps([current, previous], (app) => {
      const requests = app.previous?.all ?? 0;
      if (app.current !== undefined || requests < alertWindow.silentAtLeast) return null;
      return {
        value: threshold,
        reason: () =>
          `No request for ${counted(threshold, 'hour')}, although there were ${grouped(requests)} in the same hours of last week.`,
      };
    });
  }

  const day = (at: Date): string => displayDay(dayOf(fromDate(at), serverOffset));
  const daysUntil = (at: Date): number => (at.getTime() - now.getTime()) / dayMilliseconds;
  const runsOut = (at: Date): string => `${at <= now ? 'expired' : 'expires'} on ${day(at)}`;
  const expiryLimit = (thresholds: readonly (number | null)[]): Date =>
    new Date(now.getTime() + Math.max(...thresholds.map((days) => days ?? 0)) * dayMilliseconds);

  /** Values of each kind, for rules with these thresholds. */
  const kinds: Readonly<Record<AlertKind, (thresholds: readonly (number | null)[]) => Promise<KindReading>>> = {
    async domain_expiry(thresholds) {
      const domains = await listExpiringDomains(db, expiryLimit(thresholds));
      const parts = domains.map(({ appId, domain, at }) => ({
        subjectId: appId,
        name: nameOf(appId),
        value: daysUntil(at),
        reason: () => `The domain ${domain} ${runsOut(at)}.`,
      }));
      return { parts: () => parts, ...noWindow };
    },
    async certificate_expiry(thresholds) {
      const certificates = await listExpiringCertificates(db, expiryLimit(thresholds));
      const parts = certificates.map(({ appId, domain, server, at }) => ({
        subjectId: appId,
        name: server,
        value: daysUntil(at),
        reason: () => `The certificate of ${domain} on ${server} ${runsOut(at)}.`,
      }));
      return { parts: () => parts, ...noWindow };
    },
    async link_failed() {
      const links = await listFailedLinks(db);
      const parts = links.map(({ appId, domain, server, status }) => ({
        subjectId: appId,
        name: server,
        value: null,
        reason: () => failures[status]?.(domain, server) ?? `The link of ${domain} to ${server} failed.`,
      }));
      return { parts: () => parts, ...noWindow };
    },
    async server_silent() {
      const servers = await listWatchedServers(db);
      const parts = servers.map(({ id, name, since, hasCalled }) => ({
        subjectId: id,
        name,
        value: watchedMinutes(absences, since, now),
        reason: () => (hasCalled ? `The server has not called since ${displayUtc(since)}.` : 'The server has never called.'),
        calm: () => `The server called at ${displayUtc(since)}.`,
      }));
      return { parts: () => parts, ...noWindow, isHeld: () => !isBackFor(callMinutes) };
    },
    async app_silent(thresholds) {
      const parts = new Map<number | null, readonly Part[] | null>();
      for (const threshold of new Set(thresholds)) parts.set(threshold, await silentApps(threshold ?? 1));
      return {
        parts: (threshold) => parts.get(threshold) ?? null,
        isHeld: (threshold) => lacksHours(threshold ?? 1),
        window: (threshold) => datesOf(silentHours(threshold ?? 1)),
      };
    },
    async error_share() {
      const errors = await eventsOr(readErrors(deps.eventStore, recent), null);
      if (errors === null) return { parts: () => null, ...ofRecentHours };
      return share((_, appId) => errors.get(appId) ?? 0, 'are errors');
    },
    bot_share: async () => share(({ bots }) => bots, 'are of bots'),
    async create_drop() {
      const sums: Parameters<typeof ofApps<Sums>>[0] = [await sumsOf(recent), await sumsOf(before)];
      const parts = ofApps(sums, ({ current, previous }) => drop('Creates', [current?.creates, previous?.creates]));
      return { parts: () => parts, ...missingTraffic };
    },
    async conversion_drop() {
      const counts: Parameters<typeof ofApps<number>>[0] = [await conversionsOf(recent), await conversionsOf(before)];
      const parts = ofApps(counts, ({ current, previous }) => drop('Conversions', [current, previous]));
      return { parts: () => parts, ...missingTraffic };
    },
    async ban_list_changed() {
      // Without the running second, in which there may be more.
      const end = Math.floor(now.getTime() / 1000) * 1000;
      const lastHour = { from: new Date(end - 3_600_000), until: new Date(end) };
      const changes = await countBanChanges(db, lastHour);
      const reading = consoleValue(changes, 'Bans', `${counted(changes, 'change')} of bans and of the black list in the last hour.`);
      return { ...reading, window: () => lastHour };
    },
    async job_failed() {
      const jobs = await countFailedJobs(db);
      return consoleValue(jobs, 'Jobs', `${counted(jobs, 'background job')} failed in the last hour.`);
    },
    async seal_problem() {
      const problems = deps.countSealProblems();
      if (problems === 0) return { parts: () => [], ...noWindow };
      return consoleValue(problems, 'Seals', `The seals of the audit trail have ${counted(problems, 'problem')}.`);
    },
    async log_disk() {
      const disk = await statfs(deps.logDir).catch(() => null);
      if (disk === null || disk.blocks === 0) return { parts: () => null, ...noWindow };
      const free = (100 * disk.bavail) / disk.blocks;
      return consoleValue(free, 'Disk', `${percent(free)} of the disk that holds the logs is free.`);
    },
  };
  return { read: async (kind: AlertKind, thresholds: readonly (number | null)[]) => kinds[kind](thresholds) };
}

/** Whether a value fires at a threshold. */
export function meets(kind: AlertKind, value: number | null, threshold: number | null): boolean {
  if (value === null || threshold === null) return true;
  return 'firesBelow' in alertKinds[kind] ? value <= threshold : value >= threshold;
}

/** A value as incidents show it: whole days, minutes and counts, and percents with one decimal. */
export function presentValue(kind: AlertKind, value: number | null): number | null {
  if (value === null) return null;
  return alertKinds[kind].unit === 'percent' ? Math.round(value * 10) / 10 : Math.floor(value);
}

const failures: Readonly<Record<string, (domain: string, server: string) => string>> = {
  err_add: (domain, server) => `The domain ${domain} could not be added to ${server}.`,
  err_bind: (domain, server) => `The domain ${domain} could not be bound on ${server}.`,
  err_ssl: (domain, server) => `The domain ${domain} has no certificate on ${server}.`,
};

/** A fall against last week; null where there was too little. */
function drop(name: string, [current = 0, previous = 0]: [number | undefined, number | undefined]) {
  if (previous < alertWindow.atLeast || current >= previous) return null;
  const value = (100 * (previous - current)) / previous;
  return {
    value,
    reason: () =>
      `${name} fell by ${percent(value)}: ${grouped(current)} in the last ${alertWindow.hours} hours, ${grouped(previous)} in the same hours of last week.`,
  };
}

function consoleValue(value: number, name: string, reason: string): KindReading {
  return { parts: () => [{ subjectId: 0, name, value, reason: () => reason }], ...noWindow };
}

function datesOf({ from, until }: Span): CountedSpan {
  return { from: new Date(from / 1000), until: new Date(until / 1000) };
}

function aWeekBefore({ from, until }: Span): Span {
  return { from: from - week, until: until - week };
}

async function readSums(eventStore: Pick<EventStore, 'countGroups'>, span: { from: Microseconds; until: Microseconds }) {
  const groups = await eventStore.countGroups({ filter: { scope: 'all', ...span }, by: ['app', 'type'], limit: groupLimit });
  const sums = new Map<number, Sums>();
  for (const { keys, events, bots } of groups) {
    const [app, type] = keys;
    const sum = sums.get(Number(app)) ?? { all: 0, bots: 0, creates: 0 };
    sum.all += events;
    sum.bots += bots;
    if (type === 'create') sum.creates += events;
    sums.set(Number(app), sum);
  }
  return sums;
}

/** Requests with an error by app, as the filter `type=error` of lists finds them: of any type. */
async function readErrors(eventStore: Pick<EventStore, 'countGroups'>, span: Span): Promise<ReadonlyMap<number, number>> {
  const groups = await eventStore.countGroups({ filter: { scope: 'all', ...span, types: ['error'] }, by: ['app'], limit: groupLimit });
  return new Map([...groups].map(({ keys: [app], events }) => [Number(app), events]));
}

const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A number with grouped digits, as messages show it. */
export function grouped(value: number): string {
  return numberFormat.format(value);
}

function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function percent(value: number): string {
  return `${Math.round(value * 10) / 10}%`;
}
