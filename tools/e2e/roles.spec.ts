import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { callApi } from '../console/app-api.ts';
import { expect, test, widths } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { listRows, rowOf } from '../console/list-rows.ts';

/** A name that no other test uses. */
const ownName = (): string => `Role ${randomUUID().slice(0, 8)}`;
const title = (page: Page) => page.getByLabel('Title', { exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const box = (page: Page, label: string) => page.getByRole('checkbox', { name: label, exact: true });

/** Makes a role past the page and gives its id. */
async function createRole(run: Parameters<typeof callApi>[0], body: object): Promise<number> {
  const createdRole = await callApi(run, 'super', 'POST', 'roles', body);
  if (typeof createdRole !== 'object' || createdRole === null || !('id' in createdRole) || typeof createdRole.id !== 'number')
    throw new Error('No role was made');
  return createdRole.id;
}

test('[ROLE-006] [ROLE-010] [ROLE-012] [ROLE-018] [ROLE-019] [ROLE-023] [ROLE-024] a staff role from nothing to the list, and edited', async ({
  page,
}) => {
  const name = ownName();
  await page.goto('/apps');
  await page.getByRole('link', { name: 'Roles', exact: true }).click();
  await expect(page).toHaveTitle(/^Roles \| /);
  await page.getByRole('link', { name: 'Create user role' }).click();
  await expect(page).toHaveURL(/\/roles\/create-user$/);
  await expect(page).toHaveTitle(/^Create user role \| /);
  const create = page.getByRole('button', { name: 'Create', exact: true });
  const bar = page.getByRole('region', { name: 'Save' });
  await expect(bar).toContainText('Still needed: Title, at least one permission');
  await title(page).fill(name);
  await expect(bar).toContainText('Still needed: at least one permission');
  await expect(create).toBeDisabled();
  await page.getByRole('checkbox', { name: 'All of Dev' }).check();
  await create.click();
  await expect(page.getByText(`Role "${name}" created`)).toBeVisible();
  await expect(page).toHaveURL(/\/roles\/user\/\d+\/edit$/);
  // Until the role's own page is there, the form that made it stays.
  await expect(save(page)).toBeVisible();
  await expect(page.getByRole('group', { name: 'Dev' })).toContainText('3 of 3');

  await box(page, 'manager_dev_docs').uncheck();
  await title(page).fill(`${name} renamed`);
  await save(page).click();
  await expect(page).toHaveURL(/\/roles\?startTabName=Users/);
  await expect(page.getByText(`Role "${name} renamed" saved`)).toBeVisible();
  await expect(rowOf(page, `${name} renamed`)).toContainText('Dev 2');
});

test('[ROLE-002] [ROLE-007] [ROLE-008] [ROLE-009] [ROLE-025] [ROLE-028] a buyer role is in the tab of buyers and is offered only to buyers', async ({
  page,
  run,
}) => {
  const name = ownName();
  await page.goto('/roles?startTabName=Buyers+roles');
  await page.getByRole('link', { name: 'Create buyer role' }).click();
  await expect(page).toHaveURL(/\/roles\/create-buyer$/);
  await title(page).fill(name);
  await box(page, 'buyer_push_view').check();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/roles\/buyer\/\d+\/edit$/);
  await expect(save(page)).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/startTabName=Buyers/);
  await rowOf(page, name).dblclick();
  await expect(page).toHaveURL(/\/roles\/buyer\/\d+\/edit$/);
  await expect(box(page, 'buyer_push_view')).toBeChecked();
  const forBuyers = JSON.stringify(await callApi(run, 'super', 'GET', 'roles/buyers/list'));
  const forStaff = JSON.stringify(await callApi(run, 'super', 'GET', 'roles/users/list'));
  expect([forBuyers.includes(name), forStaff.includes(name)]).toEqual([true, false]);
});

test('[ROLE-017] [ERR-028] [AMB-038] a role that is not there: back one page, or to the list', async ({ page }) => {
  await page.goto('/roles/user/999999/edit');
  await expect(page).toHaveURL(/\/roles\?startTabName=Users/);
  await expect(page.getByTestId('notification')).toContainText('There is no such role');
  await expect(listRows(page).first()).toBeVisible();
});

test('[PERM-030] the keyboard alone opens a role, chooses a permission and saves', async ({ page, run }) => {
  const name = ownName();
  const id = await createRole(run, { name, permission_ids: [3], panel: 'manager' });
  await page.goto('/roles');
  await rowOf(page, name).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/roles/user/${id}/edit$`));
  await box(page, 'manager_app_requests').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, name)).toContainText('App 2');
});

test.describe('without the permission', () => {
  test.use({ account: 'manager' });

  test('[ROLE-001] [ROLE-011] [PERM-031] the list leads to the apps, the pages below it to the login page', async ({ page }) => {
    await page.goto('/roles');
    await expect(page).toHaveURL(/\/apps$/);
    await expect(page.getByRole('link', { name: 'Roles', exact: true })).toHaveCount(0);
    for (const path of ['create-user', 'create-buyer', 'user/3/edit', 'buyer/5/edit']) {
      await page.goto(`/roles/${path}`);
      await expect(page).toHaveURL(/\/login$/);
    }
  });
});

for (const width of widths(1440)) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('[ROLE-013] [ROLE-014] [PERMX-008] list and form are accessible and fit their window', async ({ page }) => {
      await page.goto('/roles');
      await expect(page.getByText('Log Reviewer', { exact: true }).first()).toBeVisible();
      await expectAccessible(page);
      await page.goto('/roles/user/3/edit');
      await expect(title(page)).toHaveValue('App Manager');
      await box(page, 'manager_dev_logs').check();
      await expect(page.getByRole('region', { name: 'Save' })).toContainText(/Gain: \d+ account/);
      await expectAccessible(page);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.getByRole('button', { name: 'Show who' }).press('Enter');
      await expect(page.getByRole('dialog').getByRole('listitem')).toContainText('Gained by');
      await expectAccessible(page);
    });

    test('[PERMX-007] a comparison is accessible and fits its window', async ({ page }) => {
      await page.goto('/roles/compare?one=role-3&other=role-4');
      await expect(page.getByRole('region', { name: 'Only App Manager' })).toContainText('Create apps');
      await expectAccessible(page);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });
  });
}
