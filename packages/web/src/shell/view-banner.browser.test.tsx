import { viewAsMessages } from '@switchyard/contract/view-as';
import { expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { updateRole } from '@switchyard/contract/roles';
import { ViewAsButton } from '../shared/accounts/view-as-button.tsx';
import { isForbidden } from '../shared/api/call-error.ts';
import { call } from '../shared/api/call.ts';
import { sessionStore } from '../shared/session/session-store.ts';
import { renderPages } from '../testing/render-pages.tsx';
import { stubApi } from '../testing/stub-api.ts';
import { ViewBanner } from './view-banner.tsx';

const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: true } as const;
const token = { accessToken: 'swv_1', expiresAt: Date.now() + 900_000 };
const view = {
  user: { ...user, id: 0, name: 'QA', roles: [], badges: [], permissions: [] },
  token,
  subject: { kind: 'role', id: 6, name: 'Night crew' },
  viewerId: 1,
  from: '/roles',
} as const;

function signIn(...permissions: string[]): void {
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions },
    token: { accessToken: 'swy_own', expiresAt: Date.now() + 3_600_000 },
  });
}

it('[PERMX-025] the banner names what is viewed, and stops by the keyboard with the session of the reader', async () => {
  const calls: unknown[] = [];
  stubApi((url, { method, headers }) => {
    calls.push([method, url, headers['authorization']]);
    return new Response(null, { status: 204 });
  });
  signIn();
  const banner = { ...view, user: { ...view.user, roles: [], badges: [], permissions: [] } };
  await renderPages([['/page', 'Page', () => <ViewBanner view={banner} />]], ['/page']);
  const region = page.getByRole('region', { name: 'View as' });
  await expect.element(region).toMatchTextContent(/^Viewing as the role Night crewRead only, 15 min left/);
  await userEvent.tab();
  await expect.element(region.getByRole('button', { name: 'Stop' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => calls).toEqual([['DELETE', '/api/view-as', 'Bearer swy_own']]);
});

it('[PERMX-028] the banner counts the minutes that are left', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  signIn();
  const viewed = { ...view.user, roles: [], badges: [], permissions: [] };
  const ending = { ...view, user: viewed, token: { ...token, expiresAt: Date.now() + 121_000 } };
  await renderPages([['/page', 'Page', () => <ViewBanner view={ending} />]], ['/page']);
  const region = page.getByRole('region', { name: 'View as' });
  await expect.element(region).toMatchTextContent(/Read only, 3 min left/);
  vi.advanceTimersByTime(1_000);
  await expect.element(region).toMatchTextContent(/Read only, 2 min left/);
  vi.advanceTimersByTime(119_000);
  await expect.element(region).toMatchTextContent(/Read only, 1 min left/);
});

it('[PERMX-025] a write in a view shows one message, which says what to do', async () => {
  const rejection = { success: false, message: viewAsMessages.readOnly, data: { view_as: 'read_only' } };
  stubApi(() => Response.json(rejection, { status: 403 }));
  signIn();
  await renderPages([['/page', 'Page', () => null]], ['/page']);
  for (const id of [1, 2]) {
    const failure: unknown = await call(updateRole, { params: { id }, body: { name: 'x' } }).catch((error: unknown) => error);
    // A page that shows "No access" in place would say it a second time.
    expect(isForbidden(failure)).toBe(false);
  }
  await expect.element(page.getByTestId('notification')).toMatchTextContent(/Stop viewing to make changes/);
  expect(page.getByTestId('notification').elements()).toHaveLength(1);
});

it('[PERMX-025] the way in is there for readers who manage roles, and says why it failed', async () => {
  const calls: string[] = [];
  stubApi((url, { method }) => {
    calls.push(`${method} ${url}`);
    return Response.json({ success: false, message: 'Not found' }, { status: 404 });
  });
  const Page = () => <ViewAsButton subject={{ kind: 'account', id: 9, name: 'Boris' }} />;
  const button = page.getByRole('button', { name: 'View as' });
  signIn('manager_user_edit');
  await renderPages([['/page', 'Page', Page]], ['/page']);
  await expect.element(button).not.toBeInTheDocument();
  signIn('manager_settings_roles');
  await button.click();
  await expect.element(page.getByTestId('notification')).toMatchTextContent(/Boris is no longer there/);
  expect(calls).toEqual(['POST /api/users/9/view-as']);
});
