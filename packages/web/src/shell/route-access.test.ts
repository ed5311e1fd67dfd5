import { permissionCatalogue } from '@switchyard/contract/permissions';
import { describe, expect, it } from 'vitest';
import { shownRoutes } from './console-routes.ts';
import { linksOf, menuFor } from './menu.ts';
import { guardRoute } from './route-guard.ts';
import { incidentPermissions, schedulePermissions, routeTable } from './route-table.ts';

/** The permissions of the specification, and those that came later. */
const every = permissionCatalogue.flatMap(({ id, label }) => (id <= 29 ? [label] : []));
const later = permissionCatalogue.flatMap(({ id, label }) => (id <= 29 ? [] : [label]));

/** Names of the routes that an account with these permissions may open, those for guests left out. */
function openTo(permissions: readonly string[]): string[] {
  return routeTable
    .filter((route) => route.isLoginPage !== true && guardRoute(route, 'live', permissions).kind === 'open')
    .map((route) => route.name);
}

const menuOf = (permissions: readonly string[]) => linksOf(menuFor(routeTable, permissions)).map(({ label, href }) => [label, href]);

/** Open to everybody who is signed in. */
const forAll = ['home', 'account', 'sessions', 'schedules.received'];
const home = ['Home', '/'];
const apps = ['Apps', '/apps'];
const servers = ['Servers', '/servers'];
const asns = ['ASNs', '/asns'];
const blackIp = ['Black IP', '/black-ip'];
const requests = ['All Requests', '/requests'];
const reports = ['Reports', '/reports'];
const roles = ['Roles', '/roles'];
const serviceAccounts = ['Service accounts', '/service-accounts'];
const apiTokens = ['API tokens', '/tokens'];
const users = ['Users', '/users'];
const activity = ['Activity', '/activity'];
const logs = ['All logs', '/logs'];
const appLogs = ['App logs', '/app-logs'];
const devDoc = ['DevDoc', '/dev-doc'];
const incidents = ['Incidents', '/incidents'];
const schedules = ['Schedules', '/schedules'];
const channels = ['Channels', '/channels'];
const inbox = ['Inbox', '/inbox'];
const own = [apps, servers, asns, blackIp, requests, roles, users, logs, appLogs, devDoc];
const menuOrder = [home, ...own, reports, schedules, incidents, serviceAccounts, apiTokens, channels, inbox, activity];
const adding = ['users', 'user.add', 'buyer.add'];

/** Routes and menu entries that each permission opens by itself; the others open nothing. */
const access: readonly [row: string, permission: string, routes: string[], menu: string[][]][] = [
  ['PERM-006', 'manager_app_create', ['apps', 'apps.create'], [apps]],
  ['PERM-011', 'manager_app_edit', ['apps', 'apps.edit', 'apps.history'], [apps]],
  ['PERM-018', 'manager_app_delete', ['apps'], [apps]],
  ['PERM-020', 'manager_app_requests', ['apps', 'client', 'address'], [apps]],
  ['PERM-022, REP-009', 'manager_app_statistics', ['apps', 'reports'], [apps, reports]],
  [
    'PERM-030, ROLE-001, ROLE-002, ROLE-003, ROLE-004, ROLE-005, SHELL-029',
    'manager_settings_roles',
    [
      'roles',
      'user.roles.create',
      'buyer.roles.create',
      'user.roles.edit',
      'buyer.roles.edit',
      'roles.history',
      'who-can',
      'roles.compare',
      'service-accounts',
    ],
    [roles, serviceAccounts],
  ],
  ['PERM-032, PERM-033, USER-001, USER-002, BUY-001, SHELL-030', 'manager_user_create', adding, [users]],
  ['PERM-034, PERM-035, USER-001, USER-002, BUY-001', 'manager_user_buyer_create', adding, [users]],
  [
    'PERM-036, PERM-037, USER-001, USER-003, BUY-002',
    'manager_user_edit',
    ['users', 'user.edit', 'buyer.edit', 'user.history', 'buyer.history', 'api-tokens'],
    [apiTokens, users],
  ],
  ['PERM-039, USER-001', 'manager_user_deactivate', ['users', 'schedules.all'], [users]],
  ['PERM-041, AMB-189', 'manager_user_activity', ['activity'], [activity]],
  ['PERM-029, SRV-001, SHELL-025', 'manager_settings_server', ['servers', 'servers.create', 'servers.edit', 'servers.history'], [servers]],
  ['PERM-047, PERM-048, ASN-001, BIP-001, SHELL-026, SHELL-027', 'manager_settings_asns', ['asns', 'black-ip'], [asns, blackIp]],
  ['PERM-042, LOG-001, LOG-002, AMB-194', 'manager_dev_logs', ['logs', 'logs.show', 'app-logs', 'app-logs.show'], [logs, appLogs]],
  ['PERM-043, DEV-001, SHELL-032', 'manager_dev_request_encryption', ['dev-doc'], [devDoc]],
  ['PERM-045, DEV-001, SHELL-032', 'manager_dev_docs', ['dev-doc'], [devDoc]],
  ['PERM-049', 'manager_app_all_requests', ['requests', 'client', 'address'], [requests]],
];
/** Routes and menu entries of alerts and scheduled reports that a permission opens beside its own. */
function ofAlerts(permission: string): { routes: string[]; menu: string[][] } {
  const sees = incidentPermissions.some((label) => label === permission);
  const changes = ['manager_settings_roles', 'manager_settings_server'].includes(permission);
  const sends = schedulePermissions.some((label) => label === permission);
  return {
    routes: [
      ...(sees ? ['incidents', 'incidents.show', 'alert-rules.edit'] : []),
      ...(sends ? ['schedules', 'schedules.create', 'schedules.edit'] : []),
      ...(changes ? ['alert-rules.create', 'channels', 'channels.create', 'channels.edit', 'inbox'] : []),
    ],
    menu: [...(sends ? [schedules] : []), ...(sees ? [incidents] : []), ...(changes ? [channels, inbox] : [])],
  };
}
const opening = new Set(access.map(([, permission]) => permission));

