import { holdsAny, type Permission } from '@switchyard/contract/permissions';
import { paths } from '../shared/paths.ts';
import type { SessionPhase } from '../shared/session/session-store.ts';

/** The access rules of a route. */
export type RouteDemand = {
  /** Login pages are open to everyone. */
  readonly isLoginPage?: boolean;
  /**
   * One permission, or a list of which any opens the route; an empty list opens it to every signed-in
   * account, and so does no entry, which also hides it from the menu.
   */
  readonly permission?: Permission | readonly Permission[];
  /** Where an account without the permission goes instead of the login page. */
  readonly deniedTo?: string;
};

export type GuardResult =
  | { readonly kind: 'open' }
  /** `remembersPath`: the target is saved and opened after signing in. */
  | { readonly kind: 'redirect'; readonly to: string; readonly remembersPath: boolean };

/** The permissions of which any opens a route. */
export function demandedPermissions(demand: RouteDemand): readonly Permission[] {
  if (demand.permission === undefined) return [];
  return typeof demand.permission === 'string' ? [demand.permission] : demand.permission;
}

/** Decides whether a route opens or redirects. */
export function guardRoute(demand: RouteDemand, phase: SessionPhase, permissions: readonly string[]): GuardResult {
  if (demand.isLoginPage === true) return { kind: 'open' };
  if (phase !== 'live') return { kind: 'redirect', to: paths.login(), remembersPath: true };
  if (holdsAny(permissions, demandedPermissions(demand))) return { kind: 'open' };
  return { kind: 'redirect', to: demand.deniedTo ?? paths.login(), remembersPath: false };
}
