import type { Page } from '@playwright/test';
import { fillSignIn } from '../console/sign-in-form.ts';
import { createJourneyUser, journeyPassword } from './account-api.ts';
import { expect, test } from './console-test.ts';

test.use({ account: 'guest' });

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await fillSignIn(page, email, journeyPassword);
  await expect(page).toHaveURL(/\/apps$/);
}

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
