import { createJourneyUser, journeyPassword, saveAccountElsewhere } from './account-api.ts';
import { accounts, password } from '../console/accounts.ts';
import { expect, storedValue, test } from './console-test.ts';
import { endTokenIn } from './end-token.ts';
import { fillSignIn } from '../console/sign-in-form.ts';

test.describe('guest', () => {
  test.use({ account: 'guest' });

  test('[AUTH-035, AMB-006] is sent to login from any path, which opens after signing in, unless it is the plain address', async ({
    page,
  }) => {
    for (const [path, remembered] of [
      ['/', null],
      ['/requests?type=create', '/requests?type=create'],
    ] as const) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/login$/);
      await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
      await expect.poll(() => storedValue(page, 'redirect')).toBe(remembered);
    }
    await fillSignIn(page, accounts.super.email, password);
    await expect(page).toHaveURL(/\/requests\?type=create$/);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/login$/);
    // Another call may be told of the end before the answer to the sign-out, which forgets the page.
    await expect.poll(() => storedValue(page, 'redirect')).toBeNull();
  });

  test('[AMB-006, SHELL-067] signing out while a page still opens forgets it', async ({ page }) => {
    const opening = Promise.withResolvers<void>();
    await page.route('**/assets/all-requests-page-*.js', async (route) => {
      await opening.promise;
      await route.continue();
    });
    await page.goto('/login');
    await fillSignIn(page, accounts.super.email, password);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'All Requests' }).click();
    await expect(page).toHaveURL(/\/requests$/);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
    opening.resolve();
    expect(await storedValue(page, 'redirect')).toBeNull();
  });

  test('[AUTH-066] the server time is not asked for without a session', async ({ page }) => {
    const askedPaths: string[] = [];
    page.on('request', (request) => askedPaths.push(new URL(request.url()).pathname));
    await page.goto('/login');
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
    expect(askedPaths).toContain('/api/settings');
    expect(askedPaths).not.toContain('/api/time');
    expect(askedPaths).not.toContain('/api/sanctum/user');
  });
});

test('[AUTH-036, AUTH-037, AUTH-029, AUTH-030] an expired token leads to login and back to the path', async ({ page }) => {
  await endTokenIn(page, -1000);
  await page.goto('/requests?type=create');
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(() => storedValue(page, 'redirect')).toBe('/requests?type=create');
  await fillSignIn(page, accounts.super.email, password);
  await expect(page).toHaveURL(/\/requests\?type=create$/);
  await expect(page.getByRole('heading', { name: 'Phone Requests' })).toBeVisible();
  await expect.poll(() => storedValue(page, 'redirect')).toBeNull();
});

test('[AUTH-033, AMB-007, S30] a saved route that is none of ours is not followed', async ({ page }) => {
  await page.route('**/api/sanctum/login', async (route) => {
    const [user, token] = await Promise.all([storedValue(page, 'user'), storedValue(page, 'token')]);
    await route.fulfill({ json: { success: true, data: { user: JSON.parse(user ?? ''), token: JSON.parse(token ?? '') } } });
  });
  for (const bad of ['//evil.example', 'javascript:alert(1)', '/nowhere']) {
    await page.goto('/login');
    await page.evaluate((value) => localStorage.setItem('switchyard_redirect', value), bad);
    await page.reload();
    await fillSignIn(page, accounts.super.email, password);
    // An unusable value counts as none; a path that is none of ours is a failed redirect.
    await expect(page).toHaveURL(bad === '/nowhere' ? /:\d+\/$/ : /:\d+\/apps$/);
    await expect.poll(() => storedValue(page, 'redirect')).toBeNull();
  }
});

test.describe('without the permission', () => {
  test.use({ account: 'manager' });

  test('[AUTH-038, SHELL-050, AMB-003] a page without permission leads to login with the missing permission, and the session stays', async ({
    page,
  }) => {
    await page.goto('/requests');
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByRole('heading', { name: 'No access' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveText('You do not have access to Phone Requests');
    await expect(page.getByRole('list', { name: 'Missing permissions' })).toHaveText(
      'See the requests of all apps manager_app_all_requests',
    );
    await expect(page.getByText(`You are signed in as ${accounts.manager.name}`)).toBeVisible();
    await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
    await expect.poll(() => storedValue(page, 'redirect')).toBeNull();
    await expect.poll(() => storedValue(page, 'token')).not.toBeNull();
    await page.getByRole('button', { name: 'Sign in with another account' }).click();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Back to the console' }).click();
    await expect(page.getByText(`Welcome, ${accounts.manager.name}.`)).toBeVisible();
    await page.goto('/login');
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });
});

test('[AUTH-058, AUTH-059, ERR-004] a 401 ends the session here and goes to login', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByText('Welcome')).toBeVisible();
  await page.route('**/api/apps?*', (route) => route.fulfill({ status: 401, json: { success: false, message: 'You are not authorized' } }));
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toHaveText('You are not authorized');
  await expect(page.getByTestId('notification')).toHaveCount(0);
  await expect.poll(() => storedValue(page, 'token')).toBeNull();
  await expect.poll(() => storedValue(page, 'user')).toBeNull();
  await expect.poll(() => storedValue(page, 'redirect')).toBe('/apps');
});

