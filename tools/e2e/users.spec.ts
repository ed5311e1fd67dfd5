import type { Page } from '@playwright/test';
import { createJourneyUser, ownPerson, readAccount } from './account-api.ts';
import { accounts } from '../console/accounts.ts';
import { agree } from './agree.ts';
import { callApi, createJourneyApp } from '../console/app-api.ts';
import { expect, test, widths } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { columnTexts, headers, listRows, rowOf } from '../console/list-rows.ts';

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const role = (page: Page, label: string) => page.getByRole('checkbox', { name: label, exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

test('[USER-001, USER-004, USER-006, USER-007, USER-008, USER-009, USER-010, USER-011, USER-012, USER-013, PERM-040, SHELL-030] the users page lists accounts and leads to their pages', async ({
  page,
  run,
}) => {
  const deniedUser = await createJourneyUser(run, { has_access: false });
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).click();
  await expect(page).toHaveURL(/\/users(\?startTabName=Users)?$/);
  await expect(page.getByRole('tab')).toHaveText(['Users', 'Buyers']);
  await expect(rowOf(page, 'super.demo@')).toBeVisible();
  await expect.poll(() => headers(page)).toEqual(['Name', 'Email', 'Roles', 'Status', 'Second factor', 'Edit']);
  await expect.poll(() => columnTexts(page, 'Email')).toContain(deniedUser.email);
  await expect(rowOf(page, 'reviewer.demo@')).toContainText('Log Reviewer');
  await expect(rowOf(page, 'reviewer.demo@').getByTitle('Access granted')).toBeVisible();
  await expect(rowOf(page, deniedUser.email).getByTitle('Access denied')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create user' })).toHaveAttribute('href', '/users/add');
  await rowOf(page, deniedUser.email).getByText(deniedUser.email).dblclick();
  await expect(page).toHaveURL(new RegExp(`/users/${deniedUser.id}/edit`));
  await expect(page).toHaveTitle('Edit user | Switchyard');
});

test('[USER-002, USER-014, USER-017, USER-022, USER-034, PERM-038] a user is created with a drawn password and can sign in with it', async ({
  page,
  run,
}) => {
  const person = ownPerson();
  await page.goto('/users/add');
  const create = page.getByRole('button', { name: 'Create', exact: true });
  const bar = page.getByRole('region', { name: 'Save' });
  await expect(bar).toContainText('Still needed: Name, Email, Password, at least one role');
  await field(page, 'Name').fill(person.name);
  await field(page, 'Email').fill(person.email);
  await page.getByRole('button', { name: 'Generate password' }).click();
  const password = await field(page, 'Password').inputValue();
  expect(password).toHaveLength(20);
  await expect(bar).toContainText('Still needed: at least one role');
  await expect(create).toBeDisabled();
  await role(page, 'Admin').check();
  await create.click();
  await expect(page).toHaveURL(/\/users\/\d+\/edit/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Edit user: ${person.name}`);
  const answer = await fetch(`${run.url}/api/sanctum/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: person.email, password }),
  });
  expect(answer.status).toBe(200);
  // The page shows the session that this sign-in began.
  await page.reload();
  await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1);
  await expect(page.getByText(/Last activity: \d/)).toBeVisible();
});

test('[USER-003, USER-039, USER-041, USER-043, USER-047, PERM-037] settings are saved after a prompt, and shown as saved', async ({
  page,
  run,
}) => {
  const user = await createJourneyUser(run);
  await page.goto(`/users/${user.id}/edit`);
  await expect(page.getByRole('tab')).toHaveText(['Settings', 'Apps']);
  await expect(save(page)).toBeDisabled();
  await role(page, 'App Manager').check();
  await page.getByRole('checkbox', { name: 'Has Access' }).uncheck();
  await save(page).click();
  expect(await agree(page, 'Are you sure')).toEqual(['you want to change user data?']);
  await expect(page.getByText(`User "${user.name}" saved`)).toBeVisible();
  await expect(save(page)).toBeDisabled();
  await expect.poll(() => readAccount(run, `users/${user.id}`)).toMatchObject({ hasAccess: false, roles: ['App Manager', 'Log Reviewer'] });
  // The sum of the roles follows the save.
  await page.getByText(/^App\s*\d+$/).click();
  await expect(page.getByText('from App Manager', { exact: true }).first()).toBeVisible();
});

