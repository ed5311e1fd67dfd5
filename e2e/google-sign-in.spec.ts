import type { Page } from '@playwright/test';
import { expect, stored, test } from './console-test.ts';

test.use({ account: 'guest' });

/** Has the console offer Google and plays the provider: consent comes straight back with a code and a state. */
async function playProvider(page: Page, { returnedState, answer }: { returnedState: string; answer: { status: number; json: unknown } }) {
  const posted: unknown[] = [];
  await page.route('**/api/settings', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, data: { ...body.data, loginMethods: 'both' } } });
  });
  await page.route('**/api/google/auth-url', (route) =>
    route.fulfill({
      json: {
        success: true,
        data: { url: `/oauth/google?code=c-1&state=${returnedState}`, state: 'state-1', expiresAt: Date.now() + 600_000 },
      },
    }),
  );
  await page.route('**/api/google/login', (route) => {
    posted.push(route.request().postDataJSON());
    return route.fulfill(answer);
  });
  await page.goto('/login');
  await page.getByRole('link', { name: 'Sign in with Google' }).click();
  return posted;
}

test('[AUTH-002, AUTH-043, AUTH-045, AUTH-046, AUTH-048, AUTH-049] the code signs in and leads on', async ({ page, run }) => {
  const { user, token } = run.sessions.super;
  const posted = await playProvider(page, {
    returnedState: 'state-1',
    answer: { status: 200, json: { success: true, data: { user, token } } },
  });
  await expect(page).toHaveURL(/\/apps$/);
  expect(posted).toEqual([{ code: 'c-1', state: 'state-1' }]);
  expect(await stored(page, 'token')).not.toBeNull();
});

test('[AUTH-047, ERR-019, AMB-019] a failure ends on the login page with the reason', async ({ page }) => {
  const answer = { status: 404, json: { success: false, message: 'User not found' } };
  await playProvider(page, { returnedState: 'state-1', answer });
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toHaveText('User not found');
});

test('[S4] a state that is not the kept one is not sent', async ({ page }) => {
  const answer = { status: 401, json: { success: false, message: 'Invalid or expired sign-in state' } };
  const posted = await playProvider(page, { returnedState: 'foreign', answer });
  await expect(page.getByRole('alert')).toHaveText('Invalid or expired sign-in state');
  expect(posted).toEqual([{ code: 'c-1', state: '' }]);
});

test('[AUTH-008, AUTH-044] without a code the login page opens', async ({ page }) => {
  await page.goto('/oauth/google?error=access_denied');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
});
