/** What the audit trail tells apart: each entity with the actions it can undergo (api [89]). */
export const auditActions = {
  session: ['login', 'login_failed', 'logout', 'end'],
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
  request: ['export'],
  stream: ['create', 'replace', 'hide'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type AuditEntity = keyof typeof auditActions;
export type AuditAction<E extends AuditEntity> = (typeof auditActions)[E][number];

/** Fields that the trail names without ever showing a value: from and to are null (api [89], S16). */
export const secretFields = ['password', 'token', 'mainHash', 'hash', 'apiSecret', 'configuration'] as const;

/** A change of this name is no field: its `to` is the name of the traffic server that made the write (O36). */
export const viaField = 'via';

/** One changed field; `field` is its dotted path on the wire. */
export type AuditChange = { field: string; from: unknown; to: unknown };
