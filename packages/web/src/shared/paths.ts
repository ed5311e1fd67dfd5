import type { Panel } from '@switchyard/contract/permissions';
import type { LogFilter } from '@switchyard/contract/log-viewer';
import { stringifySearch } from './search-codec.ts';

/** Tabs of an app's edit page, as `startTabName` names them. */
export type AppTab = 'General' | 'Event' | 'Push' | 'Conversion';

/** Tabs of the roles page by the panel whose roles they list. */
export const rolesTabs = { user: 'Users roles', buyer: 'Buyers roles' } as const satisfies Record<Panel, string>;

/** Tabs of the users page, as `startTabName` names them. */
export type UsersTab = 'Users' | 'Buyers';

/** Every address inside the console, so that no screen spells one out. */
export const paths = {
  home: () => '/',
  login: () => '/login',
  /** Where the provider of the external sign-in sends the browser back to. */
  googleCallback: () => '/oauth/google',
  /** The page of an invitation; the token is in the fragment. */
  invitation: () => '/invitation',
  forgotPassword: () => '/forgot-password',
  /** The page of a link for a forgotten password; the token is in the fragment. */
  resetPassword: () => '/reset-password',
  account: () => '/account',
  sessions: () => '/sessions',
  apps: (search?: string) => `/apps${stringifySearch({ search })}`,
  /** The apps list with the results of one's own bulk change. */
  bulkRunOfApps: (run: number) => `/apps${stringifySearch({ run })}`,
  /** The form of a new app, with parts of another one if `copy` names them. */
  appCreate: (copy?: { id: number; parts: readonly string[] }) =>
    `/apps/create${copy === undefined ? '' : stringifySearch({ copy: copy.id, parts: copy.parts.join(',') })}`,
  appEdit: (id: number, startTabName: AppTab) => `/apps/${id}/edit${stringifySearch({ startTabName })}`,
  /** The requests of an app's stream. */
  streamRequests: (id: number, streamUid: string) =>
    `/apps/${id}/edit${stringifySearch({ startTabName: 'Event', streamUid: [streamUid] })}`,
  appHistory: (id: number) => `/apps/${id}/history`,
  servers: (search?: string) => `/servers${stringifySearch({ search })}`,
  serverCreate: () => '/servers/create',
  serverEdit: (id: number) => `/servers/${id}/edit`,
  serverHistory: (id: number) => `/servers/${id}/history`,
  asns: (search?: string) => `/asns${stringifySearch({ search })}`,
  /** The black list with the popup that adds addresses. */
  blackIpsAdd: () => '/black-ip?add=1',
  blackIps: (search?: string) => `/black-ip${stringifySearch({ search })}`,
  requests: () => '/requests',
  reports: () => '/reports',
  /** Incidents, the open ones unless the filters say otherwise; the tabs of rules and silences by `startTabName`. */
  /** `add` opens the dialog of a silence for a rule, and for an app or a server if they are given. */
  incidents: (
    query: { startTabName?: string; state?: readonly string[]; ruleId?: number; add?: number; addApp?: number; addServer?: number } = {},
  ) => `/incidents${stringifySearch(query)}`,
  incident: (id: number) => `/incidents/${id}`,
  unheardRules: () => '/incidents?startTabName=Rules&unheard=1',
  alertRuleCreate: (copy?: number) => `/incidents/rules/create${copy === undefined ? '' : `?copy=${copy}`}`,
  alertRuleEdit: (id: number) => `/incidents/rules/${id}/edit`,
  schedules: () => '/schedules',
  schedulesReceived: () => '/schedules/received',
  schedulesOfAll: () => '/schedules/all',
  /** The form of a new schedule, of a saved view if one is named. */
  scheduleCreate: (view?: number) => `/schedules/create${view === undefined ? '' : `?view=${view}`}`,
  scheduleEdit: (id: number) => `/schedules/${id}/edit`,
  channels: () => '/channels',
  inbox: () => '/inbox',
  channelCreate: () => '/channels/create',
  channelEdit: (id: number, query: { startTabName?: string; state?: string } = {}) => `/channels/${id}/edit${stringifySearch(query)}`,
  /** Everything that a client did. */
  client: (uid: string) => `/clients/${encodeURIComponent(uid)}`,
  /** Everything that an IP address did. */
  address: (ip: string) => `/addresses/${encodeURIComponent(ip)}`,
  roles: (panel?: Panel) => `/roles${panel === undefined ? '' : stringifySearch({ startTabName: rolesTabs[panel] })}`,
  /** The form of a new role, with the permissions of another one if `copy` is its id. */
  roleCreate: (panel: Panel, copy?: number) => `/roles/create-${panel}${stringifySearch({ copy })}`,
  roleEdit: (panel: Panel, id: number) => `/roles/${panel}/${id}/edit`,
  roleHistory: (id: number) => `/roles/${id}/history`,
  /** Who holds a permission or sees an app. */
  whoCan: (filters: { permission?: string; appId?: string } = {}) => `/who-can${stringifySearch(filters)}`,
  /** Two roles, or a role and an account, side by side: `role-3`, `account-7`. */
  comparePermissions: (sides: { one?: string; other?: string } = {}) => `/roles/compare${stringifySearch(sides)}`,
  serviceAccounts: () => '/service-accounts',
  /** API tokens of all accounts. */
  accountTokens: () => '/tokens',
  users: (startTabName: UsersTab = 'Users', filters: { search?: string; role?: string; access?: string; secondFactor?: string } = {}) =>
    `/users${stringifySearch({ startTabName, ...filters })}`,
  userCreate: () => '/users/add',
  buyerCreate: () => '/users/buyers/add',
  userEdit: (id: number) => `/users/${id}/edit`,
  buyerEdit: (id: number) => `/users/buyers/${id}/edit`,
  userHistory: (id: number) => `/users/${id}/history`,
  buyerHistory: (id: number) => `/users/buyers/${id}/history`,
  activity: () => '/activity',
  /** An entry of Activity among its neighbours. */
  activityNear: (id: number | string) => `/activity?near=${id}`,
  devDoc: () => '/dev-doc',
  logs: () => '/logs',
  /** A day of the console's own log, and of its entries those of one level. */
  logDay: (date: string, level: LogFilter = 'all') => `/logs/${date}/show${levelQuery(level)}`,
  appLogs: () => '/app-logs',
  appLogDay: (date: string, level: LogFilter = 'all') => `/app-logs/${date}/show${levelQuery(level)}`,
} as const;

/** All levels are what the page shows without being asked. */
function levelQuery(level: LogFilter): string {
  return level === 'all' ? '' : stringifySearch({ level });
}
