import { permissionCatalogue } from '@switchyard/contract/permissions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coversApps } from '@switchyard/contract/app-scope';
import { limitedToCaller } from '../accounts/access-rules-lookup.ts';
import { toViewAsCaller } from './view-as-rights.ts';

const ids = permissionCatalogue.map(({ id }) => id);
const rolesPermission = 12;
const permissions = fc.subarray(ids);
const apps = fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 6 })));
const labelsOf = (of: readonly number[]) => permissionCatalogue.filter(({ id }) => of.includes(id)).map(({ label }) => label);

describe('the rights of a view', () => {
  it('[PERMX-021] are what the viewer and the viewed both hold, and none once the viewer may not view', () => {
    fc.assert(
      fc.property(
        fc.record({
          held: permissions,
          shown: permissions,
          own: apps,
          theirs: apps,
          isSuper: fc.boolean(),
          isTheirs: fc.boolean(),
          isDue: fc.boolean(),
        }),
        ({ held, shown, own, theirs, isSuper, isTheirs, isDue }) => {
          const caller = toViewAsCaller({
            account_id: 7,
            name: 'Olga',
            email: 'olga@example.com',
            panel: 'user',
            roles: ['Admin'],
            badges: ['A'],
            must_set_up_factor: isDue,
            all_apps: own === null,
            is_super_admin: isSuper,
            permission_ids: [...held, ...held],
            app_ids: own,
            viewed_name: 'Boris',
            viewed_panel: 'buyer',
            viewed_roles: ['QA'],
            viewed_badges: ['QA'],
            viewed_is_super_admin: isTheirs,
            viewed_permission_ids: [...shown, ...shown],
            viewed_app_ids: theirs,
          });
          if (caller === null) {
            expect(isDue || !held.includes(rolesPermission)).toBe(true);
            return;
          }
          expect(!isDue && held.includes(rolesPermission)).toBe(true);
          const both = held.filter((id) => shown.includes(id));
          expect(caller.account).toEqual({
            id: 0,
            name: 'Boris',
            email: '',
            panel: 'buyer',
            roles: ['QA'],
            badges: ['QA'],
            permissions: labelsOf(both),
            hasAllApps: own === null && theirs === null,
            isSuperAdmin: isSuper && isTheirs,
          });
          expect(caller.by).toEqual({ kind: 'view-as', viewerId: 7, permissionIds: new Set(both) });
          for (const app of [1, 2, 3, 4, 5, 6])
            expect(coversApps(caller.scope, [app])).toBe((own?.includes(app) ?? true) && (theirs?.includes(app) ?? true));
          const holder = { permissionIds: new Set(held), isSuperAdmin: isSuper, scope: own ?? ('all' as const) };
          expect(limitedToCaller(caller, holder)).toEqual({ permissionIds: new Set(both), isSuperAdmin: false, scope: caller.scope });
        },
      ),
    );
  });
});
