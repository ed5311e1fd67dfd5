import type { Panel } from '@switchyard/contract/permissions';
import { stringifySearch } from './search-codec.ts';

/** Tabs of an app's edit page, as `startTabName` names them (SHELL-003). */
export type AppTab = 'General' | 'Event' | 'Push' | 'Conversion';

/** Tabs of the roles page by the panel whose roles they list (ROLE-006). */
export const rolesTabs = { user: 'Users roles', buyer: 'Buyers roles' } as const satisfies Record<Panel, string>;

/** Tabs of the users page, as `startTabName` names them (USER-004). */
export type UsersTab = 'Users' | 'Buyers';

/** Every address inside the console, so that no screen spells one out. */
export const paths = {
  home: () => '/',
  login: () => '/login',
  /** Where the provider of the external sign-in sends the browser back to (AUTH-008). */
  googleCallback: () => '/oauth/google',
  sessions: () => '/sessions',
  apps: () => '/apps',
  appCreate: () => '/apps/create',
  appEdit: (id: number, startTabName: AppTab) => `/apps/${id}/edit${stringifySearch({ startTabName })}`,
  servers: () => '/servers',
  serverCreate: () => '/servers/create',
  serverEdit: (id: number) => `/servers/${id}/edit`,
  asns: (search?: string) => `/asns${stringifySearch({ search })}`,
  blackIps: (search?: string) => `/black-ip${stringifySearch({ search })}`,
  requests: () => '/requests',
  roles: (panel?: Panel) => `/roles${panel === undefined ? '' : stringifySearch({ startTabName: rolesTabs[panel] })}`,
  roleCreate: (panel: Panel) => `/roles/create-${panel}`,
  roleEdit: (panel: Panel, id: number) => `/roles/${panel}/${id}/edit`,
  users: (startTabName: UsersTab = 'Users') => `/users${stringifySearch({ startTabName })}`,
  userCreate: () => '/users/add',
  buyerCreate: () => '/users/buyers/add',
  userEdit: (id: number) => `/users/${id}/edit`,
  buyerEdit: (id: number) => `/users/buyers/${id}/edit`,
  activity: () => '/activity',
} as const;
