import type { Page } from '@playwright/test';
import { callApi } from '../console/app-api.ts';
import { fillSignIn } from '../console/sign-in-form.ts';
import { createJourneyUser, journeyPassword } from './account-api.ts';
import { ageSignIn } from './age-sign-in.ts';
import { expect, test } from './console-test.ts';

test.use({ account: 'guest' });

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await fillSignIn(page, email, journeyPassword);
  await expect(page).toHaveURL(/\/apps$/);
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login$/);
}

test('[IDN-140] nothing that an account left open acts for the next one that signs in on its page', async ({ page, run, context }) => {
  const [owner, next, person] = await Promise.all(
    ['Super Admin', 'Super Admin', 'App Manager'].map((role) => createJourneyUser(run, { roles: [role] })),
  );
  if (owner === undefined || next === undefined || person === undefined) throw new Error('An account is missing.');
  const ip = '198.51.100.140';
  await callApi(run, 'super', 'POST', 'black-list', { ips: [ip] });
  await signIn(page, owner.email);
  await page.goto(`/black-ip?search=${ip}`);
  await page.getByRole('button', { name: `Delete ${ip}`, exact: true }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();

  // The prompt stays open while its action waits for the confirmation.
  await ageSignIn(run, owner.email);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill(person.name);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Delete ${person.name}` }).click();
  await page.getByRole('dialog', { name: 'Are you sure' }).getByRole('button', { name: 'OK' }).click();
  await expect(page.getByRole('dialog', { name: 'Confirm that it is you' })).toBeVisible();
  const other = await context.newPage();
  await other.goto('/');
  await signOut(other);

  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByTestId('notification')).toHaveCount(0);
  await fillSignIn(page, next.email, journeyPassword);
  await expect(page.getByRole('button', { name: `Account of ${next.name}` })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByTestId('notification')).toHaveCount(0);
});

test('[SHELL-070] a prompt closes when Back leaves its page', async ({ page, run }) => {
  const { email } = await createJourneyUser(run, { roles: ['Super Admin'] });
  await signIn(page, email);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page
    .getByRole('button', { name: /^Delete / })
    .first()
    .click();
  await expect(page.getByRole('dialog', { name: 'Are you sure' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/apps$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
