import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsAny, permissionCatalogue, seededRoles } from './permissions.ts';

const staff = permissionCatalogue.filter((permission) => permission.panel === 'user').map((permission) => permission.label);
/** The specification defines these ids; later permissions have higher ones. */
const specifiedPermissions = permissionCatalogue.filter(({ id }) => id <= 29);

describe('permissions', () => {
  it('[PERM-001] begins with the 22 specified staff permissions in their order, each id following the one before', () => {
    expect(specifiedPermissions.flatMap(({ panel, label }) => (panel === 'user' ? [label] : []))).toEqual(
      (
        'manager_app_view_all manager_app_create manager_app_edit manager_app_edit_domain_bundle manager_app_delete manager_app_requests manager_app_statistics ' +
        'manager_app_pushes manager_app_conversions manager_app_push_setting manager_settings_server manager_settings_roles manager_user_create manager_user_buyer_create ' +
        'manager_user_edit manager_user_deactivate manager_user_activity manager_dev_logs manager_dev_request_encryption manager_dev_docs manager_settings_asns manager_app_all_requests'
      ).split(' '),
    );
    expect(permissionCatalogue.map((permission) => permission.id)).toEqual(permissionCatalogue.map((_, at) => at + 1));
  });

  it('[PERM-002, AUTH-068] passes a check when any permission of the list is held', () => {
    fc.assert(
      fc.property(fc.subarray(staff), fc.subarray(staff, { minLength: 1 }), (heldPermissions, askedPermissions) => {
        expect(holdsAny(heldPermissions, askedPermissions)).toBe(
          askedPermissions.filter((label) => heldPermissions.includes(label)).length > 0,
        );
      }),
    );
  });

  it('[AUTH-040] passes an empty list for everybody', () => {
    expect(holdsAny([], [])).toBe(true);
  });

  it('[AMB-165] gives the log reviewer the permission that the route of an app requires, besides those of its tabs', () => {
    expect(seededRoles.find((role) => role.badge === 'T')?.permissions).toEqual(
      expect.arrayContaining(['manager_app_edit', 'manager_app_requests', 'manager_app_pushes', 'manager_app_conversions']),
    );
  });

  it('seeds roles whose permissions belong to their own panel', () => {
    for (const role of seededRoles) {
      for (const label of role.permissions)
        expect(permissionCatalogue.find((permission) => permission.label === label)?.panel).toBe(role.panel);
    }
    expect(seededRoles.map((role) => role.badge)).toEqual(['S', 'A', 'M', 'T', 'B', 'QA', 'SB']);
  });
});
