import { z } from 'zod';
import { auditActions, type AuditEntity } from './audit.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { cursor, limit, multiple, queryId, searchText, single } from './listing.ts';
import { filterDate } from './requests.ts';
import { plainText } from './text-fields.ts';

/** A row of the audit trail; `actor` is null for the system, a traffic server and a failed sign-in (api [89]). Dates are UTC texts. */
export const auditRow = z.object({
  id: z.int(),
  at: z.string(),
  actor: z.object({ id: z.int(), name: z.string(), email: z.string() }).nullable(),
  action: z.string(),
  entity: z.string(),
  entity_id: z.string().nullable(),
  entity_label: z.string().nullable(),
  ip: z.string().nullable(),
  request_id: z.string().nullable(),
  changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
});
export type AuditRow = z.output<typeof auditRow>;

/** Every action of the trail once, in the order in which the entities name them. */
export const auditActionNames = [...new Set(Object.values(auditActions).flat())];

/** Everything the trail tells of. */
export const auditEntityNames = Object.keys(auditActions).filter((name): name is AuditEntity => name in auditActions);

export const auditQuery = z.object({
  cursor,
  limit: limit(defaultLimits.audit),
  /** Part of the name of what was changed, or of the name or e-mail address of the account that did it. */
  search: searchText(),
  /** Id of the account that did it. */
  actor: queryId(),
  action: multiple(z.enum(auditActionNames)),
  entity: multiple(z.enum(auditEntityNames)),
  entityId: single(plainText(255).optional()),
  startDate: filterDate,
  endDate: filterDate,
});
export type AuditQuery = z.output<typeof auditQuery>;

/** Who changed what, newest first; rows about apps outside the caller's scope are left out. */
export const listAudit = defineEndpoint({
  number: 89,
  method: 'GET',
  path: 'audit',
  summary: 'Who changed what and when',
  access: anyPermission('manager_user_activity'),
  query: auditQuery,
  answer: { kind: 'cursor', row: auditRow },
});
