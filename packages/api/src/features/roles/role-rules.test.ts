import { permissionCatalogue, seededRoles } from '@switchyard/contract/permissions';
import { permissionGroup } from '@switchyard/contract/roles';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameSet } from '../accounts/access-rules-lookup.ts';
import { permissionRows, toRoleCaller } from './role-mapper.ts';
import { badgeOf, mayGrantRole, requireGrantable, requireOwnAccess, requireTouchable, takenName, unknownPermission } from './role-rules.ts';

const idsOf = (panel: 'user' | 'buyer') => permissionCatalogue.filter((one) => one.panel === panel).map(({ id }) => id);
const [staff, buyers] = [idsOf('user'), idsOf('buyer')];
const sets = fc.record({ held: fc.subarray(staff), asked: fc.subarray([...staff, ...buyers]), isSuperAdmin: fc.boolean() });

describe('rules on roles (api 0.12)', () => {
  it('[PERM-052, PERM-053] a role may be granted and changed by who holds all its staff permissions, and role 1 by super admins alone', () => {
    fc.assert(
      fc.property(sets, fc.constantFrom(1, 2, 5, 101), fc.boolean(), ({ held, asked, isSuperAdmin }, id, isHeldOutside) => {
        const caller = { permissionIds: new Set(held), isSuperAdmin };
        const lacks = asked.some((permission) => staff.includes(permission) && !held.includes(permission));
        const role = { id, permissionIds: asked, is_held_outside: isHeldOutside };
        expect(mayGrantRole(caller, role)).toBe(!lacks && (id !== 1 || isSuperAdmin));
        const touch = () => requireTouchable(caller, role);
        if (id === 1 && !isSuperAdmin) expect(touch).toThrow('Only a super admin can change a super admin');
        else if (lacks) expect(touch).toThrow('You cannot grant permissions you do not have');
        else if (isHeldOutside) expect(touch).toThrow('You cannot grant access to apps you do not have');
        else expect(touch).not.toThrow();
      }),
    );
  });

  it('rejects each of the staff permissions for everybody who lacks it, and those of buyers for nobody', () => {
    for (const lacking of staff) {
      const caller = { permissionIds: new Set(staff.filter((id) => id !== lacking)), isSuperAdmin: true };
      expect(() => requireGrantable(caller, [lacking])).toThrow('You cannot grant permissions you do not have');
      expect(() => requireGrantable(caller, [...caller.permissionIds, ...buyers])).not.toThrow();
    }
  });

  it('nobody can remove their own last access to roles, but another role of theirs may keep it', () => {
    expect(() => requireOwnAccess(new Set([2]), [3])).toThrow('The given data was invalid.');
    for (const [others, after] of [
      [new Set([12]), [3]],
      [new Set([2]), [3, 12]],
      [null, [3]],
    ] as const)
      expect(() => requireOwnAccess(others, after)).not.toThrow();
  });

  it('the permissions of the caller are those of the session', () => {
    const caller = toRoleCaller({ permissions: ['manager_app_edit', 'manager_settings_roles', 'gone'], isSuperAdmin: false });
    expect(caller).toEqual({ permissionIds: new Set([3, 12]), isSuperAdmin: false });
  });
});

describe('values of a role (api [38])', () => {
  it('[ROLE-029] permissions belong to the panel of the role; the first other id is named', () => {
    expect(unknownPermission([2, 23, 24], 'user')).toBe('The permission_ids field contains an unknown id: 23.');
    expect(unknownPermission([23, 2], 'buyer')).toBe('The permission_ids field contains an unknown id: 2.');
    expect(unknownPermission([0], undefined)).toBe('The permission_ids field contains an unknown id: 0.');
    expect(unknownPermission([-1, 900], 'user')).toBe('The permission_ids field contains an unknown id: -1.');
    expect([unknownPermission(staff, 'user'), unknownPermission(buyers, 'buyer'), unknownPermission([2, 23], undefined)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('a name is taken by the name or the label of another role, but for case', () => {
    const others = [{ name: 'Überblick', label: 'Admin' }];
    expect(['überblick', 'ADMIN'].map((name) => takenName(name, others))).toEqual(Array(2).fill('The role name is already used.'));
    expect(takenName('Admin 2', others)).toBeNull();
  });

  it.each([
    ['Traffic reviewer', 'TR'],
    ['  lead   of all buyers ', 'LOA'],
    ['x', 'X'],
    ['ångström élan', 'ÅÉ'],
    ['straße ßig', 'SSS'],
    ['👩‍🚀 crew', '👩‍🚀C'],
    ['2nd line', '2L'],
  ])('the badge of "%s" is %s', (name, badge) => {
    expect(badgeOf(name)).toBe(badge);
  });

  it('a badge has one to three letters, whatever the name', () => {
    const segmenter = new Intl.Segmenter('en');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), (text) => {
        fc.pre(text.trim() !== '');
        const { length } = [...segmenter.segment(badgeOf(text.trim()))];
        expect(length).toBeGreaterThanOrEqual(1);
        expect(length).toBeLessThanOrEqual(3);
      }),
    );
  });

  it('sets are the same in any order, and only then', () => {
    fc.assert(
      fc.property(fc.subarray(staff), fc.subarray(staff), (one, other) => {
        expect(isSameSet(one, other.toReversed())).toBe(String(one) === String(other));
        expect(isSameSet(one, one.toReversed())).toBe(true);
      }),
    );
  });
});

describe('permissions as rows (api 5)', () => {
  it('[ROLE-015] are grouped by the second part of their label, capitalised', () => {
    expect(permissionRows('user').slice(1, 2)).toEqual([
      { id: 2, label: 'manager_app_create', description: 'Create apps', panel: 'user', group: 'App' },
    ]);
    expect([...new Set(permissionRows().map((row) => row.group))]).toEqual([
      'App',
      'Settings',
      'User',
      'Dev',
      'Stream',
      'Push',
      'Statistics',
    ]);
    expect(permissionGroup('odd')).toBe('Odd');
  });

  it('[PERM-001, PERM-058] are those of staff and those of buyers, by id', () => {
    expect([permissionRows('user'), permissionRows('buyer'), permissionRows()].map((rows) => rows.map((row) => row.id))).toEqual([
      staff,
      buyers,
      permissionCatalogue.map(({ id }) => id),
    ]);
    expect(seededRoles.map((role) => role.panel)).toEqual(['user', 'user', 'user', 'user', 'buyer', 'buyer', 'buyer']);
  });
});
