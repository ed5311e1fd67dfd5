import { stringifySearch } from './search-codec.ts';

/** Tabs of an app's edit page, as `startTabName` names them (SHELL-003). */
export type AppTab = 'General' | 'Event' | 'Push' | 'Conversion';

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
  requests: () => '/requests',
} as const;