test('[USER-042] an account that is not there goes back one step, to the list when there is none', async ({ page, run }) => {
  const user = await createJourneyUser(run);
  await page.goto(`/users?search=${user.email}`);
  const link = page.getByRole('link', { name: user.name, exact: true });
  await expect(link).toBeVisible();
  await callApi(run, 'super', 'DELETE', `users/${user.id}`);
  await link.click();
  await expect(page.getByText('There is no such user')).toBeVisible();
  await expect(page).toHaveURL(/\/users\?search=/);
  await page.goto('/users/999999/edit');
  await expect(page).toHaveURL(/\/users\?startTabName=Users$/);
});

test('[USER-051, USER-052, USER-053, USER-054, USER-055, USER-056, USER-057, O3] apps are kept here until they are saved as a whole; none means all, after a warning', async ({
  page,
  run,
}) => {
  const [one, two] = [await createJourneyApp(run), await createJourneyApp(run)];
  const user = await createJourneyUser(run);
  await page.goto(`/users/${user.id}/edit?startTabName=Apps`);
  await expect(page.getByText('The user has access to all apps')).toBeVisible();
  for (const app of [one, two]) {
    await page.getByRole('combobox', { name: 'select app' }).click();
    await page.getByRole('combobox', { name: 'Find in select app' }).fill(app.bundle);
    await page.getByRole('option', { name: app.name }).click();
  }
  const rows = page.getByRole('table', { name: 'Apps' }).locator('tbody tr');
  await expect(rows).toHaveCount(2);
  expect((await readAccount(run, `users/${user.id}`)).hasAllApps).toBe(true);
  const saveChanges = page.getByRole('button', { name: 'Save changes' });
  await saveChanges.click();
  expect(await agree(page, 'Are you sure')).toEqual(['Do you want to save changes?']);
  await expect(saveChanges).toBeDisabled();
  await expect.poll(() => readAccount(run, `users/${user.id}`)).toMatchObject({ hasAllApps: false, appIds: [one.id, two.id] });
  await expectAccessible(page);
  await page.getByRole('button', { name: `Remove ${one.name}` }).click();
  await page.getByRole('button', { name: `Remove ${two.name}` }).click();
  await saveChanges.click();
  expect(await agree(page, 'Are you sure')).toEqual([
    'Do you want to save changes?',
    `Attention: ${user.name} will have access to all apps, new ones included.`,
  ]);
  await expect(page.getByText('The user has access to all apps')).toBeVisible();
  expect((await readAccount(run, `users/${user.id}`)).hasAllApps).toBe(true);
});

test('[USER-005, USER-058, AMB-170, AMB-188] access is switched and accounts are deleted in the list, but not the own one', async ({
  page,
  run,
}) => {
  const user = await createJourneyUser(run);
  await page.goto(`/users?search=${user.email}`);
  await page.getByLabel(`Access of ${user.name}`).click({ force: true });
  await expect(page.getByRole('dialog')).toContainText(`Deny access to "${user.name}"? All sessions of the account end at once.`);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel(`Access of ${user.name}`)).toBeChecked();
  await page.getByLabel(`Access of ${user.name}`).click({ force: true });
  await page.getByRole('button', { name: 'OK' }).click();
  await expect(page.getByText(`Access of "${user.name}" denied`)).toBeVisible();
  await expect(rowOf(page, user.email).getByTitle('Access denied')).toBeVisible();
  expect((await readAccount(run, `users/${user.id}`)).hasAccess).toBe(false);
  await page.getByRole('button', { name: `Delete ${user.name}` }).click();
  expect(await agree(page, 'Are you sure?')).toEqual(['All data will be DELETED!', `User "${user.name}"`]);
  await expect(page.getByText('Nothing found')).toBeVisible();
  await expect(readAccount(run, `users/${user.id}`)).rejects.toThrow('404');
  await page.goto('/users?search=super.demo');
  await expect(page.getByRole('button', { name: 'Delete Olga Petrova' })).toBeDisabled();
  await expect(page.getByLabel('Access of Olga Petrova')).toBeDisabled();
});

