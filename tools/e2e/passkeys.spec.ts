import { fillSignIn } from '../console/sign-in-form.ts';
import { createJourneyUser, journeyPassword } from './account-api.ts';
import { expect, test } from './console-test.ts';

test.use({ account: 'guest' });

test('[IDN-024] a passkey is added, finishes a sign-in with the password, and signs in without it', async ({ page, context, run }) => {
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
  await expect(page).not.toHaveURL(/\/login$/);

  await signOut();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).not.toHaveURL(/\/login$/);
  await page.goto(`${url}/account`);
  await expect(page.getByText(name).first()).toBeVisible();
});
