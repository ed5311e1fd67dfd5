import type { SessionUser } from '@switchyard/contract/session';
import { paths } from '../paths.ts';

/** The page that an account opens without a saved route. */
function landingPath(user: SessionUser): string {
  return user.permissions.includes('manager_app_view_all') ? paths.apps() : paths.home();
}

/** Where to go after signing in: the saved route or the landing page; home if the account may not open it. */
export function afterLoginPath(user: SessionUser, savedPath: string | null, mayOpen: (path: string) => boolean): string {
  const target = savedPath ?? landingPath(user);
  return mayOpen(target) ? target : paths.home();
}
