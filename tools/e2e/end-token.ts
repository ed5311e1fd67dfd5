import type { Page } from '@playwright/test';

/** Changes when the stored token ends, in milliseconds from now, before the page reads it. */
export async function endTokenIn(page: Page, milliseconds: number): Promise<void> {
  await page.addInitScript((wait) => {
    const storedToken = localStorage.getItem('switchyard_token');
    // Only once, so that a later sign-in in the same test counts.
    if (storedToken === null || sessionStorage.getItem('aged') !== null) return;
    sessionStorage.setItem('aged', '1');
    localStorage.setItem('switchyard_token', JSON.stringify({ ...JSON.parse(storedToken), expiresAt: Date.now() + wait }));
  }, milliseconds);
}
