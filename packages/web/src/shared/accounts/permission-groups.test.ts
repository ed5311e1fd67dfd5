import { permissionCatalogue } from '@switchyard/contract/permissions';
import { permissionGroup } from '@switchyard/contract/roles';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupSummary, permissionGroups, withAll } from './permission-groups.ts';

const rows = permissionCatalogue.slice(0, 29).map((permission) => ({ ...permission, group: permissionGroup(permission.label) }));

describe('permissions by category', () => {
  it('[ROLE-015] are those of the second part of their labels', () => {
    const names = permissionGroups(rows).map(({ name, permissions }) => [name, permissions.length]);
    expect(names).toEqual([
      ['App', 11],
      ['Settings', 3],
      ['User', 5],
      ['Dev', 3],
      ['Stream', 4],
      ['Push', 2],
      ['Statistics', 1],
    ]);
    expect(groupSummary(rows.slice(0, 13))).toBe('App 10, Settings 2, User 1');
  });

  it('are chosen and taken back without touching any other', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 29 }));
    fc.assert(
      fc.property(ids, ids, fc.boolean(), (chosenIds, some, areOn) => {
        const after = new Set(withAll(chosenIds, some, areOn));
        for (let id = 1; id <= 29; id += 1) expect(after.has(id)).toBe(some.includes(id) ? areOn : chosenIds.includes(id));
      }),
    );
  });
});
