import { stringifySearch } from './search-codec.ts';

/** Tabs of an app's edit page, as `startTabName` names them (SHELL-003). */
export type AppTab = 'General' | 'Event' | 'Push' | 'Conversion';

/** Every address inside the console, so that no screen spells one out. */
export const paths = {
  home: () => '/',
  login: () => '/login',
  googleCallback: () => '/oauth/google',
  apps: () => '/apps',
  appCreate: () => '/apps/create',
  appEdit: (id: number, startTabName: AppTab) => `/apps/${id}/edit${stringifySearch({ startTabName })}`,
  requests: (query: Record<string, unknown> = {}) => `/requests${stringifySearch(query)}`,
} as const;
