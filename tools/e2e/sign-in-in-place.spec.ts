import type { Locator, Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { fillSignIn } from '../console/sign-in-form.ts';
import { createJourneyUser, journeyPassword, type JourneyAccount } from './account-api.ts';
import { expect, storedValue, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';

test.use({ account: 'guest' });

const roleForm = '/roles/create-user';
const titleField = (page: Page): Locator => page.getByLabel('Title', { exact: true });
const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'You are not authorized' });

/** Ends the session of a page on the server, as an administrator or its time would. */
async function endOnServer(page: Page): Promise<void> {
  // The watch of incidents calls once after the page has loaded, and would meet the end first.
  await page.waitForLoadState('networkidle');
  const { accessToken } = JSON.parse((await storedValue(page, 'token')) ?? '');
  const signOutAnswer = await fetch(new URL('/api/sanctum/logout', page.url()), {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(signOutAnswer.status).toBe(204);
}

async function signIn(page: Page, email: string, url = ''): Promise<void> {
  await page.goto(`${url}/login`);
  await fillSignIn(page, email, journeyPassword);
  await expect(page).toHaveURL(/\/apps$/);
}

/** Opens the form of a new role and fills it; gives its name. */
async function fillRole(page: Page, url = ''): Promise<string> {
  await page.goto(url + roleForm);
  return typeRole(page);
}

async function typeRole(page: Page): Promise<string> {
  const name = `Kept ${crypto.randomUUID().slice(0, 8)}`;
  await titleField(page).fill(name);
  await page.getByRole('checkbox').first().check();
  return name;
}

/** Saves the form with a session that has ended; gives the dialog that opens over it. */
async function saveWithoutSession(page: Page): Promise<Locator> {
  await endOnServer(page);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(dialogOf(page)).toBeVisible();
  return dialogOf(page);
}

function admin(run: Parameters<typeof createJourneyUser>[0]): Promise<JourneyAccount> {
  return createJourneyUser(run, { roles: ['Super Admin'] });
}

test('[SHELL-047, ERR-004] a save with an ended session asks for the password over the form, and goes on', async ({ page, run }) => {
  const { email } = await admin(run);
  await signIn(page, email);
  const name = await fillRole(page);
  const dialog = await saveWithoutSession(page);
  await expect(page).toHaveURL(new RegExp(`${roleForm}$`));
  await expect(titleField(page)).toHaveValue(name);
  expect([await storedValue(page, 'token'), await storedValue(page, 'user')]).toEqual([null, null]);
  await expectAccessible(page);

  await dialog.getByLabel('Password', { exact: true }).fill('Wrong-Passw0rd');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Invalid e-mail or password');
  await dialog.getByLabel('Password', { exact: true }).fill(journeyPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('notification')).toContainText(`Role "${name}" created`);
  await expect(dialog).toHaveCount(0);
  expect(await storedValue(page, 'token')).not.toBeNull();
  expect(await storedValue(page, 'redirect')).toBeNull();
  await expect(page).toHaveTitle('Edit role | Switchyard');
});

test('[SHELL-047, SHELL-062] a dialog keeps what was typed while the session has ended', async ({ page, run }) => {
  const { email } = await admin(run);
  await signIn(page, email);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Create API token' }).click();
  const form = page.getByRole('dialog', { name: 'Create API token' });
  await form.getByLabel('Name', { exact: true }).fill('Deployment');
  await form.getByRole('checkbox').first().check();
  await endOnServer(page);
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await dialogOf(page).getByLabel('Password', { exact: true }).fill(journeyPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('token-secret')).toBeVisible();
});

test('[SHELL-047] Back keeps the form while the session has ended', async ({ page, run }) => {
  const { email } = await admin(run);
  await signIn(page, email);
  await page.getByRole('link', { name: 'Roles', exact: true }).click();
  await page.getByRole('link', { name: 'Create user role' }).click();
  const name = await typeRole(page);
  const dialog = await saveWithoutSession(page);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${roleForm}$`));
  await expect(dialog).toBeVisible();
  await dialog.getByLabel('Password', { exact: true }).fill(journeyPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('notification')).toContainText(`Role "${name}" created`);
});

test('[SHELL-047] a link followed after the token expired asks for the sign-in and keeps the form', async ({ page, run }) => {
  const { email } = await admin(run);
  await signIn(page, email);
  await page.clock.install();
  const name = await fillRole(page);
  // Twelve hours is the life of a token; the check of every five minutes has not run.
  await page.clock.setSystemTime(Date.now() + 13 * 3_600_000);
  await page.getByRole('link', { name: 'Servers', exact: true }).click();
  await expect(dialogOf(page)).toBeVisible();
  await expect(titleField(page)).toHaveValue(name);
  await expect(page).toHaveURL(new RegExp(`${roleForm}$`));
});

test('[SHELL-047] the second factor is asked for in the dialog too', async ({ page, run }) => {
  const { email } = await admin(run);
  await signIn(page, email);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  const key = (await page.getByTestId('totp-secret').textContent()) ?? '';
  const code = (steps: number): string =>
    TOTP.generate({ secret: Secret.fromBase32(key.replaceAll(' ', '')), timestamp: Date.now() + steps * 30_000 });
  await page.getByLabel('Code', { exact: true }).fill(code(0));
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('I have stored the codes').click();
  await page.getByRole('button', { name: 'Done' }).click();

  const name = await fillRole(page);
  const dialog = await saveWithoutSession(page);
  await dialog.getByLabel('Password', { exact: true }).fill(journeyPassword);
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Code', { exact: true }).fill(code(1));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('notification')).toContainText(`Role "${name}" created`);
});

/** Gives a page an authenticator of its own. Browsers know passkeys of names, not of addresses, so it gives that of the console. */
async function addAuthenticator(page: Page, url: string): Promise<string> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return url.replace('127.0.0.1', 'localhost');
}

async function addPasskey(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/account`);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByLabel('I have stored the codes').click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('list', { name: 'My second factors' })).toContainText('Laptop');
}

test('[SHELL-047] a passkey signs in over the form', async ({ page, run }) => {
  const url = await addAuthenticator(page, run.url);
  const { email } = await admin(run);
  await signIn(page, email, url);
  await addPasskey(page, url);
  const name = await fillRole(page, url);
  const dialog = await saveWithoutSession(page);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByTestId('notification')).toContainText(`Role "${name}" created`);
});

