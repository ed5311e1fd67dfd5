import type { Page } from '@playwright/test';
import { viewAsMessages } from '@switchyard/contract/view-as';
import { createJourneyApp } from '../console/app-api.ts';
import { rowOf } from '../console/list-rows.ts';
import { fillSignIn } from '../console/sign-in-form.ts';
import { createJourneyUser, journeyPassword } from './account-api.ts';
import { expect, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';

// Sessions of their own: a session has one view at a time, and a test ends its session.
test.use({ account: 'guest' });

const banner = (page: Page) => page.getByRole('region', { name: 'View as' });
const inMenu = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await fillSignIn(page, email, journeyPassword);
  await expect(page).toHaveURL(/\/apps$/);
}

test('[PERMX-020, PERMX-022, PERMX-025] the console as a role: with its rights, read-only, after a reload too, until Stop', async ({
  page,
  run,
}) => {
  const app = await createJourneyApp(run);
  await signIn(page, (await createJourneyUser(run, { roles: ['Super Admin'] })).email);
  await page.goto('/roles');
  await rowOf(page, 'App Manager').dblclick();
  await page.getByRole('button', { name: 'View as', exact: true }).click();
  await expect(banner(page)).toContainText('Viewing as the role App Manager');
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(inMenu(page, 'Apps')).toBeVisible();
  await expect(inMenu(page, 'Roles')).toHaveCount(0);

  await page.goto(`/apps/${app.id}/edit`);
  await expect(banner(page)).toBeVisible();
  await expect(page.getByLabel('White user agent')).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await expect(page.getByRole('region', { name: 'Save' })).toContainText(viewAsMessages.readOnly);
  await expectAccessible(page);

  await banner(page).getByRole('button', { name: 'Stop' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/roles\/user\/3\/edit/);
  await expect(page.getByRole('button', { name: 'View as', exact: true })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  await expect(inMenu(page, 'Roles')).toBeVisible();
});

test('[PERMX-024, PERMX-025] a view ends with the session of its viewer, and one that the server ended gives way to that session', async ({
  page,
  run,
  context,
}) => {
  const viewed = await createJourneyUser(run);
  await signIn(page, (await createJourneyUser(run, { roles: ['Super Admin'] })).email);
  const view = async (): Promise<void> => {
    await page.goto(`/users/${viewed.id}/edit`);
    await page.getByRole('button', { name: 'View as', exact: true }).click();
    await expect(banner(page)).toContainText(`Viewing as ${viewed.name}`);
  };
  await view();
  await page.getByRole('button', { name: `Account of ${viewed.name}` }).click();
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'My account' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  const own = await context.newPage();
  await own.goto('/apps');
  await expect(own.getByRole('link', { name: 'Roles', exact: true })).toBeVisible();
  await own.evaluate(async () => {
    const { accessToken } = JSON.parse(localStorage.getItem('switchyard_token') ?? '{}');
    await fetch('/api/view-as', {
      method: 'DELETE',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: '{}',
    });
  });
  await inMenu(page, 'Apps').click();
  await expect(page).toHaveURL(new RegExp(`/users/${viewed.id}/edit`));
  await expect(page.getByTestId('notification')).toContainText(`The view as ${viewed.name} has ended`);
  await expect(banner(page)).toHaveCount(0);

  await view();
  await own.getByRole('button', { name: /^Account of / }).click();
  await own.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto('/apps');
  await expect(page).toHaveURL(/\/login$/);
});
