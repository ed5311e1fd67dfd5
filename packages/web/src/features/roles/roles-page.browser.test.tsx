import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { stopClock } from '../../testing/clock.ts';
import { ok, refusal, renderRoles, roleOf, trafficReviewer } from './testing/render-roles.tsx';

const rowNames = (): string[] =>
  page
    .getByRole('grid')
    .getByRole('row')
    .elements()
    .slice(1)
    .map((row) => row.querySelector('td [title]')?.textContent ?? '');

describe('roles page', () => {
  it('[ROLE-006, ROLE-007, ROLE-027, ROLE-029, AMB-186, API-037, PERM-058] lists the roles of each panel in a tab of its own with an edit icon', async () => {
    const { history, calls } = await renderRoles({ addresses: ['/roles'] });
    await expect.element(page.getByRole('tab', { name: 'Users roles' })).toHaveAttribute('aria-selected', 'true');
    await expect.poll(rowNames).toEqual(['Super Admin', 'Admin', 'App Manager', 'Log Reviewer', 'Traffic reviewer']);
    const edit = page.getByRole('link', { name: /^Edit / });
    expect(edit.elements().map((link) => link.getAttribute('href'))).toEqual([1, 2, 3, 4, 11].map((id) => `/roles/user/${id}/edit`));
    await page.getByRole('tab', { name: 'Buyers roles' }).click();
    await expect.poll(rowNames).toEqual(['Buyer', 'QA', 'Super Buyer']);
    expect(edit.elements().map((link) => link.getAttribute('href'))).toEqual([5, 6, 7].map((id) => `/roles/buyer/${id}/edit`));
    expect(history.location.search).toBe('?startTabName=Buyers+roles');
    expect(new Set(calls.map(({ path }) => path))).toEqual(new Set(['roles']));
  });

  it('[PERMX-007] leads to the comparison, as does the page of a role', async () => {
    const { history } = await renderRoles({ addresses: ['/roles'] });
    await expect.element(page.getByRole('link', { name: 'Compare' })).toHaveAttribute('href', '/roles/compare');
    history.push('/roles/user/11/edit');
    await expect.element(page.getByRole('link', { name: 'Compare' })).toHaveAttribute('href', '/roles/compare?one=role-11');
  });

  it('shows how many accounts hold a role, its permissions, and when it was changed', async () => {
    await renderRoles({ addresses: ['/roles'] });
    const row = page.getByRole('row', { name: /Traffic reviewer/ });
    await expect.element(row).toMatchTextContent(/App 2.*202\.11\.2026 10:11:12/);
    await expect.element(row.getByText('TR', { exact: true })).toBeVisible();
  });

  it('[ROLE-007] gives roles with the same letters different ones, and shows their permissions', async () => {
    const twin = roleOf({ id: 12, name: 'Top Reader', badge: 'TR', panel: 'user' }, ['manager_app_edit']);
    const answer = ({ path }: { path: string }) => (path === 'roles' ? ok([trafficReviewer, twin]) : null);
    await renderRoles({ addresses: ['/roles'], answer });
    await expect.element(page.getByRole('row', { name: /Traffic reviewer/ }).getByText('TR', { exact: true })).toBeVisible();
    // A tooltip goes by itself after 3 seconds, which a busy machine may spend elsewhere.
    const letters = page.getByRole('row', { name: /Top Reader/ }).getByText('TO', { exact: true });
    stopClock();
    await letters.hover();
    await expect.element(page.getByRole('tooltip')).toMatchTextContent(/^Top ReaderApp: Edit apps$/);
  });

  it('[ROLE-008] the icon opens the edit page of its panel', async () => {
    const { history } = await renderRoles({ addresses: ['/roles?startTabName=Buyers+roles'] });
    await page.getByRole('link', { name: 'Edit QA' }).click();
    await expect.poll(() => history.location.pathname).toBe('/roles/buyer/6/edit');
  });

  it('[ROLE-009] a double-click or Enter on a row opens the edit page', async () => {
    const { history } = await renderRoles({ addresses: ['/roles'] });
    await page.getByText('App Manager', { exact: true }).last().dblClick();
    await expect.poll(() => history.location.pathname).toBe('/roles/user/3/edit');
    // The list is shown until the page has followed its address. The rows below must be those of a newly opened list.
    await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('Edit role: App Manager');
    history.back();
    const row = page.getByRole('row', { name: /Super Admin/ });
    await expect.element(row).toBeVisible();
    await row.click();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    await expect.poll(() => history.location.pathname).toBe('/roles/user/2/edit');
  });

  it.each([
    ['Users roles', 'Create user role', '/roles/create-user'],
    ['Buyers roles', 'Create buyer role', '/roles/create-buyer'],
  ])('[ROLE-010] the create button of %s opens its create page', async (tab, button, path) => {
    const { history } = await renderRoles({ addresses: [`/roles?startTabName=${tab}`] });
    await page.getByRole('link', { name: button }).click();
    await expect.poll(() => history.location.pathname).toBe(path);
  });

  it('[AMB-167] marks the roles that the account may not change, with the reason', async () => {
    await renderRoles({ addresses: ['/roles'], isSuperAdmin: false });
    await expect
      .element(page.getByRole('row', { name: /Super Admin/ }))
      .toMatchTextContent('Read-only: Only a super admin can change this role.');
    expect(page.getByText(/^Read-only/).elements()).toHaveLength(1);
  });

  it('says why there are no rows and offers another try', async () => {
    let isAway = true;
    await renderRoles({ addresses: ['/roles'], answer: () => (isAway ? refusal(503, 'Database is unavailable, try again') : null) });
    await expect.element(page.getByRole('heading', { name: 'The user roles could not be loaded' })).toBeVisible();
    isAway = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(rowNames).toHaveLength(5);
  });

  it('is a list of cards on phones, with the edit icon in view', async () => {
    await page.viewport(390, 800);
    await renderRoles({ addresses: ['/roles'] });
    await expect.element(page.getByRole('list', { name: 'user roles' }).getByRole('link', { name: 'Edit Admin' })).toBeVisible();
    await page.viewport(1280, 800);
  });

  it('[IDN-031] sets who needs a second factor, says how many have none, and warns the reader who is concerned', async () => {
    const { calls } = await renderRoles({ addresses: ['/roles'] });
    await page.getByRole('button', { name: 'Sign-in rules' }).click();
    const [all, reviewers] = [page.getByRole('switch', { name: /^All staff/ }), page.getByRole('switch', { name: /^Traffic reviewer/ })];
    await expect.element(all).toHaveAccessibleDescription('14 accounts have none yet');
    await expect.element(page.getByRole('switch', { name: /^Super Admin/ })).toHaveAccessibleDescription('1 account has none yet');
    await expect.element(page.getByRole('button', { name: 'Save' })).toBeDisabled();
    await page.getByRole('switch', { name: /^QA/ }).click({ force: true });
    const warning = page.getByText(/you have no second factor/);
    await expect.element(warning).not.toBeInTheDocument();
    await reviewers.click({ force: true });
    await expect.element(warning).toBeVisible();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByTestId('notification')).toHaveTextContent('Success: The sign-in rules have been saved');
    expect(calls.filter(({ method }) => method === 'PUT')).toEqual([
      {
        method: 'PUT',
        path: 'sign-in-rules',
        body: { all_staff: false, role_ids: [6, 11], all_staff_from: null, roles_from: [] },
        ifMatch: '"v1"',
      },
    ]);
  });

  it('[IDN-093] names the days from which rules apply, and what they mean for the reader', async () => {
    const { calls } = await renderRoles({ addresses: ['/roles'] });
    await page.getByRole('button', { name: 'Sign-in rules' }).click();
    await page.getByRole('switch', { name: /^All staff/ }).click({ force: true });
    await expect.element(page.getByText(/You are asked to set one up after saving/)).toBeVisible();
    await page.getByLabelText('All staff applies from').fill('2099-12-01');
    await expect.element(page.getByText(/A notice reminds you until the rule applies/)).toBeVisible();
    await page.getByRole('switch', { name: /^QA/ }).click({ force: true });
    await page.getByLabelText('QA applies from').fill('2099-12-24');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByTestId('notification')).toHaveTextContent('Success: The sign-in rules have been saved');
    const body = { all_staff: true, role_ids: [6], all_staff_from: '2099-12-01', roles_from: [{ id: 6, from: '2099-12-24' }] };
    expect(calls.filter(({ method }) => method === 'PUT')).toMatchObject([{ body }]);
  });

  it('[IDN-094] links to the accounts without a second factor, until something is changed', async () => {
    await renderRoles({ addresses: ['/roles'] });
    await page.getByRole('button', { name: 'Sign-in rules' }).click();
    const link = page.getByRole('link', { name: '14 accounts have none yet' });
    await expect.element(link).toHaveAttribute('href', '/users?startTabName=Users&access=granted&secondFactor=none');
    const reviewers = page.getByRole('link', { name: '11 accounts have none yet' });
    await expect
      .element(reviewers)
      .toHaveAttribute('href', '/users?startTabName=Users&access=granted&secondFactor=none&role=Traffic+reviewer');
    await page.getByRole('switch', { name: /^All staff/ }).click({ force: true });
    await expect.element(link).not.toBeInTheDocument();
  });

  it('[SHELL-077] says why the rules could not be saved', async () => {
    await renderRoles({
      addresses: ['/roles'],
      answer: ({ method }) => (method === 'PUT' ? refusal(403, 'You have no permission for this action') : null),
    });
    await page.getByRole('button', { name: 'Sign-in rules' }).click();
    await page.getByRole('switch', { name: /^QA/ }).click({ force: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByRole('alert')).toHaveTextContent('You have no permission for this action');
    await expect.element(page.getByRole('switch', { name: /^QA/ })).toBeChecked();
  });

  it('[IDN-031] shows the rules of others that the reader may not change, and the current ones after a conflict', async () => {
    await renderRoles({
      addresses: ['/roles'],
      isSuperAdmin: false,
      answer: ({ method, path }) => {
        if (path !== 'sign-in-rules' || method !== 'PUT') return null;
        const roles = [{ id: 6, label: 'QA', panel: 'buyer', read_only: false, without_factor: 2 }];
        const staff = { read_only: true, without_factor: null };
        const current = { all_staff: true, all_staff_from: null, role_ids: [], roles_from: [], roles, staff, own_factor: true, version: 9 };
        return refusal(412, 'The entity was changed since it was read', { data: { current } });
      },
    });
    await page.getByRole('button', { name: 'Sign-in rules' }).click();
    await expect.element(page.getByRole('switch', { name: /^All staff/ })).toBeDisabled();
    await expect.element(page.getByRole('switch', { name: /^Super Admin/ })).toBeDisabled();
    await page.getByRole('switch', { name: /^QA/ }).click({ force: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Somebody else changed the rules/);
    await expect.element(page.getByRole('switch', { name: /^All staff/ })).toBeChecked();
    await expect.element(page.getByRole('switch', { name: /^QA/ })).not.toBeChecked();
  });
});
