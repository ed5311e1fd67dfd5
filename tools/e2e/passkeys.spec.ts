import { Secret, TOTP } from 'otpauth';
import { fillSignIn } from '../console/sign-in-form.ts';
import { createJourneyUser, journeyPassword } from './account-api.ts';
import { agree } from './agree.ts';
import { expect, test } from './console-test.ts';

test.use({ account: 'guest' });

test('[IDN-011, IDN-024, SHELL-067] a passkey is added, signs in with and without the password, and factors are renamed and removed down to none', async ({
  page,
  context,
  run,
}) => {
  // Browsers know passkeys of names, not of addresses.
  const url = run.url.replace('127.0.0.1', 'localhost');
  const devTools = await context.newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  await devTools.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, automaticPresenceSimulation: true } });
  const { email, name } = await createJourneyUser(run);
  const signOut = async (): Promise<void> => {
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${url}/login`);
  };

  await page.goto(`${url}/login`);
  await fillSignIn(page, email, journeyPassword);
  await expect(page).not.toHaveURL(/\/login$/);
  await page.goto(`${url}/account`);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await page.getByLabel('I have stored the codes').click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('list', { name: 'My second factors' })).toContainText('Laptop');

  await signOut();
  await fillSignIn(page, email, journeyPassword);
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible();
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await expect(page).toHaveTitle('Apps | Switchyard');

  await signOut();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveTitle('Apps | Switchyard');
  await page.goto(`${url}/account`);
  await expect(page.getByText(name).first()).toBeVisible();

  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  const key = (await page.getByTestId('totp-secret').textContent()) ?? '';
  await page.getByLabel('Code', { exact: true }).fill(TOTP.generate({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }));
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const factors = page.getByRole('list', { name: 'My second factors' }).getByRole('listitem');
  await expect(factors).toHaveCount(2);
  await page.getByRole('button', { name: 'Rename Laptop' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Desk');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('notification').filter({ hasText: 'Second factor "Desk" saved' })).toBeVisible();

  await page.getByRole('button', { name: 'Remove Authenticator app' }).click();
  expect(await agree(page, 'Remove Authenticator app?')).toEqual(['You can no longer sign in with it.']);
  await expect(factors).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove Desk' }).click();
  expect(await agree(page, 'Remove Desk?')).toEqual([
    'It is your only second factor. From then on your password alone signs you in, and your recovery codes stop working.',
  ]);
  await expect(factors).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'New recovery codes' })).toHaveCount(0);
  await signOut();
  await fillSignIn(page, email, journeyPassword);
  await expect(page).not.toHaveURL(/\/login$/);
});
