import { getSessionUser } from '@switchyard/contract/session';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { call } from '../shared/api/call.ts';
import { localSettings } from '../shared/local-settings.ts';
import { pageLoad } from '../shared/page-load.ts';
import { endedSession, followOtherTabs } from '../shared/session/ended-session.ts';
import { sessionStore, type Session } from '../shared/session/session-store.ts';
import { signOut } from '../shared/session/sign-out.ts';
import { useUnsavedWork } from '../shared/unsaved-work.ts';
import { renderPages } from '../testing/render-pages.tsx';
import { stubApi } from '../testing/stub-api.ts';
import { SessionWatch } from './session-watch.tsx';
import { LoginScreen } from './sign-in-screens.tsx';

const account = { panel: 'user', hasAllApps: true, isSuperAdmin: false, roles: [], badges: [], permissions: [] } as const;

function sessionOf(id: number, name: string): Session {
  return {
    user: { ...account, roles: [], badges: [], permissions: [], id, name, email: `${name}@example.com` },
    token: { accessToken: `swy_${name}`, expiresAt: Date.now() + 3_600_000 },
  };
}

const olga = sessionOf(1, 'Olga');
const boris = sessionOf(2, 'Boris');
const popup = page.getByRole('dialog', { name: 'You are not authorized' });
let loadedPaths: (string | undefined)[] = [];
let stop: () => void = () => undefined;

beforeEach(() => {
  loadedPaths = [];
  vi.spyOn(pageLoad, 'replace').mockImplementation((path) => void loadedPaths.push(path));
  sessionStore.open(olga);
  stop = followOtherTabs();
});

afterEach(() => {
  stop();
  sessionStore.close();
  endedSession.set(null);
});

/** Another tab of this browser signs an account in, or out. */
function storeElsewhere(session: Session | null): void {
  localStorage.clear();
  if (session !== null) {
    localSettings.token.set(session.token);
    localSettings.user.set(session.user);
  }
  window.dispatchEvent(new StorageEvent('storage', { key: 'switchyard_token' }));
}

function Form() {
  useUnsavedWork(true);
  return (
    <>
      <input aria-label="Note" />
      <SessionWatch />
    </>
  );
}

it('[IDN-145] a page with unsaved input stays with its account when another one signs in in another tab, and goes on with its own', async () => {
  const tokens: (string | undefined)[] = [];
  stubApi((_url, { headers }) => {
    tokens.push(headers['authorization']);
    return Response.json({ success: false, message: 'No' }, { status: 503 });
  });
  await renderPages([['/page', 'Page', Form]], ['/page']);
  await page.getByLabelText('Note').fill('half a wo');
  storeElsewhere(boris);
  await expect.element(popup).toMatchTextContent(/Boris has signed in in another tab\. This page belongs to Olga\./);
  await expect.element(popup.getByLabelText('Password', { exact: true })).not.toBeInTheDocument();
  await expect(call(getSessionUser, {})).rejects.toThrow('No');
  expect(tokens).toEqual(['Bearer swy_Olga']);
  expect([sessionStore.get()?.user.name, sessionStore.phase(), localSettings.token.get()]).toEqual(['Olga', 'expired', boris.token]);

  storeElsewhere(null);
  await expect.element(popup).toMatchTextContent(/Sign in as Olga to continue/);
  storeElsewhere({ ...olga, token: { ...olga.token, accessToken: 'swy_renewed' } });
  await expect.element(popup).not.toBeInTheDocument();
  expect([sessionStore.get()?.token.accessToken, loadedPaths]).toEqual(['swy_renewed', []]);
  await expect.element(page.getByLabelText('Note')).toHaveValue('half a wo');
});

it('[IDN-145] Login in the popup that names another account leaves the page by a page load, and keeps the session of that account', async () => {
  await renderPages([['/page', 'Page', Form]], ['/page']);
  storeElsewhere(boris);
  await popup.getByRole('button', { name: 'Login' }).click();
  expect(loadedPaths).toEqual(['/login']);
  expect([sessionStore.get(), localSettings.token.get()]).toEqual([null, boris.token]);
});

it('[IDN-140] a page without unsaved input is loaded anew as the account that has signed in in another tab', async () => {
  storeElsewhere(boris);
  await expect.poll(() => loadedPaths).toEqual([undefined]);
  expect([sessionStore.get(), localSettings.token.get()]).toEqual([null, boris.token]);
});

it('[IDN-140] a page that its account has left is loaded anew once anybody signs in in another tab', async () => {
  storeElsewhere(null);
  await expect.poll(sessionStore.get).toBeNull();
  expect(loadedPaths).toEqual([]);
  storeElsewhere(olga);
  await expect.poll(() => loadedPaths).toEqual([undefined]);
  expect(sessionStore.get()).toBeNull();
});

it('[IDN-140] a page that Back restores follows what was stored meanwhile', async () => {
  localSettings.token.set(boris.token);
  localSettings.user.set(boris.user);
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await expect.poll(() => loadedPaths).toEqual([undefined]);
  expect(sessionStore.get()).toBeNull();
});

it.each([
  ['that has signed out', olga],
  ['that is signed in', boris],
])('[IDN-140] signing in on a page of an account %s loads the next page anew', async (state, next) => {
  if (state === 'that has signed out') sessionStore.close();
  stubApi((url) => {
    if (url.endsWith('/forgot-password')) return Response.json({ success: true, data: { available: false } });
    return Response.json({ success: true, data: next });
  });
  await renderPages([['/login', 'Sign in', LoginScreen]], ['/login']);
  await page.getByLabelText('Email').fill(next.user.email);
  await page.getByLabelText('Password', { exact: true }).fill('Str0ngPassw0rd');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect.poll(() => loadedPaths).toEqual(['/']);
  expect([sessionStore.get(), localSettings.user.get()?.name]).toEqual([null, next.user.name]);
});

it('[IDN-143] signing out leaves nothing in the browser, also while the server does not answer', async () => {
  const requests: unknown[] = [];
  stubApi((url, init) => {
    requests.push([url, init.headers['authorization'], 'keepalive' in init && init.keepalive]);
    return new Promise(() => undefined);
  });
  signOut();
  expect([sessionStore.get(), localSettings.token.get(), localSettings.user.get()]).toEqual([null, null, null]);
  await expect.poll(() => requests).toEqual([['/api/sanctum/logout', 'Bearer swy_Olga', true]]);
});
