import { verticals } from '@switchyard/contract/apps';
import { permissionCatalogue, type Permission } from '@switchyard/contract/permissions';
import { describe, expect, it } from 'vitest';
import { openListedApps } from '../../../test/listed-apps.ts';
import { signInAs } from '../../../test/sign-in-as.ts';

const { databases, api, admin, list, names } = await openListedApps();

describe('GET apps: for whom', () => {
  const opening: Permission[] = [
    'manager_app_create',
    'manager_app_edit',
    'manager_app_delete',
    'manager_app_requests',
    'manager_app_statistics',
  ];

  it.each(opening)('[APPS-001][PERM-004][PERM-010][PERM-018][PERM-020][PERM-022] opens with %s alone', async (permission) => {
    const caller = await signInAs(databases, { permissions: [permission] });
    expect((await list('', caller)).data.length).toBeGreaterThan(0);
    expect((await api.call('GET', '/api/verticals/list', caller)).status).toBe(200);
  });

  it('[APPS-001][PERM-002] is closed to an account that holds everything but these five, and to strangers', async () => {
    const permissions = permissionCatalogue.map(({ label }) => label).filter((label) => !opening.includes(label));
    const caller = await signInAs(databases, { permissions });
    for (const path of ['/api/apps', '/api/verticals/list']) {
      expect((await api.call('GET', path, caller)).status).toBe(403);
      expect((await api.call('GET', path)).status).toBe(401);
    }
  });

  it('[PERM-023][APPS-027][APPS-028][APPS-029][APPS-030][APPS-031] hides users and all-time figures without manager_app_statistics', async () => {
    const caller = await signInAs(databases, { permissions: ['manager_app_edit'] });
    for (const app of (await list('?status=all', caller)).data) {
      expect(app.users_count).toBeNull();
      expect(app.statistics.all.all_time).toBeNull();
      expect(app.statistics.all.today.create).toEqual({ all: 0, success: 0 });
      expect(app.statistics.qa.create).toEqual({ all: 0, success: 0 });
    }
    expect((await list()).data[0]?.statistics.all.all_time).not.toBeNull();
  });

  it('shows a restricted account its own apps only, in rows, totals and searches', async () => {
    const [own, archivedApp] = await databases.db
      .selectFrom('apps')
      .select('id')
      .where('name', 'in', ['Alpha', 'Delta'])
      .orderBy('id')
      .execute();
    const caller = await signInAs(databases, { role: 'App Manager', apps: [own?.id ?? 0, archivedApp?.id ?? 0] });
    expect(await names('', caller)).toEqual(['Alpha']);
    expect(await names('?status=all', caller)).toEqual(['Delta', 'Alpha']);
    expect((await list('?search=example&status=all', caller)).pagination.total).toBe(2);
    expect((await list('?search=beta', caller)).pagination.total).toBe(0);
    const nobody = await signInAs(databases, { role: 'App Manager', apps: [] });
    expect(await list('?status=all', nobody)).toMatchObject({ data: [], pagination: { total: 0, totalPages: 1 } });
  });
});

describe('GET verticals/list', () => {
  it('[APPS-021][API-026][CONF-029] names the five verticals', async () => {
    const answer = await api.call('GET', '/api/verticals/list', admin);
    expect(answer.body).toEqual({ success: true, data: verticals });
    expect(verticals.map((vertical) => vertical.id)).toEqual(['bet', 'casino', 'social_casino', 'fantasy', 'finance']);
  });
});
