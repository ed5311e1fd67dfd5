import type { Page } from '@playwright/test';
import type { StoredSession } from '../console/run-state.ts';

/** Signs a page in before it opens, also at an address other than the console's own. */
export async function asSession(page: Page, session: StoredSession | null): Promise<void> {
  if (session === null) throw new Error('Nobody is signed in');
  await page.addInitScript(({ token, user }) => {
    // Only once, so that the end of the session in the same test counts.
    if (sessionStorage.getItem('signed-in') !== null) return;
    sessionStorage.setItem('signed-in', '1');
    localStorage.setItem('switchyard_token', JSON.stringify(token));
    localStorage.setItem('switchyard_user', JSON.stringify(user));
  }, session);
}