test('[SHELL-048, ERR-004] the passkey of another account leaves the page, and its session ends', async ({ page, run }) => {
  const url = await addAuthenticator(page, run.url);
  const other = await admin(run);
  await signIn(page, other.email, url);
  await addPasskey(page, url);
  await page.evaluate(() => localStorage.clear());
  const { email } = await admin(run);
  await signIn(page, email, url);
  await fillRole(page, url);
  const dialog = await saveWithoutSession(page);
  const signOutAnswer = page.waitForResponse('**/api/sanctum/logout');
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  expect((await signOutAnswer).status()).toBe(204);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toContainText(`You signed in as ${other.name}`);
  expect([await storedValue(page, 'token'), await storedValue(page, 'user')]).toEqual([null, null]);
});

test('[SHELL-048] Login in the dialog gives the form up and leads back to its page', async ({ page, run }) => {
  const { email } = await admin(run);
  await signIn(page, email);
  await fillRole(page);
  const dialog = await saveWithoutSession(page);
  await dialog.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await fillSignIn(page, email, journeyPassword);
  await expect(page).toHaveURL(new RegExp(`${roleForm}$`));
  await expect(page).toHaveTitle('Create user role | Switchyard');
  await expect(titleField(page)).toHaveValue('');
});

test('[SHELL-047] a tab whose session another tab found ended keeps its form, and signing in at one place is enough', async ({
  page,
  context,
  run,
}) => {
  const { email } = await admin(run);
  await signIn(page, email);
  const name = await fillRole(page);
  const other = await context.newPage();
  await other.goto('/');
  await expect(other.getByText('Welcome')).toBeVisible();
  await other.waitForLoadState('networkidle');
  await endOnServer(page);
  // A link that is pointed at loads its page, so a click may come after the end of the session.
  await other.reload();
  await expect(other).toHaveURL(/\/login$/);
  await expect(dialogOf(page)).toBeVisible();
  await expect(titleField(page)).toHaveValue(name);
  await fillSignIn(other, email, journeyPassword);
  await expect(dialogOf(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByTestId('notification')).toContainText(`Role "${name}" created`);
});

test('[AUTH-057, SHELL-047] signing out in another tab leaves a form, which goes on when the account signs in again', async ({
  page,
  context,
  run,
}) => {
  const { email } = await admin(run);
  await signIn(page, email);
  const name = await fillRole(page);
  const other = await context.newPage();
  await other.goto('/');
  await other.getByRole('button', { name: /^Account of/ }).click();
  await other.getByRole('button', { name: 'Sign out' }).click();
  await expect(dialogOf(page)).toBeVisible();
  await fillSignIn(other, email, journeyPassword);
  await expect(other).toHaveURL(/:\d+\/(apps)?$/);
  await expect(dialogOf(page)).toHaveCount(0);
  await expect(titleField(page)).toHaveValue(name);
});

test('[SHELL-049, ERR-004] after a 401 the sign-in page has every method and the forgotten password, and leads back', async ({
  page,
  run,
}) => {
  const { email } = await admin(run);
  await page.route('**/api/sanctum/forgot-password', async (route) => {
    if (route.request().method() === 'GET') await route.fulfill({ json: { success: true, data: { available: true } } });
    else await route.continue();
  });
  await page.route('**/api/settings', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, loginMethods: 'both' } } });
  });
  await signIn(page, email);
  await page.goto('/roles');
  await expect(page.getByRole('heading', { name: 'Roles', exact: true })).toBeVisible();
  // A call of this page that is still under way would open the sign-in page before the link does.
  await page.waitForLoadState('networkidle');
  await endOnServer(page);
  await page.getByRole('link', { name: 'All Requests', exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Forgot your password?' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign in with Google' })).toBeVisible();
  await fillSignIn(page, email, journeyPassword);
  await expect(page).toHaveURL(/\/requests$/);
});
