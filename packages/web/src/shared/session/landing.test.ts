import type { SessionUser } from '@switchyard/contract/session';
import { describe, expect, it } from 'vitest';
import { afterLoginPath } from './landing.ts';

function account(...permissions: string[]): SessionUser {
  return {
    id: 1,
    name: 'Ann',
    email: 'ann@example.com',
    panel: 'user',
    roles: [],
    badges: [],
    permissions,
    hasAllApps: true,
    isSuperAdmin: false,
  };
}

const anywhere = (): boolean => true;
const onlyHome = (path: string): boolean => path === '/';

describe('after signing in', () => {
  it('[AUTH-029] opens the saved route', () => {
    expect(afterLoginPath(account('manager_app_view_all'), '/requests?type=create', anywhere)).toBe('/requests?type=create');
  });

  it('[AUTH-031, PERM-003] lands on the apps with manager_app_view_all', () => {
    expect(afterLoginPath(account('manager_app_view_all'), null, anywhere)).toBe('/apps');
  });

  it('[AUTH-032] lands on home without manager_app_view_all', () => {
    expect(afterLoginPath(account('manager_app_create'), null, anywhere)).toBe('/');
  });

  it('[AUTH-033, AMB-002] goes home when the target may not be opened', () => {
    expect(afterLoginPath(account('manager_app_view_all'), null, onlyHome)).toBe('/');
    expect(afterLoginPath(account('manager_app_view_all'), '/nowhere', onlyHome)).toBe('/');
  });
});
