import { z } from 'zod';
import { responseCodes } from './app-rules.ts';
import { saveAppBody } from './app-form.ts';
import { belongingsSummary } from './belongings.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { banReasonCharacters } from './asns.ts';
import { blackIpReasonCharacters } from './black-ips.ts';
import { blackListOrigin } from './black-list-query.ts';
import { defaultLimits } from './limits.ts';
import { idParams, limit, page, searchText, single } from './listing.ts';
import type { Permission } from './permissions.ts';
import { bodyBoolean, integer, integerChoice, plainText, requiredText } from './text-fields.ts';

/** Entities whose rows can be changed in bulk. */
export const bulkEntities = ['app', 'asn', 'black_ip', 'account'] as const;
export type BulkEntityName = (typeof bulkEntities)[number];

/** Limits of a run: rows, rows that are named one by one, unfinished runs of an account, its runs in an hour, and its stored rows. */
export const bulkLimits = { rows: 50_000, named: 10_000, unfinished: 3, days: 30, perHour: 60, stored: 500_000 } as const;

const nothing = z.strictObject({});
const ids = z.array(integer()).min(1).max(100);
const codeOf = z.strictObject({ code: integerChoice(responseCodes) }).optional();
const appFields = saveAppBody.pick({ vertical: true, proxy_cache_seconds: true }).extend({
  response_message: z.strictObject({ static: codeOf, create: codeOf, receive: codeOf }).optional(),
});
const bans = z.strictObject({
  isBanCreate: bodyBoolean.optional(),
  isBanReceive: bodyBoolean.optional(),
  // What an undone change restores; absent: as it is.
  reason: plainText(banReasonCharacters).optional(),
});

function change<const A extends string, P extends z.ZodType>(action: A, params: P) {
  return z.strictObject({ action: z.literal(action), params });
}

/** A change of one row, and the parameters that it has for all rows of a run. */
export const bulkChange = z.discriminatedUnion('action', [
  change('app.archive', nothing),
  change('app.restore', nothing),
  change('app.set', appFields.refine(hasField, { error: 'Choose at least one field.' })),
  change('app.link', z.strictObject({ serverId: integer(), isOnlyCF: bodyBoolean.default(false) })),
  change('app.unlink', z.strictObject({ serverId: integer() })),
  change('app.add_buyers', z.strictObject({ ids })),
  change('app.remove_buyers', z.strictObject({ ids })),
  change('app.add_staff', z.strictObject({ ids })),
  change('app.remove_staff', z.strictObject({ ids })),
  change(
    'asn.ban',
    bans.refine(({ reason: _reason, ...flags }) => hasField(flags), { error: 'Choose at least one field.' }),
  ),
  change(
    'black_ip.add',
    // What an undone removal restores. Runs of calls that do not send it have neither.
    z.strictObject({ reason: plainText(blackIpReasonCharacters).default(''), ...blackListOrigin }),
  ),
  change('black_ip.delete', nothing),
  change('account.set_access', z.strictObject({ hasAccess: bodyBoolean, handOverTo: integer().optional() })),
  change('account.add_roles', z.strictObject({ ids })),
  change('account.remove_roles', z.strictObject({ ids })),
  change('account.add_apps', z.strictObject({ ids })),
  change('account.remove_apps', z.strictObject({ ids })),
  change('account.end_sessions', nothing),
]);
export type BulkChange = z.output<typeof bulkChange>;
export type BulkActionName = BulkChange['action'];

function hasField(params: object): boolean {
  return Object.values(params).some((value) => value !== undefined);
}

type BulkActionRule = {
  entity: BulkEntityName;
  /** Any of them admits the caller, as the call on a single row does. */
  needs: readonly [Permission, ...Permission[]];
  /** The field whose change needs a recent sign-in. */
  guards?: (typeof guardedFields)[number];
  /** API tokens cannot make it. */
  peopleOnly?: true;
};

const guardedFields = ['userIds', 'appIds', 'hasAccess', 'roles'] as const;

