import { expect, storedValue } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { goThroughProvider, test } from './google-test.ts';

// One console and one provider for the whole file.
test.describe.configure({ mode: 'default' });

test('[AUTH-002] [AUTH-048] [AUTH-049] [AUTH-050] [AUTH-051] [AUTH-052] [AUTH-053] [AUTH-054] [AUTH-055] the link leads to the consent page', async ({
  page,
  provider,
}) => {
  await page.goto('/login');
  const consent = page.waitForRequest((request) => request.url().startsWith(`${provider.issuer}/authorize`));
  await page.getByRole('link', { name: 'Sign in with Google', exact: true }).click();
  const parameters = new URL((await consent).url()).searchParams;
  expect(Object.fromEntries(parameters)).toMatchObject({
    response_type: 'code',
    access_type: 'offline',
    prompt: 'consent',
    scope: 'openid profile email',
    redirect_uri: new URL('/oauth/google', page.url()).href,
    state: expect.stringMatching(/.{16,}/),
    code_challenge_method: 'S256',
  });
});

test('[AUTH-006] [AUTH-012] [AUTH-043] [AUTH-045] [AUTH-046] consent signs in, links the account and lands', async ({ page, provider }) => {
  const loginRequest = page.waitForRequest('**/api/google/login');
  const callback = new URL(await goThroughProvider(page));
  await expect(page).toHaveURL(/\/apps$/);
  await expect(page.getByRole('heading', { name: 'Apps', exact: true })).toBeVisible();
  expect((await loginRequest).postDataJSON()).toEqual({
    code: callback.searchParams.get('code'),
    state: callback.searchParams.get('state'),
  });
  await expect.poll(() => storedValue(page, 'token')).not.toBeNull();
  expect(await page.evaluate(() => sessionStorage.getItem('switchyard_google_state'))).toBeNull();

  // Linked now: the same subject is let in whatever its e-mail has become.
  provider.claim({ email: 'renamed@example.com' });
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await goThroughProvider(page);
  await expect(page).toHaveURL(/\/apps$/);
  // The back button does not lead to the address with the code.
  await page.goBack();
  await expect(page).not.toHaveURL(/oauth/);
});

test('[AUTH-046, AUTH-029, SHELL-067] consent opens the page that a visitor asked for', async ({ page, provider }) => {
  expect(provider.issuer).not.toBe('');
  await page.goto('/requests?type=create');
  await expect(page).toHaveURL(/\/login$/);
  await goThroughProvider(page);
  await expect(page).toHaveURL(/\/requests\?type=create$/);
  await expect(page).toHaveTitle('Phone Requests | Switchyard');
  await expect.poll(() => storedValue(page, 'redirect')).toBeNull();
});

for (const [who, claims] of [
  ['an unverified e-mail', { email_verified: false }],
  ['an unknown e-mail', { sub: '2', email: 'nobody@example.com' }],
] as const) {
  test(`[AUTH-047] [ERR-019] [AMB-018] [AMB-019] ${who} ends on login with the reason in red`, async ({ page, provider }) => {
    provider.claim(claims);
    await goThroughProvider(page);
    await expect(page.getByRole('alert')).toHaveText('User not found');
    await expect(page).toHaveURL(/\/login$/);
    await expect.poll(() => storedValue(page, 'token')).toBeNull();
  });
}

test('[AUTH-047] [S5] another person with the same e-mail is rejected once the account is linked', async ({ page, provider }) => {
  await goThroughProvider(page);
  await expect(page).toHaveURL(/\/apps$/);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  // If the page closed before its answer, the session would stay open.
  await expect(page).toHaveURL(/\/login$/);
  provider.claim({ sub: 'somebody-else' });
  await goThroughProvider(page);
  await expect(page.getByRole('alert')).toHaveText('User not found');
  await expect.poll(() => storedValue(page, 'token')).toBeNull();
});

test('[AUTH-047] [S4] a used state is rejected, also when it is put back into the tab', async ({ page, provider }) => {
  const callback = await goThroughProvider(page);
  await expect(page).toHaveURL(/\/apps$/);
  const calls = provider.calls('/token');
  await page.goto(callback);
  await expect(page.getByRole('alert')).toHaveText('Invalid or expired sign-in state');
  const state = new URL(callback).searchParams.get('state') ?? '';
  await page.evaluate((value) => sessionStorage.setItem('switchyard_google_state', value), state);
  const loginRequest = page.waitForRequest('**/api/google/login');
  await page.goto(callback);
  expect((await loginRequest).postDataJSON()).toMatchObject({ state });
  await expect(page.getByRole('alert')).toHaveText('Invalid or expired sign-in state');
  expect(provider.calls('/token')).toBe(calls);
});

test('[AMB-017] [S4] a state that another browser began is not posted', async ({ page, provider, run }) => {
  const beginning: { data: { url: string } } = JSON.parse(await (await fetch(`${run.url}/api/google/auth-url`)).text());
  const { code, state } = await provider.consent(beginning.data.url);
  const calls = provider.calls('/token');
  await page.goto('/login');
  await page.evaluate(() => sessionStorage.setItem('switchyard_google_state', 'own'));
  const loginRequest = page.waitForRequest('**/api/google/login');
  await page.goto(`/oauth/google?code=${encodeURIComponent(code)}&state=${encodeURIComponent(state)}`);
  expect((await loginRequest).postDataJSON()).toEqual({ code });
  await expect(page.getByRole('alert')).toHaveText('Invalid or expired sign-in state');
  await expect(page).toHaveURL(/\/login$/);
  expect(provider.calls('/token')).toBe(calls);
});

