import type { Page } from '@playwright/test';
import { agree } from './agree.ts';
import { createJourneyApp } from './app-api.ts';
import { expect, test } from './console-test.ts';
import { changeAnswer } from '../console/list-rows.ts';
import { fillSignIn } from '../console/sign-in-form.ts';
import { stopClock } from './stop-clock.ts';

test.use({ account: 'guest' });

/** Has sign-in fail with the given answers, one after the other; the last one stays. */
async function failSignIn(page: Page, ...answers: { status: number; body: string; contentType?: string }[]): Promise<void> {
  let next = 0;
  await page.route('**/api/sanctum/login', (route) => {
    const { status, body, contentType = 'application/json' } = answers[Math.min(next, answers.length - 1)] ?? { status: 500, body: '{}' };
    next += 1;
    return route.fulfill({ status, body, contentType });
  });
}

const says = (message: string): string => JSON.stringify({ success: false, message });

test('[ERR-012, ERR-014, WID-028] another failure shows a danger toast that closes on click', async ({ page }) => {
  await failSignIn(page, { status: 503, body: says('Database is unavailable, try again') });
  await page.goto('/login');
  await fillSignIn(page, 'a@example.com', 'x');
  const toast = page.getByTestId('notification');
  await expect(toast).toContainText('Database is unavailable, try again');
  await expect(toast).toHaveAttribute('data-type', 'danger');
  await toast.getByText('Database is unavailable').click();
  await expect(toast).toHaveCount(0);
});

test('[ERR-003] no answer at all', async ({ page }) => {
  await page.route('**/api/sanctum/login', (route) => route.abort());
  await page.goto('/login');
  await fillSignIn(page, 'a@example.com', 'x');
  await expect(page.getByTestId('notification')).toContainText('Something went wrong, response is UNDEFINED');
});

test('[ERR-013] an answer that is no message shows the raw error', async ({ page }) => {
  await failSignIn(page, { status: 502, body: 'upstream is away', contentType: 'text/plain' });
  await page.goto('/login');
  await fillSignIn(page, 'a@example.com', 'x');
  await expect(page.getByTestId('notification')).toContainText('upstream is away');
});

test('[ERR-009] 403 shows no toast', async ({ page }) => {
  await failSignIn(page, { status: 403, body: says('You have no permission for this action') });
  await page.goto('/login');
  const answered = page.waitForResponse('**/api/sanctum/login');
  await fillSignIn(page, 'a@example.com', 'x');
  await answered;
  await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled();
  await expect(page.getByTestId('notification')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('[WID-027, WID-029, CONST-008] a toast closes after 20 s, waits under the pointer and has a close icon', async ({ page }) => {
  await page.clock.install();
  await failSignIn(page, { status: 500, body: says('first') }, { status: 500, body: says('second') });
  await page.goto('/login');
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await stopClock(page);
  await fillSignIn(page, 'a@example.com', 'x');
  const toast = page.getByTestId('notification');
  await expect(toast).toHaveCount(1);
  await page.clock.fastForward(19_500);
  await expect(toast).toHaveCount(1);
  await page.clock.fastForward(1_000);
  await expect(toast).toHaveCount(0);

  await page.getByRole('button', { name: 'Login' }).click();
  await expect(toast).toContainText('second');
  await toast.hover();
  await page.clock.fastForward(60_000);
  await expect(toast).toHaveCount(1);
  await toast.getByRole('button', { name: 'Close notification' }).click();
  await expect(toast).toHaveCount(0);
});

test('[ERR-012, WID-023] a newer failure of the same action takes the place of the one before', async ({ page }) => {
  await failSignIn(page, { status: 500, body: says('first') }, { status: 500, body: says('second') });
  await page.goto('/login');
  await fillSignIn(page, 'a@example.com', 'x');
  const toast = page.getByTestId('notification');
  await expect(toast).toContainText('first');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(toast).toContainText('second');
  await expect(toast).toHaveCount(1);
});

test.describe('signed in', () => {
  test.use({ account: 'super' });

  test("[WID-030, CONST-048] 'Clear all' appears with the fourth toast and removes them all", async ({ page }) => {
    const systems = [64_501, 64_502, 64_503, 64_504];
    const rows = systems.map((code) => ({ code, domain: '', name: `System ${code}`, is_ban_create: false, is_ban_receive: false }));
    await changeAnswer(page, /\/api\/octopus-app\/asn\?/, (body) => (body.data = rows));
    await page.route('**/api/octopus-app/asn/*', (route) => {
      const message = `${route.request().url().slice(-5)} cannot be changed now`;
      return route.fulfill({ status: 409, json: { success: false, message } });
    });
    await page.clock.install();
    await page.goto('/asns');
    const toggles = page.getByRole('button', { name: /^Create of AS/ });
    await expect(toggles).toHaveCount(4);
    // The first must not have closed by itself before the fourth is there.
    await stopClock(page);
    const toast = page.getByTestId('notification');
    const clear = page.getByRole('button', { name: 'Clear all' });
    for (const index of systems.keys()) {
      await expect(toast).toHaveCount(index);
      await expect(clear).toHaveCount(0);
      await toggles.nth(index).click();
    }
    await expect(toast).toHaveCount(4);
    await clear.click();
    await expect(toast).toHaveCount(0);
    await expect(clear).toHaveCount(0);
  });

  for (const width of [390, 768, 1024, 1440, 1920]) {
    test(`[WID-053] at ${width} px a toast leaves the buttons of a form and of the header free`, async ({ page, run }) => {
      await page.setViewportSize({ width, height: 844 });
      const app = await createJourneyApp(run);
      await page.route('**/api/apps/*', (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 500, contentType: 'application/json', body: says('The disk is full') })
          : route.fallback(),
      );
      await page.goto(`/apps/${app.id}/edit`);
      await page.getByLabel('White user agent').fill('Mine/1.0');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await agree(page, 'Are you sure?');
      const toast = page.getByTestId('notification');
      await expect(toast).toContainText('The disk is full');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      const place = await toast.boundingBox();
      const save = await page.getByRole('region', { name: 'Save' }).boundingBox();
      expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThan(save?.y ?? 0);
      // Each hears a click in its middle, which something over it would take.
      for (const button of await page.getByRole('banner').getByRole('button').all()) await button.click({ trial: true });
      for (const name of ['Discard', 'Save']) await page.getByRole('button', { name, exact: true }).click({ trial: true });
    });
  }
});
