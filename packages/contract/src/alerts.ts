import { z } from 'zod';
import { maximumAppIds } from './account-rules.ts';
import { verticalIds } from './apps.ts';
import { formatMicroseconds, parseDateTime } from './dates.ts';
import { anyPermission, defineEndpoint, sessionAccess } from './endpoint.ts';
import { entityCalls, labelled } from './entity.ts';
import { defaultLimits } from './limits.ts';
import { idParams, limit, multiple, page, queryBoolean, queryId, searchText, sortBy } from './listing.ts';
import { delivery } from './message-delivery.ts';
import { alertPermissions, appsListPermissions, holdsAny, type Permission } from './permissions.ts';
import { anyBot } from './requests.ts';
import { requestFilterText, type RuleFilterName } from './rule-filters.ts';
import { bodyBoolean, choice, instantText, integer, integerChoice, plainText, storedId, textOrElse } from './text-fields.ts';

/** Subject of a rule's value. Incidents of a rule are grouped by it; certificates and failed links by their app. */
export type AlertSubject = 'app' | 'server' | 'console';

/** How a rule's value is compared with its threshold: it fires at or beyond the threshold. `none`: the rule has no threshold. */
export type KindRule = {
  readonly subject: AlertSubject;
  readonly unit: 'days' | 'minutes' | 'hours' | 'percent' | 'changes' | 'jobs' | 'problems' | null;
  /** Smallest, largest and default threshold; null where the rule has none. */
  readonly threshold: { readonly min: number; readonly max: number; readonly usual: number } | null;
  /** Whether it fires at and below the threshold, instead of at and above it. */
  readonly firesBelow?: true;
  /** Whether a rule may have further thresholds below its own, each of which is announced when it is reached. */
  readonly hasSteps?: true;
  /** Whether its values are counts of events or deliveries, whose past can be computed from the roll-ups. */
  readonly fromRollups?: true;
  /** The list that shows the rows that it counts in the incident's window, and its filters. */
  readonly counts?: {
    readonly list: 'requests' | 'conversions' | 'activity';
    readonly filters: Readonly<Record<string, readonly string[]>>;
  };
  /** Smallest and usual window, in minutes; absent where the threshold is the window, and for other kinds. */
  readonly window?: { readonly min: WindowMinutes; readonly usual: WindowMinutes };
  /** Usual number of rows below which it says nothing: in its window, or in the one that it compares with. */
  readonly minimum?: number;
  /** Whether it compares them with an earlier window. */
  readonly compares?: true;
  /** Filters by which it may count some requests only. An error or a create has no other type. */
  readonly filters?: readonly RuleFilterName[];
  /** The kind whose incident of the same app says the same and more. */
  readonly coveredBy?: 'app_silent';
  /** Any of them shows the rule and its incidents. */
  readonly needs: readonly [Permission, ...Permission[]];
};

/** Minutes whose rows a rule counts. Below an hour they end a minute ago, from an hour on they are the last whole hours. */
export const windowMinutes = [5, 15, 30, 60, 180, 360, 720, 1_440] as const;
export type WindowMinutes = (typeof windowMinutes)[number];

/** The earlier window that a rule compares its own with. */
export const comparisons = ['before', 'yesterday', 'last_week'] as const;
export type Comparison = (typeof comparisons)[number];
const usualComparison: Comparison = 'last_week';

const percent = (usual: number) => ({ min: 1, max: 100, usual });
const statistics = ['manager_app_statistics'] as const;

