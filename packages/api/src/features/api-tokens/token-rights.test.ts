import { permissionCatalogue } from '@switchyard/contract/permissions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coversApps } from '@switchyard/contract/app-scope';
import { limitedToCaller } from '../accounts/access-rules-lookup.ts';
import { toTokenCaller } from './token-rights.ts';

const ids = permissionCatalogue.map(({ id }) => id);
const permissions = fc.subarray(ids);
const apps = fc.uniqueArray(fc.integer({ min: 1, max: 6 }));
const labelsOf = (of: readonly number[]) => permissionCatalogue.filter(({ id }) => of.includes(id)).map(({ label }) => label);
const person = { account_id: 7, name: 'Olga', email: 'olga@example.com', panel: 'user', roles: [], badges: [] } as const;

describe('the rights of an API token', () => {
  it('[IDN-049] are what it was given and its owner holds now, whatever both are', () => {
    fc.assert(
      fc.property(
        permissions,
        permissions,
        fc.option(apps),
        fc.boolean(),
        apps,
        fc.boolean(),
        (heldIds, grantedIds, ownedApps, hasAll, chosenApps, isSuper) => {
          const row = {
            ...person,
            roles: [],
            badges: [],
            must_set_up_factor: false,
            all_apps: ownedApps === null,
            is_super_admin: isSuper,
            permission_ids: [...heldIds, ...heldIds],
            app_ids: ownedApps,
          };
          const grant = {
            token_id: 1,
            token_name: 'x',
            token_permission_ids: grantedIds,
            token_has_all_apps: hasAll,
            token_app_ids: chosenApps,
          };
          const { account, scope, by } = toTokenCaller({ ...row, ...grant });
          const both = heldIds.filter((id) => grantedIds.includes(id));
          expect(account.permissions).toEqual(labelsOf(both));
          expect([...by.permissionIds].toSorted((a, b) => a - b)).toEqual(both);
          expect(coversApps(ownedApps ?? 'all', scope) && coversApps(hasAll ? 'all' : chosenApps, scope)).toBe(true);
          for (const app of [1, 2, 3, 4, 5, 6]) {
            const expected = (ownedApps === null || ownedApps.includes(app)) && (hasAll || chosenApps.includes(app));
            expect(coversApps(scope, [app])).toBe(expected);
          }
          expect([account.isSuperAdmin, account.hasAllApps]).toEqual([false, ownedApps === null && hasAll]);
          // Rights that the rules on accounts and roles read in their transaction are limited in the same way.
          const holder = { permissionIds: new Set(heldIds), isSuperAdmin: isSuper, scope: ownedApps ?? ('all' as const) };
          const limitedHolder = limitedToCaller({ by, scope }, holder);
          expect([[...limitedHolder.permissionIds], limitedHolder.isSuperAdmin, limitedHolder.scope]).toEqual([both, false, scope]);
        },
      ),
    );
  });
});
