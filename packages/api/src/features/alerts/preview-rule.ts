import {
  alertKinds,
  alertLimits,
  measureOf,
  windowMinutes,
  type AlertKind,
  type Incident,
  type Measure,
  type RulePreview,
} from '@switchyard/contract/alerts';
import { dayRange, formatDateTime, fromDate, parseDateTime, wireDate, type Microseconds } from '@switchyard/contract/dates';
import { incidentValueDays, type IncidentValues } from '@switchyard/contract/incident-lists';
import type { AppScope } from '@switchyard/contract/app-scope';
import { bucketStart, day, hour, week, type Span } from '@switchyard/traffic-store/time-buckets';
import type { EventFilter } from '@switchyard/traffic-store/event-store';
import { createIsInScope } from './alert-access.ts';
import { conditionsOf } from './evaluate-rules.ts';
import { comparedDistance, createKindReader, isKnownByHour, keptFrom, meets, presentValue, type KindDependencies } from './read-kinds.ts';
import { listRepeatedRules, type RuleCondition } from './rules-store.ts';
import { listWatchedApps, listWatchedServers, type WatchedApp } from './watched-read-model.ts';

type PreviewedRule = RuleCondition & { id: number | null };

/** The past is computed of so many apps, those with the most events: others rarely have enough for a share or a drop. */
const mostApps = 300;
const mostFirings = 100;
const groupLimit = 1_000_000;

/** Figures of an app in each hour of the previewed time, oldest first. */
type HourlyCounts = { count: Float64Array; part: Float64Array };

/** Computes what a rule would see, and when it would have fired. */
export async function previewRule(deps: KindDependencies & { now: () => Date }, rule: PreviewedRule): Promise<RulePreview> {
  const now = deps.now();
  const apps = new Map((await listWatchedApps(deps.db)).map((app) => [app.id, app]));
  const present = await previewPresent(deps, { rule, apps, now });
  const past = isKnownByHour(rule.kind, rule) ? await previewPast(deps, { rule, apps, now }) : null;
  return { repeats: await listRepeatedRules(deps.db, rule), ...present, ...past };
}

type Values = Omit<RulePreview, 'repeats'>;
type Past = Omit<Values, 'subjects' | 'subject_total'>;

type Preview = { rule: PreviewedRule; apps: ReadonlyMap<number, WatchedApp>; now: Date };

/** The current value, and what would fire now. */
async function previewPresent(deps: KindDependencies, { rule, apps, now }: Preview): Promise<Values> {
  const { kind, threshold } = rule;
  const { subject, threshold: range } = alertKinds[kind];
  const servers = subject === 'server' ? new Map((await listWatchedServers(deps.db)).map(({ id, name }) => [id, name])) : null;
  const nameOf = (id: number): string => (subject === 'app' ? apps.get(id)?.name : servers?.get(id)) ?? 'Console';
  // Those of an app's silence are of its threshold, which is the window.
  const isWindow = kind === 'app_silent';
  const toRead = { ...rule, threshold: range === null || isWindow ? threshold : range.max };
  const reading = await createKindReader(deps, { now, nameOf }).read(kind, [toRead]);
  const firing = conditionsOf(rule, { ...reading, parts: () => reading.parts(toRead) }, apps) ?? [];
  const firingIds = new Set(firing.map(({ subjectId }) => subjectId));
  // Without a threshold that anything could miss, the worst value is that of all.
  const least = range === null ? null : 'firesBelow' in alertKinds[kind] ? range.max : 0;
  const all =
    conditionsOf({ ...rule, threshold: least }, { ...reading, parts: () => reading.parts(toRead), window: () => null }, apps) ?? [];
  const at = wireDate(now);
  const subjects = all
    .flatMap(({ subjectId: id, value }) => (value === null ? [] : [{ id, name: nameOf(id), value, fires: firingIds.has(id) }]))
    .toSorted((a, b) => compare(kind, a.value, b.value) || a.id - b.id);
  const [worst] = subjects;
  return {
    threshold,
    points: worst === undefined ? [] : [{ at, value: worst.value, subject: worst.name }],
    firings: firing.slice(0, mostFirings).map(({ subjectId }) => ({ subject: nameOf(subjectId), from: at, until: null })),
    firing_total: firing.length,
    days: 0,
    subjects: subject === 'console' ? [] : subjects.slice(0, alertLimits.previewedSubjects),
    subject_total: subject === 'console' ? 0 : subjects.length,
  };
}