test('[AUTH-008] [AUTH-044] without a code the login page opens', async ({ page }) => {
  let callCount = 0;
  page.on('request', (request) => (callCount += request.url().endsWith('/api/google/login') ? 1 : 0));
  await page.goto('/oauth/google?state=x');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(callCount).toBe(0);
});

test('[AUTH-047] [ERR-019] an error from the provider is reported in our own words', async ({ page }) => {
  await page.goto('/oauth/google?error=access_denied');
  await expect(page.getByRole('alert')).toHaveText('Sign-in with Google was cancelled');
  await expect(page).toHaveURL(/\/login$/);
  await page.goto('/oauth/google?error=server_error&error_description=Call+this+number');
  await expect(page.getByRole('alert')).toHaveText('Google sign-in failed');
});

test('[ERR-012] [AUTH-047] an unavailable provider is reported as such, and the next attempt works', async ({ page, provider }) => {
  provider.disturb('/token', 503);
  await goThroughProvider(page);
  await expect(page.getByTestId('notification')).toContainText('Google is unavailable, try again');
  await expect(page).toHaveURL(/\/login$/);
  provider.disturb('/token', null);
  await goThroughProvider(page);
  await expect(page).toHaveURL(/\/apps$/);
});

test('[AUTH-049] [ERR-012] a consent page that cannot be had leaves the login page as it is', async ({ page }) => {
  await page.route('**/api/google/auth-url', (route) =>
    route.fulfill({ status: 503, json: { success: false, message: 'Google sign-in is not configured' } }),
  );
  await page.goto('/login');
  await page.getByLabel('Email').fill('olga@example.com');
  await page.getByRole('link', { name: 'Sign in with Google' }).click();
  await expect(page.getByTestId('notification')).toContainText('Google sign-in is not configured');
  await expect(page.getByLabel('Email')).toHaveValue('olga@example.com');
});

test('[IDN-085] the identity is confirmed in a window of Google, and the form keeps its input', async ({ page, provider }) => {
  await goThroughProvider(page);
  await expect(page).toHaveURL(/\/apps$/);
  await page.goto('/roles/create-user');
  await page.getByLabel('Title', { exact: true }).fill('Readers of apps');
  await page.getByRole('checkbox').first().check();
  // The session is new, so the server would not ask; the rest is real.
  const asks = { success: false, message: 'Confirm that it is you', data: { reauthentication: { methods: ['google'] } } };
  await page.route('**/api/roles', (route) => route.fulfill({ status: 403, json: asks }), { times: 1 });
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const go = dialog.getByRole('button', { name: 'Continue with Google' });

  provider.claim({ sub: 'somebody-else' });
  const [other] = await Promise.all([page.waitForEvent('popup'), go.click()]);
  await expect(dialog.getByRole('alert')).toHaveText(/Use the Google account you sign in with/);
  expect(await page.evaluate(() => localStorage.getItem('switchyard_google_confirmation'))).toBeNull();
  provider.claim({});
  const confirmation = page.waitForResponse('**/api/sanctum/reauthenticate');
  const [popup] = await Promise.all([page.waitForEvent('popup'), go.click()]);
  expect((await confirmation).status()).toBe(204);
  await expect(dialog).toBeHidden();
  await expect(page.getByTestId('notification')).toContainText('Role "Readers of apps" created');
  for (const one of [other, popup]) if (!one.isClosed()) await expect(one.getByRole('heading')).toHaveText('You can close this window');
});

test('[SHELL-047] Google signs in over a form whose session has ended, and the save goes on', async ({ page, provider }) => {
  await goThroughProvider(page);
  await expect(page).toHaveURL(/\/apps$/);
  await page.goto('/roles/create-user');
  await page.getByLabel('Title', { exact: true }).fill('Writers of apps');
  await page.getByRole('checkbox').first().check();
  const { accessToken } = JSON.parse((await storedValue(page, 'token')) ?? '');
  await page.request.post('/api/sanctum/logout', { headers: { authorization: `Bearer ${accessToken}` } });
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'You are not authorized' });
  const go = dialog.getByRole('button', { name: 'Continue with Google' });

  provider.claim({ sub: 'somebody-else' });
  await Promise.all([page.waitForEvent('popup'), go.click()]);
  await expect(dialog.getByRole('alert')).toHaveText('User not found');
  provider.claim({});
  await Promise.all([page.waitForEvent('popup'), go.click()]);
  await expect(page.getByTestId('notification')).toContainText('Role "Writers of apps" created');
  await expect(dialog).toBeHidden();
  await expect.poll(() => storedValue(page, 'token')).not.toBeNull();
});

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('[AUTH-008] [SHELL-007] the callback page is titled and accessible while it waits', async ({ page }) => {
      await page.route('**/api/google/login', () => undefined);
      await page.goto('/oauth/google?code=c');
      await expect(page.getByRole('heading', { name: 'Signing you in' })).toBeVisible();
      await expect(page).toHaveTitle('Login | Switchyard');
      await expectAccessible(page);
    });
  });
}
