import { z } from 'zod';
import { defineEndpoint, peopleAccess, sessionAccess } from './endpoint.ts';
import { idParams, single } from './listing.ts';
import { appsListPermissions, type Permission } from './permissions.ts';
import { choice, plainText, storedId, textOrElse } from './text-fields.ts';
import { accountListPermissions } from './users.ts';

/** Lists and reports that views are saved for, and who may open each. */
export const viewLists = {
  apps: appsListPermissions,
  users: accountListPermissions,
  buyers: accountListPermissions,
  servers: ['manager_settings_server'],
  asns: ['manager_settings_asns'],
  'black-ips': ['manager_settings_asns'],
  requests: ['manager_app_all_requests'],
  events: ['manager_app_requests'],
  pushes: ['manager_app_pushes'],
  conversions: ['manager_app_conversions'],
  activity: ['manager_user_activity'],
  reports: ['manager_app_statistics'],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;
export type ViewList = keyof typeof viewLists;
/** The lists in the order of their declaration. */
export const viewListNames = Object.keys(viewLists).filter((name): name is ViewList => name in viewLists);

/** Who sees a view beside its owner. */
export const viewSharings = ['private', 'roles', 'everyone'] as const;

/** Maximum number of views of one account, and of characters in a name and a query. */
export const viewLimits = { perAccount: 200, nameCharacters: 100, queryCharacters: 4_000 } as const;

export const viewMessages = {
  missingName: '*The field name is required',
  taken: 'You already have a view with this name.',
  tooMany: `You already have ${viewLimits.perAccount} saved views. Delete one first.`,
  missingRoles: 'Choose at least one role.',
  foreignRole: 'You can share with roles that you hold.',
} as const;

/** Hidden columns, optional columns that are shown, and chosen widths of a list, by column id. */
export const viewColumns = z.strictObject({
  hidden: z.array(plainText(60)).max(100),
  shown: z.array(plainText(60)).max(100).default([]),
  widths: z.record(z.string().max(60), z.int().min(20).max(4_000)),
});
export type ViewColumns = z.output<typeof viewColumns>;

/** A saved view. `query` is the query string of the list's address without page and cursor. */
export const savedView = z.object({
  id: z.int(),
  list: z.enum(viewListNames),
  name: z.string(),
  query: z.string(),
  columns: viewColumns,
  sharing: z.enum(viewSharings),
  role_ids: z.array(z.int()),
  owner: z.object({ id: z.int(), name: z.string() }),
  /** Whether the caller may change and delete it. */
  is_own: z.boolean(),
  /** Whether the list opens with it for the caller. */
  is_default: z.boolean(),
  updated_at: z.string(),
});
export type SavedView = z.output<typeof savedView>;

const fields = {
  name: textOrElse(viewLimits.nameCharacters, viewMessages.missingName),
  query: plainText(viewLimits.queryCharacters),
  columns: viewColumns,
  sharing: choice(viewSharings),
  role_ids: z.array(storedId()).max(100),
};

const viewListName = choice(viewListNames);

/** Views that the caller can see: own ones first, then shared ones, by name; and the roles to share with. */
const visibleViews = z.object({ views: z.array(savedView), roles: z.array(z.object({ id: z.int(), name: z.string() })) });

export const listViews = defineEndpoint({
  number: 152,
  method: 'GET',
  path: 'views',
  summary: 'Saved views of a list, or of all lists that the caller may open',
  access: sessionAccess,
  query: z.object({ list: single(viewListName.optional()) }),
  answer: { kind: 'data', status: 200, schema: visibleViews },
});

export const createView = defineEndpoint({
  number: 153,
  method: 'POST',
  path: 'views',
  summary: 'Save a view of a list',
  access: sessionAccess,
  recentSignIn: null,
  body: z.strictObject({
    ...fields,
    list: viewListName,
    columns: fields.columns.default({ hidden: [], shown: [], widths: {} }),
    sharing: fields.sharing.default('private'),
    role_ids: fields.role_ids.default([]),
  }),
  answer: { kind: 'data', status: 201, schema: savedView },
});

export const updateView = defineEndpoint({
  number: 154,
  method: 'PUT',
  path: 'views/{id}',
  summary: "Rename, overwrite or share one's own view; absent fields stay unchanged",
  access: sessionAccess,
  recentSignIn: null,
  params: idParams,
  body: z.strictObject(fields).partial(),
  answer: { kind: 'data', status: 200, schema: savedView },
});

export const deleteView = defineEndpoint({
  number: 155,
  method: 'DELETE',
  path: 'views/{id}',
  summary: "Delete one's own view",
  access: sessionAccess,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
});

export const chooseDefaultView = defineEndpoint({
  number: 156,
  method: 'PUT',
  path: 'views/default',
  summary: 'Choose the view that a list opens with for the caller; null for none',
  access: peopleAccess,
  recentSignIn: null,
  body: z.strictObject({ list: viewListName, id: storedId().nullable() }),
  answer: { kind: 'empty' },
});