/** Hourly values of the last days, and the stretches in which the rule would have fired. */
async function previewPast(deps: KindDependencies, { rule, apps, now }: Preview): Promise<Past> {
  const until = bucketStart(fromDate(now), hour, deps.serverOffset);
  const shown: Span = { from: until - alertLimits.days * day, until };
  const isInScope = createIsInScope(rule.scope);
  const own = [...apps.values()].filter(isInScope).map(({ id }) => id);
  const worst: { value: number | null; appId: number | null }[] = Array.from({ length: (shown.until - shown.from) / hour }, () => ({
    value: null,
    appId: null,
  }));
  const firings: { appId: number; from: number; until: number | null }[] = [];
  for (const [appId, values] of await readHourlyValues(deps, { rule, own, shown, now })) {
    values.forEach((value, index) => {
      const point = worst[index];
      if (point === undefined || Number.isNaN(value)) return;
      if (point.value === null || value > point.value) worst[index] = { value, appId };
    });
    firings.push(...stretchesOf(rule, values).map((stretch) => ({ appId, ...stretch })));
  }
  const nameOf = (appId: number | null): string | null => (appId === null ? null : (apps.get(appId)?.name ?? null));
  // The value of an hour is known at its end.
  const at = (index: number): string => formatDateTime(shown.from + (index + 1) * hour);
  firings.sort((a, b) => b.from - a.from || a.appId - b.appId);
  return {
    threshold: rule.threshold,
    points: worst.map(({ value, appId }, index) => ({ at: at(index), value: presentValue(rule.kind, value), subject: nameOf(appId) })),
    firings: firings.slice(0, mostFirings).map((firing) => ({
      subject: nameOf(firing.appId) ?? '',
      from: formatDateTime(shown.from + Math.round((firing.from + 1) * hour)),
      until: firing.until === null ? null : at(firing.until),
    })),
    firing_total: firings.length,
    days: alertLimits.days,
  };
}

/** The values that the rule of an incident saw of its app around it, by hour; none where only the current value is known. */
export async function readIncidentValues(deps: KindDependencies & { now: () => Date }, incident: Incident): Promise<IncidentValues> {
  const { rule, threshold, app, started_at: startedAt, resolved_at: resolvedAt } = incident;
  const measure = measureOfIncident(incident);
  if (app === null || !isKnownByHour(rule.kind, measure)) return { points: [] };
  const from = bucketStart(parseDateTime(startedAt) - incidentValueDays.before * day, hour, deps.serverOffset);
  const now = deps.now();
  const latest = bucketStart(fromDate(now), hour, deps.serverOffset);
  const end = resolvedAt === null ? latest : parseDateTime(resolvedAt) + day;
  const until = Math.min(latest, bucketStart(end, hour, deps.serverOffset), from + incidentValueDays.all * day);
  const shown = { from, until };
  const values =
    (await readHourlyValues(deps, { rule: { kind: rule.kind, threshold, ...measure }, own: [app.id], shown, now })).get(app.id) ?? [];
  return {
    points: Array.from(values, (value, index) => ({
      // The value of an hour is known at its end.
      at: formatDateTime(from + (index + 1) * hour),
      value: Number.isNaN(value) ? null : presentValue(rule.kind, value),
    })),
  };
}

/** The measure of an incident's rule, taken from the windows of the incident, because the rule may have changed since. */
function measureOfIncident({ rule, window, compared, request_filter: filter }: Incident): Measure {
  const length = window === null ? 0 : parseDateTime(window.until) - parseDateTime(window.from);
  const distance = window === null || compared === null ? week : parseDateTime(window.from) - parseDateTime(compared.from);
  return measureOf(rule.kind, {
    window_minutes: windowMinutes.find((minutes) => (minutes * hour) / 60 === length) ?? null,
    minimum: 1,
    request_filter: filter,
    comparison: distance === week ? 'last_week' : distance === day ? 'yesterday' : 'before',
  });
}

type HourlyRule = Pick<PreviewedRule, 'kind' | 'threshold' | keyof Measure>;
type HourlyValues = { rule: HourlyRule; own: readonly number[]; shown: Span; now: Date };

/** The values of a rule after each hour, by app. */
async function readHourlyValues(deps: KindDependencies, { rule, own, shown, now }: HourlyValues): Promise<Map<number, Float64Array>> {
  // A week before the first value, with which it is compared.
  const span = { from: shown.from - week - day, until: shown.until };
  const counts =
    rule.kind === 'conversion_drop' ? await conversionHours(deps, { own, span }) : await eventHours(deps, { kind: rule.kind, own, span });
  const start = (shown.from - span.from) / hour;
  const kept = keptFrom(now, deps.retentionDays);
  const firstKept = ((rule.kind === 'conversion_drop' ? kept.deliveries : kept.events) - span.from) / hour;
  return new Map([...counts].map(([appId, hours]) => [appId, valuesOf(rule, hours, firstKept).subarray(start)]));
}

