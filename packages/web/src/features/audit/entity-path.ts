import type { AuditRow } from '@switchyard/contract/audit-trail';
import type { Permission } from '@switchyard/contract/permissions';
import { paths } from '../../shared/paths.ts';

type Page = { readonly permission: Permission; readonly path: (id: number) => string };

/** Where things of a kind have a page of their own; a role's page of the other panel leads on to its own. */
const pages: ReadonlyMap<string, Page> = new Map<string, Page>([
  ['app', { permission: 'manager_app_edit', path: (id) => paths.appEdit(id, 'General') }],
  ['role', { permission: 'manager_settings_roles', path: (id) => paths.roleEdit('user', id) }],
  ['user', { permission: 'manager_user_edit', path: paths.userEdit }],
  ['buyer', { permission: 'manager_user_edit', path: paths.buyerEdit }],
]);

/** The page of what was changed; null where there is none, it was deleted, or the account may not open it. */
export function entityPath({ entity, entity_id: id, action }: AuditRow, held: readonly string[]): string | null {
  const page = pages.get(entity);
  if (page === undefined || id === null || !/^[1-9]\d{0,8}$/.test(id)) return null;
  return action !== 'delete' && held.includes(page.permission) ? page.path(Number(id)) : null;
}
