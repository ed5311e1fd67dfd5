import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { handOverToTab } from '../../shared/session/google-confirmation.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { renderPages } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { AccountPage } from './account-page.tsx';
import { FactorDue } from './factor-due.tsx';

/** Stubs the API, whose console sends no security mails. */
const stubAccountApi: typeof stubApi = (answer) => {
  const off = { success: true, data: { available: false, mails: [] } };
  stubApi((url, init) => (url.endsWith('/security-mails') ? Response.json(off) : answer(url, init)));
};

function signIn(permissions: string[] = []): void {
  const user = { id: 1, name: 'Olga', email: 'olga.petrova@x.y', panel: 'buyer', hasAllApps: false, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: ['Buyer'], badges: ['B'], permissions },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
}

it('[O39] [O40] [S38] changes the own password with the current one, and says at its field what is wrong', async () => {
  const bodies: unknown[] = [];
  stubAccountApi((url, init) => {
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null;
    if (url.endsWith('/sanctum/password-check')) {
      const error = JSON.stringify(body).includes('Password1234') ? '*This password is too common' : null;
      return Response.json({ success: true, data: { error } });
    }
    if (url.endsWith('/second-factors')) {
      const own = { factors: [], recovery_codes_left: 0, required: false, required_from: null, may_add: true };
      return Response.json({ success: true, data: own });
    }
    if (!url.endsWith('/sanctum/password')) return Response.json({ success: true, data: [] });
    bodies.push([init.method, body]);
    if (bodies.length > 1) return new Response(null, { status: 204 });
    const errors = { current_password: ['*The current password is wrong'] };
    return Response.json({ success: false, message: 'The given data was invalid.', errors, data: { errors } }, { status: 422 });
  });
  signIn();
  await renderPages([['/account', 'My account', AccountPage]], ['/account']);
  await expect.element(page.getByText('olga.petrova@x.y')).toBeVisible();
  const [current, next] = [page.getByLabelText('Current password', { exact: true }), page.getByLabelText('New password', { exact: true })];
  const change = page.getByRole('button', { name: 'Change password' });
  await expect.element(change).toBeDisabled();

  await current.fill('Wrong-Horse-9');
  await next.fill('Olga.Petrova-2026');
  await expect.element(page.getByText('*The password must not contain the name in the email address')).toBeVisible();
  await expect.element(change).toBeDisabled();
  await next.fill('Password1234');
  await current.click();
  await expect.element(next).toHaveAccessibleDescription('*This password is too common');
  await expect.element(change).toBeDisabled();
  await next.fill('An0therPassw0rd');
  await change.click();
  await expect.element(current).toHaveAccessibleDescription('*The current password is wrong');
  await expect.element(change).toBeDisabled();
  // The field says it; the general toast would say it twice.
  expect(page.getByTestId('notification').elements()).toHaveLength(0);

  await current.fill('Str0ngPassw0rd');
  await change.click();
  await expect.element(current).toHaveValue('');
  await expect.element(next).toHaveValue('');
  await expect
    .element(page.getByTestId('notification'))
    .toHaveTextContent('Success: Your password is changed. All your other sessions have ended');
  expect(bodies).toEqual([
    ['PUT', { current_password: 'Wrong-Horse-9', password: 'An0therPassw0rd', revoke_tokens: true }],
    ['PUT', { current_password: 'Str0ngPassw0rd', password: 'An0therPassw0rd', revoke_tokens: true }],
  ]);
});

