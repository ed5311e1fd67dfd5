import { permissionCatalogue } from '@switchyard/contract/permissions';
import { describe, expect, it } from 'vitest';
import { entityPath } from './entity-path.ts';
import { sampleRow } from './testing/sample-rows.ts';

const every = permissionCatalogue.map(({ label }) => label);

describe('the way from an entry of the trail to what was changed', () => {
  it.each([
    ['app', '12', '/apps/12/edit?startTabName=General', 'manager_app_edit'],
    ['role', '4', '/roles/user/4/edit', 'manager_settings_roles'],
    ['user', '7', '/users/7/edit', 'manager_user_edit'],
    ['buyer', '8', '/users/buyers/8/edit', 'manager_user_edit'],
    ['server', '3', '/servers/3/edit', 'manager_settings_server'],
    ['asn', '4294967295', '/asns?search=AS4294967295', 'manager_settings_asns'],
    ['black_ip', '2001:db8::1', '/black-ip?search=2001%3Adb8%3A%3A1', 'manager_settings_asns'],
    ['log', '2026-11-20', '/logs/2026-11-20/show', 'manager_dev_logs'],
    ['app_log', '2026-11-20', '/app-logs/2026-11-20/show', 'manager_dev_logs'],
  ])('[AMB-189] leads to a %s while it is there, and only who may go there', (entity, id, path, permission) => {
    const row = { ...sampleRow, entity, entity_id: id };
    expect(entityPath(row, every)).toBe(path);
    expect(entityPath(row, [permission])).toBe(path);
    expect(entityPath({ ...row, action: 'delete' }, every)).toBeNull();
    expect(
      entityPath(
        row,
        every.filter((other) => other !== permission),
      ),
    ).toBeNull();
  });

  it('leads nowhere from what has no page, and from what is no id', () => {
    expect(entityPath({ ...sampleRow, entity: 'session', entity_id: '12' }, every)).toBeNull();
    for (const id of [null, '0', 'x', '../1', '1234567890'])
      expect([id, entityPath({ ...sampleRow, entity_id: id }, every)]).toEqual([id, null]);
    expect(entityPath({ ...sampleRow, entity: 'asn', entity_id: 'AS1' }, every)).toBeNull();
  });
});
