import type { SessionUser } from '@switchyard/contract/session';
import { describe, expect, it } from 'vitest';
import { createLocalSettings } from '../local-settings.ts';
import { createSessionStore } from './session-store.ts';

const user: SessionUser = {
  id: 7,
  name: 'Olga',
  email: 'olga@example.com',
  panel: 'user',
  roles: ['Admin'],
  badges: ['A'],
  permissions: ['manager_app_create'],
  hasAllApps: true,
  isSuperAdmin: false,
};
const now = new Date('2026-11-20T12:00:00Z');

function storeOf(values: Record<string, string> = {}) {
  const storedTexts = new Map(Object.entries(values));
  const settings = createLocalSettings({
    getItem: (key) => storedTexts.get(key) ?? null,
    setItem: (key, value) => void storedTexts.set(key, value),
    removeItem: (key) => void storedTexts.delete(key),
  });
  return { storedTexts, store: createSessionStore(settings, () => now) };
}

const tokenUntil = (expiresAt: number) => ({ accessToken: 'swy_x', expiresAt });

describe('session store', () => {
  it('[AUTH-027] counts no token as nobody', () => {
    expect(storeOf().store.phase()).toBe('none');
    expect(storeOf({ switchyard_user: JSON.stringify(user) }).store.phase()).toBe('none');
  });

  it('[AUTH-028] counts a token as expired once its end lies before now', () => {
    const { store } = storeOf();
    store.open({ user, token: tokenUntil(now.getTime() - 1) });
    expect(store.phase()).toBe('expired');
    store.open({ user, token: tokenUntil(now.getTime()) });
    expect(store.phase()).toBe('live');
  });

  it('[AUTH-019, AUTH-020, AUTH-021] keeps token and user under prefixed keys and finds them again', () => {
    const { storedTexts, store } = storeOf();
    store.open({ user, token: tokenUntil(now.getTime() + 1000) });
    expect([...storedTexts.keys()].toSorted()).toEqual(['switchyard_token', 'switchyard_user']);
    expect(JSON.parse(storedTexts.get('switchyard_token') ?? '')).toEqual({ accessToken: 'swy_x', expiresAt: now.getTime() + 1000 });
    expect(storeOf(Object.fromEntries(storedTexts)).store.get()).toEqual({ user, token: tokenUntil(now.getTime() + 1000) });
  });

  it('[AUTH-057, AUTH-058] forgets token and user when the session ends', () => {
    const { storedTexts, store } = storeOf();
    let changes = 0;
    store.subscribe(() => (changes += 1));
    store.open({ user, token: tokenUntil(now.getTime() + 1000) });
    store.close();
    expect(store.get()).toBeNull();
    expect(storedTexts.size).toBe(0);
    expect(changes).toBe(2);
  });

  it('[AUTH-058, SHELL-047] removes token and user of a page that stays, which keeps the account as expired', () => {
    const { storedTexts, store } = storeOf();
    store.suspend();
    expect(store.get()).toBeNull();
    store.open({ user, token: tokenUntil(now.getTime() + 1000) });
    store.suspend();
    expect(storedTexts.size).toBe(0);
    expect(store.get()?.user).toEqual(user);
    expect(store.phase()).toBe('expired');
  });

  it('[AMB-021] replaces the account and keeps the token', () => {
    const { storedTexts, store } = storeOf();
    store.updateUser(user);
    expect(store.get()).toBeNull();
    store.open({ user, token: tokenUntil(now.getTime() + 1000) });
    store.updateUser({ ...user, permissions: ['manager_app_edit'] });
    expect(store.get()?.user.permissions).toEqual(['manager_app_edit']);
    expect(store.get()?.token.accessToken).toBe('swy_x');
    expect(storedTexts.get('switchyard_user')).toContain('manager_app_edit');
  });

  it('[AMB-021] leaves what another tab stored while the account was asked for', () => {
    const { storedTexts, store } = storeOf();
    store.open({ user, token: tokenUntil(now.getTime() + 1000) });
    const other = { user: { ...user, id: 8 }, token: { accessToken: 'swy_y', expiresAt: now.getTime() + 1000 } };
    storedTexts.set('switchyard_token', JSON.stringify(other.token)).set('switchyard_user', JSON.stringify(other.user));
    store.updateUser({ ...user, permissions: [] });
    store.reload();
    expect(store.get()).toEqual(other);
    storedTexts.clear();
    store.updateUser({ ...user, permissions: [] });
    expect(storedTexts.size).toBe(0);
  });

  it('[AUTH-057] takes over a sign-out of another tab', () => {
    const { storedTexts, store } = storeOf();
    store.open({ user, token: tokenUntil(now.getTime() + 1000) });
    storedTexts.clear();
    store.reload();
    expect(store.get()).toBeNull();
  });
});
