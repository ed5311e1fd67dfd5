import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { cursor, limit, multiple, queryId, searchText, single } from './listing.ts';
import { filterDate } from './requests.ts';
import { plainText } from './text-fields.ts';

/** Entities of the audit trail with their actions. */
export const auditActions = {
  session: ['login', 'login_failed', 'second_step', 'reauthenticate', 'reauthenticate_failed', 'logout', 'end'],
  api_token: ['create', 'revoke'],
  service_account: ['create', 'update', 'take_over', 'renew_secret', 'delete'],
  second_factor: ['create', 'update', 'delete', 'reset', 'renew_codes', 'require'],
  security_mail: ['update'],
  invitation: ['create', 'withdraw', 'accept'],
  password_reset: ['request', 'finish'],
  app: ['create', 'update', 'archive', 'restore', 'export'],
  app_server: ['link', 'restart', 'unlink'],
  bulk_run: ['check', 'start', 'cancel'],
  firebase: ['upload'],
  role: ['create', 'update'],
  user: ['create', 'update', 'delete', 'switch_access', 'attach_apps', 'detach_app', 'sync_apps'],
  buyer: ['create', 'update', 'delete', 'switch_access', 'attach_apps', 'detach_app', 'sync_apps'],
  server: ['create', 'update', 'delete'],
  asn: ['update'],
  black_ip: ['create', 'update', 'delete', 'import', 'merge', 'export'],
  log: ['download', 'delete', 'reveal'],
  app_log: ['download', 'delete', 'reveal'],
  app_list: ['export'],
  activity: ['export'],
  audit_seal: ['acknowledge'],
  secret_key: ['replace'],
  request: ['export'],
  report: ['export'],
  stream: ['create', 'replace', 'hide'],
  saved_view: ['create', 'update', 'delete'],
  view_as: ['begin', 'end'],
  alert_rule: ['create', 'update', 'delete'],
  incident: ['acknowledge', 'export'],
  silence: ['create', 'end'],
  dashboard_tile: ['create', 'update', 'delete'],
  board: ['create', 'update', 'delete'],
  schedule: ['create', 'update', 'delete', 'send'],
  channel: ['create', 'update', 'delete', 'rotate_secret', 'test', 'resend'],
  app_note: ['create', 'delete'],
  note: ['create', 'delete'],
  console: ['start'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type AuditEntity = keyof typeof auditActions;
export type AuditAction<E extends AuditEntity> = (typeof auditActions)[E][number];

/** Fields whose values are never stored in the trail: `from` and `to` are null. */
export const secretFields = [
  'password',
  'token',
  'mainHash',
  'hash',
  'apiSecret',
  'configuration',
  'recovery_codes',
  'bot_token',
  'secret_url',
  'signing_secret',
] as const;

/** Field of an update that restored a revision: `to` is the number of its entry. */
export const restoredEntryField = 'restored_entry';

/** A changed field. `field` is its dotted wire path. */
export type AuditChange = { field: string; from: unknown; to: unknown };

/** Makers of changes beside people. */
export const auditViaKinds = ['server', 'token'] as const;

/** The traffic server whose ingestion, or the API token whose call, made a change. Entries of 1.2 have no id of the server. */
export const auditVia = z.object({ kind: z.enum(auditViaKinds), id: z.int().nullable(), name: z.string() });
export type AuditVia = z.output<typeof auditVia>;

/** An entry of the audit trail. `actor` is null for the system, a traffic server and a failed sign-in. Dates are UTC texts. */
export const auditRow = z.object({
  /** Exact up to 2^53, which no id of the console reaches. Ids that somebody else inserted are 64-bit numbers. */
  id: z.number(),
  at: z.string(),
  actor: z.object({ id: z.int(), name: z.string(), email: z.string() }).nullable(),
  action: z.string(),
  entity: z.string(),
  entity_id: z.string().nullable(),
  entity_label: z.string().nullable(),
  ip: z.string().nullable(),
  request_id: z.string().nullable(),
  via: auditVia.nullable(),
  changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
});
export type AuditRow = z.output<typeof auditRow>;

/** Whether a text is the decimal number of an entry or a seal, which have up to 64 bits. */
export function isAuditId(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

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
  /** Changes through traffic servers or API tokens. */
  via: multiple(z.enum(auditViaKinds)),
  /** Id of the traffic server or API token. */
  viaId: queryId(),
  /** Number of an entry: the ten entries up to it and the ten after it. */
  near: single(z.string().refine(isAuditId).optional()),
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