/** Conditions that a rule can watch. */
export const alertKinds = {
  domain_expiry: {
    subject: 'app',
    unit: 'days',
    threshold: { min: 1, max: 365, usual: 30 },
    firesBelow: true,
    hasSteps: true,
    needs: appsListPermissions,
  },
  certificate_expiry: {
    subject: 'app',
    unit: 'days',
    threshold: { min: 1, max: 365, usual: 14 },
    firesBelow: true,
    hasSteps: true,
    needs: appsListPermissions,
  },
  link_failed: { subject: 'app', unit: null, threshold: null, needs: appsListPermissions },
  server_silent: { subject: 'server', unit: 'minutes', threshold: { min: 2, max: 10_080, usual: 10 }, needs: ['manager_settings_server'] },
  /** No request for so many whole hours, although there were some in those that it compares with. */
  app_silent: {
    subject: 'app',
    unit: 'hours',
    threshold: { min: 1, max: 24, usual: 3 },
    fromRollups: true,
    counts: { list: 'requests', filters: {} },
    filters: ['geo', 'asn', 'streamUid', 'type'],
    minimum: 10,
    compares: true,
    needs: statistics,
  },
  /** Share of the requests of its window. */
  error_share: {
    subject: 'app',
    unit: 'percent',
    threshold: percent(20),
    fromRollups: true,
    counts: { list: 'requests', filters: { type: ['error'] } },
    filters: ['geo', 'asn', 'streamUid'],
    window: { min: 5, usual: 180 },
    minimum: 30,
    needs: statistics,
  },
  bot_share: {
    subject: 'app',
    unit: 'percent',
    threshold: percent(50),
    fromRollups: true,
    counts: { list: 'requests', filters: { bot: [anyBot] } },
    filters: ['geo', 'asn', 'streamUid', 'type'],
    window: { min: 5, usual: 180 },
    minimum: 30,
    needs: statistics,
  },
  create_drop: {
    subject: 'app',
    unit: 'percent',
    threshold: percent(50),
    fromRollups: true,
    counts: { list: 'requests', filters: { type: ['create'] } },
    filters: ['geo', 'asn', 'streamUid'],
    window: { min: 5, usual: 180 },
    minimum: 30,
    compares: true,
    coveredBy: 'app_silent',
    needs: statistics,
  },
  conversion_drop: {
    subject: 'app',
    unit: 'percent',
    threshold: percent(50),
    fromRollups: true,
    counts: { list: 'conversions', filters: {} },
    window: { min: 60, usual: 180 },
    minimum: 30,
    compares: true,
    needs: statistics,
  },
  /** Of the last whole day, because the roll-ups know payouts by day. */
  payout_drop: {
    subject: 'app',
    unit: 'percent',
    threshold: percent(50),
    counts: { list: 'conversions', filters: {} },
    minimum: 30,
    compares: true,
    needs: statistics,
  },
  /** Changes of bans and of the black list in the last hour. */
  ban_list_changed: {
    subject: 'console',
    unit: 'changes',
    threshold: { min: 1, max: 100_000, usual: 1 },
    counts: { list: 'activity', filters: { entity: ['asn', 'black_ip'] } },
    needs: ['manager_settings_asns'],
  },
  /** Background jobs that failed for good in the last hour. */
  job_failed: { subject: 'console', unit: 'jobs', threshold: { min: 1, max: 100_000, usual: 1 }, needs: ['manager_user_activity'] },
  seal_problem: { subject: 'console', unit: 'problems', threshold: null, needs: ['manager_user_activity'] },
  /** Free share of the disk that holds the logs. */
  log_disk: { subject: 'console', unit: 'percent', threshold: percent(10), firesBelow: true, needs: ['manager_dev_logs'] },
} as const satisfies Readonly<Record<string, KindRule>>;
export type AlertKind = keyof typeof alertKinds;
/** The kinds in the order of their declaration. */
export const alertKindNames = Object.keys(alertKinds).filter((name): name is AlertKind => name in alertKinds);

/**
 * What a rule of traffic counts. Null: the usual of its kind, or nothing where the kind has none. `request_filter` is of
 * `requestFilterText`.
 */
export type Measure = {
  window_minutes: WindowMinutes | null;
  minimum: number | null;
  comparison: Comparison | null;
  request_filter: string;
};

