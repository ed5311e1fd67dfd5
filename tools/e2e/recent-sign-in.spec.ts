import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { fillSignIn } from '../console/sign-in-form.ts';
import { createJourneyUser, journeyPassword } from './account-api.ts';
import { ageSignIn } from './age-sign-in.ts';
import { callApi } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';

test.use({ account: 'guest' });

const confirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });

/** Gives the password in the dialog. */
async function confirm(page: Page): Promise<void> {
  await confirmation(page).getByLabel('Your password', { exact: true }).fill(journeyPassword);
  await confirmation(page).getByRole('button', { name: 'Confirm', exact: true }).click();
}

test('[IDN-013, IDN-105, IDN-107] an hour after the sign-in, a new url of a server and a download of the activity ask who it is, then go on', async ({
  page,
  run,
}) => {
  const name = `edge-${randomUUID()}`;
  await callApi(run, 'super', 'POST', 'servers', { name, url: 'https://edge.example' });
  const { email } = await createJourneyUser(run, { roles: ['Super Admin'] });
  await page.addInitScript("Object.defineProperty(window, 'showSaveFilePicker', { value: undefined })");
  await page.goto('/login');
  await fillSignIn(page, email, journeyPassword);
  await expect(page).not.toHaveURL(/\/login$/);

  await ageSignIn(run, email);
  await page.goto('/servers');
  await page.getByRole('link', { name: `Edit ${name}`, exact: true }).click();
  const url = page.getByLabel('Url', { exact: true });
  const region = page.getByLabel('Region', { exact: true });
  await url.fill('https://other.example');
  await region.fill('eu-west');
  const save = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog', { name: 'Are you sure?' }).getByRole('button', { name: 'OK' }).click();
  };
  const listWritten = async () => {
    const servers = await callApi(run, 'super', 'GET', `servers?search=${name}&limit=200`);
    return Array.isArray(servers) ? servers.filter((server) => server.name === name) : [];
  };
  await save();
  await expect(confirmation(page)).toContainText('Your input is kept');
  expect(await listWritten()).toMatchObject([{ url: 'https://edge.example' }]);
  await confirmation(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(confirmation(page)).toHaveCount(0);
  await expect(url).toHaveValue('https://other.example');
  await expect(region).toHaveValue('eu-west');
  await save();
  await confirm(page);
  await expect(page.getByText(`Server "${name}" saved`)).toBeVisible();
  expect(await listWritten()).toMatchObject([{ url: 'https://other.example', region: 'eu-west' }]);

  await ageSignIn(run, email);
  await page.goto('/activity');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(confirmation(page)).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent('download'), confirm(page)]);
  expect(await readFile(await file.path(), 'utf8')).toContain(name);
  await expect(confirmation(page)).toHaveCount(0);
});
