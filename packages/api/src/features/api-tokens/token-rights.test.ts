import { permissionCatalogue } from '@switchyard/contract/permissions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coversApps } from '../../app-scope.ts';
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
        (held, given, owned, hasAll, chosen, isSuper) => {
          const row = {
            ...person,
            roles: [],
            badges: [],
            must_set_up_factor: false,
            all_apps: owned === null,
            is_super_admin: isSuper,
            permission_ids: [...held, ...held],
            app_ids: owned,
          };
          const grant = { token_id: 1, token_name: 'x', token_permission_ids: given, token_has_all_apps: hasAll, token_app_ids: chosen };
          const { account, scope, by } = toTokenCaller({ ...row, ...grant });
          const both = held.filter((id) => given.includes(id));
          expect(account.permissions).toEqual(labelsOf(both));
          expect([...by.permissionIds].toSorted((a, b) => a - b)).toEqual(both);
          expect(coversApps(owned ?? 'all', scope) && coversApps(hasAll ? 'all' : chosen, scope)).toBe(true);
          for (const app of [1, 2, 3, 4, 5, 6]) {
            const expected = (owned === null || owned.includes(app)) && (hasAll || chosen.includes(app));
            expect(coversApps(scope, [app])).toBe(expected);
          }
          expect([account.isSuperAdmin, account.hasAllApps]).toEqual([false, owned === null && hasAll]);
          // What the rules on accounts and roles read from the database in their transaction is limited alike.
          const holder = { permissionIds: new Set(held), isSuperAdmin: isSuper, scope: owned ?? ('all' as const) };
          const limited = limitedToCaller({ by, scope }, holder);
          expect([[...limited.permissionIds], limited.isSuperAdmin, limited.scope]).toEqual([both, false, scope]);
        },
      ),
    );
  });
});