/** A measure with the usual values of its kind, and without those that the kind does not have. */
export function measureOf(kind: AlertKind, measure: Measure): Measure {
  const { window, minimum, compares, filters }: KindRule = alertKinds[kind];
  return {
    window_minutes: window === undefined ? null : (measure.window_minutes ?? window.usual),
    minimum: minimum === undefined ? null : (measure.minimum ?? minimum),
    comparison: compares === undefined ? null : (measure.comparison ?? usualComparison),
    request_filter: filters === undefined ? '' : measure.request_filter,
  };
}

/** The length of a window in words: `3 hours`. */
export function windowText(minutes: number): string {
  if (minutes < 60) return `${minutes} minutes`;
  return minutes === 60 ? 'hour' : `${minutes / 60} hours`;
}

/** A stretch of time whose rows an incident counted; dates are UTC texts, and its end is not part of it. */
const countedWindow = z.object({ from: z.string(), until: z.string() });
export type CountedWindow = z.output<typeof countedWindow>;

/** The date filters of lists that show exactly a window. */
export function windowFilters({ from, until }: CountedWindow): { startDate: string; endDate: string } {
  // An end date is part of what a list shows.
  return { startDate: from, endDate: formatMicroseconds(parseDateTime(until) - 1) };
}

/** The kinds whose rules and incidents an account may see. */
export function visibleKinds(permissions: readonly string[]): AlertKind[] {
  return alertKindNames.filter((kind) => holdsAny(permissions, alertKinds[kind].needs));
}

/** A value with the unit of its kind: `20%`, `1 day`. */
export function amountText(kind: AlertKind, value: number, format: (value: number) => string): string {
  const { unit } = alertKinds[kind];
  if (unit === null) return format(value);
  if (unit === 'percent') return `${format(value)}%`;
  return `${format(value)} ${value === 1 ? unit.slice(0, -1) : unit}`;
}

/** When a rule fires: `20% or more`; null for kinds without a threshold. */
export function thresholdText(kind: AlertKind, threshold: number | null, format: (value: number) => string): string | null {
  if (threshold === null) return null;
  return `${amountText(kind, threshold, format)} or ${'firesBelow' in alertKinds[kind] ? 'less' : 'more'}`;
}

/** Acts that a mail leads to. The page of the incident opens their dialog; loading the page changes nothing. */
export const incidentActs = ['acknowledge', 'silence'] as const;
/** The parameter of the page's address that names an act. */
export const incidentActParameter = 'do';

