import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { accounts, password } from '../console/accounts.ts';
import { expect, storedValue, test } from './console-test.ts';
import { fillSignIn } from '../console/sign-in-form.ts';

/** The status of a failed sign-in from another address: 30 attempts a minute are all that the tests of this machine have together. */
async function failFromElsewhere(url: string, email: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const request = httpRequest(new URL('/api/sanctum/login', url), { method: 'POST', localAddress: '127.0.0.15', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    request.end(JSON.stringify({ email, password: 'wrong' }));
  });
}

test.use({ account: 'guest' });

test.describe('login page', () => {
  test('[AUTH-001, AUTH-017, AUTH-018, AUTH-031, AUTH-070] signing in with e-mail and password opens the apps', async ({ page }) => {
    await page.goto('/login');
    const request = page.waitForRequest('**/api/sanctum/login');
    await fillSignIn(page, accounts.manager.email, password);
    expect((await request).postDataJSON()).toEqual({ email: accounts.manager.email, password });
    await expect(page).toHaveURL(/\/apps$/);
    await expect(page.getByRole('heading', { name: 'Apps', exact: true })).toBeVisible();
    expect(JSON.parse((await storedValue(page, 'token')) ?? '')).toMatchObject({
      accessToken: expect.any(String),
      expiresAt: expect.any(Number),
    });
    expect(JSON.parse((await storedValue(page, 'user')) ?? '')).toMatchObject({
      permissions: expect.arrayContaining(['manager_app_view_all']),
    });
  });

  test('[OPS-026] the page shows the logo until its scripts run, and loads the font of fixed width for who is signed in alone', async ({
    page,
  }) => {
    const fonts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'font') fonts.push(request.url());
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/*.js', async (script) => {
      if (!script.request().url().endsWith('/before-paint.js')) await promise;
      await script.continue();
    });
    await page.goto('/login', { waitUntil: 'commit' });
    await expect(page.locator('.start-mark')).toBeVisible();
    resolve();
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
    await expect(page.locator('.start-mark')).toHaveCount(0);
    expect(fonts.filter((url) => url.includes('jetbrains-mono'))).toEqual([]);
    await fillSignIn(page, accounts.manager.email, password);
    await expect(page.getByRole('heading', { name: 'Apps', exact: true })).toBeVisible();
    await page.reload({ waitUntil: 'commit' });
    await expect(page.locator('link[rel="preload"][href*="jetbrains-mono"]')).toBeAttached();
  });

  test('[SHELL-067] the title is that of the page that opens, also while its code loads', async ({ page }) => {
    await page.goto('/login');
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/sanctum/login', async (route) => {
      const answer = await route.fetch();
      await page.route('**/*.js', async (script) => {
        await promise;
        await script.continue();
      });
      await route.fulfill({ response: answer });
    });
    await fillSignIn(page, accounts.manager.email, password);
    await expect(page.getByLabel('Loading')).toBeVisible();
    await expect(page).toHaveTitle('Apps | Switchyard');
    resolve();
    await expect(page.getByRole('heading', { name: 'Apps', exact: true })).toBeVisible();
    await expect(page).toHaveTitle('Apps | Switchyard');
  });

  test('[AUTH-032, AUTH-070, BUY-036] a buyer lands on home and sees where to work', async ({ page }) => {
    await page.goto('/login');
    await fillSignIn(page, accounts.buyer.email, password);
    await expect(page.getByRole('heading', { name: 'No sections available' })).toBeVisible();
    await expect(page.getByText('Ask your manager for the address of the buyer panel, where you handle streams and pushes.')).toBeVisible();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText(['Home']);
  });

  test('[AUTH-007, AUTH-009, AUTH-011, SHELL-007, AUTH-004] shows the form and no Google link where only e-mail is on', async ({
    page,
  }) => {
    await page.goto('/login');
    await expect(page.getByLabel('Email')).toBeFocused();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
    await expect(page.getByText('Sign in with Google')).toHaveCount(0);
    await expect(page).toHaveTitle('Login | Switchyard');
  });

  for (const [methods, forms] of [
    ['google', 0],
    ['both', 1],
  ] as const) {
    test(`[AUTH-003, AUTH-005, AUTH-006, AUTH-012] offers what the deployment allows: ${methods}`, async ({ page }) => {
      await page.route('**/api/settings', async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, loginMethods: methods } } });
      });
      await page.goto('/login');
      await expect(page.getByRole('link', { name: 'Sign in with Google' })).toHaveCount(1);
      await expect(page.getByLabel('Email')).toHaveCount(forms);
    });
  }

  test('[AUTH-010] the password can be shown and hidden', async ({ page }) => {
    await page.goto('/login');
    const field = page.getByLabel('Password', { exact: true });
    const toggle = page.getByRole('button', { name: 'Toggle password visibility' });
    await field.fill('secret');
    await toggle.click();
    await expect(field).toHaveAttribute('type', 'text');
    await toggle.click();
    await expect(field).toHaveAttribute('type', 'password');
    await expect(field).toHaveValue('secret');
  });

  test('[AUTH-013, AUTH-014, AUTH-015, AUTH-016, ERR-005, ERR-008, ERR-018, AMB-013] a failure marks the fields until they change', async ({
    page,
  }) => {
    await page.goto('/login');
    await fillSignIn(page, 'nobody@example.com', 'wrong');
    await expect(page.getByRole('alert')).toHaveText('Invalid e-mail or password');
    const email = page.getByLabel('Email');
    const secret = page.getByLabel('Password', { exact: true });
    await expect(secret).toHaveValue('');
    await expect(email).toHaveValue('nobody@example.com');
    for (const field of [email, secret]) await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByTestId('notification')).toHaveCount(0);
    await secret.fill('x');
    for (const field of [email, secret]) await expect(field).not.toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('[ERR-015, ERR-017, AMB-027] what was typed is posted, also nothing, and its field messages are shown as a toast', async ({
    page,
  }) => {
    await page.goto('/login');
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page.getByTestId('notification')).toContainText('The email field is required.');
    await expect(page.getByTestId('notification')).toContainText('The password field is required.');
    // The browser would keep such an address back and say why in words of its own.
    const loginRequest = page.waitForRequest('**/api/sanctum/login');
    await fillSignIn(page, 'not an address', 'x');
    expect((await loginRequest).postDataJSON()).toMatchObject({ email: 'not an address' });
  });

  test('[AMB-010] too many attempts say so, and when to try again', async ({ page }) => {
    await page.route('**/api/sanctum/login', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '720' },
        json: { success: false, message: 'Too many attempts. Try again later' },
      }),
    );
    await page.goto('/login');
    await fillSignIn(page, 'a@example.com', 'x');
    await expect(page.getByTestId('notification')).toContainText('Too many attempts. Try again later');
    await expect(page.getByRole('alert').filter({ hasText: 'sign-ins' })).toHaveText(
      /^Too many failed sign-ins\. Try again in 12 minutes, at \d\d:\d\d\.$/,
    );
  });

  test('[O15] after ten failed sign-ins the form says when to try again', async ({ page, run }) => {
    const email = `${randomUUID()}@example.com`;
    for (let failures = 0; failures < 10; failures += 1) expect(await failFromElsewhere(run.url, email)).toBe(401);
    await page.goto('/login');
    await fillSignIn(page, email, 'wrong');
    await expect(page.getByRole('alert').filter({ hasText: 'sign-ins' })).toHaveText(
      /^Too many failed sign-ins\. Try again in 15 minutes, at \d\d:\d\d\.$/,
    );
  });

  test('[AMB-012] a failure without a message keeps password and marks', async ({ page }) => {
    await page.route('**/api/sanctum/login', (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto('/login');
    await fillSignIn(page, 'a@example.com', 'kept');
    await expect(page.getByTestId('notification')).toContainText('Something went wrong');
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('kept');
    await expect(page.getByLabel('Email')).not.toHaveAttribute('aria-invalid', 'true');
  });

  test('[AMB-027] the button is disabled while signing in', async ({ page }) => {
    let answer = (): void => undefined;
    const holding = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/sanctum/login', async (route) => {
      await holding;
      await route.fulfill({ status: 401, json: { success: false, message: 'Invalid e-mail or password' } });
    });
    await page.goto('/login');
    await fillSignIn(page, 'a@example.com', 'x');
    await expect(page.getByRole('button', { name: 'Login' })).toBeDisabled();
    answer();
    await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled();
  });
});

test.describe('signed in already', () => {
  test.use({ account: 'super' });

  test('[AUTH-034, AMB-005] the login page stays open and leads back', async ({ page }) => {
    await page.goto('/login');
    await expect(page.getByText('You are signed in as Olga Petrova')).toBeVisible();
    await page.getByRole('link', { name: 'back to the console' }).click();
    await expect(page.getByText('Welcome, Olga Petrova.')).toBeVisible();
  });
});
