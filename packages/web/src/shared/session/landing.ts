import type { SessionUser } from '@switchyard/contract/session';
import { paths } from '../paths.ts';

/** Where an account lands without a saved route (AUTH-031, AUTH-032). */
function landingPath(user: SessionUser): string {
  return user.permissions.includes('manager_app_view_all') ? paths.apps() : paths.home();
}

/**
 * Where to go after signing in: the saved route, else the landing page; when that page is unknown or not
 * open to the account, home (AUTH-029 to AUTH-033, AMB-002).
 */
export function afterLoginPath(user: SessionUser, savedPath: string | null, mayOpen: (path: string) => boolean): string {
  const target = savedPath ?? landingPath(user);
  return mayOpen(target) ? target : paths.home();
}