export const alertSeverities = ['critical', 'warning', 'info'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

/** Maximum number of rules, of silences that have not ended, of a silence's days, and of names that an incident lists. */
export const alertLimits = {
  rules: 1_000,
  silences: 200,
  silenceDays: 90,
  weeklySilenceDays: 366,
  names: 10,
  nameCharacters: 100,
  noteCharacters: 500,
  pendingMinutes: 1_440,
  holdMinutes: 1_440,
  /** A week. */
  reminderMinutes: 10_080,
  minimum: 1_000_000,
  previewedSubjects: 200,
  furtherThresholds: 5,
  /** Each reads the events itself, every minute. */
  filteredRules: 20,
  days: 30,
} as const;

export const alertMessages = {
  missingName: '*The field name is required',
  tooMany: `There are already ${alertLimits.rules} rules. Delete one first.`,
  tooManySilences: `There are already ${alertLimits.silences} silences. End one first.`,
  threshold: 'The threshold is outside the range of this kind.',
  furtherThresholds: 'Further thresholds must be within the range of this kind and below the threshold.',
  window: 'The window is too short for this kind.',
  filter: 'Rules of this kind cannot filter requests by this.',
  tooManyFiltered: `There are already ${alertLimits.filteredRules} rules that count some requests only. Delete one first.`,
  apps: 'Choose at least one app or vertical, or all apps.',
  scopeOfKind: 'This kind is not about apps, so it covers everything.',
  allApps: 'Only accounts that see all apps can change rules, silences and channels.',
  /** Days that a comparison looks back, and those for which requests and conversions are kept. */
  retention: (needed: number, kept: number) =>
    `This comparison needs ${needed} days of data, but only ${kept} ${kept === 1 ? 'is' : 'are'} kept (EVENT_RETENTION_DAYS).`,
  nothingCovered: 'No kind of rule fits both choices.',
  silenceEnd: 'The end must be in the future and at most 90 days away, or a year if it repeats each week.',
} as const;

/** Apps that a rule or a silence is about: all of them, those of some verticals, or chosen ones. */
export const alertScope = z.strictObject({
  apps: choice(['all', 'verticals', 'chosen']),
  verticals: z.array(choice(verticalIds)).max(verticalIds.length).default([]),
  app_ids: z.array(integer()).max(maximumAppIds).default([]),
});
export type AlertScope = z.output<typeof alertScope>;

const named = z.object({ id: z.int(), name: z.string() });

/**
 * Why a rule reaches nobody: it names no channel that is left; all of its channels are off, take graver messages only, or are failing:
 * the last three messages failed, or one has waited for an hour in which none was delivered.
 */
export const unheardReasons = ['no_channel', 'off', 'severity', 'failing'] as const;
export type UnheardReason = (typeof unheardReasons)[number];

/** The reasons as sentences. */
export const unheardTexts: Readonly<Record<UnheardReason, string>> = {
  no_channel: 'No channel is chosen, or its channel was deleted.',
  off: 'All of its channels are off.',
  severity: 'Its channels take only more severe messages.',
  failing: 'Its channels have been failing.',
};

/** A rule. `threshold` is in the kind's unit; null where the kind has none. Dates are UTC texts. */
export const alertRule = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(alertKindNames),
  threshold: z.int().nullable(),
  /** Lower thresholds of expiries, the highest first: an open incident is announced again when it reaches one. */
  further_thresholds: z.array(z.int()),
  scope: alertScope,
  /** Minutes for which the condition has to hold before an incident fires. */
  pending_minutes: z.int(),
  /** Set for kinds of traffic; null for others. */
  window_minutes: z.literal(windowMinutes).nullable(),
  minimum: z.int().nullable(),
  comparison: z.enum(comparisons).nullable(),
  /** Which requests it counts; '' counts all. */
  request_filter: z.string(),
  /** Minutes for which the condition has to be over before an incident ends. */
  hold_minutes: z.int(),
  /** Minutes between reminders of an incident that nobody acknowledged; 0: none. */
  reminder_minutes: z.int(),
  severity: z.enum(alertSeverities),
  is_on: z.boolean(),
  /** Channels that are informed; null: all of them, also later ones. */
  channel_ids: z.array(z.int()).nullable(),
  /** Why no channel takes its messages; null: one does, the rule is off, or no channel was ever chosen or set up. */
  unheard: z.enum(unheardReasons).nullable(),
  owner: named.nullable(),
  open_incidents: z.int(),
  /** When its values were last known; null: not since it was changed, or it is off. */
  evaluated_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
});
export type AlertRule = z.output<typeof alertRule>;

/** Fields of a rule. */
export const ruleFields = {
  name: labelled('Name', textOrElse(alertLimits.nameCharacters, alertMessages.missingName)),
  threshold: labelled('Threshold', integer().nullable()),
  further_thresholds: labelled('Announce again at', z.array(integer()).max(alertLimits.furtherThresholds)),
  scope: labelled('Apps', alertScope),
  pending_minutes: labelled('Pending', integer().min(0).max(alertLimits.pendingMinutes)),
  window_minutes: labelled('Window', integerChoice(windowMinutes).nullable()),
  minimum: labelled('Minimum volume', integer().min(1).max(alertLimits.minimum).nullable()),
  comparison: labelled('Compared with', choice(comparisons).nullable()),
  request_filter: labelled('Only requests of', requestFilterText),
  hold_minutes: labelled('Ends after', integer().min(0).max(alertLimits.holdMinutes)),
  reminder_minutes: labelled('Reminder', integer().min(0).max(alertLimits.reminderMinutes)),
  severity: labelled('Severity', choice(alertSeverities)),
  is_on: labelled('Switched on', bodyBoolean),
  channel_ids: labelled('Channels', z.array(integer()).max(100).nullable()),
  kind: labelled('Kind', choice(alertKindNames)),
};

