import { permissionCatalogue, seededRoles, type Permission } from '@switchyard/contract/permissions';
import { pageOf } from '@switchyard/contract/page-of';
import type { HolderRow } from '@switchyard/contract/who-can';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../../../shared/api/query-client.ts';
import { listKey } from '../../../shared/listing/list-key.ts';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { roleOf, trafficReviewer } from '../testing/render-roles.tsx';
import { ComparePage } from './compare-page.tsx';

const roles = [...seededRoles.map(({ permissions, ...role }) => roleOf(role, permissions)), trafficReviewer];
const rolesOf = (...ids: number[]) =>
  roles.filter(({ id }) => ids.includes(id)).map(({ id, label, badge, panel }) => ({ id, label, badge, panel }));
const holder = (id: number, name: string, panel: 'user' | 'buyer', ...roleIds: number[]): HolderRow => ({
  key: `account-${id}`,
  kind: 'account',
  name,
  account: { id, name, panel },
  roles: rolesOf(...roleIds),
  has_all_apps: true,
  obstacle: null,
});
const everybody = [holder(8, 'Pavel', 'user', 4, 11), holder(9, 'Bea', 'buyer', 6), holder(10, 'Nobody', 'user')];
const every: readonly Permission[] = permissionCatalogue.map(({ label }) => label);

async function render(search: string, { isPartial = false, permissions = every, storedRoles = () => roles } = {}) {
  const calls: string[] = [];
  stubApi((url) => {
    calls.push(url);
    if (url === '/api/roles') return Response.json({ success: true, data: storedRoles() });
    const wanted = new URL(url, 'http://console').searchParams;
    const rows = everybody.filter(
      ({ name, account: { id } }) =>
        (wanted.getAll('accountId[]').length === 0 || wanted.getAll('accountId[]').includes(String(id))) &&
        name.toLowerCase().includes(wanted.get('search') ?? ''),
    );
    const { data, pagination } = pageOf(rows, { page: 1, limit: 50 });
    return Response.json({ success: true, data: { rows: data, is_partial: isPartial }, pagination });
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, hasAllApps: !isPartial, roles: [], badges: [], permissions: [...permissions] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  const history = await renderPages([['/roles/compare', 'Compare permissions', ComparePage]], [`/roles/compare${search}`]);
  return { calls, history };
}

const part = (name: string) => page.getByRole('region', { name, exact: true });
const namesIn = (name: string): string[] =>
  part(name)
    .getByRole('listitem')
    .elements()
    .map((item) => item.firstChild?.textContent ?? '');

describe('comparison of permissions', () => {
  it('[PERMX-007] shows what only one role may do and what both may, by category, plain name first', async () => {
    const { history, calls } = await render('');
    await expect.element(page.getByRole('heading', { name: 'Compare permissions', level: 2 })).toBeVisible();
    await page.getByLabelText('Compare', { exact: true }).click();
    await page.getByRole('option', { name: 'Log Reviewer · role' }).click();
    await page.getByLabelText('With', { exact: true }).click();
    await userEvent.keyboard('traffic rev');
    await page.getByRole('option', { name: 'Traffic reviewer · role' }).click();
    await expect.element(page.getByText('Log Reviewer has 6 permissions, Traffic reviewer has 2 permissions.')).toBeVisible();
    expect(history.location.search).toBe('?one=role-4&other=role-11');
    expect(namesIn('Both')).toEqual(['Edit apps', "See an app's requests"]);
    expect(namesIn('Only Log Reviewer')).toHaveLength(4);
    await expect.element(part('Only Log Reviewer').getByRole('heading', { level: 3 })).toMatchTextContent('App');
    await expect.element(part('Only Log Reviewer')).toMatchTextContent(/See the requests of all appsmanager_app_all_requests/);
    await expect.element(part('Only Traffic reviewer')).toMatchTextContent(/Nothing/);
    expect(new Set(calls.map((url) => url.split('?')[0]))).toEqual(new Set(['/api/roles', '/api/roles/who-can/page']));
  });

  it('[PERMX-007] compares a role with an account, whose permissions name the roles that give them', async () => {
    await render('?one=role-3&other=account-8');
    const edit = part('Both').getByRole('listitem').filter({ hasText: 'manager_app_edit' });
    await expect.element(edit).toMatchTextContent(/Pavel: from Log Reviewer, Traffic reviewer$/);
    expect(namesIn('Only Pavel')).toEqual(['See the requests of all apps']);
    await expect.element(page.getByRole('link', { name: 'Pavel' })).toHaveAttribute('href', '/users/8/edit');
    await expect.element(page.getByRole('link', { name: 'App Manager' })).toHaveAttribute('href', '/roles/user/3/edit');
  });

  it('[PERMX-007] compares with what a role gives now, although its accounts were loaded before', async () => {
    let storedRoles = roles;
    const { history } = await render('?one=role-3&other=account-8', { storedRoles: () => storedRoles });
    await expect.element(part('Both').getByText('manager_app_edit')).toBeVisible();
    storedRoles = roles.map((role) => ({ ...role, permission_ids: [] }));
    await queryClient.invalidateQueries({ queryKey: listKey('roles') });
    history.replace('/roles/compare?one=role-3&other=account-8');
    await expect.element(page.getByText(/They are the same\./)).toMatchTextContent(/has no permissions, .*Pavel.* has no permissions/);
  });

  it('[PERMX-007] compares roles of different panels, equal sides, and an account without a role', async () => {
    const { history } = await render('?one=role-6&other=account-9');
    await expect.element(page.getByText(/They are the same\./)).toBeVisible();
    expect(namesIn('Both')).toHaveLength(3);
    history.replace('/roles/compare?one=role-6&other=account-10');
    await expect.element(page.getByText('QA has 3 permissions, Nobody has no permissions.')).toBeVisible();
    history.replace('/roles/compare?one=role-6&other=role-4');
    await expect.poll(() => namesIn('Only QA')).toHaveLength(3);
    await expect.element(part('Both')).toMatchTextContent(/Nothing/);
  });

  it('[PERMX-007] says that an address names nobody whom the reader sees, and links no page that the reader may not open', async () => {
    const { history } = await render('?one=role-3&other=account-99', { isPartial: true, permissions: ['manager_settings_roles'] });
    await expect.element(page.getByText(/does not exist or that you do not see/)).toBeVisible();
    await expect.element(page.getByText('You can choose the accounts that share an app with you.')).toBeVisible();
    history.replace('/roles/compare?one=role-3&other=account-8');
    await expect.element(part('Only Pavel')).toBeVisible();
    expect(page.getByRole('link', { name: 'Pavel' }).elements()).toHaveLength(0);
  });
});
