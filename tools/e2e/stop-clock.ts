import type { Page } from '@playwright/test';

/**
 * Stops the page's clock, which `page.clock.install()` has replaced before the page opened: from now on only what a test
 * skips passes there, however long the machine takes.
 */
export async function stopClock(page: Page): Promise<void> {
  // A minute ahead, because the clock cannot be stopped at a time that has passed.
  await page.clock.pauseAt(Date.now() + 60_000);
}
