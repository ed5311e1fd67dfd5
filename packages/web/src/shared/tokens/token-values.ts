import type { apiTokenDays, ApiToken } from '@switchyard/contract/api-tokens';
import { isAddressOrBlock } from '@switchyard/contract/ip-address';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import { permissionGroup, type PermissionRow } from '@switchyard/contract/roles';

export type TokenDays = (typeof apiTokenDays)[number];

/** The form of a token. `days` undefined: none is chosen, or on an existing token its expiry stays. Null: it never expires. */
export type TokenValues = {
  readonly name: string;
  readonly permissionIds: readonly number[];
  readonly hasAllApps: boolean;
  readonly appIds: readonly number[];
  readonly days: TokenDays | null | undefined;
  /** One address or network in each line. */
  readonly networks: string;
};

/** Initial values of the form of a token. */
export function tokenValues(token: ApiToken | undefined, mayHaveAllApps: boolean): TokenValues {
  if (token === undefined) return { name: '', permissionIds: [], hasAllApps: mayHaveAllApps, appIds: [], days: 90, networks: '' };
  const { name, permission_ids: permissionIds, has_all_apps: hasAllApps, app_ids: appIds } = token;
  return { name, permissionIds, hasAllApps, appIds, days: undefined, networks: token.networks.join('\n') };
}

/** The lines of the field for networks. */
function networksOf({ networks }: Pick<TokenValues, 'networks'>): string[] {
  return networks.split(/[\s,]+/).filter((text) => text !== '');
}

/** The first text that is no address and no network. */
export function wrongNetwork(values: Pick<TokenValues, 'networks'>): string | undefined {
  return networksOf(values).find((text) => !isAddressOrBlock(text));
}

/** The fields as calls send them. */
export function tokenBody(values: TokenValues) {
  const { name, permissionIds, hasAllApps, appIds } = values;
  const apps = { has_all_apps: hasAllApps, app_ids: hasAllApps ? [] : [...appIds] };
  return { name: name.trim(), permission_ids: [...permissionIds], ...apps, networks: networksOf(values) };
}

const rows: readonly PermissionRow[] = permissionCatalogue.map((permission) => ({
  ...permission,
  group: permissionGroup(permission.label),
}));

/** The permissions that an account holds, which it may give to a token. */
export function heldPermissions(labels: readonly string[]): readonly PermissionRow[] {
  return rows.filter(({ label }) => labels.includes(label));
}

/** The permissions of a token. */
export function permissionsOf({ permission_ids: ids }: Pick<ApiToken, 'permission_ids'>): readonly PermissionRow[] {
  return rows.filter(({ id }) => ids.includes(id));
}

/** The apps of a token in words. */
export function appsText({ has_all_apps: all, app_ids: ids }: Pick<ApiToken, 'has_all_apps' | 'app_ids'>): string {
  if (all) return 'All apps';
  if (ids.length === 0) return 'No apps';
  return ids.length === 1 ? '1 app' : `${ids.length} apps`;
}
