import { appsListPermissions, type Permission } from '@switchyard/contract/permissions';
import type { Settings } from '@switchyard/contract/settings';
import { accountCreatePermissions, accountListPermissions } from '@switchyard/contract/users';
import {
  IconApps,
  IconBan,
  IconChartBar,
  IconCode,
  IconFileText,
  IconHistory,
  IconKey,
  IconListSearch,
  IconPasswordUser,
  IconServer,
  IconShieldLock,
  IconTopologyStar3,
  IconUsers,
  type Icon,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { paths } from '../shared/paths.ts';
import type { RouteDemand } from './route-guard.ts';

/** The place of a route in the sidebar; routes with the same group are under one entry. */
export type MenuPlace = { readonly label: string; readonly icon: Icon; readonly group?: { readonly label: string; readonly icon: Icon } };

/** A page of the console as data. A new page is a new row. */
export type ConsoleRoute = RouteDemand & {
  readonly name: string;
  /** Path with parameters as `$id`. */
  readonly path: string;
  readonly title: string;
  readonly menu?: MenuPlace;
  /** The letter that opens the page after `g`. */
  readonly letter?: string;
  /** Whether the settings of the deployment hide the page; its address is then unknown. */
  readonly isHidden?: (settings: Settings) => boolean;
  /** One line about the page, for the home page. */
  readonly summary?: string;
  /** Loads the page's code when it is opened. */
  readonly page: () => Promise<{ default: ComponentType }>;
};

/** Any of these shows requests. */
const investigationPermissions = ['manager_app_all_requests', 'manager_app_requests'] as const satisfies readonly Permission[];

const logsGroup: MenuPlace['group'] = { label: 'Logs', icon: IconFileText };

/** Every page in the order of the menu. */
export const routeTable: readonly ConsoleRoute[] = [
  {
    name: 'login',
    path: paths.login(),
    title: 'Login',
    isLoginPage: true,
    page: () => import('./sign-in-screens.tsx').then((file) => ({ default: file.LoginScreen })),
  },
  {
    name: 'oauth.google',
    path: paths.googleCallback(),
    title: 'Login',
    isLoginPage: true,
    page: () => import('./sign-in-screens.tsx').then((file) => ({ default: file.GoogleCallbackScreen })),
  },
  {
    name: 'invitation',
    path: paths.invitation(),
    title: 'Invitation',
    isLoginPage: true,
    page: () => import('./sign-in-screens.tsx').then((file) => ({ default: file.InvitationScreen })),
  },
  {
    name: 'forgot-password',
    path: paths.forgotPassword(),
    title: 'Forgot your password?',
    isLoginPage: true,
    page: () => import('./sign-in-screens.tsx').then((file) => ({ default: file.ForgotPasswordScreen })),
  },
  {
    name: 'reset-password',
    path: paths.resetPassword(),
    title: 'New password',
    isLoginPage: true,
    page: () => import('./sign-in-screens.tsx').then((file) => ({ default: file.ResetPasswordScreen })),
  },
  { name: 'home', path: paths.home(), title: 'Home', letter: 'h', permission: [], page: () => import('./home-screen.tsx') },
  {
    name: 'account',
    path: paths.account(),
    title: 'My account',
    letter: 'm',
    permission: [],
    page: () => import('../features/own-account/account-page.tsx').then((file) => ({ default: file.AccountPage })),
  },
  {
    name: 'sessions',
    path: paths.sessions(),
    title: 'My sessions',
    permission: [],
    page: () => import('../features/own-account/own-sessions-page.tsx').then((file) => ({ default: file.OwnSessionsPage })),
  },
  {
    name: 'apps',
    path: paths.apps(),
    title: 'Apps',
    letter: 'a',
    permission: appsListPermissions,
    menu: { label: 'Apps', icon: IconApps },
    summary: 'Apps with their domains, servers and statistics of today and all time',
    page: () => import('../features/apps/list/apps-page.tsx').then((file) => ({ default: file.AppsPage })),
  },
  {
    name: 'apps.create',
    path: paths.appCreate(),
    title: 'Create app',
    permission: 'manager_app_create',
    page: () => import('../features/apps/create/create-app-page.tsx').then((file) => ({ default: file.CreateAppPage })),
  },
  {
    name: 'apps.edit',
    path: '/apps/$id/edit',
    title: 'Edit app',
    permission: 'manager_app_edit',
    page: () => import('./app-edit-screen.tsx'),
  },
  {
    name: 'servers',
    path: paths.servers(),
    title: 'Servers',
    letter: 's',
    permission: 'manager_settings_server',
    menu: { label: 'Servers', icon: IconServer },
    summary: 'Traffic servers that apps are linked to, and when they were last seen',
    page: () => import('../features/traffic-servers/servers-page.tsx').then((file) => ({ default: file.ServersPage })),
  },
  {
    name: 'servers.create',
    path: paths.serverCreate(),
    title: 'Create server',
    permission: 'manager_settings_server',
    page: () => import('../features/traffic-servers/server-form-pages.tsx').then((file) => ({ default: file.CreateServerPage })),
  },
  {
    name: 'servers.edit',
    path: '/servers/$id/edit',
    title: 'Edit server',
    permission: 'manager_settings_server',
    page: () => import('../features/traffic-servers/server-form-pages.tsx').then((file) => ({ default: file.EditServerPage })),
  },
  {
    name: 'asns',
    path: paths.asns(),
    title: 'ASNs',
    letter: 'n',
    permission: 'manager_settings_asns',
    menu: { label: 'ASNs', icon: IconTopologyStar3 },
    summary: 'Autonomous systems whose create or receive requests are banned',
    page: () => import('../features/asns/asns-page.tsx').then((file) => ({ default: file.AsnsPage })),
  },
  {
    name: 'black-ip',
    path: paths.blackIps(),
    title: 'Black IP',
    letter: 'b',
    permission: 'manager_settings_asns',
    menu: { label: 'Black IP', icon: IconBan },
    summary: 'Addresses that every traffic server turns away',
    page: () => import('../features/black-ips/black-ips-page.tsx').then((file) => ({ default: file.BlackIpsPage })),
  },
  {
    name: 'requests',
    path: paths.requests(),
    title: 'Phone Requests',
    letter: 'r',
    permission: 'manager_app_all_requests',
    menu: { label: 'All Requests', icon: IconListSearch },
    summary: 'What devices asked for and were answered, across all apps',
    page: () => import('../traffic/all-requests/all-requests-page.tsx').then((file) => ({ default: file.AllRequestsPage })),
  },
  {
    name: 'reports',
    path: paths.reports(),
    title: 'Reports',
    letter: 'e',
    permission: 'manager_app_statistics',
    menu: { label: 'Reports', icon: IconChartBar },
    summary: 'Traffic by app, country, buyer or time, compared with earlier days',
    page: () => import('../features/reports/reports-page.tsx').then((file) => ({ default: file.ReportsPage })),
  },
  {
    name: 'client',
    path: '/clients/$uid',
    title: 'Client',
    permission: investigationPermissions,
    page: () => import('../features/investigation/subject-pages.tsx').then((file) => ({ default: file.ClientPage })),
  },
  {
    name: 'address',
    path: '/addresses/$ip',
    title: 'Address',
    permission: investigationPermissions,
    page: () => import('../features/investigation/subject-pages.tsx').then((file) => ({ default: file.AddressPage })),
  },
  {
    name: 'roles',
    path: paths.roles(),
    title: 'Roles',
    letter: 'o',
    permission: 'manager_settings_roles',
    deniedTo: paths.apps(),
    menu: { label: 'Roles', icon: IconShieldLock },
    summary: 'What staff and buyers may see and do',
    page: () => import('../features/roles/roles-page.tsx').then((file) => ({ default: file.RolesPage })),
  },
  {
    name: 'user.roles.create',
    path: paths.roleCreate('user'),
    title: 'Create user role',
    permission: 'manager_settings_roles',
    page: () => import('../features/roles/role-form-pages.tsx').then((file) => ({ default: file.CreateUserRolePage })),
  },
  {
    name: 'buyer.roles.create',
    path: paths.roleCreate('buyer'),
    title: 'Create buyer role',
    permission: 'manager_settings_roles',
    page: () => import('../features/roles/role-form-pages.tsx').then((file) => ({ default: file.CreateBuyerRolePage })),
  },
  {
    name: 'user.roles.edit',
    path: '/roles/user/$id/edit',
    title: 'Edit role',
    permission: 'manager_settings_roles',
    page: () => import('../features/roles/role-form-pages.tsx').then((file) => ({ default: file.EditUserRolePage })),
  },
  {
    name: 'buyer.roles.edit',
    path: '/roles/buyer/$id/edit',
    title: 'Edit role',
    permission: 'manager_settings_roles',
    page: () => import('../features/roles/role-form-pages.tsx').then((file) => ({ default: file.EditBuyerRolePage })),
  },
  {
    name: 'service-accounts',
    path: paths.serviceAccounts(),
    title: 'Service accounts',
    letter: 'v',
    permission: 'manager_settings_roles',
    menu: { label: 'Service accounts', icon: IconKey },
    summary: 'Tokens of systems that call the API, with their permissions and last use',
    page: () => import('../features/service-accounts/service-accounts-page.tsx').then((file) => ({ default: file.ServiceAccountsPage })),
  },
  {
    name: 'api-tokens',
    path: paths.accountTokens(),
    title: 'API tokens',
    letter: 't',
    permission: 'manager_user_edit',
    menu: { label: 'API tokens', icon: IconPasswordUser },
    summary: 'API tokens of people and when they were last used, to revoke them',
    page: () => import('../features/account-tokens/account-tokens-page.tsx').then((file) => ({ default: file.AccountTokensPage })),
  },
  {
    name: 'users',
    path: '/users',
    title: 'Users',
    letter: 'u',
    permission: accountListPermissions,
    menu: { label: 'Users', icon: IconUsers },
    summary: 'People of this console and buyers, their roles, apps and access',
    page: () => import('../features/users/list/users-page.tsx').then((file) => ({ default: file.UsersPage })),
  },
  {
    name: 'user.add',
    path: paths.userCreate(),
    title: 'Create user',
    permission: accountCreatePermissions,
    page: () => import('../features/users/create/create-account-page.tsx').then((file) => ({ default: file.CreateUserPage })),
  },
  {
    name: 'buyer.add',
    path: paths.buyerCreate(),
    title: 'Create buyer',
    permission: accountCreatePermissions,
    page: () => import('../features/users/create/create-account-page.tsx').then((file) => ({ default: file.CreateBuyerPage })),
  },
  {
    name: 'user.edit',
    path: '/users/$id/edit',
    title: 'Edit user',
    permission: 'manager_user_edit',
    page: () => import('../features/users/edit/edit-account-page.tsx').then((file) => ({ default: file.EditUserPage })),
  },
  {
    name: 'buyer.edit',
    path: '/users/buyers/$id/edit',
    title: 'Edit buyer',
    permission: 'manager_user_edit',
    page: () => import('../features/users/edit/edit-account-page.tsx').then((file) => ({ default: file.EditBuyerPage })),
  },
  {
    name: 'activity',
    path: paths.activity(),
    title: 'Activity',
    letter: 'y',
    permission: 'manager_user_activity',
    menu: { label: 'Activity', icon: IconHistory },
    summary: 'Who changed what and when, with the differences',
    page: () => import('../features/audit/activity-page.tsx').then((file) => ({ default: file.ActivityPage })),
  },
  {
    name: 'logs',
    path: paths.logs(),
    title: 'Logs',
    letter: 'l',
    permission: 'manager_dev_logs',
    menu: { label: 'All logs', icon: IconFileText, group: logsGroup },
    summary: 'What the console itself wrote down, by day and level',
    page: () => import('../features/log-viewer/logs-page.tsx').then((file) => ({ default: file.LogsPage })),
  },
  {
    name: 'logs.show',
    path: '/logs/$id/show',
    title: 'Logs',
    permission: 'manager_dev_logs',
    page: () => import('../features/log-viewer/log-day-page.tsx').then((file) => ({ default: file.LogPage })),
  },
  {
    name: 'app-logs',
    path: paths.appLogs(),
    title: 'App logs',
    letter: 'p',
    permission: 'manager_dev_logs',
    menu: { label: 'App logs', icon: IconFileText, group: logsGroup },
    summary: 'What the app service wrote down, by day and level',
    page: () => import('../features/log-viewer/logs-page.tsx').then((file) => ({ default: file.AppLogsPage })),
  },
  {
    name: 'app-logs.show',
    path: '/app-logs/$id/show',
    title: 'App logs',
    permission: 'manager_dev_logs',
    page: () => import('../features/log-viewer/log-day-page.tsx').then((file) => ({ default: file.AppLogPage })),
  },
  {
    name: 'dev-doc',
    path: paths.devDoc(),
    title: 'DevDoc',
    letter: 'd',
    permission: ['manager_dev_request_encryption', 'manager_dev_docs'],
    isHidden: ({ hideDocs }) => hideDocs,
    menu: { label: 'DevDoc', icon: IconCode },
    summary: 'Encode, send and decode requests of devices, and the guide for developers of apps',
    page: () => import('../features/dev-tools/dev-doc-page.tsx').then((file) => ({ default: file.DevDocPage })),
  },
];

/** The pages of a deployment: those that its settings do not hide. */
export function shownRoutes(settings: Settings): readonly ConsoleRoute[] {
  return routeTable.filter((route) => route.isHidden?.(settings) !== true);
}
