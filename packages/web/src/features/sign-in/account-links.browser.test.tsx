import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { sessionStore, type Session } from '../../shared/session/session-store.ts';
import { loadSettings } from '../../shared/settings.ts';
import { renderPages } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { ForgotPasswordPage } from './forgot-password-page.tsx';
import { InvitationPage } from './invitation-page.tsx';
import { LoginPage } from './login-page.tsx';
import { ResetPasswordPage } from './reset-password-page.tsx';

type Call = { path: string; body: unknown };

const settings = {
  appTitle: 'S',
  productName: 'Tollgate',
  version: '1',
  loginMethods: 'email',
  hideDocs: false,
  hideOnlyCf: false,
  buyerPanelUrl: null,
};
const endedMessage = 'This invitation is invalid, was used or has expired. Ask your administrator for a new link';
const data = (answer: unknown) => Response.json({ success: true, data: answer });
const failure = (status: number, message: string, errors?: object) =>
  Response.json({ success: false, message, ...(errors && { errors, data: { errors } }) }, { status });

/** Opens a page of links; gives what it sent and the session that it opened. */
async function open(address: string, answers: Record<string, (body: unknown) => Response>) {
  const calls: Call[] = [];
  const openedSessions: Session[] = [];
  stubApi((url, init) => {
    const path = new URL(url, 'http://console').pathname.replace('/api/', '');
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    if (path === 'settings') return data(settings);
    calls.push({ path: `${init.method} ${path}`, body });
    const answer = answers[`${init.method} ${path}`];
    if (answer === undefined && path === 'sanctum/forgot-password') return data({ available: false });
    return answer?.(body) ?? failure(404, 'Not found');
  });
  sessionStore.close();
  await loadSettings();
  const history = await renderPages(
    [
      ['/login', 'Login', () => <LoginPage onSignedIn={(next) => openedSessions.push(next)} />],
      ['/invitation', 'Invitation', () => <InvitationPage onSignedIn={(next) => openedSessions.push(next)} />],
      ['/forgot-password', 'Forgot', ForgotPasswordPage],
      ['/reset-password', 'Reset', ResetPasswordPage],
    ],
    [address],
  );
  return { calls, openedSessions, history };
}

const password = page.getByLabelText('New password', { exact: true });
const submit = page.getByRole('button', { name: 'Set password and sign in' });

it('[IDN-080] the page of an invitation sets a password that the rules accept, and goes on to the second factor of an account that has one', async () => {
  let answer = failure(422, 'The given data was invalid.', { password: ['*This password is too common'] });
  const { calls, openedSessions } = await open('/invitation?next=https%3A%2F%2Fevil.example#token-1', {
    'POST sanctum/invitation': () => data({ name: 'Pavel <b>', email: 'pavel@example.com', panel: 'user' }),
    'POST sanctum/accept-invitation': () => answer,
  });
  await expect.element(page.getByText('Pavel <b>')).toBeVisible();
  await password.fill('tooshort');
  await submit.click();
  await expect.element(password).toHaveAccessibleDescription(/Minimum length of 12 characters/);
  await password.fill('Password12345');
  await submit.click();
  await expect.element(password).toHaveAccessibleDescription(/too common/);
  // A long one is rejected, never cut.
  const long = `Aa1${'correct-horse-'.repeat(10)}`;
  await password.fill(long);
  expect(password.element()).toHaveValue(long);
  await password.fill('Password12345');
  answer = Response.json({ success: false, message: 'Too many attempts' }, { status: 429, headers: { 'retry-after': '100' } });
  await submit.click();
  await expect.element(password).toHaveAccessibleDescription(/Too many attempts\. Try again in 2 minutes, at \d\d:\d\d\./);
  answer = data({ second_factor: { methods: ['totp'], challenge: 'c' } });
  await password.fill('Str0ngPassw0rd');
  await submit.click();
  await expect.element(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible();
  expect(openedSessions).toEqual([]);
  expect(calls.map(({ body }) => body)).toEqual([
    { token: 'token-1' },
    { token: 'token-1', password: 'Password12345' },
    { token: 'token-1', password: 'Password12345' },
    { token: 'token-1', password: 'Str0ngPassw0rd' },
  ]);
});

it.each(['/invitation#used', '/invitation'])(
  '[IDN-080] %s says that the link has ended, and leads to the sign-in only',
  async (address) => {
    const { history } = await open(address, { 'POST sanctum/invitation': () => failure(404, endedMessage) });
    await expect.element(page.getByRole('alert')).toHaveTextContent(endedMessage);
    expect(password.elements()).toHaveLength(0);
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await expect.poll(() => history.location.pathname).toBe('/login');
  },
);

it('[IDN-080] a forgotten password: the sign-in page leads there where mail is sent, and every address gets the same text', async () => {
  const { calls } = await open('/login', {
    'GET sanctum/forgot-password': () => data({ available: true }),
    'POST sanctum/forgot-password': () => new Response(null, { status: 204 }),
  });
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabelText('Email').fill(' pavel@example.com ');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect.element(page.getByText(/If there is an account with the address/)).toBeVisible();
  expect(calls.at(-1)).toEqual({ path: 'POST sanctum/forgot-password', body: { email: 'pavel@example.com' } });
});

it('[SHELL-063] the page for forgotten passwords says at once that no mail is sent', async () => {
  await open('/forgot-password', { 'GET sanctum/forgot-password': () => data({ available: false }) });
  await expect.element(page.getByRole('alert')).toHaveTextContent('Passwords cannot be reset by e-mail here. Contact your administrator');
  expect(page.getByLabelText('Email').elements()).toHaveLength(0);
});

it('[IDN-080] the sign-in page offers no reset without mail, and the page of a reset link signs nobody in', async () => {
  await open('/login', { 'GET sanctum/forgot-password': () => data({ available: false }) });
  await expect.element(page.getByRole('button', { name: 'Login' })).toBeVisible();
  expect(page.getByText('Forgot your password?').elements()).toHaveLength(0);
  const { openedSessions } = await open('/reset-password#token-2', {
    'POST sanctum/reset-password/show': () => data({ email: 'pavel@example.com' }),
    'POST sanctum/reset-password': () => new Response(null, { status: 204 }),
  });
  await password.fill('Str0ngPassw0rd');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect.element(page.getByText(/Your password has been changed/)).toBeVisible();
  expect(openedSessions).toEqual([]);
});

it('[SHELL-051] the page of a reset link that was used or has expired says so before a password is typed', async () => {
  const reason = 'This link is invalid, was used or has expired. Request a new one';
  await open('/reset-password#used', { 'POST sanctum/reset-password/show': () => failure(404, reason) });
  await expect.element(page.getByRole('alert')).toHaveTextContent(reason);
  expect(password.elements()).toHaveLength(0);
  await expect.element(page.getByRole('link', { name: 'Request a new link' })).toBeVisible();
});
