import { Secret, TOTP } from 'otpauth';
import { fillSignIn } from '../console/sign-in-form.ts';
import { createJourneyUser, journeyPassword } from './account-api.ts';
import { callApi } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';

test.use({ account: 'guest' });

function idOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined;
}

test('[IDN-031, IDN-032, SHELL-067] a role demands a second factor, which its holder sets up after the sign-in and then signs in with', async ({
  page,
  run,
}) => {
  const role = `Careful ${Date.now()}`;
  const createdRole = await callApi(run, 'super', 'POST', 'roles', { name: role, permission_ids: [1, 3], panel: 'manager' });
  const { email } = await createJourneyUser(run, { roles: [role] });
  await callApi(run, 'super', 'PUT', 'sign-in-rules', { all_staff: false, role_ids: [idOf(createdRole)] });

  await page.goto('/login');
  await fillSignIn(page, email, journeyPassword);
  const dialog = page.getByRole('dialog', { name: 'Set up a second factor' });
  await dialog.getByRole('button', { name: 'Add authenticator app' }).click();
  const key = (await page.getByTestId('totp-secret').textContent()) ?? '';
  const code = (steps = 0): string =>
    TOTP.generate({ secret: Secret.fromBase32(key.replaceAll(' ', '')), timestamp: Date.now() + steps * 30_000 });
  await page.getByLabel('Code', { exact: true }).fill(code());
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('I have stored the codes').click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page).toHaveURL(/\/apps$/);
  await expect(page).toHaveTitle('Apps | Switchyard');
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: /^Account of / }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await fillSignIn(page, email, journeyPassword);
  // The code of this step was used; the server accepts that of the next one too.
  await page.getByLabel('Code', { exact: true }).fill(code(1));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveTitle('Apps | Switchyard');
});
