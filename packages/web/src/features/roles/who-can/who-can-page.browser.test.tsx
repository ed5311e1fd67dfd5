import { permissionCatalogue, type Permission } from '@switchyard/contract/permissions';
import { pageOf } from '@switchyard/contract/page-of';
import type { HolderRow } from '@switchyard/contract/who-can';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { WhoCanPage } from './who-can-page.tsx';

const pavel = { id: 8, name: 'Pavel', panel: 'user' as const };
const bea = { id: 9, name: 'Blocked Bea', panel: 'buyer' as const };
const admins = { id: 2, label: 'Admin', badge: 'A', panel: 'user' as const };
const reviewers = { id: 11, label: 'Traffic reviewer', badge: 'TR', panel: 'user' as const };
const holders: readonly HolderRow[] = [
  { key: 'account-9', kind: 'account', name: 'Blocked Bea', account: bea, roles: [admins], has_all_apps: false, obstacle: 'no_access' },
  { key: 'account-8', kind: 'account', name: 'Pavel', account: pavel, roles: [admins, reviewers], has_all_apps: true, obstacle: null },
  { key: 'token-3', kind: 'personal', name: 'Deployment', account: pavel, roles: [admins], has_all_apps: false, obstacle: 'expired' },
];
const app = { id: 5, name: 'Acme Bet', bundle: 'com.acme', domain: 'acme.example', label: 'Acme Bet (com.acme)' };
const every: readonly Permission[] = permissionCatalogue.map(({ label }) => label);

async function render(address: string, { permissions = every, isPartial = false } = {}) {
  const calls: string[] = [];
  stubApi((url) => {
    calls.push(url);
    const size = { page: 1, limit: 100 };
    if (url.startsWith('/api/picks/apps')) return Response.json({ success: true, ...pageOf([app], size) });
    const { data: rows, pagination } = pageOf(
      holders.filter(({ obstacle }) => !url.includes('now=cannot') || obstacle !== null),
      size,
    );
    return Response.json({ success: true, data: { rows, is_partial: isPartial }, pagination });
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
  expect(calls).toEqual([]);
  await page.getByLabelText('Permission').click();
  await page.getByRole('option', { name: 'Edit apps (manager_app_edit)' }).click();
  await page.getByLabelText('App', { exact: true }).click();
  await page.getByRole('option', { name: 'Acme Bet (com.acme)' }).click();
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await expect.element(row(/Pavel.*Admin, Traffic reviewer.*All apps.*Can/).first()).toBeVisible();
  expect(calls.filter((url) => url.includes('who-can'))).toEqual([
    expect.stringMatching(/^\/api\/roles\/who-can\/page\?permission=manager_app_edit&appId=5&/),
  ]);
  await expect.element(page.getByRole('button', { name: 'Remove filter Acme Bet (com.acme)' })).toBeVisible();
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
  expect(calls.filter((url) => url.includes('now=cannot'))).toHaveLength(1);
});

it('[PERMX-004] says that a restricted reader sees a part, and links no page that the reader may not open', async () => {
  await render('/who-can?appId=5', { permissions: ['manager_settings_roles'], isPartial: true });
  await expect.element(page.getByText(/^You see the accounts that share an app with you/)).toBeVisible();
  await expect.element(row(/Blocked Bea/)).toBeVisible();
  expect(page.getByRole('link', { name: 'Blocked Bea' }).elements()).toHaveLength(0);
  expect(page.getByLabelText('App', { exact: true }).elements()).toHaveLength(0);
});
