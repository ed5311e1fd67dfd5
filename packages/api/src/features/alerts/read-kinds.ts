import { alertKinds, windowText, type AlertKind, type Comparison, type Measure } from '@switchyard/contract/alerts';
import { dayOf, dayRange, displayDay, displayUtc, fromDate, type Microseconds } from '@switchyard/contract/dates';
import { filterText, readRuleFilters } from '@switchyard/contract/rule-filters';
import type { Databases } from '../../database/connect.ts';
import type { DeliveryStore } from '@switchyard/traffic-store/delivery-store';
import type { EventFilter, EventStore } from '@switchyard/traffic-store/event-store';
import { bucketStart, day, hour, week, weekOf, type Span } from '@switchyard/traffic-store/time-buckets';
import { eventStoreFaults } from '@switchyard/traffic-store/event-store-faults';
import { isPoolTimeout, isStatementTimeout } from '@switchyard/traffic-store/database-errors';
import { eventsOr } from '@switchyard/traffic-store/traffic-store';
import { readDisk } from '../../observability/storage.ts';
import { readValueParts } from '@switchyard/traffic-store/value-filters';
import { minutesBetween, watchedMinutes, type Absence, type ComparedSpan } from './plan-incidents.ts';
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
  deliveryStore: Pick<DeliveryStore, 'countConversionHours' | 'countConversionGroups'>;
  serverOffset: string;
  /** Days for which events and deliveries are kept. */
  retentionDays: number;
  /** Problems of the seals of the audit trail; null: not yet known. */
  countSealProblems: () => number | null;
  logDir: string;
};

/**
 * A value of a kind. Several parts may be about one subject, e.g. the links of an app. `calm` is its reason where it does not fire, `volume`
 * the number of rows that it follows from. `standing`: what is true of an open incident while both times have too few rows to say that it is
 * over; `present` is the number of the later one.
 */
export type Part = {
  subjectId: number;
  name: string;
  value: number | null;
  volume?: number;
  reason: () => string;
  calm?: () => string;
  standing?: { present: number; value: number | null; reason: () => string };
};

/** The part of a rule that decides its values: its measure, and the threshold of kinds that look so far back or ahead. */
export type Reading = Measure & { threshold: number | null };

/** The values of a kind. */
export type KindReading = {
  /** Those of a rule; null: unknown. */
  parts: (rule: Reading) => readonly Part[] | null;
  /** That of an app whose numbers a rule compares, even if it has none; null: unknown, or there is nothing to say. */
  partOf?: (rule: Reading, appId: number) => Part | null;
  /** Whether values of a rule may reach its threshold because of the console's own absence. */
  isHeld: (rule: Reading) => boolean;
  /** Whether they may miss it because of that absence. */
  isPartial: (rule: Reading) => boolean;
  /** The time whose rows the reasons count; null where they count none. */
  window: (rule: Reading) => ComparedSpan | null;
};

/** Parts of the apps that have any rows, and that of any app. */
type AppParts = { parts: readonly Part[]; partOf: (appId: number) => Part | null };

/** Sums of an app's requests in a span. */
type Sums = { all: number; bots: number; creates: number };

