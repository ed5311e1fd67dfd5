import { z } from 'zod';
import {
  accountMessages,
  accountNameError,
  asciiEmail,
  emailCharacters,
  emailError,
  maximumAppIds,
  nameCharacters,
  passwordCharacters,
  passwordError,
} from './account-rules.ts';
import { handOverTo } from './belongings.ts';
import { multiple, searchText, single } from './listing.ts';
import { panels } from './permissions.ts';
import { bodyBoolean, comparableText, integer, isStorableText, plainText, storable, textOrElse } from './text-fields.ts';

/** Fields of an account that only a caller who signed in recently changes: the ways into it, and its rights. */
export const guardedAccountFields = ['email', 'password', 'roles', 'hasAccess', 'hasAllApps', 'appIds'] as const;

/** An app of an account. Archived apps are included. */
const accountApp = z.object({ id: z.int(), name: z.string(), bundle: z.string(), deleted_at: z.string().nullable() });
export type AccountApp = z.output<typeof accountApp>;

/**
 * An account as lists show it. `roles` and `badges` are ordered by role id, `appIds` ascending. An empty `appIds` means
 * all apps with `hasAllApps`, and no app without it. Dates are UTC texts.
 */
export const accountRow = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  panel: z.enum(panels),
  hasAccess: z.boolean(),
  isQa: z.boolean(),
  roles: z.array(z.string()),
  badges: z.array(z.string()),
  appIds: z.array(z.int()),
  hasAllApps: z.boolean(),
  isSuperAdmin: z.boolean(),
  deleted_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
});
export type AccountRow = z.output<typeof accountRow>;

/** Filters of the lists of accounts: a part of the name, e-mail address or id, the label of a role, and access. */
export const accountFilters = z.object({
  search: searchText(),
  role: single(plainText(100).optional()),
  access: single(z.enum(['granted', 'denied']).optional()),
});
export type AccountFilters = z.output<typeof accountFilters>;

/** Whether a list with these filters contains an account. */
export function matchesFilters(
  account: Pick<AccountRow, 'id' | 'name' | 'email' | 'roles' | 'hasAccess'>,
  { search, role, access }: AccountFilters,
): boolean {
  const needle = comparableText(search ?? '');
  const isFound = [account.name, account.email, String(account.id)].some((text) => comparableText(text).includes(needle));
  const hasRole = role === undefined || account.roles.includes(role);
  return isFound && hasRole && (access === undefined || account.hasAccess === (access === 'granted'));
}

/** An account with its apps, ordered by name. */
export const account = accountRow.extend({ apps: z.array(accountApp) });
export type Account = z.output<typeof account>;

/** A buyer has the app ids under both names. */
export const buyerRow = accountRow.extend({ app_ids: z.array(z.int()) });
export type BuyerRow = z.output<typeof buyerRow>;
export const buyer = buyerRow.extend({ apps: z.array(accountApp) });
export type Buyer = z.output<typeof buyer>;

/** Response of the calls that change the apps of an account. */
export const accountOfEitherPanel = z.union([buyer, account]);

const name = textOrElse(nameCharacters.max, accountMessages.name).refine((text) => accountNameError(text) === null, accountMessages.name);
const email = textOrElse(emailCharacters, accountMessages.email)
  .refine((text) => emailError(text) === null, accountMessages.email)
  .transform(asciiEmail);
/** Empty, null and absent mean that no password was sent. The handler decides what that means. */
const password = z
  .string()
  .max(passwordCharacters.max)
  .refine(isStorableText, storable)
  .refine((text) => text === '' || passwordError(text) === null, accountMessages.password)
  .nullable()
  .transform((text) => (text === '' ? null : text))
  .meta({ type: ['string', 'null'], maxLength: passwordCharacters.max })
  .optional();
const roles = z
  .array(z.union([z.string(), integer()]))
  .refine((names) => names.length > 0, { error: accountMessages.roles, params: { shape: true } });
const appIds = z.array(integer()).max(maximumAppIds);

const optionalFields = {
  password,
  has_access: bodyBoolean.optional(),
  hasAccess: bodyBoolean.optional(),
  appIds: appIds.optional(),
  app_ids: appIds.optional(),
  isQa: bodyBoolean.optional(),
};

/** Body of [47] and [57]. `roles` contains labels, names or ids. Keys in two spellings have the same meaning. */
export const createAccountBody = z.strictObject({ name, email, roles, ...optionalFields });
export type CreateAccountBody = z.output<typeof createAccountBody>;

/** Body of [49] and [59]. Absent fields stay unchanged. */
export const saveAccountBody = z.strictObject({
  name: name.optional(),
  email: email.optional(),
  roles: roles.optional(),
  ...optionalFields,
  /** Required with a new password for the caller's own account; ignored otherwise. */
  current_password: z.string().nullable().optional(),
});
export type SaveAccountBody = z.output<typeof saveAccountBody>;

/** Body of [51] and [61]: the flag under either name; both must agree. Parses to the flag itself. */
export const switchAccessBody = z
  .strictObject({ hasAccess: bodyBoolean.optional(), has_access: bodyBoolean.optional(), handOverTo: handOverTo.optional() })
  .superRefine((body, context) => {
    const message = accessMessage(body);
    if (message !== null) context.addIssue({ code: 'custom', path: ['hasAccess'], message, params: { shape: true } });
  })
  .transform(({ hasAccess, has_access: same, handOverTo: newOwner }) => ({ hasAccess: hasAccess ?? same === true, handOverTo: newOwner }));

function accessMessage({
  hasAccess,
  has_access: same,
}: {
  hasAccess?: boolean | undefined;
  has_access?: boolean | undefined;
}): string | null {
  if (hasAccess === undefined && same === undefined) return 'The hasAccess field is required.';
  return disagree(hasAccess, same) ? 'The selected hasAccess is invalid.' : null;
}

/** Whether a flag was sent under both names with different values. */
export function disagree(one: boolean | undefined, other: boolean | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** Required app ids, at least one, as in [53]. */
export const someAppIds = appIds.min(1);
/** Required app ids, possibly none, as in [55]. */
export const anyAppIds = appIds;
/** App ids in a query, as in [54]. The body takes precedence. */
export const queriedAppIds = multiple(
  z
    .string()
    .regex(/^-?\d{1,15}$/)
    .transform(Number),
);
