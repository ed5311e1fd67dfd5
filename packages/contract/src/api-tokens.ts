import { z } from 'zod';
import { maximumAppIds } from './account-rules.ts';
import { defineEndpoint, peopleAccess, peopleWith } from './endpoint.ts';
import { canonicalNetwork } from './ip-network.ts';
import { idParams } from './listing.ts';
import { roleMessages } from './roles.ts';
import { integer, integerChoice, nameText } from './text-fields.ts';

export const apiTokenMessages = {
  tooMany: 'You already have 50 API tokens. Revoke one first.',
  tooManyServices: 'There are already 200 service accounts. Delete one first.',
  networks: 'Enter IP addresses or networks such as 10.0.0.0/8.',
  people: 'API tokens cannot make this call. Sign in to make it',
} as const;

export const apiTokenLimits = { perAccount: 50, serviceAccounts: 200, nameCharacters: 60, networks: 50 } as const;

/** Maximum number of calls of one token per minute. */
export const apiTokenCallsPerMinute = 600;

/** Days after which a token expires. */
export const apiTokenDays = [30, 90, 365] as const;

/**
 * An API token as its owner sees it. Its rights are those that it was given and its owner still has. With `has_all_apps` it
 * sees all apps that its owner sees. `networks` empty: it works from everywhere.
 */
export const apiToken = z.object({
  id: z.int(),
  name: z.string(),
  /** The last characters of the token. */
  ends_with: z.string(),
  permission_ids: z.array(z.int()),
  has_all_apps: z.boolean(),
  app_ids: z.array(z.int()),
  networks: z.array(z.string()),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  is_expired: z.boolean(),
  /** May be up to a minute old. */
  last_used_at: z.string().nullable(),
  last_used_ip: z.string().nullable(),
});
export type ApiToken = z.output<typeof apiToken>;

/** A token that administrators manage together. */
export const serviceAccount = apiToken.extend({
  /** Whose rights limit it. */
  owner: z.object({ id: z.int(), name: z.string() }),
  /** Whether the owner was deleted or lost access, so that it waits for another administrator. */
  is_stopped: z.boolean(),
  /** Whether the caller lacks some of its permissions, and so may not change it. */
  read_only: z.boolean(),
});
export type ServiceAccount = z.output<typeof serviceAccount>;

/** A new token. `secret` is its text, which is returned only here. */
const newToken = z.object({ token: apiToken, secret: z.string() });
const newService = z.object({ service_account: serviceAccount, secret: z.string() });

const fields = {
  name: nameText(apiTokenLimits.nameCharacters).meta({ type: 'string', minLength: 1, maxLength: apiTokenLimits.nameCharacters }),
  permission_ids: z
    .array(integer())
    .max(1_000)
    .refine((ids) => ids.length > 0, { error: roleMessages.noPermission, params: { shape: true } })
    .transform((ids) => [...new Set(ids)])
    .meta({ type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 1_000 }),
  has_all_apps: z.boolean(),
  app_ids: z
    .array(integer())
    .max(maximumAppIds)
    .transform((ids) => [...new Set(ids)])
    .meta({ type: 'array', items: { type: 'integer' }, maxItems: maximumAppIds }),
  networks: z
    .array(z.string().max(100))
    .max(apiTokenLimits.networks)
    .refine((texts) => texts.every((text) => canonicalNetwork(text.trim()) !== null), { error: apiTokenMessages.networks })
    .transform((texts) => [...new Set(texts.flatMap((text) => canonicalNetwork(text.trim()) ?? []))])
    .meta({ type: 'array', items: { type: 'string', maxLength: 100 }, maxItems: apiTokenLimits.networks }),
};
const newFields = {
  ...fields,
  has_all_apps: fields.has_all_apps.default(false),
  app_ids: fields.app_ids.default([]),
  networks: fields.networks.default([]),
};

const ownAccess = peopleAccess;
const serviceAccess = peopleWith('manager_settings_roles');

export const listOwnTokens = defineEndpoint({
  number: 187,
  method: 'GET',
  path: 'sanctum/tokens',
  summary: "The caller's API tokens, newest first",
  access: ownAccess,
  answer: { kind: 'data', status: 200, schema: z.array(apiToken) },
});

export const createOwnToken = defineEndpoint({
  number: 188,
  method: 'POST',
  path: 'sanctum/tokens',
  summary: 'Create an API token',
  access: ownAccess,
  recentSignIn: { before: 'write' },
  body: z.strictObject({ ...newFields, expires_in_days: integerChoice(apiTokenDays) }),
  answer: { kind: 'data', status: 201, schema: newToken },
});

export const revokeOwnToken = defineEndpoint({
  number: 189,
  method: 'DELETE',
  path: 'sanctum/tokens/{id}',
  summary: "Revoke one of the caller's API tokens",
  access: ownAccess,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
});

export const listServiceAccounts = defineEndpoint({
  number: 190,
  method: 'GET',
  path: 'service-accounts',
  summary: 'Service accounts whose apps the caller sees, by name',
  access: serviceAccess,
  answer: { kind: 'data', status: 200, schema: z.array(serviceAccount) },
});

export const createServiceAccount = defineEndpoint({
  number: 191,
  method: 'POST',
  path: 'service-accounts',
  summary: 'Create a service account',
  access: serviceAccess,
  recentSignIn: { before: 'write' },
  body: z.strictObject({ ...newFields, expires_in_days: integerChoice(apiTokenDays).nullable() }),
  answer: { kind: 'data', status: 201, schema: newService },
});

export const updateServiceAccount = defineEndpoint({
  number: 192,
  method: 'PUT',
  path: 'service-accounts/{id}',
  summary: 'Change a service account or take it over; absent fields stay unchanged',
  access: serviceAccess,
  recentSignIn: { before: 'write' },
  params: idParams,
  body: z.strictObject({ ...fields, expires_in_days: integerChoice(apiTokenDays).nullable(), take_over: z.boolean() }).partial(),
  answer: { kind: 'data', status: 200, schema: serviceAccount },
});

export const renewServiceSecret = defineEndpoint({
  number: 193,
  method: 'POST',
  path: 'service-accounts/{id}/secret',
  summary: 'Give a service account a new token and become its owner; the old token stops',
  access: serviceAccess,
  recentSignIn: { before: 'write' },
  params: idParams,
  answer: { kind: 'data', status: 201, schema: newService },
});

export const deleteServiceAccount = defineEndpoint({
  number: 194,
  method: 'DELETE',
  path: 'service-accounts/{id}',
  summary: 'Delete a service account; its token stops',
  access: serviceAccess,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
});