/** How long an evaluation reads events for rules with a filter. Those that are left are unknown until the next one. */
const filteredMilliseconds = 20_000;
/** At most so many groups of apps and types are read. */
const groupLimit = 1_000_000;
/** Minutes after an absence of the console in which traffic servers call again, and deliver what they kept. */
const callMinutes = 1;
const catchUpMinutes = 10;
/** The share of hours in which no console ran from which on nothing follows from missing traffic: servers do not keep everything. */
const mostAway = 0.1;
const dayMilliseconds = 86_400_000;
/** Payouts have four decimals. */
const payoutUnits = 10_000;
const minute = hour / 60;
const noWindow = { isHeld: () => false, isPartial: () => false, window: () => null };
/** The reading of a kind whose values are unknown. */
export const unknownReading: KindReading = { parts: () => null, ...noWindow };

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
  /** Whole hours, or minutes up to one ago: servers deliver each minute. */
  const spanOf = (minutes: number): Span => {
    const end = minutes < 60 ? Math.floor(fromDate(now) / minute - 1) * minute : until;
    return { from: end - minutes * minute, until: end };
  };
  const windowOf = ({ window_minutes: minutes, threshold }: Reading): Span => spanOf(minutes ?? (threshold ?? 1) * 60);
  const comparedOf = (rule: Reading): Span => before(windowOf(rule), rule.comparison);
  const lacksMinutes = ({ from, until: end }: Span): boolean => {
    const watched = watchedMinutes(absences, new Date(from / 1000), new Date(end / 1000));
    return !isBackFor(catchUpMinutes) || watched < (1 - mostAway) * ((end - from) / minute);
  };
  const ofWindow = {
    isHeld: () => false,
    isPartial: () => !isBackFor(catchUpMinutes),
    window: (rule: Reading) => datesOf(windowOf(rule)),
  };
  const missingTraffic = {
    isHeld: (rule: Reading) => lacksMinutes(windowOf(rule)),
    isPartial: (rule: Reading) => lacksMinutes(comparedOf(rule)),
    window: (rule: Reading): ComparedSpan => ({ ...datesOf(windowOf(rule)), comparedFrom: new Date(comparedOf(rule).from / 1000) }),
  };
  const readSpans = new Map<string, Promise<ReadonlyMap<number, Sums> | null>>();

  /** Reads the events of a span that a filter finds by app once; null while the event store is unavailable. */
  async function sumsOf(span: Span, filter: string): Promise<ReadonlyMap<number, Sums> | null> {
    const key = `${span.from} ${span.until} ${filter}`;
    const sums = readSpans.get(key) ?? readEvents(span, filter, async (found) => readSums(deps.eventStore, found));
    readSpans.set(key, sums);
    return sums;
  }

  // Events of a filter may take seconds; then the other rules must not wait.
  const filteredUntil = performance.now() + filteredMilliseconds;

  const kept = keptFrom(now, deps.retentionDays);

  /** What a read of the events of a span gives; null also if retention may have dropped some. */
  async function readEvents<Found>(span: Span, filter: string, read: (filter: EventFilter) => Promise<Found>): Promise<Found | null> {
    return span.from < kept.events ? null : readInTime(filter, async () => read(filterOf(span, filter)));
  }

  /** What a read of the deliveries of a span gives; null also if retention may have dropped some. */
  async function readDeliveries<Found>(span: Span, read: () => Promise<Found>): Promise<Found | null> {
    return span.from < kept.deliveries ? null : readInTime('', read);
  }

  /** What a read of traffic gives; null if its store is unavailable or too slow for it. */
  async function readInTime<Found>(filter: string, read: () => Promise<Found>): Promise<Found | null> {
    if (filter !== '' && performance.now() > filteredUntil) return null;
    return eventsOr(read(), null).catch((error: unknown) => {
      if (isStatementTimeout(error) || isPoolTimeout(error) || eventStoreFaults.isTimeout(error)) return null;
      throw error;
    });
  }

  /** Reads the parts of each window, whose number does not grow with that of the rules. */
  async function byWindow(rules: readonly Reading[], read: (rule: Reading) => Promise<AppParts | null>) {
    const found = new Map<string, AppParts | null>();
    for (const [key, [rule]] of Map.groupBy(rules, keyOf)) if (rule !== undefined) found.set(key, await read(rule));
    return partsOf((rule) => found.get(keyOf(rule)) ?? null);
  }

  function keyOf(rule: Reading): string {
    return `${windowOf(rule).from} ${windowOf(rule).until} ${comparedOf(rule).from} ${rule.request_filter}`;
  }

  async function conversionsOf(span: Span): Promise<ReadonlyMap<number, number> | null> {
    const hours = await readDeliveries(span, async () => deps.deliveryStore.countConversionHours({ ...span, scope: 'all' }));
    if (hours === null) return null;
    const counts = new Map<number, number>();
    for (const { appId, conversions } of hours) counts.set(appId, (counts.get(appId) ?? 0) + conversions);
    return counts;
  }

  async function payoutsOf(span: Span): Promise<ReadonlyMap<number, number> | null> {
    return readDeliveries(span, async () => readPayouts(deps.deliveryStore, span));
  }

  /** Parts of apps from sums of the last hours, and of the same hours of last week where the kind compares. */
  function ofApps<Counted>(
    [current, previous]: [ReadonlyMap<number, Counted> | null, ReadonlyMap<number, Counted> | null],
    toPart: (app: { id: number; current: Counted | undefined; previous: Counted | undefined }) => Omit<Part, 'subjectId' | 'name'> | null,
  ): AppParts | null {
    if (current === null || previous === null) return null;
    const partOf = (id: number): Part | null => {
      const part = toPart({ id, current: current.get(id), previous: previous.get(id) });
      return part && { subjectId: id, name: nameOf(id), ...part };
    };
    const ids = new Set([...current.keys(), ...previous.keys()]);
    return { parts: [...ids].flatMap((id) => partOf(id) ?? []), partOf };
  }

  /** The share of an app's requests in the window that a count has. */
  async function share(
    rules: readonly Reading[],
    words: string,
    read: (span: Span, filter: string) => Promise<ReadonlyMap<number, { all: number; part: number }> | null>,
  ): Promise<KindReading> {
    const parts = await byWindow(rules, async (rule) => {
      const counts = await read(windowOf(rule), rule.request_filter);
      const time = windowText(rule.window_minutes ?? 0);
      return ofApps([counts, counts], ({ current }) => {
        if (current === undefined) return null;
        const value = (100 * current.part) / current.all;
        const reason = () =>
          `${percent(value)} of ${counted(current.all, 'request')}${filterText(rule.request_filter)} in the last ${time} ${words}.`;
        return { value, volume: current.all, reason };
      });
    });
    return { parts: parts.parts, ...ofWindow };
  }

  /** Falls of counts of apps compared with an earlier window. */
  async function drops<Counted>(
    rules: readonly Reading[],
    name: string,
    {
      read,
      count,
    }: { read: (span: Span, filter: string) => Promise<ReadonlyMap<number, Counted> | null>; count: (counted: Counted) => number },
  ): Promise<KindReading> {
    const parts = await byWindow(rules, async (rule) => {
      const counts: Parameters<typeof ofApps<Counted>>[0] = [
        await read(windowOf(rule), rule.request_filter),
        await read(comparedOf(rule), rule.request_filter),
      ];
      return ofApps(counts, ({ current, previous }) => {
        const [latest, then] = [current === undefined ? 0 : count(current), previous === undefined ? 0 : count(previous)];
        return drop(`${name}${filterText(rule.request_filter)}`, [latest, then], comparedNumbers(rule, [latest, then]));
      });
    });
    return { ...parts, ...missingTraffic };
  }

  /** Falls of the payout of the last whole day. Each day is read once, however many rules compare with it. */
  async function payoutDrops(rules: readonly Reading[]): Promise<KindReading> {
    const midnight = dayRange(dayOf(fromDate(now), serverOffset), serverOffset).from;
    const span: Span = { from: midnight - day, until: midnight };
    const dayText = ({ from }: Span): string => displayDay(dayOf(from, serverOffset));
    const current = await payoutsOf(span);
    const found = new Map<Comparison | null, AppParts | null>();
    for (const comparison of new Set(rules.map((rule) => rule.comparison))) {
      const compared = before(span, comparison);
      const parts = ofApps([current, await payoutsOf(compared)], (app) => {
        const [latest, then] = [app.current ?? 0, app.previous ?? 0];
        return drop('Payout', [latest, then], `${grouped(latest)} on ${dayText(span)}, ${grouped(then)} on ${dayText(compared)}`);
      });
      found.set(comparison, parts);
    }
    return {
      ...partsOf(({ comparison }) => found.get(comparison) ?? null),
      isHeld: () => lacksMinutes(span),
      isPartial: ({ comparison }) => lacksMinutes(before(span, comparison)),
      window: ({ comparison }) => ({ ...datesOf(span), comparedFrom: new Date(before(span, comparison).from / 1000) }),
    };
  }

  async function silentApps(rule: Reading): Promise<AppParts | null> {
    const [span, threshold, filter] = [windowOf(rule), rule.threshold ?? 1, rule.request_filter];
    // Events may be dated up to a day ahead, and count as recent too.
    const [current, previous] = [await sumsOf({ ...span, until: until + 25 * hour }, filter), await sumsOf(comparedOf(rule), filter)];
    return ofApps([current, previous], (app) => {
      const requests = app.previous?.all ?? 0;
      if (app.current !== undefined) return null;
      const time = comparedText(rule.comparison, threshold * 60);
      const earlier = requests === 0 ? 'and none' : `although there were ${grouped(requests)}`;
      const reason = () => `No request${filterText(rule.request_filter)} for ${counted(threshold, 'hour')}, ${earlier} in ${time}.`;
      return { value: threshold, volume: requests, reason, standing: { present: 0, value: threshold, reason } };
    });
  }

  const dateOf = (at: Date): string => displayDay(dayOf(fromDate(at), serverOffset));
  const daysUntil = (at: Date): number => (at.getTime() - now.getTime()) / dayMilliseconds;
  const runsOut = (at: Date): string => `${at <= now ? 'expired' : 'expires'} on ${dateOf(at)}`;
  const expiryLimit = (rules: readonly Reading[]): Date =>
    new Date(now.getTime() + Math.max(...rules.map(({ threshold: days }) => days ?? 0)) * dayMilliseconds);

  /** Values of each kind, for these rules. */
  const kinds: Readonly<Record<AlertKind, (rules: readonly Reading[]) => Promise<KindReading>>> = {
    async domain_expiry(rules) {
      const domains = await listExpiringDomains(db, expiryLimit(rules));
      const parts = domains.map(({ appId, domain, at }) => ({
        subjectId: appId,
        name: nameOf(appId),
        value: daysUntil(at),
        reason: () => `The domain ${domain} ${runsOut(at)}.`,
      }));
      return { parts: () => parts, ...noWindow };
    },
    async certificate_expiry(rules) {
      const certificates = await listExpiringCertificates(db, expiryLimit(rules));
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
    app_silent: async (rules) => ({ ...(await byWindow(rules, silentApps)), ...missingTraffic }),
    error_share: async (rules) =>
      share(rules, 'are errors', async (span, filter) => {
        // All requests are read after the errors among them, so that those that arrive in between make no share larger than it is.
        const errors = await readEvents(span, filter, async (found) => readErrors(deps.eventStore, found));
        const sums = errors && (await readEvents(span, filter, async (found) => readSums(deps.eventStore, found)));
        return sums && new Map(Array.from(sums, ([id, { all }]) => [id, { all, part: errors.get(id) ?? 0 }]));
      }),
    bot_share: async (rules) =>
      share(rules, 'are of bots', async (span, filter) => {
        const sums = await sumsOf(span, filter);
        return sums && new Map(Array.from(sums, ([id, { all, bots }]) => [id, { all, part: bots }]));
      }),
    create_drop: async (rules) => drops(rules, 'Creates', { read: sumsOf, count: ({ creates }) => creates }),
    conversion_drop: async (rules) => drops(rules, 'Conversions', { read: conversionsOf, count: (conversions) => conversions }),
    payout_drop: payoutDrops,
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
      if (problems === null) return unknownReading;
      if (problems === 0) return { parts: () => [], ...noWindow };
      return consoleValue(problems, 'Seals', `The seals of the audit trail have ${counted(problems, 'problem')}.`);
    },
    async log_disk() {
      const disk = await readDisk(deps.logDir);
      if (disk === null) return unknownReading;
      const free = (100 * disk.free) / disk.size;
      return consoleValue(free, 'Disk', `${percent(free)} of the disk that holds the logs is free.`);
    },
  };
  return { read: async (kind: AlertKind, rules: readonly Reading[]) => kinds[kind](rules) };
}