test.describe('own session', () => {
  test.use({ account: 'guest' });

  test('[AMB-021] an open session loses a menu entry with its first 403 after a role was removed', async ({ page, run }) => {
    const user = await createJourneyUser(run, { roles: ['Log Reviewer', 'Admin'] });
    await page.goto('/login');
    await fillSignIn(page, user.email, journeyPassword);
    const menu = page.getByRole('navigation', { name: 'Main' });
    await expect(page).toHaveURL(/\/apps$/);
    // No call of this page may be the first to fail.
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    await expect(menu.getByRole('link', { name: 'Users' })).toBeVisible();
    await saveAccountElsewhere(run, `users/${user.id}`, { roles: ['Log Reviewer'] });
    // A pointer above the link would load the page beforehand, whose 403 takes the link away before it is pressed.
    await menu.getByRole('link', { name: 'Users' }).dispatchEvent('click');
    await expect(page.getByRole('alert')).toHaveText('You do not have access to Users');
    await page.getByRole('link', { name: 'back to the console' }).click();
    await expect(page.getByText(`Welcome, ${user.name}.`)).toBeVisible();
    await expect(menu.getByRole('link', { name: 'Users' })).toHaveCount(0);
  });

  test('[SHELL-078] a form keeps its input when its permission is revoked, and says why it was not saved', async ({ page, run }) => {
    const user = await createJourneyUser(run, { roles: ['Log Reviewer', 'Admin'] });
    await page.goto('/login');
    await fillSignIn(page, user.email, journeyPassword);
    await expect(page).toHaveURL(/\/apps$/);
    await page.goto('/servers/create');
    await page.getByLabel('Name', { exact: true }).fill('edge-typed');
    await page.getByLabel('Url', { exact: true }).fill('https://edge.example');
    await saveAccountElsewhere(run, `users/${user.id}`, { roles: ['Log Reviewer'] });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'OK', exact: true }).click();
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Servers' })).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Save' })).toContainText('You have no permission for this action');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('edge-typed');
  });

  test('[AUTH-056, AUTH-057, SHELL-018, SHELL-019, SHELL-020] signing out ends the session everywhere', async ({ page, context }) => {
    await page.goto('/login');
    await fillSignIn(page, accounts.reviewer.email, password);
    await expect(page).toHaveURL(/\/apps$/);
    const otherTab = await context.newPage();
    await otherTab.goto('/');
    await expect(otherTab.getByText(`Welcome, ${accounts.reviewer.name}.`)).toBeVisible();

    const token = JSON.parse((await storedValue(page, 'token')) ?? '').accessToken;
    await page.getByRole('button', { name: `Account of ${accounts.reviewer.name}` }).click();
    await expect(page.getByText('Logged As')).toBeVisible();
    await expect(page.getByRole('dialog', { name: 'Account' }).getByText(accounts.reviewer.name)).toBeVisible();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect.poll(() => storedValue(page, 'token')).toBeNull();

    await expect(otherTab).toHaveURL(/\/login$/);
    await page.goto('/apps');
    await expect(page).toHaveURL(/\/login$/);
    const answer = await page.request.get('/api/sanctum/user', { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status()).toBe(401);
  });
});

test('[AUTH-060, AUTH-061, AUTH-064, AUTH-065, ERR-024, CONST-012] the session check asks to sign in again', async ({ page }) => {
  await page.clock.install();
  await endTokenIn(page, 120_000);
  await page.goto('/requests?type=create');
  await expect(page.getByRole('heading', { name: 'Phone Requests' })).toBeVisible();
  // Real time passes beside what is skipped: half a minute is left for a slow machine.
  await page.clock.fastForward(270_000);
  const popup = page.getByRole('dialog', { name: 'You are not authorized' });
  await expect(popup).toHaveCount(0);
  await page.clock.fastForward(31_000);
  await expect(popup).toBeVisible();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(popup).toBeVisible();
  await popup.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(() => storedValue(page, 'redirect')).toBe('/requests?type=create');
});

test('[AUTH-062, AUTH-063] the session check is silent with a valid token and on the login page', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  await expect(page.getByText('Welcome')).toBeVisible();
  await page.clock.fastForward(301_000);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await page.evaluate(() => localStorage.setItem('switchyard_token', JSON.stringify({ accessToken: 'x', expiresAt: 1 })));
  await page.clock.fastForward(301_000);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
