import { describe, expect, it, vi } from 'vitest';
import { createApp } from '../../../test/factories/app.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { appInScope, findNamedApps } from './apps-lookup.ts';

const { databases } = await createTestDatabase();

describe('apps that somebody names', () => {
  it('[ENT-001] are found by id and by bundle whatever its case, archived ones too', async () => {
    const app = await createApp(databases, { bundle: 'com.Acme.Bet' });
    const archivedApp = await createApp(databases, { bundle: 'com.gone.app', deleted_at: new Date() });
    const namedApps = await findNamedApps(databases.db, {
      ids: [app.id, archivedApp.id, 999_999_999, Number.MAX_SAFE_INTEGER, -1],
      bundles: ['com.acme.bet', 'COM.ACME.BET', 'com.gone.app', 'com.acme', 'com.acme.%', ''],
    });
    expect(namedApps.ids).toEqual(new Set([app.id, archivedApp.id]));
    expect(namedApps.idByBundle).toEqual(
      new Map([
        ['com.acme.bet', app.id],
        ['COM.ACME.BET', app.id],
        ['com.gone.app', archivedApp.id],
      ]),
    );
  });

  it('are none when nothing is named', async () => {
    expect(await findNamedApps(databases.db, { ids: [], bundles: [] })).toEqual({ ids: new Set(), idByBundle: new Map() });
  });
});

describe('an app in a path', () => {
  it('[R12] is looked up once, and found only within the scope', async () => {
    const app = await createApp(databases, { deleted_at: new Date() });
    const requireApp = appInScope(databases.pools);
    const querySpy = vi.spyOn(databases.pools.ui, 'query');
    const unknownId = 999_999_999;
    await expect(requireApp({ params: { id: unknownId }, caller: { scope: 'all' } })).rejects.toMatchObject({ status: 404 });
    await requireApp({ params: { id: app.id }, caller: { scope: 'all' } });
    await requireApp({ params: { id: app.id }, caller: { scope: [app.id] } });
    await expect(requireApp({ params: { id: app.id }, caller: { scope: [app.id + 1] } })).rejects.toMatchObject({ status: 404 });
    await expect(requireApp({ params: { id: unknownId }, caller: { scope: 'all' } })).rejects.toMatchObject({ status: 404 });
    expect(querySpy).toHaveBeenCalledTimes(3);
    querySpy.mockRestore();
  });
});