it('[IDN-017, IDN-081, SHELL-055] adds an authenticator app after a confirmation in place, shows the recovery codes once, and offers to end other sessions', async () => {
  const codes = Array.from({ length: 10 }, (_, at) => `AAAA-BBBB-CCCC-DDD${at}`);
  const factor = { id: 4, kind: 'totp', name: 'My phone', created_at: '2026-11-20 08:00:00', last_used_at: null };
  const bodies: unknown[] = [];
  const at = '2026-11-20 10:00:00';
  const session = { ip: '203.0.113.9', user_agent: 'curl/8.5.0', created_at: at, last_used_at: at, expires_at: at };
  const everySession = [1, 2, 3].map((id) => ({ id, ...session, current: id === 1 }));
  let sessions = everySession.slice(0, 1);
  let reads = 0;
  let isConfirmed = false;
  let factors: unknown[] = [];
  const ok = (data: unknown, status = 200) => Response.json({ success: true, data }, { status });
  stubAccountApi((url, init) => {
    if (init.method !== 'GET')
      bodies.push([url.replace('/api/sanctum/', ''), typeof init.body === 'string' ? JSON.parse(init.body) : null]);
    if (url.endsWith('/tokens')) return ok([]);
    if (url.endsWith('/sessions')) {
      reads += 1;
      if (init.method === 'GET') return ok(sessions);
      sessions = sessions.slice(0, 1);
      return new Response(null, { status: 204 });
    }
    if (url.endsWith('/sanctum/second-factors'))
      return ok({ factors, recovery_codes_left: factors.length * 10, required: false, required_from: null, may_add: true });
    if (url.endsWith('/reauthenticate')) {
      isConfirmed = bodies.length > 2;
      // Two sign-ins elsewhere since the page was loaded.
      sessions = everySession;
      const errors = { code: ['This code is wrong or was used before. Enter the next one'] };
      if (!isConfirmed)
        return Response.json({ success: false, message: 'The given data was invalid.', errors, data: { errors } }, { status: 422 });
      return new Response(null, { status: 204 });
    }
    const data = { reauthentication: { methods: ['totp', 'recovery_code'] } };
    if (!isConfirmed) return Response.json({ success: false, message: 'Confirm that it is you', data }, { status: 403 });
    if (url.endsWith('/totp')) return ok({ challenge: 'c1', secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH' });
    if (init.method === 'DELETE') return new Response(null, { status: 204 });
    factors = [factor];
    return ok({ factor, recovery_codes: codes }, 201);
  });
  signIn();
  await renderPages([['/account', 'My account', AccountPage]], ['/account']);
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  const code = page.getByLabelText('Code of your authenticator app');
  await code.fill('000000');
  await userEvent.keyboard('{Enter}');
  await expect.element(code).toHaveAccessibleDescription('This code is wrong or was used before. Enter the next one');
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect.element(page.getByLabelText('Your password')).not.toBeInTheDocument();
  await page.getByLabelText('Recovery code').fill('AAAA-BBBB-CCCC-DDD9');
  await page.getByRole('button', { name: 'Confirm' }).click();

  await expect.element(page.getByTestId('totp-secret')).toHaveTextContent('ABCD EFGH');
  await page.getByLabelText('Name', { exact: true }).fill('My phone');
  await page.getByLabelText('Code', { exact: true }).fill('287082');
  await userEvent.keyboard('{Enter}');
  const doneButton = page.getByRole('button', { name: 'Done' });
  await expect
    .element(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').nth(9))
    .toHaveTextContent('AAAA-BBBB-CCCC-DDD9');
  await userEvent.keyboard('{Escape}');
  await expect.element(doneButton).toBeDisabled();
  await page.getByLabelText('I have stored the codes').click();
  await doneButton.click();
  await expect.element(page.getByRole('list', { name: 'My second factors' }).getByText('My phone', { exact: true })).toBeVisible();
  await expect.element(page.getByText('AAAA-BBBB-CCCC-DDD9')).not.toBeInTheDocument();
  const offer = page.getByRole('button', { name: 'End other sessions', exact: true });
  await expect.element(page.getByText(/You are still signed in at 2 other places\./)).toBeVisible();
  await expect.element(page.getByText('2 other sessions')).toBeVisible();
  await offer.click();
  await expect.element(page.getByLabelText('Also revoke my API tokens').last()).toBeChecked();
  await page.getByRole('button', { name: 'OK' }).click();
  await expect.element(page.getByText(/All other sessions have ended/)).toBeVisible();
  await expect.element(page.getByText('2 other sessions')).not.toBeInTheDocument();

  // Nothing is left to end.
  const before = reads;
  await page.getByRole('button', { name: 'Remove My phone' }).click();
  await page.getByRole('button', { name: 'OK' }).click();
  await expect.element(page.getByText(/Second factor "My phone" removed/)).toBeVisible();
  await expect.poll(() => reads).toBe(before + 1);
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  await expect.element(page.getByTestId('totp-secret')).toBeVisible();
  await expect.element(offer).not.toBeInTheDocument();
  expect(bodies).toEqual([
    ['second-factors/totp', null],
    ['reauthenticate', { code: '000000' }],
    ['reauthenticate', { recovery_code: 'AAAA-BBBB-CCCC-DDD9' }],
    ['second-factors/totp', null],
    ['second-factors/totp/confirm', { challenge: 'c1', code: '287082', name: 'My phone' }],
    ['sessions', { revoke_tokens: true }],
    ['second-factors/4', null],
    ['second-factors/totp', null],
  ]);
});

it('[IDN-085] confirms the identity in a window of Google, also after it was blocked or cancelled there', async () => {
  const newTab = { location: { replace: vi.fn<(url: string) => void>() }, close: vi.fn<() => void>() };
  const open = vi.fn<() => typeof newTab | null>().mockReturnValueOnce(null).mockReturnValue(newTab);
  vi.stubGlobal('open', open);
  const bodies: unknown[] = [];
  let challengeCount = 0;
  const ok = (data: unknown, status = 200) => Response.json({ success: true, data }, { status });
  stubAccountApi((url, init) => {
    if (url.endsWith('/google/auth-url')) {
      challengeCount += 1;
      return ok({ url: `https://accounts.google.com/?state=s${challengeCount}`, state: `s${challengeCount}`, expiresAt: 1 });
    }
    if (url.endsWith('/reauthenticate')) {
      bodies.push(typeof init.body === 'string' ? JSON.parse(init.body) : null);
      return new Response(null, { status: 204 });
    }
    if (url.endsWith('/second-factors'))
      return ok({ factors: [], recovery_codes_left: 0, required: false, required_from: null, may_add: true });
    if (init.method === 'GET') return ok([]);
    const data = { reauthentication: { methods: ['google'] } };
    if (bodies.length === 0) return Response.json({ success: false, message: 'Confirm that it is you', data }, { status: 403 });
    return ok({ challenge: 'c1', secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH' });
  });
  signIn();
  await renderPages([['/account', 'My account', AccountPage]], ['/account']);
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const go = dialog.getByRole('button', { name: 'Continue with Google' });
  await go.click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/Allow pop-ups for this page/);
  expect(challengeCount).toBe(0);

  await go.click();
  await expect.poll(() => newTab.location.replace.mock.calls).toEqual([['https://accounts.google.com/?state=s1']]);
  expect(handOverToTab('?code=x&state=of-another-tab')).toBe(false);
  expect(handOverToTab('?error=access_denied&state=s1')).toBe(true);
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Sign-in with Google was cancelled');
  // A closed window sends no message, so the next one replaces it.
  await go.click();
  await expect.poll(() => newTab.location.replace.mock.calls.length).toBe(2);
  await go.click();
  await expect.poll(() => newTab.location.replace.mock.calls.length).toBe(3);
  expect(handOverToTab('?code=x&state=s2')).toBe(false);
  const port = new BroadcastChannel('switchyard-google-confirmation');
  port.postMessage({ state: 's2', code: 'of another tab' });
  port.close();
  expect(handOverToTab('?code=x&state=s3')).toBe(true);
  await expect.element(page.getByTestId('totp-secret')).toBeVisible();
  expect(bodies).toEqual([{ google: { code: 'x', state: 's3' } }]);
  expect(handOverToTab('?code=x&state=s3')).toBe(false);
});

it('[IDN-032] sets up a second factor that the account needs over the page, which keeps its input and repeats its call', async () => {
  const codes = Array.from({ length: 10 }, (_, at) => `AAAA-BBBB-CCCC-DDD${at}`);
  const factor = { id: 4, kind: 'totp', name: 'Authenticator app', created_at: '2026-11-20 08:00:00', last_used_at: null };
  const calls: string[] = [];
  let factors: unknown[] = [];
  let isDemanded = false;
  let checks = 0;
  const ok = (data: unknown, status = 200) => Response.json({ success: true, data }, { status });
  stubAccountApi((url, init) => {
    const path = url.replace('/api/sanctum/', '');
    if (init.method !== 'GET' && path !== 'password-check') calls.push(path);
    if (path === 'second-factors') return ok({ factors, recovery_codes_left: 0, required: isDemanded, required_from: null, may_add: true });
    if (path === 'second-factors/totp') return ok({ challenge: 'c1', secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH' });
    if (path === 'second-factors/totp/confirm') {
      factors = [factor];
      return ok({ factor, recovery_codes: codes }, 201);
    }
    if (isDemanded && factors.length === 0)
      return Response.json({ success: false, message: 'Set up a second factor first', data: { second_factor: 'set_up' } }, { status: 403 });
    if (path === 'password-check') checks += 1;
    if (path === 'password-check') return ok({ error: null });
    return path === 'password' ? new Response(null, { status: 204 }) : ok([]);
  });
  signIn();
  const Pages = () => (
    <>
      <AccountPage />
      <FactorDue />
    </>
  );
  await renderPages([['/account', 'My account', Pages]], ['/account']);
  await page.getByLabelText('Current password', { exact: true }).fill('Str0ngPassw0rd');
  await page.getByLabelText('New password', { exact: true }).fill('An0therPassw0rd');
  const change = page.getByRole('button', { name: 'Change password' });
  await expect.element(change).toBeEnabled();
  // The check of the password, as its field is left, must not be the call that waits.
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => checks).toBe(1);
  isDemanded = true;
  await change.click();

  const dialog = page.getByRole('dialog', { name: 'Set up a second factor' });
  await expect.element(dialog.getByText('Signing out loses the unsaved changes of this page.')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await dialog.getByRole('button', { name: 'Add authenticator app' }).click();
  await page.getByRole('dialog').getByLabelText('Code', { exact: true }).fill('287082');
  await userEvent.keyboard('{Enter}');
  await page.getByLabelText('I have stored the codes').click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect.element(page.getByTestId('notification')).toMatchTextContent(/Your password is changed/);
  await expect.element(page.getByRole('list', { name: 'My second factors' })).toMatchTextContent(/Authenticator app/);
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(calls).toEqual(['password', 'second-factors/totp', 'second-factors/totp/confirm', 'password']);
});

it('[IDN-012] [IDN-063] adds no second factor to a demo account, and creates an API token with chosen permissions and networks, and shows it once', async () => {
  const secret = `swy_${'A'.repeat(46)}`;
  const bodies: unknown[] = [];
  const tokens: unknown[] = [];
  let isUp = false;
  const ok = (data: unknown, status = 200) => Response.json({ success: true, data }, { status });
  const calls: string[] = [];
  stubAccountApi((url, init) => {
    calls.push(url);
    if (url.endsWith('/second-factors'))
      return ok({ factors: [], recovery_codes_left: 0, required: false, required_from: null, may_add: false });
    if (url.endsWith('/tokens') && init.method !== 'POST' && !isUp)
      return Response.json({ success: false, message: 'Try later' }, { status: 500 });
    if (init.method !== 'POST') return ok(url.endsWith('/tokens') ? tokens : []);
    const body: unknown = JSON.parse(typeof init.body === 'string' ? init.body : 'null');
    bodies.push(body);
    if (bodies.length === 1) {
      const errors = { networks: ['The networks field is wrong.'] };
      return Response.json({ success: false, message: 'The given data was invalid.', errors, data: { errors } }, { status: 422 });
    }
    const dates = { created_at: '2026-11-20 08:00:00', expires_at: '2027-02-18 08:00:00', is_expired: false };
    const rights = { permission_ids: [23, 26], has_all_apps: true, app_ids: [], networks: ['203.0.113.0/24'] };
    tokens.push({ id: 4, name: 'Deployment', ends_with: 'AAAA', ...dates, ...rights, last_used_at: null, last_used_ip: null });
    return ok({ token: tokens[0], secret }, 201);
  });
  signIn(['buyer_stream_view', 'buyer_stream_edit']);
  await renderPages([['/account', 'My account', AccountPage]], ['/account']);
  await expect.element(page.getByText('Demo accounts cannot have a second factor')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Add authenticator app' })).not.toBeInTheDocument();
  await expect.element(page.getByText('Your API tokens could not be loaded. Try later')).toBeVisible();
  isUp = true;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText('You have no API tokens yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Create API token' }).click();
  const create = page.getByRole('button', { name: 'Create', exact: true });
  await page.getByLabelText('Name', { exact: true }).fill('Deployment');
  await expect.element(create).toBeDisabled();
  await page.getByRole('checkbox', { name: 'All of Stream' }).click();
  await expect.element(page.getByText('Your account cannot list apps, so you cannot choose some of them.')).toBeVisible();
  expect(calls.filter((url) => url.includes('/picks/apps'))).toEqual([]);
  const networks = page.getByLabelText('Networks');
  await networks.fill('203.0.113.0/33');
  await expect.element(networks).toHaveAccessibleDescription(/Enter IP addresses or networks such as 10\.0\.0\.0\/8/);
  await expect.element(create).toBeDisabled();
  await networks.fill('203.0.113.0/24');
  await create.click();
  await expect.element(networks).toHaveAccessibleDescription(/The networks field is wrong\./);
  await create.click();

  await expect.element(page.getByTestId('token-secret')).toHaveTextContent(secret);
  const doneButton = page.getByRole('button', { name: 'Done' });
  await userEvent.keyboard('{Escape}');
  await expect.element(doneButton).toBeDisabled();
  await page.getByLabelText('I have stored the token').click();
  await doneButton.click();
  const list = page.getByRole('list', { name: 'My API tokens' });
  await expect.element(list.getByText('Deployment', { exact: true })).toBeVisible();
  await expect.element(list).toMatchTextContent(/Stream 2\. All apps\. From 203\.0\.113\.0\/24\./);
  await expect.element(page.getByText(secret)).not.toBeInTheDocument();
  const rights = { permission_ids: [23, 26], has_all_apps: true, app_ids: [] };
  const body = { name: 'Deployment', ...rights, networks: ['203.0.113.0/24'], expires_in_days: 90 };
  expect(bodies).toEqual([body, body]);
});
