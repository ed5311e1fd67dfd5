import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { idParams } from './listing.ts';
import { integer } from './text-fields.ts';

/** Kinds of things that can be handed over to another account. */
export const handOverKinds = ['views', 'boards', 'tiles', 'service_accounts', 'rules'] as const;
export type HandOverKind = (typeof handOverKinds)[number];

export const belongingsMessages = {
  newOwner: 'Choose a staff account with access, other than this one.',
  closedList: (permissions: readonly string[]) =>
    `Choose an account that can open what it would get. This needs ${permissions.join(', ')}.`,
  higherOwner: 'Service accounts can only go to you, or to an account that you may change.',
} as const;

/** The account that everything is handed over to, or one for each kind. */
export const handOverTo = z.union([
  integer(),
  z.strictObject({ views: integer(), boards: integer(), tiles: integer(), service_accounts: integer(), rules: integer() }).partial(),
]);
export type HandOverTo = z.output<typeof handOverTo>;

/** Body of calls that end an account. Without `handOverTo` what the account shares ends; rules of alerts stay without an owner. */
export const endAccountBody = z.strictObject({ handOverTo: handOverTo.optional() });

/** `name` is null for callers who do not see all apps, because it may tell of apps that they do not see. */
const named = z.object({ id: z.int(), name: z.string().nullable() });

/** Belongings of an account. Dates are UTC texts. */
export const belongings = z.object({
  /** Shared saved views. `default_of`: how many accounts open their list with it. `schedules_of_others`: how many mail it. */
  views: z.array(named.extend({ default_of: z.int(), schedules_of_others: z.int() })),
  /** Shared boards, with their tiles. */
  boards: z.array(named),
  /** Tiles of Home that are shared with roles, by the name of their view. */
  tiles: z.array(named),
  service_accounts: z.array(named),
  rules: z.array(named),
  schedules: z.array(named),
  /** Silences that have not ended. */
  silences: z.array(named.extend({ ends_at: z.string() })),
  private_views: z.int(),
  private_tiles: z.int(),
  personal_tokens: z.int(),
  sessions: z.int(),
});
export type Belongings = z.output<typeof belongings>;

/** How many things of a kind a summary names. */
export const namedBelongings = 3;

const summary = z.object({ count: z.int(), names: z.array(z.string()) });

/** Belongings of several accounts: how many things of each kind, and the names of the first ones for callers who see all apps. */
export const belongingsSummary = z.object({
  /** `default_of`: how many other accounts open a list with one. */
  views: summary.extend({ default_of: z.int() }),
  boards: summary,
  tiles: summary,
  service_accounts: summary,
  rules: summary,
  schedules: summary,
  silences: summary,
  personal_tokens: z.int(),
});
export type BelongingsSummary = z.output<typeof belongingsSummary>;

const access = anyPermission('manager_user_deactivate');
const answer = { kind: 'data', status: 200, schema: belongings } as const;

export const getUserBelongings = defineEndpoint({
  number: 371,
  method: 'GET',
  path: 'users/{id}/belongings',
  summary: 'Belongings of a staff account: what ends with it, and what can be handed over',
  access,
  params: idParams,
  answer,
});

export const getBuyerBelongings = defineEndpoint({
  number: 372,
  method: 'GET',
  path: 'buyers/{id}/belongings',
  summary: 'Belongings of the account of a buyer',
  access,
  params: idParams,
  answer,
});
