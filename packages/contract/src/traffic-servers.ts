import { z } from 'zod';
import { linkStatuses } from './apps.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { canonicalIp } from './ip-address.ts';
import { defaultLimits } from './limits.ts';
import { idParams, limit, page, sortBy, withKnownSort } from './listing.ts';
import { isSendableToken, isServerUrl, serverFieldCharacters, serverMessages } from './server-rules.ts';
import { cleanName, isOneLine, isStorableText, nameText, optionalText, plainText, storable } from './text-fields.ts';

/** A traffic server. Secrets are never sent: they are null, and `has_…` says whether they are set. Dates are UTC texts. */
export const trafficServer = z.object({
  id: z.int(),
  name: z.string(),
  url: z.string(),
  region: z.string().nullable(),
  ip: z.string().nullable(),
  token: z.null(),
  mainHash: z.null(),
  hash: z.null(),
  has_token: z.boolean(),
  has_main_hash: z.boolean(),
  has_hash: z.boolean(),
  /** Whether the token is long enough for ingestion. */
  ingest_enabled: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
});
export type TrafficServer = z.output<typeof trafficServer>;

export const serverSortKeys = ['keyId', 'keyName', 'keyUrl', 'keyRegion', 'keyC', 'keyU'] as const;
export type ServerSortKey = (typeof serverSortKeys)[number];

/** Newest first. */
export const defaultServerSort = { orderBy: 'keyC', orderDirection: 'desc' } as const;

export const serversQuery = z.object({ page, limit: limit(defaultLimits.servers), ...sortBy(serverSortKeys, defaultServerSort) });
export type ServersQuery = z.output<typeof serversQuery>;

const name = nameText(serverFieldCharacters.name);
const url = z.string().min(1).max(serverFieldCharacters.url).refine(isStorableText, storable).refine(isServerUrl, serverMessages.url);
/** Empty and null leave the stored secret unchanged. */
const secret = plainText(serverFieldCharacters.secret)
  .nullable()
  .transform((text) => (text === '' ? null : text))
  .meta({ type: ['string', 'null'], maxLength: serverFieldCharacters.secret });
const token = plainText(serverFieldCharacters.token)
  .refine((text) => text === '' || isSendableToken(text), serverMessages.tokenSpaces)
  .nullable()
  .transform((text) => (text === '' ? null : text))
  .meta({ type: ['string', 'null'], maxLength: serverFieldCharacters.token });
const ip = z
  .string()
  .refine((text) => text === '' || canonicalIp(text) !== null, serverMessages.ip)
  .nullable()
  .transform((text) => (text === null ? null : canonicalIp(text)))
  .meta({ type: ['string', 'null'] });

const optionalFields = {
  token: token.optional(),
  region: optionalText(serverFieldCharacters.region)
    .refine((text) => text === null || isOneLine(text), storable)
    .transform((text) => (text === null ? null : cleanName(text)))
    .optional(),
  mainHash: secret.optional(),
  hash: secret.optional(),
  ip: ip.optional(),
};

/** Body of [65]. */
export const createServerBody = z.strictObject({ name, url, ...optionalFields });
export type CreateServerBody = z.output<typeof createServerBody>;

/** Body of [67]. Absent fields stay unchanged. */
export const saveServerBody = z.strictObject({ name: name.optional(), url: url.optional(), ...optionalFields });
export type SaveServerBody = z.output<typeof saveServerBody>;

const serverAccess = anyPermission('manager_settings_server');

export const listServers = defineEndpoint({
  number: 64,
  method: 'GET',
  path: 'servers',
  summary: 'Traffic servers',
  access: serverAccess,
  query: withKnownSort(serversQuery, serverSortKeys, defaultServerSort),
  answer: { kind: 'page', row: trafficServer },
});

export const createServer = defineEndpoint({
  number: 65,
  method: 'POST',
  path: 'servers',
  summary: 'Create a traffic server',
  access: serverAccess,
  recentSignIn: { before: 'write' },
  body: createServerBody,
  validatesValues: true,
  answer: { kind: 'data', status: 201, schema: trafficServer },
});

export const getServer = defineEndpoint({
  number: 66,
  method: 'GET',
  path: 'servers/{id}',
  summary: 'A traffic server',
  access: serverAccess,
  params: idParams,
  answer: { kind: 'data', status: 200, schema: trafficServer, etag: true },
});

export const saveServer = defineEndpoint({
  number: 67,
  method: 'PUT',
  path: 'servers/{id}',
  summary: 'Change a traffic server; a new token replaces the old one at once',
  access: serverAccess,
  recentSignIn: { before: 'change', of: ['url', 'token', 'mainHash', 'hash'] },
  params: idParams,
  body: saveServerBody,
  validatesValues: true,
  answer: { kind: 'data', status: 200, schema: trafficServer, etag: true },
  rejections: [412],
});

export const deleteServer = defineEndpoint({
  number: 68,
  method: 'DELETE',
  path: 'servers/{id}',
  summary: 'Delete a traffic server with its links',
  access: serverAccess,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
});

/** Recent activity of a server, up to a minute old. `last_seen_at` is its last authenticated call, or null. */
export const serverActivity = z.object({ id: z.int(), last_seen_at: z.string().nullable(), events_last_hour: z.int() });
export type ServerActivity = z.output<typeof serverActivity>;

/** Not in the specification. Returns all servers that are not deleted, ordered by id. */
export const listServerActivity = defineEndpoint({
  number: 120,
  method: 'GET',
  path: 'servers/activity',
  summary: 'When each traffic server was last seen, and its events of the last hour',
  access: serverAccess,
  answer: { kind: 'data', status: 200, schema: z.array(serverActivity) },
});

/**
 * Links that are deleted with a server: those of apps within the caller's scope, ordered by app name, archived ones
 * included, and the number of others.
 */
export const serverDependants = z.object({
  links: z.array(
    z.object({
      id: z.int(),
      status: z.enum(linkStatuses),
      app: z.object({ id: z.int(), name: z.string(), domain: z.string(), deleted_at: z.string().nullable() }),
    }),
  ),
  others: z.int(),
});
export type ServerDependants = z.output<typeof serverDependants>;

export const listServerDependants = defineEndpoint({
  number: 121,
  method: 'GET',
  path: 'servers/{id}/dependants',
  summary: 'Apps whose links are deleted with the traffic server',
  access: serverAccess,
  params: idParams,
  answer: { kind: 'data', status: 200, schema: serverDependants },
});

/** Last change of each secret as UTC text; null if it is not set. */
export const serverSecretDates = z.object({
  token_set_at: z.string().nullable(),
  main_hash_set_at: z.string().nullable(),
  hash_set_at: z.string().nullable(),
});
export type ServerSecretDates = z.output<typeof serverSecretDates>;

export const getServerSecretDates = defineEndpoint({
  number: 122,
  method: 'GET',
  path: 'servers/{id}/secrets',
  summary: 'When the secrets of a traffic server were set',
  access: serverAccess,
  params: idParams,
  answer: { kind: 'data', status: 200, schema: serverSecretDates },
});
