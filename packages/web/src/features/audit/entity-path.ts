import type { AuditRow } from '@switchyard/contract/audit';
import { alertPermissions, holdsAny, type Permission } from '@switchyard/contract/permissions';
import { paths } from '../../shared/paths.ts';

/** The page of the thing with this id; null when it is no id of its kind. */
type PageOf = (id: string) => string | null;
type Page = { readonly permission: Permission | readonly [Permission, ...Permission[]]; readonly path: PageOf };

/** Where things of a kind have a page or a row of their own; a role's page of the other panel leads on to its own. */
const pages: ReadonlyMap<string, Page> = new Map<string, Page>([
  ['app', { permission: 'manager_app_edit', path: pathOfNumber((id) => paths.appEdit(id, 'General')) }],
  ['role', { permission: 'manager_settings_roles', path: pathOfNumber((id) => paths.roleEdit('user', id)) }],
  ['user', { permission: 'manager_user_edit', path: pathOfNumber(paths.userEdit) }],
  ['buyer', { permission: 'manager_user_edit', path: pathOfNumber(paths.buyerEdit) }],
  ['server', { permission: 'manager_settings_server', path: pathOfNumber(paths.serverEdit) }],
  ['asn', { permission: 'manager_settings_asns', path: (code) => (/^\d{1,10}$/.test(code) ? paths.asns(`AS${code}`) : null) }],
  ['black_ip', { permission: 'manager_settings_asns', path: (ip) => paths.blackIps(ip) }],
  ['alert_rule', { permission: alertPermissions, path: pathOfNumber(paths.alertRuleEdit) }],
  ['channel', { permission: alertPermissions, path: pathOfNumber(paths.channelEdit) }],
  ['incident', { permission: 'manager_user_activity', path: pathOfNumber(paths.incident) }],
  ['log', { permission: 'manager_dev_logs', path: ofDay((date) => paths.logDay(date)) }],
  ['app_log', { permission: 'manager_dev_logs', path: ofDay((date) => paths.appLogDay(date)) }],
]);

function pathOfNumber(path: (id: number) => string): PageOf {
  return (id) => (/^[1-9]\d{0,8}$/.test(id) ? path(Number(id)) : null);
}

function ofDay(path: (date: string) => string): PageOf {
  return (id) => (/^\d{4}-\d{2}-\d{2}$/.test(id) ? path(id) : null);
}

/** The page of what was changed; null where there is none, it was deleted, or the account may not open it. */
export function entityPath({ entity, entity_id: id, action }: AuditRow, permissions: readonly string[]): string | null {
  const page = pages.get(entity);
  if (page === undefined || id === null || action === 'delete' || !holdsAny(permissions, [page.permission].flat())) return null;
  return page.path(id);
}
