import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { limit, multiple, page, queryBoolean, searchText, sortBy } from './listing.ts';
import type { Permission } from './permissions.ts';
import { bodyBoolean, plainText } from './text-fields.ts';

/** An autonomous system. `domain` and `name` are empty if the registry has none. */
export const asnRow = z.object({
  code: z.int(),
  domain: z.string(),
  name: z.string(),
  is_ban_create: z.boolean(),
  is_ban_receive: z.boolean(),
});
export type AsnRow = z.output<typeof asnRow>;

/** `search` is an IP address, a code (`123`, `AS123`) or part of a domain or name. */
export const asnsQuery = z.object({
  page,
  limit: limit(defaultLimits.asns),
  search: searchText(),
  isBanCreate: queryBoolean(),
  isBanReceive: queryBoolean(),
});
export type AsnsQuery = z.output<typeof asnsQuery>;

/** Labels of a row's toggles. They show the state, not the action. */
export const asnToggleTexts = { banned: 'BAN', free: 'FREE' } as const;

/** Options of the two filters with the values they send. */
export const asnFilterChoices = [
  { label: 'isBan', value: '1' },
  { label: 'free', value: '0' },
  { label: 'all', value: '' },
] as const;

/** An ASN in a path: digits. */
const asnParams = z.object({
  asn: z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    // Codes have 32 bits.
    .refine((code) => code < 2 ** 32),
});

/** One flag or both. An absent flag stays unchanged. */
export const banAsnBody = z
  .strictObject({ isBanCreate: bodyBoolean.optional(), isBanReceive: bodyBoolean.optional() })
  .superRefine((body, context) => {
    if (body.isBanCreate !== undefined || body.isBanReceive !== undefined) return;
    for (const field of ['isBanCreate', 'isBanReceive'])
      context.addIssue({ code: 'custom', path: [field], message: `The ${field} field is required.`, params: { shape: true } });
  });

const asnAccess = anyPermission('manager_settings_asns');

export const listAsns = defineEndpoint({
  number: 84,
  method: 'GET',
  path: 'octopus-app/asn',
  summary: 'Autonomous systems, by code',
  access: asnAccess,
  query: asnsQuery,
  answer: { kind: 'page', row: asnRow },
});

export const banAsn = defineEndpoint({
  number: 85,
  method: 'POST',
  path: 'octopus-app/asn/{asn}',
  summary: 'Ban or free an autonomous system',
  access: asnAccess,
  recentSignIn: null,
  params: asnParams,
  body: banAsnBody,
  answer: { kind: 'data', status: 200, schema: asnRow },
});

/** Characters of the reason of a ban, as of an entry of the black list. */
export const banReasonCharacters = 1_000;

/** Why it cannot have a reason. */
export const notBannedMessage = 'Ban the autonomous system first.';

export const explainAsnBan = defineEndpoint({
  number: 480,
  method: 'PUT',
  path: 'octopus-app/asn/{asn}/reason',
  summary: 'Say why an autonomous system is banned; the reason goes when it is freed',
  access: asnAccess,
  recentSignIn: null,
  params: asnParams,
  body: z.strictObject({ reason: plainText(banReasonCharacters) }),
  answer: { kind: 'data', status: 200, schema: z.object({ code: z.int(), reason: z.string() }) },
});

/** Last change of an autonomous system, as UTC text. `actor` is null if no account made it; `reason`: of its ban, empty without one. */
export const asnChange = z.object({
  code: z.int(),
  at: z.string(),
  actor: z.object({ id: z.int(), name: z.string() }).nullable(),
  reason: z.string(),
});
export type AsnChange = z.output<typeof asnChange>;

/** Not in the specification. Returns the last change of each given code; codes that never changed are missing. */
export const listAsnChanges = defineEndpoint({
  number: 124,
  method: 'GET',
  path: 'octopus-app/asn/changes',
  summary: 'Who banned or freed these autonomous systems last, and when',
  access: asnAccess,
  query: z.object({
    codes: multiple(
      z
        .string()
        .regex(/^\d{1,10}$/)
        .transform(Number),
    ),
  }),
  answer: { kind: 'data', status: 200, schema: z.array(asnChange) },
});

