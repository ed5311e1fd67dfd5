import { ruleFields } from './alerts.ts';
import { appLabels, keyLabels } from './app-form-texts.ts';
import { responseEntries } from './app-rules.ts';
import { channelFields } from './channels.ts';
import { labelsOf } from './entity.ts';
import { scheduleFields } from './schedules.ts';
import { serverFields } from './traffic-servers.ts';

/** Labels of the fields of the audit trail, as on the forms that change them. */
const fieldLabels: ReadonlyMap<string, string> = new Map([
  ...Object.entries(appLabels),
  ...Object.entries(keyLabels).map(([key, label]): [string, string] => [`keys.${key}`, label]),
  ...responseEntries.flatMap((entry) =>
    ['type', 'code', 'response'].map((part): [string, string] => [`response_message.${entry}.${part}`, `Response to ${entry}: ${part}`]),
  ),
  ['deleted_at', 'Archived'],
  ['email', 'Email'],
  ['new_network', 'Sign-in from a new network'],
  ['factor_added', 'Second factor added'],
  ['token_created', 'API token created'],
  ['password', 'Password'],
  ['roles', 'Roles'],
  ['hasAccess', 'Has access'],
  ['hasAllApps', 'Access to all apps'],
  ['isQa', 'QA'],
  ['appIds', 'Apps'],
  ['app_ids', 'Apps'],
  ['apps', 'Scope'],
  ['verticals', 'Verticals'],
  ['rule_id', 'Rule'],
  ['server_id', 'Server'],
  ['note', 'Note'],
  ['text', 'Text'],
  ['at', 'Time'],
  ['starts_at', 'Start'],
  ['ends_at', 'End'],
  ['buyer_id', 'Buyer'],
  ['app_id', 'App'],
  ['rules.country', 'Country'],
  ['offer', 'Offer'],
  ['level_cloaking', 'Level cloaking'],
  ['created_at', 'Created'],
  ['panel', 'Panel'],
  ['permission_ids', 'Permissions'],
  ['links', 'Links'],
  ['serverId', 'Server'],
  ['isOnlyCF', 'Cloudflare only'],
  ['status', 'Status'],
  ['projectId', 'Project id'],
  ['fileName', 'File name'],
  ['configuration', 'Configuration'],
  ['reason', 'Reason'],
  ['source', 'Source'],
  ['added', 'Entries added'],
  ['existing', 'Entries on the list already'],
  ['extended', 'Entries with a later expiry'],
  ['covered', 'Covered entries'],
  ['invalid', 'Invalid lines'],
  ['protected', 'Protected entries'],
  ['skipped', 'Skipped lines'],
  ['removed', 'Entries removed'],
  ['has_all_apps', 'Access to all apps'],
  ['networks', 'Networks'],
  ['expires_at', 'Expires'],
  ['owner', 'Owner'],
  ['viewed_id', 'Id of the viewed role or account'],
  ['second_factor', 'Second factor'],
  ['recovery_codes', 'Recovery codes'],
  ['all_staff', 'Second factor for all staff'],
  ['invitation', 'Invitation valid until'],
  ['list', 'List'],
  ['query', 'Filters and order'],
  ['columns', 'Columns'],
  ['key_id', 'Key id'],
  ['sharing', 'Sharing'],
  ['role_ids', 'Shared with roles'],
  ['shape', 'Shape'],
  ['account_ids', 'Shared with people'],
  ['rows', 'Rows'],
  ['measure', 'Measure'],
  ['addresses', 'Addresses'],
  ['chat_id', 'Chat'],
  ['bot_token', 'Bot token'],
  ['secret_url', 'URL'],
  ['signing_secret', 'Signing secret'],
  ['message', 'Message'],
  ['restored_entry', 'Restored from entry'],
  ['isBanCreate', 'Ban create'],
  ['isBanReceive', 'Ban receive'],
  ['entries', 'Entries'],
  ...[ruleFields, scheduleFields, channelFields, serverFields].flatMap(labelsOf),
  // Numbers as they are stored need their unit, or what they are ids of.
  ['pending_minutes', 'Pending period, minutes'],
  ['proxy_cache_seconds', 'Proxy cache, seconds'],
  ['view_id', 'Id of the saved view'],
  ['recipient_ids', 'Ids of recipients'],
]);

/** Whether a field has a label. */
export function hasFieldLabel(field: string): boolean {
  return fieldLabels.has(field);
}

/** The label of a field; the field itself if a newer version of the console wrote it. */
export function fieldLabel(field: string): string {
  return fieldLabels.get(field) ?? field;
}
