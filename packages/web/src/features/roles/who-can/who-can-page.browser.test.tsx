import { permissionCatalogue, type Permission } from '@switchyard/contract/permissions';
import type { WhoCanAnswer } from '@switchyard/contract/who-can';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { WhoCanPage } from './who-can-page.tsx';

const answer: WhoCanAnswer = {
  accounts: [
    { id: 8, name: 'Pavel', panel: 'user', has_all_apps: true, role_ids: [2, 11], obstacle: null },
    { id: 9, name: 'Blocked Bea', panel: 'buyer', has_all_apps: false, role_ids: [2], obstacle: 'no_access' },
  ],
  tokens: [
    {
      id: 3,
      name: 'Deployment',
      kind: 'personal',
      owner: { id: 8, name: 'Pavel', panel: 'user' },
      has_all_apps: false,
      role_ids: [2],
      obstacle: 'expired',
      expires_at: '2026-11-01 00:00:00',
    },
  ],
  roles: [
    { id: 2, label: 'Admin', badge: 'A', panel: 'user' },
    { id: 11, label: 'Traffic reviewer', badge: 'TR', panel: 'user' },
  ],
  is_partial: false,
};
const app = { id: 5, name: 'Acme Bet', bundle: 'com.acme', domain: 'acme.example', label: 'Acme Bet (com.acme)' };
const every: readonly Permission[] = permissionCatalogue.map(({ label }) => label);

async function render(address: string, { permissions = every, isPartial = false } = {}) {
  const calls: string[] = [];
  stubApi((url) => {
    calls.push(url);
    return Response.json({ success: true, data: url.startsWith('/api/apps/list') ? [app] : { ...answer, is_partial: isPartial } });
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: [...permissions] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  const history = await renderPages([['/who-can', 'Who can', WhoCanPage]], [address]);
  return { calls, history };
}

const row = (name: RegExp) => page.getByRole('row', { name });

it('[PERMX-001] asks for a permission and an app, then shows who can, by which role', async () => {
  const { calls, history } = await render('/who-can');
  await expect.element(page.getByRole('heading', { name: 'Who can …?' })).toBeVisible();
  expect(calls).toEqual(['/api/apps/list']);
  await page.getByLabelText('Permission').click();
  await page.getByRole('option', { name: 'Edit apps (manager_app_edit)' }).click();
  await page.getByLabelText('App', { exact: true }).click();
  await page.getByRole('option', { name: 'Acme Bet (com.acme)' }).click();
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await expect.element(row(/Pavel.*Admin, Traffic reviewer.*All apps.*Can/).first()).toBeVisible();
  expect(calls.slice(1)).toEqual(['/api/roles/who-can?permission=manager_app_edit&appId=5']);
  expect(history.location.search).toBe('?permission=manager_app_edit&appId=5');
  await expect.element(page.getByRole('link', { name: 'Traffic reviewer' })).toHaveAttribute('href', '/roles/user/11/edit');
  await expect.element(page.getByRole('link', { name: 'Blocked Bea' })).toHaveAttribute('href', '/users/buyers/9/edit');
});

it('[PERMX-007] leads to the comparison of an account with a role that gives the permission', async () => {
  await render('/who-can?permission=manager_app_edit');
  const link = page.getByRole('link', { name: 'Compare Pavel with Admin' });
  await expect.element(link).toHaveAttribute('href', '/roles/compare?one=role-2&other=account-8');
  expect(page.getByRole('link', { name: /^Compare Deployment/ }).elements()).toHaveLength(0);
});

it('[PERMX-003] says what keeps an account or a token from it, and shows only these', async () => {
  const { calls } = await render('/who-can?permission=manager_app_edit');
  await expect.element(row(/Blocked Bea.*Access is off/)).toBeVisible();
  await expect.element(row(/Deployment.*Token.*Pavel.*Expired/)).toBeVisible();
  await page.getByLabelText('Now').click();
  await page.getByRole('option', { name: 'Cannot now' }).click();
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await expect.element(page.getByRole('row', { name: /All apps/ })).not.toBeInTheDocument();
  await expect.element(row(/Blocked Bea/)).toBeVisible();
  expect(calls.filter((url) => url.includes('who-can'))).toHaveLength(1);
});

it('[PERMX-004] says that a restricted reader sees a part, and links no page that the reader may not open', async () => {
  await render('/who-can?appId=5', { permissions: ['manager_settings_roles'], isPartial: true });
  await expect.element(page.getByText(/^You see the accounts that share an app with you/)).toBeVisible();
  await expect.element(row(/Blocked Bea/)).toBeVisible();
  expect(page.getByRole('link', { name: 'Blocked Bea' }).elements()).toHaveLength(0);
  expect(page.getByLabelText('App', { exact: true }).elements()).toHaveLength(0);
});