/** The value of a rule after each hour; NaN where there are too few requests for one, or retention may have dropped some. */
function valuesOf(rule: HourlyRule, { count, part }: HourlyCounts, firstKept: number): Float64Array {
  const { kind, threshold, window_minutes: minutes, comparison } = rule;
  const minimum = rule.minimum ?? 1;
  const hours = minutes === null ? (threshold ?? 1) : minutes / 60;
  const counts = windowSums(count, hours);
  const parts = windowSums(part, hours);
  const distance = comparedDistance(comparison, hours * hour) / hour;
  const reach = hours - 1 + (comparison === null ? 0 : distance);
  return counts.map((now, index) => {
    if (index - reach < firstKept) return NaN;
    const before = counts[index - distance] ?? 0;
    if (kind === 'app_silent') return before < minimum ? NaN : now === 0 ? hours : 0;
    if (kind === 'create_drop' || kind === 'conversion_drop') return before < minimum ? NaN : Math.max(0, (100 * (before - now)) / before);
    return now < minimum ? NaN : (100 * (parts[index] ?? 0)) / now;
  });
}

/** Stretches of hours in which a rule would have fired: from the end of its pending period to the hour that ends it. */
function stretchesOf(
  { kind, threshold, pending_minutes: pendingMinutes }: Pick<PreviewedRule, 'kind' | 'threshold' | 'pending_minutes'>,
  values: Float64Array,
): { from: number; until: number | null }[] {
  const stretches: { from: number; until: number | null }[] = [];
  const pendingHours = pendingMinutes / 60;
  let begin: number | null = null;
  for (let index = 0; index <= values.length; index += 1) {
    const value = values[index];
    const isMet = value !== undefined && !Number.isNaN(value) && meets(kind, value, threshold);
    if (isMet) {
      begin ??= index;
      continue;
    }
    if (begin !== null && index - begin > pendingHours)
      stretches.push({ from: begin + pendingHours, until: value === undefined ? null : index });
    begin = null;
  }
  return stretches;
}

function windowSums(hours: Float64Array, length: number): Float64Array {
  let sum = 0;
  return hours.map((count, index) => {
    sum += count - (index >= length ? (hours[index - length] ?? 0) : 0);
    return sum;
  });
}

type Hours = { own: readonly number[]; span: Span };

/** Events of the apps with the most of them, by hour; `part` has those with an error, or of bots. */
async function eventHours(
  { eventStore, serverOffset }: KindDependencies,
  { kind, own, span }: Hours & { kind: AlertKind },
): Promise<Map<number, HourlyCounts>> {
  const filter: EventFilter = { scope: own, ...span, ...(kind === 'create_drop' ? { types: ['create'] as const } : {}) };
  const totals = await eventStore.countGroups({ filter, by: ['app'], limit: groupLimit });
  const top = [...totals].toSorted((a, b) => b.events - a.events).slice(0, mostApps);
  const scope: AppScope = top.map(({ keys: [app] }) => Number(app));
  const counts = new Map(scope.map((id) => [id, emptyHours(span)]));
  if (scope.length === 0) return counts;
  const read = async (
    more: Partial<EventFilter>,
    add: (hours: HourlyCounts, index: number, group: { events: number; bots: number }) => void,
  ) => {
    const starts = new Map<string, Microseconds>();
    const groups = await eventStore.countGroups({ filter: { ...filter, scope, ...more }, by: ['app', 'day', 'hour'], limit: groupLimit });
    for (const { keys, ...group } of groups) {
      const [app, date = '', hourOfDay] = keys;
      const from = starts.get(date) ?? dayRange(date, serverOffset).from;
      starts.set(date, from);
      const hours = counts.get(Number(app));
      if (hours !== undefined) add(hours, Math.round((from + Number(hourOfDay) * hour - span.from) / hour), group);
    }
  };
  await read({}, ({ count, part }, index, { events, bots }) => {
    count[index] = (count[index] ?? 0) + events;
    if (kind === 'bot_share') part[index] = (part[index] ?? 0) + bots;
  });
  if (kind === 'error_share')
    await read({ types: ['error'] }, ({ part }, index, { events }) => {
      part[index] = (part[index] ?? 0) + events;
    });
  return counts;
}

async function conversionHours({ deliveryStore }: KindDependencies, { own, span }: Hours): Promise<Map<number, HourlyCounts>> {
  const counts = new Map<number, HourlyCounts>();
  for (const { appId, at, conversions } of await deliveryStore.countConversionHours({ ...span, scope: own })) {
    const hours = counts.get(appId) ?? emptyHours(span);
    counts.set(appId, hours);
    const index = Math.round((at - span.from) / hour);
    hours.count[index] = (hours.count[index] ?? 0) + conversions;
  }
  return counts;
}

function emptyHours({ from, until }: Span): HourlyCounts {
  const length = (until - from) / hour;
  return { count: new Float64Array(length), part: new Float64Array(length) };
}

function compare(kind: AlertKind, one: number, other: number): number {
  return 'firesBelow' in alertKinds[kind] ? one - other : other - one;
}