it('[SHELL-002] the routes of roles, users and buyers bear the names of the specification', () => {
  const namedRoutes = [
    'user.roles.create',
    'buyer.roles.create',
    'user.roles.edit',
    'buyer.roles.edit',
    'user.add',
    'buyer.add',
    'user.edit',
    'buyer.edit',
  ];
  expect(namedRoutes.map((name) => routeTable.find((route) => route.name === name)?.path)).toEqual([
    '/roles/create-user',
    '/roles/create-buyer',
    '/roles/user/$id/edit',
    '/roles/buyer/$id/edit',
    '/users/add',
    '/users/buyers/add',
    '/users/$id/edit',
    '/users/buyers/$id/edit',
  ]);
});

describe('what a permission opens', () => {
  it.each(access)('[%s] %s alone opens its routes and shows its entries', (_, permission, routes, menu) => {
    const alerts = ofAlerts(permission);
    expect(openTo([permission]).toSorted()).toEqual([...forAll, ...routes, ...alerts.routes].toSorted());
    expect(menuOf([permission])).toEqual(menuOrder.filter((entry) => [home, ...menu, ...alerts.menu].includes(entry)));
  });

  it('[PERM-051] without any permission the sidebar has Home alone, and no page opens but those of every account', () => {
    expect(openTo([]).toSorted()).toEqual(forAll.toSorted());
    expect(menuOf([])).toEqual([home]);
  });

  it.each(every.filter((permission) => !opening.has(permission)))('%s alone opens nothing', (permission) => {
    expect(openTo([permission])).toEqual(forAll);
    expect(menuOf([permission])).toEqual([home]);
  });

  it('[PERM-050] each later permission opens the routes that name it, and shows theirs in the menu', () => {
    for (const permission of later) {
      const routes = routeTable.filter((route) => [route.permission].flat().includes(permission));
      expect(openTo([permission]).toSorted()).toEqual([...forAll, ...routes.map(({ name }) => name)].toSorted());
      const entries = routes.flatMap(({ menu, path }) => (menu === undefined ? [] : [[menu.label, path]]));
      expect(menuOf([permission])).toEqual([home, ...entries]);
    }
  });

  it('[ROLE-001, ROLE-004, ROLE-005, ROLE-011, PERM-031, AMB-004] without the permission the roles page leads to the apps, the pages below it to the login page', () => {
    const denials = routeTable
      .filter((route) => route.path.startsWith('/roles'))
      .map((route) => [route.name, guardRoute(route, 'live', ['manager_app_edit'])]);
    const to = (path: string) => ({ kind: 'redirect', to: path, remembersPath: false });
    expect(denials).toEqual([
      ['roles', to('/apps')],
      ...['user.roles.create', 'buyer.roles.create', 'user.roles.edit', 'buyer.roles.edit', 'roles.history', 'roles.compare'].map(
        (name) => [name, to('/login')],
      ),
    ]);
  });

  it('[PERM-050, SHELL-034] the menu leads nowhere that the account may not go', () => {
    const path = new Map(routeTable.map((route) => [route.name, route.path]));
    for (const permission of every) {
      const open = openTo([permission]).map((name) => path.get(name));
      for (const [, href] of menuOf([permission])) expect(open).toContain(href);
    }
    expect(menuOf(every)).toEqual(menuOrder);
  });

  it('[DEV-002, SHELL-005] the developer page is there unless the settings hide the documentation', () => {
    const settings = { appTitle: '', productName: '', version: '', loginMethods: 'email', hideOnlyCf: false, buyerPanelUrl: null } as const;
    expect(shownRoutes(routeTable, { ...settings, hideDocs: false }, true)).toEqual(routeTable);
    const shownWithoutDocs = shownRoutes(routeTable, { ...settings, hideDocs: true }, true);
    expect(routeTable.filter((route) => !shownWithoutDocs.includes(route)).map(({ path }) => path)).toEqual(['/dev-doc']);
  });

  it('[CHAN-117] the inbox is there in the demo only', () => {
    const settings = { appTitle: '', productName: '', version: '', loginMethods: 'email', hideOnlyCf: false, buyerPanelUrl: null } as const;
    const shown = shownRoutes(routeTable, { ...settings, hideDocs: false }, false);
    expect(routeTable.filter((route) => !shown.includes(route)).map(({ path }) => path)).toEqual(['/inbox']);
  });
});
