import { expect, test } from './console-test.ts';

const away = { status: 503, json: { success: false, message: 'Database is unavailable, try again' } };

test('[R3] a list opened while the database is unavailable loads by itself within 5 s after it recovers', async ({ page }) => {
  await page.route('**/api/**', (route) => (route.request().url().includes('/api/settings') ? route.continue() : route.fulfill(away)));
  await page.goto('/apps');
  await expect(page.getByText('The apps could not be loaded')).toBeVisible();
  // Said when the list does not load, because it may have failed for another reason.
  const answers: string[] = [];
  page.on('response', (response) => answers.push(`${response.status()} ${response.url()}`));
  await page.unrouteAll();
  await expect
    .poll(async () => ((await page.getByText('The apps could not be loaded').isVisible()) ? answers : 'loaded'), { timeout: 5_000 })
    .toBe('loaded');
  await expect(page.getByRole('table').or(page.getByRole('grid')).first()).toBeVisible();
});

test('[OUT-005] a list opened while the event store is unavailable is reported once, and loads by itself', async ({ page }) => {
  const message = 'The event store is unavailable, try again';
  const calls: number[] = [];
  await page.route('**/api/all-requests?*', (route) => {
    calls.push(performance.now());
    return route.fulfill({ status: 503, json: { success: false, message } });
  });
  await page.goto('/requests');
  await expect(page.getByRole('main').getByText(message, { exact: true })).toBeVisible();
  // The server itself answers, so the pauses grow only when the list has failed again.
  await expect.poll(() => calls.some((at, place) => at - (calls[place - 1] ?? at) > 1_900)).toBe(true);
  await expect(page.getByTestId('notification')).toHaveText(/^\S+: The event store is unavailable, try again$/);
  await page.unrouteAll();
  await expect(page.getByRole('main').getByText(message, { exact: true })).toBeHidden({ timeout: 6_000 });
});

test.describe('guest', () => {
  test.use({ account: 'guest' });

  test('[R3] the start and the sign-in page open by themselves within 5 s after the server is back', async ({ page }) => {
    await page.route('**/api/settings', (route) => route.fulfill(away));
    await page.goto('/login');
    await expect(page.getByRole('heading', { name: 'The console cannot be reached' })).toBeVisible();
    await page.unrouteAll();
    await expect(page.getByRole('heading', { name: 'The console cannot be reached' })).toBeHidden({ timeout: 5_000 });
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  });
});
