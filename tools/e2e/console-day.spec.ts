import { expect, test } from './console-test.ts';
import { withinOneDay } from './past-days.ts';

/** Browsers of which one always has another day than the console, whose offset is +02:00. */
for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago'])
  test.describe(`a browser in ${timezoneId}`, () => {
    test.use({ timezoneId });

    test('[WID-090] pickers mark the day of the console', async ({ page }) => {
      await withinOneDay();
      await page.goto('/requests');
      await page.getByRole('button', { name: 'Start day', exact: true }).click();
      const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Etc/GMT-2' }).format(new Date());
      const days = page.getByRole('dialog').getByRole('button', { name: today, exact: true });
      await expect(days).toBeFocused();
      await expect(page.locator('[data-today][data-highlight-today]')).toHaveAccessibleName(today);
    });
  });