/** The entity of each action, and what it requires of the caller. */
export const bulkActions = {
  'app.archive': { entity: 'app', needs: ['manager_app_delete'] },
  'app.restore': { entity: 'app', needs: ['manager_app_delete'] },
  'app.set': { entity: 'app', needs: ['manager_app_edit'] },
  'app.link': { entity: 'app', needs: ['manager_app_create', 'manager_app_edit'] },
  'app.unlink': { entity: 'app', needs: ['manager_app_create', 'manager_app_edit'] },
  'app.add_buyers': { entity: 'app', needs: ['manager_app_edit'], guards: 'userIds' },
  'app.remove_buyers': { entity: 'app', needs: ['manager_app_edit'], guards: 'userIds' },
  'app.add_staff': { entity: 'app', needs: ['manager_user_edit'], guards: 'appIds' },
  'app.remove_staff': { entity: 'app', needs: ['manager_user_edit'], guards: 'appIds' },
  'asn.ban': { entity: 'asn', needs: ['manager_settings_asns'] },
  'black_ip.add': { entity: 'black_ip', needs: ['manager_settings_asns'] },
  'black_ip.delete': { entity: 'black_ip', needs: ['manager_settings_asns'] },
  'account.set_access': { entity: 'account', needs: ['manager_user_deactivate'], guards: 'hasAccess' },
  'account.add_roles': { entity: 'account', needs: ['manager_user_edit'], guards: 'roles' },
  'account.remove_roles': { entity: 'account', needs: ['manager_user_edit'], guards: 'roles' },
  'account.add_apps': { entity: 'account', needs: ['manager_user_edit'], guards: 'appIds' },
  'account.remove_apps': { entity: 'account', needs: ['manager_user_edit'], guards: 'appIds' },
  'account.end_sessions': { entity: 'account', needs: ['manager_user_deactivate'], peopleOnly: true },
} as const satisfies Readonly<Record<BulkActionName, BulkActionRule>>;

/** The entity and the requirements of an action. */
export function bulkRuleOf(action: BulkActionName): BulkActionRule {
  return bulkActions[action];
}

/** What the actions on an entity require of the caller. */
export function bulkEntityPermissions(entity: BulkEntityName): BulkActionRule['needs'][] {
  return Object.values(bulkActions).flatMap((rule) => (rule.entity === entity ? [rule.needs] : []));
}

export const bulkMessages = {
  notFound: 'Not found',
  malformedAddress: 'Not an IP address',
  malformedException: (key: string) => `The exception ${key} can be no row.`,
  changedSinceCheck: 'Changed since the check',
  changedSinceRun: 'Changed since the run',
  notReversible: 'This change cannot be undone',
  failed: 'Something went wrong',
  none: 'No rows match.',
  choosesAll: 'The filter chooses every row. Set a filter, or all to true.',
  tooMany: `More than ${bulkLimits.rows.toLocaleString('en-US')} rows match. Narrow the search or the filters, and change them in parts.`,
  unfinished: `You already have ${bulkLimits.unfinished} unfinished runs. Cancel one first.`,
  perHour: `At most ${bulkLimits.perHour} runs an hour. Try again later.`,
  stored: `At most ${bulkLimits.stored} rows are stored for your runs. Try again later, or cancel runs that you have not started.`,
  notReady: 'The run has not been checked yet, or has been started already',
  notUnfinished: 'The run is finished',
  notUndoable: 'Only a finished run can be undone, and only once',
  lostPermission: 'You no longer have the permission for this change',
  signedOut: 'The sign-in or the token that started the run has ended',
} as const;

/**
 * Outcome of a row: changed, already as wished, not allowed, changed by somebody else since the check, or failed. A check says
 * what a run would do.
 */
export const bulkResults = ['changed', 'already', 'denied', 'conflict', 'failed'] as const;
export type BulkResult = (typeof bulkResults)[number];

/** `checking` and `running` are under way; `ready` waits for its start. `stopped`: its caller lost a right. */
export const bulkStates = ['checking', 'ready', 'running', 'done', 'cancelled', 'stopped'] as const;
export type BulkState = (typeof bulkStates)[number];

const counts = z.object({ changed: z.int(), already: z.int(), denied: z.int(), conflict: z.int(), failed: z.int() });
export type BulkCounts = z.output<typeof counts>;

/** A run. Rows of apps outside the caller's scope are neither counted nor listed. Dates are UTC texts. */
export const bulkRun = z.object({
  id: z.int(),
  entity: z.enum(bulkEntities),
  /** Null for an undo, which gives each row its own change. */
  change: z.object({ action: z.string(), params: z.unknown() }).nullable(),
  /** The run that this one undoes, and the one that undoes this one. */
  undo_of: z.int().nullable(),
  undone_by: z.int().nullable(),
  state: z.enum(bulkStates),
  /** Why it was stopped. */
  problem: z.string().nullable(),
  total: z.int(),
  /** Results of the check, and of the run itself. */
  check: counts,
  result: counts,
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
});
export type BulkRun = z.output<typeof bulkRun>;

const outcome = z.object({ result: z.enum(bulkResults), message: z.string().nullable() });

/** How many days the requests cover that a ban would have blocked, today included. */
export const blockedDays = 7;

/**
 * A row of a run; `check` and `result` are null until it is checked or done. `blocked`: the requests of the last seven days that a ban
 * would have blocked, of the apps in the caller's scope; null for other changes, and without manager_app_all_requests.
 */
export const bulkRow = z.object({
  key: z.string(),
  label: z.string(),
  check: outcome.nullable(),
  result: outcome.nullable(),
  blocked: z.int().nullable(),
});
export type BulkRow = z.output<typeof bulkRow>;