/** Whoever may see an incident may see rules; changes also need that the caller sees all apps. */
const readAccess = sessionAccess;
const changeAccess = anyPermission(...alertPermissions);

export const rulesQuery = z.object({
  page,
  limit: limit(defaultLimits.alertRules),
  search: searchText(),
  kind: multiple(z.enum(alertKindNames)),
  /** Whether they reach nobody. */
  unheard: queryBoolean(),
});
export type RulesQuery = z.output<typeof rulesQuery>;

/** Fields that may be absent when a rule is created. */
export const ruleDefaults = {
  threshold: ruleFields.threshold.default(null),
  further_thresholds: ruleFields.further_thresholds.default([]),
  pending_minutes: ruleFields.pending_minutes.default(0),
  window_minutes: ruleFields.window_minutes.default(null),
  minimum: ruleFields.minimum.default(null),
  comparison: ruleFields.comparison.default(null),
  request_filter: ruleFields.request_filter.default(''),
  hold_minutes: ruleFields.hold_minutes.default(0),
  reminder_minutes: ruleFields.reminder_minutes.default(0),
  scope: ruleFields.scope.default({ apps: 'all', verticals: [], app_ids: [] }),
  severity: ruleFields.severity.default('warning'),
  is_on: ruleFields.is_on.default(true),
  channel_ids: ruleFields.channel_ids.default(null),
};

const ruleCalls = entityCalls({
  path: 'alerts/rules',
  firstNumber: 320,
  access: changeAccess,
  row: alertRule,
  fields: ruleFields,
  defaults: ruleDefaults,
  summaries: {
    list: 'Rules of the kinds that the caller may see',
    create: 'Create a rule',
    get: 'A rule',
    update: 'Change a rule; absent fields stay unchanged',
    remove: 'Delete a rule; its open incidents end',
  },
});

export const { create: createRule, remove: deleteRule } = ruleCalls;
export type CreateRuleBody = z.output<typeof createRule.body>;

export const listRules = defineEndpoint({
  ...ruleCalls.list,
  access: readAccess,
  query: rulesQuery,
  answer: { kind: 'page', row: alertRule },
});

/** Not in the specification. Rules that the caller may see, all of them. */
export const listPickRules = defineEndpoint({
  number: 406,
  method: 'GET',
  path: 'alerts/rules/list',
  summary: 'Rules for selects, by name',
  access: readAccess,
  answer: { kind: 'data', status: 200, schema: z.array(z.object({ id: z.int(), name: z.string() })) },
});

export const getRule = defineEndpoint({ ...ruleCalls.get, access: readAccess });

/** The kind of a rule stays. */
export const updateRule = defineEndpoint({ ...ruleCalls.update, body: ruleCalls.update.body.omit({ kind: true }) });

/** A value that a rule would have seen. `subject` names the app, server or console with the worst value at that time. */
const previewPoint = z.object({ at: z.string(), value: z.number().nullable(), subject: z.string().nullable() });

/**
 * Preview of a rule. `points` are hourly values of the last days where the kind is counted by roll-ups, else the current
 * value alone; `firings` are the stretches in which it would have fired, newest first.
 */
export const rulePreview = z.object({
  /** Other rules of the same kind, condition and apps. */
  repeats: z.array(named),
  threshold: z.int().nullable(),
  points: z.array(previewPoint),
  firings: z.array(z.object({ subject: z.string(), from: z.string(), until: z.string().nullable() })),
  firing_total: z.int(),
  /** The present values of apps or servers, the worst first, and how many have one. */
  subjects: z.array(z.object({ id: z.int(), name: z.string(), value: z.number(), fires: z.boolean() })),
  subject_total: z.int(),
  /** Days that were looked at; 0 where only the current state is known. */
  days: z.int(),
});
export type RulePreview = z.output<typeof rulePreview>;

