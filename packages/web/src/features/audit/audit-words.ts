import {
  auditActionNames,
  auditEntityNames,
  type AuditQuery,
  type AuditRow,
  type AuditVia,
  type AuditEntity,
} from '@switchyard/contract/audit';

const signIns: ReadonlySet<string> = new Set(['login', 'login_failed', 'second_step', 'reauthenticate', 'reauthenticate_failed', 'logout']);
/** Every action but signing in and out, as a filter. */
export const actionsWithoutSignIns = auditActionNames.filter((action) => !signIns.has(action));

/** Whether a filter of actions leaves out sign-ins and nothing else. */
export function hidesSignIns(actions: AuditQuery['action']): boolean {
  return actions?.length === actionsWithoutSignIns.length && actionsWithoutSignIns.every((action) => actions.includes(action));
}

/** Names of entities that are not their identifiers in words. */
const otherNames: Partial<Record<AuditEntity, string>> = {
  app_server: 'Server of an app',
  bulk_run: 'Bulk change',
  firebase: 'Push file',
  asn: 'ASN',
  black_ip: 'Black IP',
  app_list: 'Apps list',
  audit_seal: 'Activity seal',
  request: 'All requests',
  api_token: 'API token',
};

type ActionWord = { readonly name: string; readonly tone: 'success' | 'warning' | 'danger' | 'info' | 'neutral' };

/** Names of the actions, and whether each added, removed or only read. */
const actionWords: Readonly<Record<(typeof auditActionNames)[number], ActionWord>> = {
  login: { name: 'Signed in', tone: 'neutral' },
  login_failed: { name: 'Sign-in failed', tone: 'danger' },
  second_step: { name: 'Second factor asked', tone: 'neutral' },
  reauthenticate: { name: 'Identity confirmed', tone: 'neutral' },
  reauthenticate_failed: { name: 'Identity not confirmed', tone: 'danger' },
  logout: { name: 'Signed out', tone: 'neutral' },
  begin: { name: 'Begun', tone: 'info' },
  end: { name: 'Ended', tone: 'warning' },
  create: { name: 'Created', tone: 'success' },
  update: { name: 'Changed', tone: 'info' },
  replace: { name: 'Replaced', tone: 'info' },
  hide: { name: 'Hidden', tone: 'warning' },
  archive: { name: 'Archived', tone: 'warning' },
  restore: { name: 'Restored', tone: 'success' },
  import: { name: 'Imported', tone: 'success' },
  merge: { name: 'Merged', tone: 'warning' },
  export: { name: 'Exported', tone: 'neutral' },
  link: { name: 'Linked', tone: 'success' },
  restart: { name: 'Restarted', tone: 'info' },
  unlink: { name: 'Unlinked', tone: 'warning' },
  upload: { name: 'Uploaded', tone: 'info' },
  delete: { name: 'Deleted', tone: 'danger' },
  switch_access: { name: 'Access switched', tone: 'warning' },
  attach_apps: { name: 'Apps attached', tone: 'info' },
  detach_app: { name: 'Apps detached', tone: 'info' },
  sync_apps: { name: 'Apps set', tone: 'info' },
  reset: { name: 'Reset', tone: 'danger' },
  renew_codes: { name: 'Recovery codes renewed', tone: 'warning' },
  require: { name: 'Rule changed', tone: 'warning' },
  acknowledge: { name: 'Acknowledged', tone: 'warning' },
  withdraw: { name: 'Withdrawn', tone: 'warning' },
  accept: { name: 'Accepted', tone: 'success' },
  request: { name: 'Requested', tone: 'info' },
  finish: { name: 'Finished', tone: 'success' },
  revoke: { name: 'Revoked', tone: 'warning' },
  take_over: { name: 'Taken over', tone: 'warning' },
  renew_secret: { name: 'Token renewed', tone: 'warning' },
  download: { name: 'Downloaded', tone: 'neutral' },
  check: { name: 'Checked', tone: 'neutral' },
  start: { name: 'Started', tone: 'info' },
  cancel: { name: 'Cancelled', tone: 'warning' },
  rotate_secret: { name: 'Secret replaced', tone: 'warning' },
  reveal: { name: 'Secrets shown', tone: 'warning' },
  test: { name: 'Tested', tone: 'neutral' },
  resend: { name: 'Sent again', tone: 'info' },
  send: { name: 'Sent', tone: 'info' },
};
const wordOfAction: ReadonlyMap<string, ActionWord> = new Map(Object.entries(actionWords));

/** An action in words; one that this console does not know yet under its own name. */
export function actionWord(action: string): ActionWord {
  return wordOfAction.get(action) ?? { name: action, tone: 'neutral' };
}

/** The name of an entity: its identifier in words, `saved_view` as Saved view, unless it has another one. */
export function entityName(entity: string): string {
  const matchingName = auditEntityNames.find((name) => name === entity);
  // Values that this console does not know keep their own name.
  if (matchingName === undefined) return entity;
  return otherNames[matchingName] ?? `${matchingName.charAt(0).toUpperCase()}${matchingName.slice(1).replaceAll('_', ' ')}`;
}

/** Names of the origins of changes that are no people. */
export const viaNames: Readonly<Record<AuditVia['kind'], string>> = { server: 'Traffic server', token: 'API token' };

/** Who did it: an account, with the API token that it used, a traffic server, nobody for a failed sign-in, else the console itself (api [89]). */
export function actorName({ actor, action, via }: Pick<AuditRow, 'action' | 'via'> & { actor: { name: string } | null }): string {
  if (actor !== null) return via === null ? actor.name : `${actor.name} via ${via.name}`;
  if (via !== null) return `Server ${via.name}`;
  return action === 'login_failed' ? 'Nobody' : 'System';
}
