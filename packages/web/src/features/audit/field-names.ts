import { keyLabels } from '@switchyard/contract/app-form-texts';
import { responseEntries } from '@switchyard/contract/app-rules';

/** What the fields of the trail are called on the forms that change them. */
const fieldNames: ReadonlyMap<string, string> = new Map([
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
  ['email', 'E-mail'],
  ['password', 'Password'],
  ['roles', 'Roles'],
  ['hasAccess', 'Has access'],
  ['hasAllApps', 'Access to all apps'],
  ['isQa', 'QA'],
  ['appIds', 'Apps'],
  ['app_ids', 'Apps'],
  ['buyer_id', 'Buyer'],
  ['app_id', 'App'],
  ['rules.country', 'Country'],
  ['offer', 'Offer'],
  ['level_cloaking', 'Level cloaking'],
  ['created_at', 'Created'],
  ['panel', 'Panel'],
  ['permission_ids', 'Permissions'],
  ['url', 'URL'],
  ['region', 'Region'],
  ['ip', 'IP'],
  ['token', 'Token'],
  ['mainHash', 'Main hash'],
  ['hash', 'Hash'],
  ['links', 'Links'],
  ['serverId', 'Server'],
  ['isOnlyCF', 'Cloudflare only'],
  ['status', 'Status'],
  ['projectId', 'Project id'],
  ['fileName', 'File name'],
  ['configuration', 'Configuration'],
  ['reason', 'Reason'],
  ['isBanCreate', 'Ban create'],
  ['isBanReceive', 'Ban receive'],
]);

/** A field in the words of its form; one that this console does not know yet under its own name. */
export function fieldName(field: string): string {
  return fieldNames.get(field) ?? field;
}