export const previewRule = defineEndpoint({
  number: 325,
  method: 'POST',
  path: 'alerts/rules/preview',
  summary: 'Values that a rule would see, and when it would have fired in the last 30 days',
  access: changeAccess,
  recentSignIn: null,
  body: createRule.body
    .pick({
      kind: true,
      threshold: true,
      scope: true,
      pending_minutes: true,
      window_minutes: true,
      minimum: true,
      comparison: true,
      request_filter: true,
    })
    /** The rule that is edited; null: a new one. */
    .extend({ rule_id: storedId().nullable().default(null) }),
  answer: { kind: 'data', status: 200, schema: rulePreview },
});

export const incidentStates = ['firing', 'acknowledged', 'resolved'] as const;
export type IncidentState = (typeof incidentStates)[number];

/** Values of a rule that fires for one app, one server, or the console. */
export const incident = z.object({
  id: z.int(),
  rule: z.object({ id: z.int().nullable(), name: z.string(), kind: z.enum(alertKindNames) }),
  severity: z.enum(alertSeverities),
  state: z.enum(incidentStates),
  app: named.nullable(),
  server: named.nullable(),
  /** Number of affected things, and the names of the first ones: servers of an app's links, else the app or server itself. */
  affected: z.int(),
  names: z.array(z.string()),
  /** The newest value in the kind's unit; null where the kind has none. */
  value: z.number().nullable(),
  /** The lowest threshold of the rule that was reached. */
  threshold: z.int().nullable(),
  /** One sentence that says what is wrong. */
  reason: z.string(),
  /** The time in which the rows that it names were counted; null for other kinds. */
  window: countedWindow.nullable(),
  /** The earlier time that they are compared with; null for other kinds. */
  compared: countedWindow.nullable(),
  /** Which requests were counted; '' counts all. */
  request_filter: z.string(),
  is_silenced: z.boolean(),
  started_at: z.string(),
  acknowledged_at: z.string().nullable(),
  acknowledged_by: named.nullable(),
  resolved_at: z.string().nullable(),
});
export type Incident = z.output<typeof incident>;

/** An event in the course of an incident. `note` is the text of whoever acknowledged it. */
export const incidentEvents = ['fired', 'acknowledged', 'silenced', 'announced', 'resolved'] as const;
/** Events of an incident that channels announce. */
export const announcedEvents = ['fired', 'reminded', 'resolved'] as const;
export const incidentDetails = incident.extend({
  timeline: z.array(z.object({ at: z.string(), event: z.enum(incidentEvents), actor: named.nullable(), note: z.string().nullable() })),
  /** Its messages of the last 30 days in each channel, oldest first; null for callers who may not see channels. */
  messages: z.array(delivery.extend({ channel: named, event: z.enum(announcedEvents) })).nullable(),
});
export type IncidentMessage = NonNullable<z.output<typeof incidentDetails>['messages']>[number];
export type IncidentDetails = z.output<typeof incidentDetails>;

/** Keys by which incidents are sorted. Values are those of the kind's unit, so they are compared best within one kind. */
export const incidentSortKeys = ['since', 'severity', 'subject', 'value'] as const;

/** Newest first. */
export const defaultIncidentSort = { orderBy: 'since', orderDirection: 'desc' } as const;

/** Filters of incidents. `search` is part of their text, or of the name of their rule, app or server. */
export const incidentFilters = z.object({
  search: searchText(),
  state: multiple(z.enum(incidentStates)),
  severity: multiple(z.enum(alertSeverities)),
  kind: multiple(z.enum(alertKindNames)),
  appId: queryId(),
  serverId: queryId(),
  ruleId: queryId(),
});
export type IncidentFilters = z.output<typeof incidentFilters>;

export const incidentsQuery = incidentFilters.extend({
  page,
  limit: limit(defaultLimits.incidents),
  ...sortBy(incidentSortKeys, defaultIncidentSort),
});
export type IncidentsQuery = z.output<typeof incidentsQuery>;

