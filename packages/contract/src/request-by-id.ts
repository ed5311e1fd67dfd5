import { z } from 'zod';
import { asnRow } from './asns.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import type { Permission } from './permissions.ts';
import { requestOrigin, requestRow } from './requests.ts';

/** Any of these permissions opens a request by its id. */
const requestAccess = anyPermission('manager_app_all_requests', 'manager_app_requests');

/** Permission to see why, when and by whom an address was blocked: that of the lists of blocks. */
export const blockReasonPermissions = ['manager_settings_asns'] as const satisfies readonly Permission[];

/**
 * A rule of an operator that blocks an address now: the address or a network around it is black-listed, or its autonomous system is
 * banned. `reason`, `since`, `at` and `actor` are null for callers without `blockReasonPermissions`, and where nothing is known.
 */
export const blockRow = z.object({
  kind: z.enum(['address', 'network', 'asn']),
  /** The address, the network, or the code of the autonomous system with `AS`. */
  target: z.string(),
  /** Name of the autonomous system; empty for addresses and networks. */
  name: z.string(),
  /** Types of requests that the rule blocks. */
  applies_to: z.array(z.enum(['create', 'receive'])),
  reason: z.string().nullable(),
  /** Since when the rule blocks each type without a break, as UTC text; null for types that it does not block, too. */
  since: z.object({ create: z.string().nullable(), receive: z.string().nullable() }),
  /** Last change of the rule, as UTC text. */
  at: z.string().nullable(),
  actor: z.object({ id: z.int(), name: z.string() }).nullable(),
});
export type Block = z.output<typeof blockRow>;

/** Autonomous system of an address as the registry and the bans say now; null if the registry has none. */
export const asnOfAddress = asnRow.nullable();
export type AsnOfAddress = z.output<typeof asnOfAddress>;

/** Messages of [141] with status 404. */
export const requestMessages = {
  notFound: 'Request not found',
  older: (days: number) => `This request is older than the ${days} days that requests are kept`,
} as const;

export const getRequest = defineEndpoint({
  number: 141,
  method: 'GET',
  path: 'requests/{id}',
  summary: 'One request with its origin, and what blocks its address',
  access: requestAccess,
  /** Ids of requests have more digits than other ids. */
  params: z.object({
    id: z
      .string()
      .regex(/^[1-9]\d{0,14}$/)
      .transform(Number),
  }),
  answer: {
    kind: 'data',
    status: 200,
    schema: requestRow.extend({ asn: asnOfAddress, server: requestOrigin.shape.server, blocked_by: z.array(blockRow) }),
  },
});
