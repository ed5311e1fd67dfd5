import { pageOf } from '@switchyard/contract/page-of';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { pickedBuyers, sampleApp } from '../configurator/testing/sample-app.ts';
import { renderEditPage } from '../edit/testing/render-edit-page.tsx';
import { copyableParts } from './copy-app.ts';
import { CreateAppPage } from './create-app-page.tsx';

/** Opens the form of a new app over a server that has the sample app; gives the bodies of creations. */
async function showCreatePage(address: string) {
  const bodies: unknown[] = [];
  stubApi((url, init) => {
    const path = new URL(url, 'http://console').pathname.replace('/api/', '');
    if (init.method === 'POST') {
      bodies.push(typeof init.body === 'string' ? JSON.parse(init.body) : null);
      return Response.json({ success: false, message: 'No' }, { status: 503 });
    }
    if (path === 'apps/12') return Response.json({ success: true, data: sampleApp });
    if (path.startsWith('apps/')) return Response.json({ success: false, message: 'Not found' }, { status: 404 });
    if (path.startsWith('app/check-not')) return Response.json({ success: true, data: true });
    if (path === 'picks/buyers') return Response.json({ success: true, ...pageOf(pickedBuyers, { page: 1, limit: 50 }) });
    return Response.json({ success: true, data: [] });
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: permissionCatalogue.map(({ label }) => label) },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  await renderPages([['/apps/create', 'Create app', CreateAppPage]], [address]);
  return bodies;
}

const field = (label: string) => page.getByLabelText(label, { exact: true });

describe('duplicate of an app', () => {
  it('[HIST-011] asks what to copy and leads to the form of a new app', async () => {
    const { history } = await renderEditPage({ app: sampleApp });
    await page.getByRole('button', { name: 'Duplicate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Duplicate Acme Bet' });
    await expect.element(dialog.getByRole('group', { name: 'What to copy' })).toBeVisible();
    const offered = dialog.getByRole('checkbox').elements().length;
    expect(offered).toBe(copyableParts.length);
    for (const never of ['Name', 'Bundle', 'Domain', 'API Secret'])
      expect(dialog.getByLabelText(never, { exact: true }).elements()).toEqual([]);
    await dialog.getByRole('checkbox', { name: 'App users' }).click();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => history.location.pathname).toBe('/apps/create');
    const search = new URLSearchParams(history.location.search);
    expect([search.get('copy'), search.get('parts')]).toEqual(['12', copyableParts.filter((part) => part !== 'userIds').join(',')]);
  });

  it('[HIST-011] is not offered to accounts that create no apps', async () => {
    await renderEditPage({ app: sampleApp, permissions: ['manager_app_edit'] });
    await expect.element(page.getByRole('link', { name: 'History' })).toHaveAttribute('href', '/apps/12/history');
    expect(page.getByRole('button', { name: 'Duplicate' }).elements()).toEqual([]);
  });

  it('[HIST-011] fills the form with the chosen parts, never with names and secrets, and saves them with the new names', async () => {
    const bodies = await showCreatePage(`/apps/create?copy=12&parts=${copyableParts.join(',')}`);
    await expect.element(field('White user agent')).toHaveValue('Acme/1.0 (inner spaces)');
    for (const empty of ['Name', 'Bundle', 'Domain']) await expect.element(field(empty)).toHaveValue('');
    await field('Name').fill('Acme Two');
    await field('Bundle').fill('com.acme.two');
    await field('Domain').fill('acme-two.example');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await expect.poll(() => bodies).toHaveLength(1);
    expect(bodies[0]).toMatchObject({
      name: 'Acme Two',
      vertical: 'finance',
      keys: { createApfDevKey: 'dK9', firebaseAppId: '1:2:web' },
      privateKeys: { apiSecret: '' },
      userIds: [31, 33],
      response_message: sampleApp.response_message,
    });
    expect(JSON.stringify(bodies)).not.toContain('s3cret');
  });

  it('[HIST-011] copies only what the address names, and ignores names that are no parts', async () => {
    await showCreatePage('/apps/create?copy=12&parts=vertical,name,privateKeys,bundle');
    await expect.element(field('White user agent')).toHaveValue('');
    await expect.element(field('Name')).toHaveValue('');
    await expect.element(page.getByRole('region', { name: 'Save' })).toMatchTextContent(/Name, Bundle, Domain/);
  });

  it('[HIST-011] says that the app cannot be loaded', async () => {
    await showCreatePage('/apps/create?copy=13&parts=vertical');
    await expect.element(page.getByRole('heading', { name: 'The app to duplicate could not be loaded' })).toBeVisible();
  });
});
