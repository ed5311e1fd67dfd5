import { expect, type Locator } from '@playwright/test';

/**
 * Points at a target until its tooltip shows a text. A tooltip closes by itself after three seconds, and a busy machine may check
 * only later: then the pointer returns. `force` is for a target that lets the pointer through.
 */
export async function expectTooltip(target: Locator, text: string | RegExp, { force = false } = {}): Promise<void> {
  const tooltip = target.page().getByRole('tooltip');
  await expect(async () => {
    await target.hover({ force, timeout: 15_000 });
    await expect(tooltip).toHaveText(text, { timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
}
