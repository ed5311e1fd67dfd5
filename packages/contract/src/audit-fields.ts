import { ruleFields } from './alerts.ts';
import { keyLabels } from './app-form-texts.ts';
import { responseEntries } from './app-rules.ts';
import { channelFields } from './channels.ts';
import { labelsOf } from './entity.ts';
import { scheduleFields } from './schedules.ts';
import { serverFields } from './traffic-servers.ts';

/** Labels of the fields of the audit trail, as on the forms that change them. */
const fieldLabels: ReadonlyMap<string, string> = new Map([
  ...labelsOf(ruleFields),
  ...labelsOf(scheduleFields),
  ...labelsOf(channelFields),
  ...labelsOf(serverFields),
  ['name', 'Name'],
  ['bundle', 'Bundle'],
  ['domain', 'Domain'],
  ['whiteUserAgent', 'White user agent'],
  ['vertical', 'Vertical'],
  ['conversion_api_type', 'Conversion type'],
  ...Object.entries(keyLabels).map(([key, label]): [string, string] => [`keys.${key}`, label]),
  ['userIds', 'App users'],
  ['app_mode', 'App mode'],
  ['response_mode', 'Response mode'],
  ['proxy_api_url', 'Proxy API URL'],
  ['proxy_cache_seconds', 'Proxy cache, seconds'],
  ['static_response_path', 'Static response path'],
  ...responseEntries.flatMap((entry) =>
    ['type', 'code', 'response'].map((part): [string, string] => [`response_message.${entry}.${part}`, `Response to ${entry}: ${part}`]),
  ),
  ['cloak_mode', 'Cloak mode'],
  ['adspect_cloak', 'Cloak ID'],
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
  ['pending_minutes', 'Pending period, minutes'],
  ['rule_id', 'Rule'],
  ['server_id', 'Server'],
  ['note', 'Note'],
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
  ['url', 'URL'],
  ['links', 'Links'],
  ['serverId', 'Server'],
  ['isOnlyCF', 'Cloudflare only'],
  ['status', 'Status'],
  ['projectId', 'Project id'],
  ['fileName', 'File name'],
  ['configuration', 'Configuration'],
  ['reason', 'Reason'],
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
  ['view_id', 'Id of the saved view'],
  ['shape', 'Shape'],
  ['measure', 'Measure'],
  ['recipient_ids', 'Ids of recipients'],
  ['addresses', 'Addresses'],
  ['chat_id', 'Chat'],
  ['bot_token', 'Bot token'],
  ['secret_url', 'URL'],
  ['signing_secret', 'Signing secret'],
  ['is_on', 'On'],
  ['message', 'Message'],
  ['restored_entry', 'Restored from entry'],
  ['isBanCreate', 'Ban create'],
  ['isBanReceive', 'Ban receive'],
]);

/** Whether a field has a label. */
export function hasFieldLabel(field: string): boolean {
  return fieldLabels.has(field);
}

/** The label of a field; the field itself if a newer version of the console wrote it. */
export function fieldLabel(field: string): string {
  return fieldLabels.get(field) ?? field;
}
