import type { BrowserContext, Locator, Page } from '@playwright/test';
import { accounts, password } from '../console/accounts.ts';
import { expect, storedValue, test } from './console-test.ts';
import { endTokenIn } from './end-token.ts';
import { expectAccessible } from './expect-accessible.ts';
import { changeAnswer } from '../console/list-rows.ts';

/** Opens the apps with a token about to end, types into the search without applying it, and waits for the popup. */
async function letSessionEnd(page: Page): Promise<Locator> {
  await page.clock.install();
  await endTokenIn(page, 120_000);
  const calls = [/\/api\/apps\?/, /\/api\/apps\/statistics\/total/, /\/api\/time$/].map((call) => page.waitForResponse(call));
  await page.goto('/apps');
  // A call that is still under way would run into its time limit as the clock leaps.
  for (const answer of await Promise.all(calls)) await answer.finished();
  await page.getByRole('searchbox', { name: 'Search' }).fill('half a wo');
  await page.clock.fastForward(301_000);
  const popup = page.getByRole('dialog', { name: 'You are not authorized' });
  await expect(popup).toBeVisible();
  return popup;
}

/** Another tab of the same browser at the login page, which has received all its answers: it stores what it receives. */
async function openOtherTab(context: BrowserContext): Promise<Page> {
  const other = await context.newPage();
  await other.goto('/login');
  await expect(other.getByLabel('Email')).toBeVisible();
  return other;
}

test('[AUTH-061] [AUTH-064] [ERR-024] the password, given in the popup by keyboard alone, keeps the page and what was typed', async ({
  page,
}) => {
  const popup = await letSessionEnd(page);
  const before = await storedValue(page, 'token');
  await expect(popup.getByLabel('Email')).toHaveValue(accounts.super.email);
  await expect(popup.getByLabel('Email')).not.toBeEditable();
  await expect(popup.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(popup).toHaveCount(0);
  const search = page.getByRole('searchbox', { name: 'Search' });
  await expect(search).toHaveValue('half a wo');
  await expect(search).toBeFocused();
  await expect(page).toHaveURL(/\/apps$/);
  await expect.poll(() => storedValue(page, 'token')).not.toBe(before);
  await expect.poll(() => storedValue(page, 'redirect')).toBeNull();

  // The new session counts: the list answers, and the next checks are silent.
  const answer = page.waitForResponse('**/api/apps?*');
  await page.keyboard.press('Enter');
  expect((await answer).status()).toBe(200);
  await page.clock.fastForward(301_000);
  await expect(popup).toHaveCount(0);
});

test('[AUTH-061] [AUTH-066] while the popup is open nothing is called with the expired token, and it opens once', async ({ page }) => {
  const popup = await letSessionEnd(page);
  const askedPaths: string[] = [];
  page.on('request', (request) => askedPaths.push(request.url()));
  await page.clock.fastForward(301_000);
  await page.clock.fastForward(301_000);
  await expect(popup).toHaveCount(1);
  expect(askedPaths).toEqual([]);
});

test('[AUTH-014] a wrong password is reported in the popup, and the session is not closed by it', async ({ page }) => {
  const popup = await letSessionEnd(page);
  await popup.getByLabel('Password', { exact: true }).fill('wrong');
  await popup.getByRole('button', { name: 'Sign in and stay here' }).click();
  await expect(popup.getByRole('alert')).toHaveText('Invalid e-mail or password');
  await expect(popup.getByLabel('Password', { exact: true })).toHaveValue('');
  await expect(page.getByTestId('notification')).toHaveCount(0);
  await expect(page).toHaveURL(/\/apps$/);
  await expect.poll(() => storedValue(page, 'user')).not.toBeNull();
});

test('[AUTH-061] a lost connection is reported in the popup, and the next attempt works', async ({ page }) => {
  const popup = await letSessionEnd(page);
  await page.route('**/api/sanctum/login', (route) => route.abort());
  await popup.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(popup.getByRole('alert')).toHaveText('The server did not answer. Try again.');
  await page.unroute('**/api/sanctum/login');
  await popup.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(popup).toHaveCount(0);
});

test('[AUTH-061] another account that the e-mail opens by now is rejected, and its session ended', async ({ page, run }) => {
  const popup = await letSessionEnd(page);
  const before = await storedValue(page, 'user');
  await page.route('**/api/sanctum/login', (route) =>
    route.fulfill({ json: { success: true, data: { ...run.sessions.buyer, token: { accessToken: 'swy_other', expiresAt: 1 } } } }),
  );
  const signOut = page.waitForRequest((request) => request.url().endsWith('/sanctum/logout'));
  await popup.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(popup.getByRole('alert')).toContainText(`belongs to another account, ${accounts.buyer.name}`);
  expect((await signOut).headers()['authorization']).toBe('Bearer swy_other');
  await expect.poll(() => storedValue(page, 'user')).toBe(before);
});

test('[AUTH-061] [AUTH-065] somebody else who signed in in another tab does not get this page', async ({ page, context, run }) => {
  const popup = await letSessionEnd(page);
  const other = await openOtherTab(context);
  await other.evaluate(({ user, token }) => {
    localStorage.setItem('switchyard_user', JSON.stringify(user));
    localStorage.setItem('switchyard_token', JSON.stringify(token));
  }, run.sessions.manager);
  await expect(popup).toContainText(`${accounts.manager.name} has signed in in another tab`);
  await expect(popup.getByLabel('Password', { exact: true })).toHaveCount(0);
  await popup.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('[AUTH-061] the same account signed in in another tab closes the popup and keeps the page', async ({ page, context, run }) => {
  const popup = await letSessionEnd(page);
  const other = await openOtherTab(context);
  // The server knows this token, so no call of the page ends the session again.
  await other.evaluate((token) => localStorage.setItem('switchyard_token', JSON.stringify(token)), run.sessions.super.token);
  await expect(popup).toHaveCount(0);
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('half a wo');
});

test('[AUTH-005, AUTH-064] where only Google is on the popup offers it beside its Login button', async ({ page }) => {
  await page.route('**/api/settings', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, loginMethods: 'google' } } });
  });
  const popup = await letSessionEnd(page);
  await expect(popup.getByRole('textbox')).toHaveCount(0);
  await expect(popup.getByRole('button')).toHaveText(['Continue with Google', 'Login']);
  await expect(popup.getByRole('button', { name: 'Continue with Google' })).toBeFocused();
});

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('[ERR-024] the popup is accessible, with its failure too', async ({ page }) => {
      // The rows behind it have a test of their own, and each costs the check time.
      await changeAnswer(page, /\/api\/apps\?/, (body) => body.data.splice(2));
      const popup = await letSessionEnd(page);
      await expectAccessible(page);
      await popup.getByRole('button', { name: 'Sign in and stay here' }).click();
      await expect(popup.getByRole('alert')).toHaveText('The password field is required.');
      await expectAccessible(page);
    });
  });
}
