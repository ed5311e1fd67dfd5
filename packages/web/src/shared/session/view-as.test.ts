import type { SessionUser } from '@switchyard/contract/session';
import type { BegunView } from '@switchyard/contract/view-as';
import { describe, expect, it } from 'vitest';
import { createLocalSettings } from '../local-settings.ts';
import { createTabSettings } from '../tab-settings.ts';
import { createSessionStore } from './session-store.ts';
import { createViewAs } from './view-as.ts';

const user: SessionUser = {
  id: 7,
  name: 'Olga',
  email: 'olga@example.com',
  panel: 'user',
  roles: ['Super Admin'],
  badges: ['S'],
  permissions: ['manager_settings_roles'],
  hasAllApps: true,
  isSuperAdmin: true,
};
const start = Date.parse('2026-11-20T12:00:00Z');
const ownToken = { accessToken: 'swy_own', expiresAt: start + 3_600_000 };
const begun: BegunView = {
  user: { ...user, id: 0, name: 'QA', email: '', permissions: [] },
  token: { accessToken: 'swv_1', expiresAt: start + 900_000 },
  subject: { kind: 'role', id: 6, name: 'QA' },
};

function mapStorage(texts: Map<string, string>) {
  return {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => void texts.set(key, value),
    removeItem: (key: string) => void texts.delete(key),
  };
}

/** A tab of a browser in which Olga is signed in, and a second look at it as after a page load. */
function createTab({ storesNothing = false } = {}) {
  const clock = { now: start };
  const own = createLocalSettings(mapStorage(new Map()));
  own.token.set(ownToken);
  own.user.set(user);
  const texts = new Map<string, string>();
  const tab = createTabSettings(() => {
    if (storesNothing) throw new Error('Storage is forbidden');
    return mapStorage(texts);
  });
  const opened: string[] = [];
  const now = () => new Date(clock.now);
  const load = () => createViewAs({ stored: tab.viewAs, ended: tab.endedView, own, openPage: (path) => void opened.push(path) });
  const loadSession = () => createSessionStore(load().session, now);
  return { clock, own, opened, texts, load, loadSession };
}

describe('the view of a tab', () => {
  it('[PERMX-025] survives a page load beside the own session, and leaves to the page that it came from', () => {
    const { own, opened, load, loadSession } = createTab();
    expect(load().enter(begun, '/roles/user/6/edit')).toBe(true);
    expect([opened, loadSession().get()]).toEqual([['/'], { user: begun.user, token: begun.token }]);
    expect([own.token.get(), own.user.get()]).toEqual([ownToken, user]);
    expect(load().leave()).toBe(true);
    expect([opened, loadSession().get()]).toEqual([['/', '/roles/user/6/edit'], { user, token: ownToken }]);
    expect([load().leave(), load().takeEnded()]).toEqual([false, null]);
  });

  it('[PERMX-025] keeps what the server says of its rights apart from the own account', () => {
    const { own, load, loadSession } = createTab();
    load().enter(begun, '/');
    loadSession().updateUser({ ...begun.user, permissions: ['manager_dev_docs'] });
    expect(loadSession().get()?.user.permissions).toEqual(['manager_dev_docs']);
    expect(own.user.get()).toEqual(user);
  });

  it('[PERMX-025] tells once that it ended by itself', () => {
    const { opened, load } = createTab();
    load().enter(begun, '/apps');
    expect([load().end(), opened.at(-1), load().end()]).toEqual([true, '/apps', false]);
    const { load: loadOther, own } = createTab();
    loadOther().enter(begun, '/apps');
    const page = loadOther();
    // The calls of a page fail together, and only the first one finds the view.
    expect([page.end(), page.end(), own.token.get()]).toEqual([true, true, ownToken]);
    expect([load().takeEnded(), load().takeEnded()]).toEqual(['QA', null]);
  });

  it('[PERMX-025] is over with its time, and with a sign-out or another sign-in in another tab', () => {
    const late = createTab();
    late.load().enter(begun, '/');
    late.clock.now = begun.token.expiresAt + 1;
    expect(late.loadSession().phase()).toBe('expired');
    expect([late.load().end(), late.opened.at(-1), late.loadSession().get()?.user.id]).toEqual([true, '/', 7]);

    const signedOut = createTab();
    signedOut.load().enter(begun, '/');
    signedOut.own.token.remove();
    signedOut.own.user.remove();
    expect([signedOut.loadSession().get(), signedOut.texts.size]).toEqual([null, 0]);

    const otherAccount = createTab();
    otherAccount.load().enter(begun, '/');
    const page = otherAccount.load();
    expect(page.isOver()).toBe(false);
    otherAccount.own.user.set({ ...user, id: 8 });
    expect([page.isOver(), otherAccount.loadSession().get()?.user.id, otherAccount.load().isOver()]).toEqual([true, 8, false]);
  });

  it('[PERMX-025] ends with a sign-out or a new sign-in in this tab', () => {
    const { load, loadSession, own, texts } = createTab();
    load().enter(begun, '/');
    loadSession().close();
    expect([own.token.get(), own.user.get(), texts.size]).toEqual([null, null, 0]);
    own.user.set(user);
    own.token.set(ownToken);
    load().enter(begun, '/');
    loadSession().open({ user: { ...user, id: 8 }, token: ownToken });
    expect([loadSession().get()?.user.id, own.user.get()?.id, texts.size]).toEqual([8, 8, 0]);
  });

  it('[PERMX-025] is not shown where the browser stores nothing, where nobody is signed in, or from a foreign page', () => {
    expect(createTab({ storesNothing: true }).load().enter(begun, '/')).toBe(false);
    const guest = createTab();
    guest.own.user.remove();
    expect(guest.load().enter(begun, '/')).toBe(false);
    const { load, texts } = createTab();
    for (const text of ['{', '{}', JSON.stringify({ ...begun, viewerId: 7, from: '//evil.example' })]) {
      texts.set('switchyard_view_as', text);
      expect([load().get(), texts.size]).toEqual([null, 0]);
    }
  });
});
