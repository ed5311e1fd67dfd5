import { z } from 'zod';
import { anyPermission, defineEndpoint, sessionAccess } from './endpoint.ts';
import { idParams, multiple, queryIds } from './listing.ts';
import { filterDate } from './requests.ts';
import { instantText, integer, nameText } from './text-fields.ts';

/**
 * Kinds of marks: changes of apps and traffic servers, notes by people, changes of alert rules, bans and the black list, bulk runs,
 * beginnings and ends of incidents, and starts of the console. Where a mark lists few of many, each kind comes in this order.
 */
export const markKinds = ['note', 'start', 'incident', 'bulk', 'rule', 'ban', 'server', 'app'] as const;
export type MarkKind = (typeof markKinds)[number];

/** Maximum number of marks and of the entries that each lists, days that a call covers, and limits of notes. */
export const markLimits = {
  marks: 100,
  entries: 8,
  days: 700,
  characters: 200,
  /** Notes of one account. */
  notes: 500,
  /** Days before and after today that the time of a note may lie. */
  daysBefore: 700,
  daysAhead: 31,
} as const;

export const markMessages = {
  subject: 'A note is about an app, a server, or neither.',
  time: `The time must be at most ${markLimits.daysBefore} days ago, and at most ${markLimits.daysAhead} days ahead.`,
  tooMany: `You already have ${markLimits.notes} notes. Delete one first.`,
  allApps: 'Only accounts that see all apps can write notes for all of them.',
} as const;

/**
 * Notes are read with any of these, which show charts of apps. To write or delete one needs `manager_app_edit`, because tokens that may only
 * read have the others. Those of servers also need `manager_settings_server`.
 */
export const notePermissions = ['manager_app_requests', 'manager_app_all_requests', 'manager_app_statistics', 'manager_app_edit'] as const;

const named = z.object({ id: z.int(), name: z.string() });

/**
 * A change at a time. `id` is that of the entry of the audit trail, the incident or the note. Values of fields are never part of it. Dates are
 * UTC texts.
 */
export const markEntry = z.object({
  kind: z.enum(markKinds),
  id: z.number(),
  at: z.string(),
  /** The action of the audit trail, `begin` or `end` of an incident, `note`. */
  what: z.string(),
  /** Name of what was changed at that time, rule of an incident, text of a note. */
  name: z.string().nullable(),
  by: named.nullable(),
  app: named.nullable(),
  server: named.nullable(),
  /** The bulk run that made the change. */
  run: z.int().nullable(),
  /** Labels of changed fields. */
  fields: z.array(z.string()),
  /** Whether the caller may delete it; only notes can be deleted. */
  is_deletable: z.boolean(),
});
export type MarkEntry = z.output<typeof markEntry>;

/** Changes that lie close together: how many there are, and some of them, newest first. `at` is the newest. */
export const mark = z.object({ at: z.string(), count: z.int(), entries: z.array(markEntry) });
export type Mark = z.output<typeof mark>;

/**
 * Not in the specification. Each kind needs what its history or list needs: a kind without permission is left out, and changes of apps
 * outside the caller's scope are. With apps or servers only what concerns them, and what concerns all traffic.
 */
export const listMarks = defineEndpoint({
  number: 448,
  method: 'GET',
  path: 'marks',
  summary: 'Changes, incidents and notes over time, to be marked in charts',
  access: sessionAccess,
  query: z.object({
    /** 30 days without it. */
    startDate: filterDate,
    endDate: filterDate,
    /** Only what concerns any of these apps. Apps outside the scope are ignored. */
    appId: queryIds(),
    serverId: queryIds(),
  }),
  answer: { kind: 'data', status: 200, schema: z.array(mark) },
});

/** Not in the specification. */
export const createNote = defineEndpoint({
  number: 449,
  method: 'POST',
  path: 'marks/notes',
  summary: 'Write a note as a mark, for an app, a traffic server, or all',
  access: anyPermission('manager_app_edit'),
  recentSignIn: null,
  body: z.strictObject({
    text: nameText(markLimits.characters),
    /** Null: now. */
    at: instantText.nullable().default(null),
    app_id: integer().nullable().default(null),
    server_id: integer().nullable().default(null),
  }),
  answer: { kind: 'data', status: 201, schema: z.object({ id: z.int() }) },
});

/** Not in the specification. The author may delete a note, and whoever may edit its app or server; those for all, accounts that see all apps. */
export const deleteNote = defineEndpoint({
  number: 450,
  method: 'DELETE',
  path: 'marks/notes/{id}',
  summary: 'Delete a note',
  access: anyPermission('manager_app_edit'),
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
});

/** How many requests and conversions there were, before a change and after it. */
const comparedCount = z.object({ before: z.int(), after: z.int() });

/**
 * Traffic around a revision: in `hours` whole hours after the hour of the change, at most 24, and in the same hours before it. Each is null
 * where it is not known: no whole hour has passed, the time before is past retention, or the event store is unavailable.
 */
const revisionTraffic = z.object({
  id: z.number(),
  hours: z.int(),
  requests: comparedCount.nullable(),
  conversions: comparedCount.nullable(),
  /** The bulk run that made the revision. `is_own`: the caller may open it. */
  run: z.object({ id: z.int(), is_own: z.boolean() }).nullable(),
});
export type RevisionTraffic = z.output<typeof revisionTraffic>;

/** Not in the specification. Counts need `manager_app_statistics`. */
export const getRevisionTraffic = defineEndpoint({
  number: 451,
  method: 'GET',
  path: 'apps/{id}/history/traffic',
  summary: "An app's requests and conversions before and after revisions, and the bulk runs that made them",
  // As the history; importing it would load every form.
  access: anyPermission('manager_app_edit'),
  params: idParams,
  query: z.object({
    /** Numbers of entries of the history. */
    revision: multiple(
      z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number),
    ),
  }),
  answer: { kind: 'data', status: 200, schema: z.array(revisionTraffic) },
});