test.describe('manager', () => {
  test.use({ account: 'manager' });

  test('[USER-011, USER-020, AMB-166, AMB-169, PERM-025, PERM-034] who may only create buyers sees no edit column, no way to create users, and offers no role', async ({
    page,
  }) => {
    await page.goto('/users');
    await expect(listRows(page).first()).toBeVisible();
    await expect.poll(() => headers(page)).toEqual(['Name', 'Email', 'Roles', 'Status']);
    await expect(page.getByRole('link', { name: /^Create/ })).toHaveCount(0);
    await rowOf(page, 'super.demo@').dblclick();
    await expect(page).toHaveURL(/\/users\?/);
    await page.goto('/users/add');
    await expect(page.getByText(/you can assign only the role Buyer/)).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Admin' })).toHaveCount(0);
  });
});

test('[PERM-053, AMB-167] an admin can neither change a super admin nor make one', async ({ page, run }) => {
  const admin = await createJourneyUser(run, { roles: ['Admin'], password: 'Journey-Admin-1' });
  const answer = await fetch(`${run.url}/api/sanctum/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: admin.email, password: 'Journey-Admin-1' }),
  });
  const { data }: { data: { user: object; token: object } } = JSON.parse(await answer.text());
  await page.addInitScript((session) => {
    localStorage.setItem('switchyard_token', JSON.stringify(session.token));
    localStorage.setItem('switchyard_user', JSON.stringify(session.user));
  }, data);
  const target = await createJourneyUser(run, { roles: ['Super Admin'] });
  await page.goto(`/users/${target.id}/edit`);
  await expect(page.getByRole('region', { name: 'Save' })).toContainText('Only a super admin can change a super admin');
  await expect(field(page, 'Name')).not.toBeEditable();
  await page.goto('/users/add');
  await expect(role(page, 'Super Admin')).toBeDisabled();
  await expect(role(page, 'Admin')).toBeEnabled();
  for (const [{ name, email }, isAllowed] of [
    [target, false],
    [accounts.reviewer, true],
  ] as const) {
    await page.goto(`/users?search=${email}`);
    await expect(page.getByLabel(`Access of ${name}`)).toBeEnabled({ enabled: isAllowed });
  }
  // Deletes the other super admin, because tests of the last one follow.
  await callApi(run, 'super', 'DELETE', `users/${target.id}`);
});

test('the pages of users work with the keyboard alone', async ({ page, run }) => {
  const user = await createJourneyUser(run);
  await page.goto(`/users?search=${user.email}`);
  await rowOf(page, user.email).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/users/${user.id}/edit`));
  await field(page, 'Name').focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' II');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Are you sure', exact: true }).getByRole('button', { name: 'OK' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText(`User "${user.name} II" saved`)).toBeVisible();
});

for (const width of widths(1440)) {
  test.describe(`${width} px`, () => {
    // So high that the bar with Save lies over no role, however many other tests have created.
    test.use({ viewport: { width, height: 2400 } });

    test('the pages of users are accessible', async ({ page, run }) => {
      const user = await createJourneyUser(run);
      await page.goto('/users');
      await expect(page.getByText('super.demo@switchyard.local')).toBeVisible();
      await expectAccessible(page);
      await page.goto('/users/add');
      await expect(role(page, 'Admin')).toBeVisible();
      await field(page, 'Name').fill('ab');
      await page.getByRole('button', { name: 'Generate password' }).click();
      await expectAccessible(page);
      await page.goto(`/users/${user.id}/edit`);
      await page.getByText(/^App\s*\d+$/).click();
      await expect(page.getByText('from Log Reviewer').first()).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('tab', { name: 'Apps' }).click();
      await expect(page.getByText('The user has access to all apps')).toBeVisible();
      await expectAccessible(page);
    });
  });
}
