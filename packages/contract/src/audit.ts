import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { cursor, limit, multiple, queryId, searchText, single } from './listing.ts';
import { filterDate } from './requests.ts';
import { plainText } from './text-fields.ts';

/** Entities of the audit trail with their actions. */
export const auditActions = {
  session: ['login', 'login_failed', 'second_step', 'reauthenticate', 'logout', 'end'],
  api_token: ['create', 'revoke'],
  service_account: ['create', 'update', 'take_over', 'renew_secret', 'delete'],
  second_factor: ['create', 'update', 'delete', 'reset', 'renew_codes', 'require'],
  invitation: ['create', 'withdraw', 'accept'],
  password_reset: ['request', 'finish'],
  app: ['create', 'update', 'archive', 'restore', 'export'],
  app_server: ['link', 'restart', 'unlink'],
  firebase: ['upload'],
  role: ['create', 'update'],
  user: ['create', 'update', 'delete', 'switch_access', 'attach_apps', 'detach_app', 'sync_apps'],
  buyer: ['create', 'update', 'delete', 'switch_access', 'attach_apps', 'detach_app', 'sync_apps'],
  server: ['create', 'update', 'delete'],
  asn: ['update'],
  black_ip: ['create', 'update', 'delete'],
  log: ['download', 'delete'],
  app_log: ['download', 'delete'],
  app_list: ['export'],
  activity: ['export'],
  request: ['export'],
  report: ['export'],
  stream: ['create', 'replace', 'hide'],
  saved_view: ['create', 'update', 'delete'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type AuditEntity = keyof typeof auditActions;
export type AuditAction<E extends AuditEntity> = (typeof auditActions)[E][number];

/** Fields whose values are never stored in the trail: `from` and `to` are null. */
export const secretFields = ['password', 'token', 'mainHash', 'hash', 'apiSecret', 'configuration', 'recovery_codes'] as const;

/** Not a field: the `to` of this change is the name of the traffic server or, beside an actor, of the API token that made the call. */
export const viaField = 'via';

/** A changed field. `field` is its dotted wire path. */
export type AuditChange = { field: string; from: unknown; to: unknown };

/** An entry of the audit trail. `actor` is null for the system, a traffic server and a failed sign-in. Dates are UTC texts. */
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

/** Every action once, in the order of the entities. */
export const auditActionNames = [...new Set(Object.values(auditActions).flat())];

/** Every entity of the audit trail. */
export const auditEntityNames = Object.keys(auditActions).filter((name): name is AuditEntity => name in auditActions);

export const auditQuery = z.object({
  cursor,
  limit: limit(defaultLimits.audit),
  /** Part of the label of the changed entity, or of the actor's name or e-mail address. */
  search: searchText(),
  /** Account id. */
  actor: queryId(),
  action: multiple(z.enum(auditActionNames)),
  entity: multiple(z.enum(auditEntityNames)),
  entityId: single(plainText(255).optional()),
  startDate: filterDate,
  endDate: filterDate,
});
export type AuditQuery = z.output<typeof auditQuery>;

/** Changes, newest first, without those of apps outside the caller's scope. */
export const listAudit = defineEndpoint({
  number: 89,
  method: 'GET',
  path: 'audit',
  summary: 'Who changed what and when',
  access: anyPermission('manager_user_activity'),
  query: auditQuery,
  answer: { kind: 'cursor', row: auditRow },
});
