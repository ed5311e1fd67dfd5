import { accounts, password } from '../console/accounts.ts';
import { expect, storedValue, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { fillSignIn } from '../console/sign-in-form.ts';
import { stopClock } from './stop-clock.ts';

const day = 86_400_000;

for (const [what, off] of [
  ['ahead', day],
  ['behind', -day],
] as const) {
  test(`[AUTH-028] [AUTH-063] a clock that is a day ${what} ends no live session and raises no popup`, async ({ page }) => {
    await page.clock.install({ time: Date.now() + off });
    await page.goto('/apps');
    await expect(page.getByRole('heading', { name: 'Apps', exact: true })).toBeVisible();
    for (let check = 0; check < 3; check += 1) await page.clock.fastForward(300_500);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'All Requests' }).click();
    await expect(page).toHaveURL(/\/requests$/);
    await expect(page.getByRole('heading', { name: 'Phone Requests' })).toBeVisible();
  });
}

test.describe('guest', () => {
  test.use({ account: 'guest' });

  test('[AUTH-028] a clock that is a day ahead does not send a fresh sign-in back to login', async ({ page }) => {
    await page.clock.install({ time: Date.now() + day });
    await page.goto('/login');
    await fillSignIn(page, accounts.restricted.email, password);
    await expect(page).toHaveURL(/\/apps$/);
    await page.clock.fastForward(300_500);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Apps', exact: true })).toBeVisible();
  });

  for (const [what, breakStorage] of [
    [
      'full',
      () => {
        Storage.prototype.setItem = () => {
          throw new DOMException('full', 'QuotaExceededError');
        };
      },
    ],
    [
      'forbidden',
      () => {
        for (const name of ['localStorage', 'sessionStorage']) {
          Object.defineProperty(globalThis, name, {
            get: () => {
              throw new DOMException('denied', 'SecurityError');
            },
          });
        }
      },
    ],
  ] as const) {
    test(`[AUTH-019] [AUTH-057] the console works for the session with storage ${what}`, async ({ page }) => {
      await page.addInitScript(breakStorage);
      await page.goto('/login');
      await fillSignIn(page, accounts.reviewer.email, password);
      await expect(page).toHaveURL(/\/apps$/);
      await page.getByRole('button', { name: /^Switch to (dark|light) theme$/ }).click();
      await page.getByRole('button', { name: 'Close menu' }).click();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link').first().click();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.getByRole('button', { name: `Account of ${accounts.reviewer.name}` }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page).toHaveURL(/\/login$/);
    });
  }

  test('[ERR-003] without a network the form keeps its values and shows the reason, and the next attempt works', async ({
    page,
    context,
  }) => {
    await page.goto('/login');
    await expect(page.getByLabel('Email')).toBeVisible();
    await context.setOffline(true);
    await fillSignIn(page, accounts.super.email, password);
    await expect(page.getByTestId('notification')).toContainText('Something went wrong, response is UNDEFINED');
    await expect(page.getByText('The server cannot be reached.')).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(accounts.super.email);
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(password);
    await expect(page.getByTestId('loading-bar')).not.toHaveAttribute('data-active');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page).toHaveURL(/\/apps$/);
    await expect(page.getByText('The server cannot be reached.')).toHaveCount(0);
  });

  test('[ERR-003] an answer that takes more than 30 seconds is given up, and said so', async ({ page }) => {
    await page.clock.install();
    let sentCount = 0;
    await page.goto('/login');
    await expect(page.getByLabel('Email')).toBeFocused();
    // The answer to another call, also to one that is sent meanwhile, would take the notice away.
    await page.waitForLoadState('networkidle');
    await page.route('**/api/**', (route) => void (sentCount += route.request().url().endsWith('/sanctum/login') ? 1 : 0));
    await stopClock(page);
    await fillSignIn(page, 'a@example.com', 'kept');
    await expect.poll(() => sentCount).toBe(1);
    await page.clock.fastForward(29_500);
    await expect(page.getByTestId('notification')).toHaveCount(0);
    await page.clock.fastForward(1_000);
    await expect(page.getByTestId('notification')).toContainText('Something went wrong, response is UNDEFINED');
    await expect(page.getByText('The server did not answer within 30 seconds.')).toBeVisible();
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('kept');
    expect(sentCount, 'nothing is sent again by itself').toBe(1);
  });
});

test('[ERR-003] the notice goes by itself once the connection is back', async ({ page, context }) => {
  await page.goto('/');
  await expect(page.getByText('Welcome')).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Apps' }).click();
  await expect(page.getByRole('row').nth(2)).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('searchbox', { name: 'Search' }).fill('lucky');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The server cannot be reached.')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('The server cannot be reached.')).toHaveCount(0);
});

test.describe('a deploy while a tab is open', () => {
  test('[ERR-001] a page whose code is missing reloads the console once, and opens', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByText('Welcome')).toBeVisible();
    let loads = 0;
    page.on('request', (request) => (loads += request.isNavigationRequest() ? 1 : 0));
    // Missing until the page is reloaded, as after a deployment.
    await page.route(/\/assets\/all-requests-page.*\.js$/, (route) =>
      loads === 0 ? route.fulfill({ status: 404, body: '' }) : route.continue(),
    );
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'All Requests' });
    const missing = page.waitForResponse((response) => response.status() === 404);
    await link.hover();
    await missing;
    expect(loads, 'pointing at a link loads nothing again').toBe(0);
    await link.click();
    await expect(page.getByRole('heading', { name: 'Phone Requests' })).toBeVisible();
    await expect(page).toHaveURL(/\/requests$/);
    expect(loads).toBe(1);
  });

  test('[ERR-001] a page whose code stays missing ends in a message, not in a loop', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByText('Welcome')).toBeVisible();
    let loads = 0;
    page.on('request', (request) => (loads += request.isNavigationRequest() ? 1 : 0));
    await page.route(/\/assets\/all-requests-page.*\.js$/, (route) => route.fulfill({ status: 404, body: '' }));
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'All Requests' }).click();
    await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
    expect(loads).toBe(1);
    await expectAccessible(page);
    await page.unroute(/\/assets\/all-requests-page.*\.js$/);
    await page.getByRole('button', { name: 'Load again' }).click();
    await expect(page.getByRole('heading', { name: 'Phone Requests' })).toBeVisible();
  });

  test('[ERR-001] without a connection the page is not reloaded, because nothing would come', async ({ page, context }) => {
    await page.goto('/');
    await expect(page.getByText('Welcome')).toBeVisible();
    await context.setOffline(true);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'All Requests' }).click();
    await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
    await expect(page.getByText('The server cannot be reached.')).toBeVisible();
    await expect.poll(() => storedValue(page, 'token')).not.toBeNull();
  });
});