const permissions = [...new Set(Object.values(bulkActions).flatMap(({ needs }): Permission[] => [...needs]))];
const [firstPermission = 'manager_app_edit', ...otherPermissions] = permissions;
const access = anyPermission(firstPermission, ...otherPermissions);
const run = { kind: 'data', status: 200, schema: bulkRun } as const;

/** A number or a text: ids of apps, accounts and autonomous systems, addresses of the black list. */
const key = z
  .preprocess((value) => (typeof value === 'number' ? String(value) : value), requiredText(64))
  .meta({ type: ['integer', 'string'] });
const keys = z.array(key).max(bulkLimits.named);

/**
 * Chosen rows, or all that match the query string of the list except some. Where the query string chooses nothing by itself, `all` has to say
 * so, which the handler validates: it knows the list.
 */
export const bulkTarget = z.union([
  z.strictObject({ keys: keys.min(1) }),
  z.strictObject({ filter: plainText(4_000).default(''), all: z.literal(true).optional(), except: keys.default([]) }),
]);
export type BulkTarget = z.output<typeof bulkTarget>;
export type FilterTarget = Exclude<BulkTarget, { keys: string[] }>;

/** Checks a change of many rows: what it would do to each. Nothing is changed until the run is started ([222]). */
export const checkBulk = defineEndpoint({
  number: 220,
  method: 'POST',
  path: 'bulk/runs',
  summary: 'Check a change of many rows without making it',
  access,
  recentSignIn: null,
  body: z.strictObject({ change: bulkChange, target: bulkTarget }),
  answer: { kind: 'data', status: 201, schema: bulkRun },
  rejections: [409, 429],
});

export const getBulkRun = defineEndpoint({
  number: 221,
  method: 'GET',
  path: 'bulk/runs/{id}',
  summary: "One's own run with its progress",
  access,
  params: idParams,
  answer: run,
});

export const startBulkRun = defineEndpoint({
  number: 222,
  method: 'POST',
  path: 'bulk/runs/{id}/start',
  summary: 'Make the change that was checked; rows that changed since are skipped',
  access,
  recentSignIn: { before: 'change', of: guardedFields },
  params: idParams,
  answer: run,
  rejections: [409],
});

export const cancelBulkRun = defineEndpoint({
  number: 223,
  method: 'POST',
  path: 'bulk/runs/{id}/cancel',
  summary: 'Cancel a check or a run; rows that were changed stay changed',
  access,
  recentSignIn: null,
  params: idParams,
  answer: run,
  rejections: [409],
});

export const undoBulkRun = defineEndpoint({
  number: 224,
  method: 'POST',
  path: 'bulk/runs/{id}/undo',
  summary: 'Check the undo of a run; it is made when it is started. Gives the undo that waits for its start, if there is one',
  access,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'data', status: 201, schema: bulkRun },
  rejections: [409, 429],
});

const rowsQuery = z.object({
  page,
  limit: limit(defaultLimits.audit),
  check: single(z.enum(bulkResults).optional()),
  result: single(z.enum(bulkResults).optional()),
  search: searchText(),
});
export type BulkRowsQuery = z.output<typeof rowsQuery>;

export const listBulkRows = defineEndpoint({
  number: 225,
  method: 'GET',
  path: 'bulk/runs/{id}/rows',
  summary: "Rows of one's own run with their results; those of a ban with the most blocked requests first",
  access,
  params: idParams,
  query: rowsQuery,
  answer: { kind: 'page', row: bulkRow },
});

export const listBulkRuns = defineEndpoint({
  number: 226,
  method: 'GET',
  path: 'bulk/runs',
  summary: "One's own runs of the last 30 days, newest first",
  access,
  query: z.object({ page, limit: limit(defaultLimits.audit), entity: single(z.enum(bulkEntities).optional()) }),
  answer: { kind: 'page', row: bulkRun },
});

/**
 * Requests of the last seven days of the apps in the caller's scope: those that the rows of a ban that will change would have blocked, all,
 * and those among all whose system is not known.
 */
const blockedRequests = z.object({ blocked: z.int(), all: z.int(), unknown: z.int() });

/** Not in the specification. Null for changes that ban nothing, without manager_app_all_requests, and while the event store is unavailable. */
export const getBlockedRequests = defineEndpoint({
  number: 390,
  method: 'GET',
  path: 'bulk/runs/{id}/blocked',
  summary: 'What a ban would have blocked in the last seven days',
  access,
  params: idParams,
  answer: { kind: 'data', status: 200, schema: blockedRequests.nullable() },
});

/** Not in the specification. Null for runs that deny nobody access. */
export const getBulkBelongings = defineEndpoint({
  number: 393,
  method: 'GET',
  path: 'bulk/runs/{id}/belongings',
  summary: 'What hangs on the accounts to which a run will deny access',
  access: anyPermission('manager_user_deactivate'),
  params: idParams,
  answer: { kind: 'data', status: 200, schema: belongingsSummary.nullable() },
});