/** Whether a value follows from enough rows for a rule. */
export function hasVolume({ volume = Infinity }: Part, { minimum }: Pick<Measure, 'minimum'>): boolean {
  return volume >= (minimum ?? 0);
}

/**
 * What is true of an open incident of a rule while both times that it compares have too few rows to say that it is over. Few rows of an
 * earlier time that the outage did not reach (`isBefore`) do say so, if there are any and the condition is not met.
 */
export function standingOf(
  part: Part,
  { kind, threshold, minimum }: Pick<Measure, 'minimum'> & { kind: AlertKind; threshold: number | null },
  isBefore: boolean,
): Part | null {
  const { standing, value, volume = 0 } = part;
  if (standing === undefined || hasVolume(part, { minimum }) || standing.present >= (minimum ?? 0)) return null;
  return isBefore && volume > 0 && !meets(kind, value, threshold) ? null : { ...part, ...standing };
}

/** Since when retention has dropped nothing. It drops events by weeks of UTC, and deliveries when they are past it. */
export function keptFrom(now: Date, retentionDays: number): { events: Microseconds; deliveries: Microseconds } {
  const deliveries = fromDate(now) - retentionDays * day;
  return { events: weekOf(deliveries), deliveries };
}

/** Whether the values of a rule are known for each hour of the past: the roll-ups know whole hours of all requests. */
export function isKnownByHour(kind: AlertKind, { window_minutes: minutes, request_filter: filter }: Measure): boolean {
  return 'fromRollups' in alertKinds[kind] && (minutes ?? 60) >= 60 && filter === '';
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

/** A fall against an earlier window; 0 where there is none. `numbers` are both as messages show them. */
function drop(name: string, [current, previous]: readonly [number, number], numbers: string): Omit<Part, 'subjectId' | 'name'> {
  const [now, then] = [unitsOf(current), unitsOf(previous)];
  // Payouts may be taken back; nothing falls by more than all.
  const value = then <= 0 ? 0 : Math.min(100, (100 * Math.max(0, then - now)) / then);
  const calm = () => `${name}: ${numbers}.`;
  const standing = { present: current, value: null, reason: calm };
  return { value, volume: previous, reason: () => `${name} fell by ${percent(value)}: ${numbers}.`, calm, standing };
}

/** The numbers of a window and of the one that it is compared with. */
function comparedNumbers({ comparison, window_minutes: minutes }: Reading, [current, previous]: readonly [number, number]): string {
  const length = minutes ?? 0;
  return `${grouped(current)} in the last ${windowText(length)}, ${grouped(previous)} in ${comparedText(comparison, length)}`;
}

/** The time that a window is compared with: `the same hours of last week`, `the 5 minutes before`. */
function comparedText(comparison: Comparison | null, minutes: number): string {
  if (comparison === 'before') return `the ${windowText(minutes)} before`;
  return `the same ${minutes < 60 ? 'minutes' : 'hours'} ${comparison === 'yesterday' ? 'of yesterday' : 'of last week'}`;
}

/** How long before a window the one of the same length begins that it is compared with. */
export function comparedDistance(comparison: Comparison | null, length: Microseconds): Microseconds {
  if (comparison === 'before') return length;
  return comparison === 'yesterday' ? day : week;
}

/** The earlier window of the same length. */
function before({ from, until }: Span, comparison: Comparison | null): Span {
  const distance = comparedDistance(comparison, until - from);
  return { from: from - distance, until: until - distance };
}

/** The parts of apps, and that of one app, by rule. */
function partsOf(foundOf: (rule: Reading) => AppParts | null): Pick<KindReading, 'parts'> & Required<Pick<KindReading, 'partOf'>> {
  return { parts: (rule) => foundOf(rule)?.parts ?? null, partOf: (rule, appId) => foundOf(rule)?.partOf(appId) ?? null };
}

function consoleValue(value: number, name: string, reason: string): KindReading {
  return { parts: () => [{ subjectId: 0, name, value, reason: () => reason }], ...noWindow };
}

function datesOf({ from, until }: Span): { from: Date; until: Date } {
  return { from: new Date(from / 1000), until: new Date(until / 1000) };
}

/** The requests of a span that a rule with a filter counts. */
function filterOf(span: Span, filter: string): EventFilter {
  const { type, ...values } = readRuleFilters(filter);
  return { scope: 'all', ...span, types: type, ...readValueParts(values) };
}

async function readSums(eventStore: Pick<EventStore, 'countGroups'>, filter: EventFilter) {
  const groups = await eventStore.countGroups({ filter, by: ['app', 'type'], limit: groupLimit });
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

/** Payouts of whole days by app, from the roll-ups. */
async function readPayouts(deliveryStore: Pick<DeliveryStore, 'countConversionGroups'>, span: Span): Promise<ReadonlyMap<number, number>> {
  const sums = new Map<number, number>();
  for (const { keys, payout } of await deliveryStore.countConversionGroups({ ...span, scope: 'all', by: ['app'], limit: groupLimit }))
    sums.set(Number(keys[0]), (sums.get(Number(keys[0])) ?? 0) + unitsOf(Number(payout)));
  return new Map(Array.from(sums, ([app, sum]) => [app, sum / payoutUnits]));
}

/** A payout or a count in whole units of the decimals that payouts have, whose sums and shares are exact. */
function unitsOf(value: number): number {
  return Math.round(value * payoutUnits);
}

/** Requests with an error by app, as the filter `type=error` of lists finds them: of any type. */
async function readErrors(eventStore: Pick<EventStore, 'countGroups'>, filter: EventFilter): Promise<ReadonlyMap<number, number>> {
  const groups = await eventStore.countGroups({ filter: { ...filter, types: ['error'] }, by: ['app'], limit: groupLimit });
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
