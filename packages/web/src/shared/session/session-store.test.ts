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
    expect(store.stored()).toEqual(other);
    storedTexts.clear();
    store.updateUser({ ...user, permissions: [] });
    expect(storedTexts.size).toBe(0);
  });

  it('[IDN-140] belongs to its first account: another one, and any after it has left, waits for the next page load', () => {
    const { storedTexts, store } = storeOf();
    const own = { user, token: tokenUntil(now.getTime() + 1000) };
    const other = { user: { ...user, id: 8 }, token: { ...own.token, accessToken: 'swy_y' } };
    expect(store.open(own)).toBe(true);
    expect([store.adopt(other), store.get()]).toEqual([false, own]);
    const renewed = { user, token: { ...own.token, accessToken: 'swy_z' } };
    expect([store.adopt(renewed), store.get()]).toEqual([true, renewed]);
    expect([store.open(other), store.get(), store.stored()]).toEqual([false, null, other]);
    expect([store.adopt(own), store.get()]).toEqual([false, null]);
    expect(storeOf(Object.fromEntries(storedTexts)).store.get()).toEqual(other);
  });

  it.each(['close', 'suspend'] as const)('[IDN-141] keeps what another tab stored meanwhile: %s', (end) => {
    const { storedTexts, store } = storeOf();
    store.open({ user, token: tokenUntil(now.getTime() + 1000) });
    const renewed = JSON.stringify({ ...tokenUntil(now.getTime() + 2000), accessToken: 'swy_y' });
    storedTexts.set('switchyard_token', renewed);
    store[end]();
    expect(store.phase()).not.toBe('live');
    expect([storedTexts.get('switchyard_token'), storedTexts.has('switchyard_user')]).toEqual([renewed, true]);
  });
});