/** Who may read the traffic of systems. */
export const asnTrafficPermissions = ['manager_app_all_requests'] as const satisfies readonly Permission[];

/** How many days the traffic of a system covers, today included. */
export const asnTrafficDays = 30;

/** Requests, and those among them without an error and a blocking label. */
const requestCounts = z.object({ requests: z.int(), successes: z.int() });

/**
 * Requests of a system in the last days of the server's offset, of the apps in the caller's scope. `ban`: those that a ban would have
 * blocked, by its type. `unknown`: requests of these days whose system is not known, of all systems.
 */
export const asnTraffic = z.object({
  code: z.int(),
  from: z.string(),
  to: z.string(),
  total: requestCounts.extend({ bots: z.int() }),
  days: z.array(requestCounts.extend({ day: z.string() })),
  apps: z.array(z.object({ id: z.int(), name: z.string().nullable(), requests: z.int() })),
  ban: z.object({ create: requestCounts, receive: requestCounts }),
  unknown: z.int(),
});
export type AsnTraffic = z.output<typeof asnTraffic>;

/** Not in the specification. The same figures as All requests has with the filter `asn`. */
export const getAsnTraffic = defineEndpoint({
  number: 350,
  method: 'GET',
  path: 'octopus-app/asn/{asn}/traffic',
  summary: 'Traffic of an autonomous system in the last 30 days, and what a ban would have blocked',
  access: anyPermission(...asnTrafficPermissions),
  params: asnParams,
  answer: { kind: 'data', status: 200, schema: asnTraffic },
});

/** How many days the list with traffic covers, today included. */
export const asnListDays = 7;

/** `bots`: by their share, systems of few requests last. Ordered by a figure, systems without requests are last. */
const asnOrders = ['code', 'requests', 'bots', 'create', 'receive'] as const;
export type AsnOrder = (typeof asnOrders)[number];

/** Fewer requests tell nothing about a share. */
export const fewAsnRequests = 30;

export const asnTrafficQuery = z.object({ ...asnsQuery.shape, ...sortBy(asnOrders, { orderBy: 'code', orderDirection: 'asc' }) });
export type AsnTrafficQuery = z.output<typeof asnTrafficQuery>;

/** Requests of a system; `create` and `receive` are those that a ban of the type would have blocked. */
const asnFigures = z.object({ requests: z.int(), bots: z.int(), create: z.int(), receive: z.int() });
export type AsnFigures = z.output<typeof asnFigures>;

/** `traffic` is null for readers who may not see requests. */
export const asnTrafficRow = asnRow.extend({ traffic: asnFigures.nullable() });
export type AsnTrafficRow = z.output<typeof asnTrafficRow>;

/** Not in the specification. Figures are of the apps in the caller's scope. */
export const listAsnTraffic = defineEndpoint({
  number: 470,
  method: 'GET',
  path: 'octopus-app/asn/traffic',
  summary: 'Autonomous systems with their requests of the last 7 days, and what bans would have blocked',
  access: asnAccess,
  query: asnTrafficQuery,
  answer: { kind: 'page', row: asnTrafficRow },
});

/**
 * How far the systems of earlier requests are filled in. `known_from`: the first day of the server's offset from which on all requests have
 * their system; null: all have. `percent`: the share of requests that have, less than 100 until all have. `is_running`: whether the console
 * fills in the others.
 */
export const knownSystems = z.object({ known_from: z.string().nullable(), percent: z.int().min(0).max(100), is_running: z.boolean() });
export type KnownSystems = z.output<typeof knownSystems>;

/** Not in the specification. The figures are of all requests, of any app. */
export const getKnownSystems = defineEndpoint({
  number: 351,
  method: 'GET',
  path: 'octopus-app/asn/known',
  summary: 'Day from which requests carry their autonomous system, and how many of all do',
  access: anyPermission('manager_app_requests', 'manager_app_all_requests', 'manager_app_statistics'),
  answer: { kind: 'data', status: 200, schema: knownSystems },
});
