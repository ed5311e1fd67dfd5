import { z } from 'zod';
import { defineEndpoint, peopleWith } from './endpoint.ts';
import { limit, page, queryId, queryIds, searchText, single, sortBy } from './listing.ts';
import { panels, permissionCatalogue } from './permissions.ts';
import { accessObstacles } from './roles.ts';
import { choice } from './text-fields.ts';

const rights = {
  id: z.int(),
  name: z.string(),
  has_all_apps: z.boolean(),
  /** Roles of the account, of a token those of its owner, that give the permission; without one all of them. */
  role_ids: z.array(z.int()),
  /** Null: it can. */
  obstacle: z.enum(accessObstacles).nullable(),
};

const ableAccount = z.object({ ...rights, panel: z.enum(panels) });
export type AbleAccount = z.output<typeof ableAccount>;

const ableToken = z.object({
  ...rights,
  kind: z.enum(['personal', 'service']),
  owner: z.object({ id: z.int(), name: z.string(), panel: z.enum(panels) }),
  expires_at: z.string().nullable(),
});
export type AbleToken = z.output<typeof ableToken>;

/**
 * Accounts by name, then tokens and service accounts by name, and the roles that they name. `is_partial`: the caller is limited to some
 * apps, so accounts that share no app with the caller and tokens of other apps are left out.
 */
export const whoCanAnswer = z.object({
  accounts: z.array(ableAccount),
  tokens: z.array(ableToken),
  roles: z.array(z.object({ id: z.int(), label: z.string(), badge: z.string(), panel: z.enum(panels) })),
  is_partial: z.boolean(),
});
export type WhoCanAnswer = z.output<typeof whoCanAnswer>;

/** The question: who can what, on which app. */
const question = {
  /** Label of a permission. */
  permission: single(choice(permissionCatalogue.map(({ label }) => label)).optional()),
  /** An app that the caller sees. */
  appId: queryId(),
};

export const whoCan = defineEndpoint({
  number: 260,
  method: 'GET',
  path: 'roles/who-can',
  summary: 'Accounts, tokens and service accounts that hold a permission, see an app, both, or all of them',
  access: peopleWith('manager_settings_roles'),
  query: z.object(question),
  answer: { kind: 'data', status: 200, schema: whoCanAnswer },
  rejections: [404],
});

/** Kinds of those who can. */
export const holderKinds = ['account', 'personal', 'service'] as const;

/** An account or a token that can. `account` is the account itself, or the owner of the token. */
const holderRow = z.object({
  key: z.string(),
  kind: z.enum(holderKinds),
  name: z.string(),
  account: z.object({ id: z.int(), name: z.string(), panel: z.enum(panels) }),
  roles: whoCanAnswer.shape.roles,
  has_all_apps: z.boolean(),
  obstacle: rights.obstacle,
});
export type HolderRow = z.output<typeof holderRow>;

/** The same with filters: by a part of the name of the account, the token or a role, by kind, account, and whether it can now. */
export const holdersQuery = z.object({
  ...question,
  search: searchText(),
  kind: single(z.enum(holderKinds).optional()),
  accountId: queryIds(),
  now: single(z.enum(['can', 'cannot']).optional()),
  page,
  limit: limit(100),
  ...sortBy(['keyName', 'keyOwner'], { orderBy: 'keyName', orderDirection: 'asc' }),
});
export type HoldersQuery = z.output<typeof holdersQuery>;

export const listHolders = defineEndpoint({
  number: 434,
  method: 'GET',
  path: 'roles/who-can/page',
  summary: 'The same accounts, tokens and service accounts as a page',
  access: whoCan.access,
  query: holdersQuery,
  answer: { kind: 'paged-data', schema: z.object({ rows: z.array(holderRow), is_partial: z.boolean() }) },
  rejections: [404],
});
