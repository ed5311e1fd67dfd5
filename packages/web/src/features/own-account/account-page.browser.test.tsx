import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { sessionStore } from '../../shared/session/session-store.ts';
import { renderPages } from '../../testing/render-pages.tsx';
import { AccountPage } from './account-page.tsx';

it('[O39] [O40] [S38] changes the own password with the current one, and says at its field what is wrong', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (url.endsWith('/sanctum/password-check')) {
      const error = typeof init.body === 'string' && init.body.includes('Password1234') ? '*This password is too common' : null;
      return Promise.resolve(Response.json({ success: true, data: { error } }));
    }
    if (!url.endsWith('/sanctum/password')) return Promise.resolve(Response.json({ success: true, data: [] }));
    const body: unknown = JSON.parse(typeof init.body === 'string' ? init.body : '{}');
    sent.push([init.method, body]);
    if (sent.length > 1) return Promise.resolve(new Response(null, { status: 204 }));
    const errors = { current_password: ['*The current password is wrong'] };
    return Promise.resolve(Response.json({ success: false, message: 'The given data was invalid.', errors }, { status: 422 }));
  });
  const user = { id: 1, name: 'Olga', email: 'olga.petrova@x.y', panel: 'buyer', hasAllApps: false, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: ['Buyer'], badges: ['B'], permissions: [] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
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
  await expect.element(page.getByTestId('notification')).not.toBeInTheDocument();

  await current.fill('Str0ngPassw0rd');
  await change.click();
  await expect.element(current).toHaveValue('');
  await expect.element(next).toHaveValue('');
  await expect
    .element(page.getByTestId('notification'))
    .toHaveTextContent('Success: Your password is changed. All your other sessions have ended');
  expect(sent).toEqual([
    ['PUT', { current_password: 'Wrong-Horse-9', password: 'An0therPassw0rd' }],
    ['PUT', { current_password: 'Str0ngPassw0rd', password: 'An0therPassw0rd' }],
  ]);
});
