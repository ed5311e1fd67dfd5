import { removeBlackIp } from '@switchyard/contract/black-ips';
import { getSessionUser } from '@switchyard/contract/session';
import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { localSettings } from '../local-settings.ts';
import { sessionStore } from '../session/session-store.ts';
import { NotificationStacks } from '../ui/notifications/notifications.tsx';
import { call } from './call.ts';

afterEach(() => {
  localSettings.redirect.remove();
  sessionStore.close();
});

const user = {
  id: 1,
  name: 'Olga',
  email: 'o@x.y',
  panel: 'user' as const,
  hasAllApps: true,
  isSuperAdmin: false,
  roles: ['QA'],
  badges: ['Q'],
  permissions: [],
};
const token = { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 };
const signIn = () => sessionStore.open({ user, token });

const unauthenticated = () => Response.json({ success: false, message: 'Unauthenticated.', data: {} }, { status: 401 });

it('[ERR-004, SHELL-067] remembers the page when its session ends, but not for a call of a page whose reader has signed out', async () => {
  stubApi(unauthenticated);
  await expect(call(getSessionUser, {})).rejects.toThrow();
  expect(localSettings.redirect.get()).toBeNull();
  signIn();
  await expect(call(getSessionUser, {})).rejects.toThrow();
  expect(localSettings.redirect.get()).toBe(window.location.pathname + window.location.search);
  expect(sessionStore.get()).toBeNull();
});

it('[IDN-141] a late 401 of a former session keeps the one that another tab has just stored', async () => {
  stubApi(unauthenticated);
  signIn();
  const renewedToken = { ...token, accessToken: 'swy_2' };
  localSettings.token.set(renewedToken);
  await expect(call(getSessionUser, {})).rejects.toThrow();
  expect(localSettings.token.get()).toEqual(renewedToken);
  await expect.poll(() => sessionStore.get()?.token).toEqual(renewedToken);
});

it('[IDN-142] what a change answers after its account has signed out is heard by nobody', async () => {
  const answers = [new Response(null, { status: 204 }), Response.json({ success: false, message: 'No' }, { status: 500 })];
  const release = Promise.withResolvers<void>();
  stubApi(async () => {
    await release.promise;
    return answers.shift() ?? unauthenticated();
  });
  signIn();
  const heard: string[] = [];
  const params = { ip: '203.0.113.7' };
  const saved = call(removeBlackIp, { params }).then(() => heard.push('saved'));
  const failed = call(removeBlackIp, { params }).catch(() => heard.push('failed'));
  sessionStore.close();
  release.resolve();
  await failed;
  await Promise.race([saved, new Promise((resolve) => setTimeout(resolve, 20))]);
  expect(heard).toEqual(['failed']);
  await renderWidget(<NotificationStacks onOpen={() => undefined} />);
  await expect.element(page.getByTestId('notification')).not.toBeInTheDocument();
});