export const listIncidents = defineEndpoint({
  number: 326,
  method: 'GET',
  path: 'incidents',
  summary: "Incidents of the caller's apps and of the kinds that the caller may see",
  access: readAccess,
  query: incidentsQuery,
  answer: { kind: 'page', row: incident },
});

/** Maximum number of rows of [382]: the newest ones. */
export const incidentNewsRows = 20;

/**
 * News that an open console loads each minute. `critical` counts the critical incidents that fire without a silence, `waiting` those that
 * the next evaluations open, `newest` is the highest id. `rows` are those above `after` that fire without a silence, newest first; none
 * without `after`.
 */
export const incidentNews = z.object({ critical: z.int(), waiting: z.int(), newest: z.int(), rows: z.array(incident) });
export type IncidentNews = z.output<typeof incidentNews>;

export const watchIncidents = defineEndpoint({
  number: 382,
  method: 'GET',
  path: 'incidents/news',
  summary: 'The numbers of critical and of waiting incidents, and those that began after an incident',
  access: readAccess,
  query: z.object({ after: queryId() }),
  answer: { kind: 'data', status: 200, schema: incidentNews },
});

export const getIncident = defineEndpoint({
  number: 327,
  method: 'GET',
  path: 'incidents/{id}',
  summary: 'An incident with its timeline',
  access: readAccess,
  params: idParams,
  answer: { kind: 'data', status: 200, schema: incidentDetails },
});

export const acknowledgeIncident = defineEndpoint({
  number: 328,
  method: 'POST',
  path: 'incidents/{id}/acknowledge',
  summary: 'Acknowledge a firing incident',
  access: sessionAccess,
  recentSignIn: null,
  params: idParams,
  body: z.strictObject({ note: plainText(alertLimits.noteCharacters).default('') }),
  answer: { kind: 'data', status: 200, schema: incidentDetails },
  rejections: [409],
});

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 02:30.');

/**
 * Times that repeat each week, by the offset of the server: from `from` on each weekday, 1 (Monday) to 7, to `until`, which is on the next
 * day where it is not later.
 */
export const weeklyTimes = z.strictObject({
  weekdays: z.array(integer().min(1).max(7)).min(1).max(7),
  from: clockTime,
  until: clockTime,
});
export type WeeklyTimes = z.output<typeof weeklyTimes>;

/** A stretch of time in which incidents are not announced. A null `kind` or `rule` covers all of them. */
export const silence = z.object({
  id: z.int(),
  note: z.string(),
  kind: z.enum(alertKindNames).nullable(),
  rule: named.nullable(),
  server: named.nullable(),
  scope: alertScope,
  starts_at: z.string(),
  ends_at: z.string(),
  /** It mutes at these times only. */
  weekly: weeklyTimes.nullable(),
  created_by: named.nullable(),
});
export type Silence = z.output<typeof silence>;

export const listSilences = defineEndpoint({
  number: 329,
  method: 'GET',
  path: 'alerts/silences',
  summary: 'Silences that have not ended and those of the last 30 days, latest end first',
  access: readAccess,
  answer: { kind: 'data', status: 200, schema: z.array(silence) },
});

export const createSilence = defineEndpoint({
  number: 330,
  method: 'POST',
  path: 'alerts/silences',
  summary: 'Silence incidents, or plan a maintenance window',
  access: changeAccess,
  recentSignIn: null,
  body: z.strictObject({
    note: plainText(alertLimits.noteCharacters).default(''),
    kind: choice(alertKindNames).nullable().default(null),
    rule_id: storedId().nullable().default(null),
    server_id: storedId().nullable().default(null),
    scope: alertScope.default({ apps: 'all', verticals: [], app_ids: [] }),
    /** Null: now. */
    starts_at: instantText.nullable().default(null),
    ends_at: instantText,
    weekly: weeklyTimes.nullable().default(null),
  }),
  answer: { kind: 'data', status: 201, schema: silence },
});

export const endSilence = defineEndpoint({
  number: 331,
  method: 'DELETE',
  path: 'alerts/silences/{id}',
  summary: 'End a silence now; what still fires is announced',
  access: changeAccess,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
});
