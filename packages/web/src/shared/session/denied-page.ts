import type { Permission } from '@switchyard/contract/permissions';
import { createStore, type Store } from '../external-store.ts';

/** A page that the route guard closed to a signed-in account. */
export type DeniedPage = {
  readonly title: string;
  /** The permissions of which any opens it. */
  readonly permissions: readonly Permission[];
};

/** The last page that was denied, until another page opens; the login page shows it. */
export const deniedPage: Store<DeniedPage | null> = createStore<DeniedPage | null>(null);
