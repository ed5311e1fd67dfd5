import { z } from 'zod';
import { linkStatuses } from './apps.ts';
import { alertKinds } from './alerts.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { entityCalls, labelled } from './entity.ts';
import { canonicalIp } from './ip-address.ts';
import { defaultLimits } from './limits.ts';
import { idParams, limit, page, queryBoolean, searchText, sortBy, withKnownSort } from './listing.ts';
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

/** Minutes without an authenticated call after which a server counts as silent: those of a new rule of alerts. */
export const silentMinutes = alertKinds.server_silent.threshold.usual;

/** `search`: part of a name, url, region or address. `silent`: no authenticated call of late, or never. `linked`: whether an app has a link to it. */
export const serversQuery = z.object({
  page,
  limit: limit(defaultLimits.servers),
  ...sortBy(serverSortKeys, defaultServerSort),
  search: searchText(),
  region: searchText(serverFieldCharacters.region),
  silent: queryBoolean(),
  linked: queryBoolean(),
});
export type ServersQuery = z.output<typeof serversQuery>;

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
const region = optionalText(serverFieldCharacters.region)
  .refine((text) => text === null || isOneLine(text), storable)
  .transform((text) => (text === null ? null : cleanName(text)));
const ip = z
  .string()
  .refine((text) => text === '' || canonicalIp(text) !== null, serverMessages.ip)
  .nullable()
  .transform((text) => (text === null ? null : canonicalIp(text)))
  .meta({ type: ['string', 'null'] });

/** Fields of a server. */
export const serverFields = {
  name: labelled('Name', nameText(serverFieldCharacters.name)),
  url: labelled(
    'Url',
    z.string().min(1).max(serverFieldCharacters.url).refine(isStorableText, storable).refine(isServerUrl, serverMessages.url),
  ),
  token: labelled('Token', token),
  region: labelled('Region', region),
  mainHash: labelled('Main hash', secret),
  hash: labelled('Hash', secret),
  ip: labelled('IP', ip),
};

const serverAccess = anyPermission('manager_settings_server');

const calls = entityCalls({
  path: 'servers',
  firstNumber: 64,
  access: serverAccess,
  row: trafficServer,
  fields: serverFields,
  defaults: {
    token: token.optional(),
    region: region.optional(),
    mainHash: secret.optional(),
    hash: secret.optional(),
    ip: ip.optional(),
  },
  summaries: {
    list: 'Traffic servers',
    create: 'Create a traffic server',
    get: 'A traffic server',
    update: 'Change a traffic server; a new token replaces the old one at once',
    remove: 'Delete a traffic server with its links',
  },
});

export const { get: getServer, remove: deleteServer } = calls;

export const listServers = defineEndpoint({
  ...calls.list,
  query: withKnownSort(serversQuery, serverSortKeys, defaultServerSort),
  answer: { kind: 'page', row: trafficServer },
});

export const createServer = defineEndpoint({ ...calls.create, recentSignIn: { before: 'write' }, validatesValues: true });

export const saveServer = defineEndpoint({
  ...calls.update,
  recentSignIn: { before: 'change', of: ['url', 'token', 'mainHash', 'hash'] },
  validatesValues: true,
});
export type SaveServerBody = z.output<typeof saveServer.body>;

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
