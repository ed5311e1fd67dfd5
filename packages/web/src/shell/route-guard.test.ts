import { permissionCatalogue } from '@switchyard/contract/permissions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardRoute, type RouteDemand } from './route-guard.ts';

const login = { kind: 'redirect', to: '/login', remembersPath: false };
const list: RouteDemand = { permission: ['manager_app_create', 'manager_app_edit'] };
const single: RouteDemand = { permission: 'manager_app_all_requests' };
const anyPermissions = fc.subarray(permissionCatalogue.map((entry) => entry.label));
const phases = fc.constantFrom('none' as const, 'expired' as const, 'live' as const);

describe('navigation guard', () => {
  it('[AUTH-034] leaves login pages open to everybody, signed in or not', () => {
    fc.assert(
      fc.property(phases, anyPermissions, (phase, permissions) => {
        expect(guardRoute({ isLoginPage: true }, phase, permissions)).toEqual({ kind: 'open' });
      }),
    );
  });

  it('[AUTH-035, AUTH-027, AMB-006] sends visitors without a session to login and remembers the path', () => {
    expect(guardRoute(single, 'none', [])).toEqual({ ...login, remembersPath: true });
    expect(guardRoute({ permission: [] }, 'none', [])).toEqual({ ...login, remembersPath: true });
  });

  it('[AUTH-036] sends an expired session to login and remembers the path', () => {
    expect(guardRoute({ permission: [] }, 'expired', ['manager_app_create'])).toEqual({ ...login, remembersPath: true });
  });

  it('[AUTH-038] sends an account without the single permission to login', () => {
    expect(guardRoute(single, 'live', ['manager_app_create'])).toEqual(login);
    expect(guardRoute(single, 'live', ['manager_app_all_requests'])).toEqual({ kind: 'open' });
  });

  it('[AUTH-039, AUTH-068, AMB-003] opens a list route for any one of its permissions, else login', () => {
    expect(guardRoute(list, 'live', ['manager_app_edit'])).toEqual({ kind: 'open' });
    expect(guardRoute(list, 'live', ['manager_app_view_all'])).toEqual(login);
    expect(guardRoute(list, 'live', [])).toEqual(login);
  });

  it('[AUTH-040, AMB-026] opens an empty list, and no entry, to every signed-in account', () => {
    expect(guardRoute({ permission: [] }, 'live', [])).toEqual({ kind: 'open' });
    expect(guardRoute({}, 'live', [])).toEqual({ kind: 'open' });
  });

  it('[AMB-004] sends an account without permission where the route says instead', () => {
    const roles: RouteDemand = { permission: 'manager_settings_roles', deniedTo: '/apps' };
    expect(guardRoute(roles, 'live', [])).toEqual({ kind: 'redirect', to: '/apps', remembersPath: false });
    expect(guardRoute(roles, 'none', [])).toEqual({ ...login, remembersPath: true });
  });

  it('[AUTH-042] opens no page but the login pages without a live session', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('none' as const, 'expired' as const),
        anyPermissions,
        anyPermissions,
        (phase, demandedPermissions, heldPermissions) => {
          expect(guardRoute({ permission: demandedPermissions }, phase, heldPermissions).kind).toBe('redirect');
        },
      ),
    );
  });
});
