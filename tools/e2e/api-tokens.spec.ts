import { createJourneyUser, journeyPassword } from './account-api.ts';
import { expect, test } from './console-test.ts';
import { fillSignIn } from '../console/sign-in-form.ts';

test.use({ account: 'guest' });

test('[IDN-048, IDN-053, IDN-063] a token made in My account makes the calls it may, until it is revoked there', async ({
  page,
  run,
  request,
}) => {
  const { email } = await createJourneyUser(run, { roles: ['Admin'] });
  await page.goto('/login');
  await fillSignIn(page, email, journeyPassword);
  await expect(page).not.toHaveURL(/\/login$/);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Create API token' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Deployment');
  await page.getByRole('checkbox', { name: /^manager_app_view_all/ }).check();
  await page
    .getByRole('checkbox', { name: /^manager_app_edit\b/ })
    .first()
    .check();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const headers = { authorization: `Bearer ${(await page.getByTestId('token-secret').textContent()) ?? ''}` };
  await page.getByLabel('I have stored the token').check();
  await page.getByRole('button', { name: 'Done' }).click();

  const statusOf = async (path: string): Promise<number> => (await request.get(`${run.url}/api/${path}`, { headers })).status();
  expect([await statusOf('apps'), await statusOf('users'), await statusOf('sanctum/sessions')]).toEqual([200, 403, 403]);
  await page.reload();
  const token = page.getByRole('list', { name: 'My API tokens' }).getByRole('listitem');
  await expect(token).toContainText('Deployment');
  await token.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
  await expect(page.getByText('You have no API tokens yet.')).toBeVisible();
  expect(await statusOf('apps')).toBe(401);
});
