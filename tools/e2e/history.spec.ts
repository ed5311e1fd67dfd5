import { callApi, createJourneyApp, readJourneyApp, saveElsewhere } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';

test('[HIST-001, HIST-003, HIST-005] an app is changed, its history read, compared and restored', async ({ page, run }) => {
  const app = await createJourneyApp(run, { whiteUserAgent: 'First' });
  await saveElsewhere(run, app.id, { whiteUserAgent: 'Second', response_message: { create: { type: 'json', response: '{"a":1}' } } });
  await page.goto(`/apps/${app.id}/edit`);
  await page.getByRole('link', { name: 'History', exact: true }).click();
  await expect(page).toHaveURL(`/apps/${app.id}/history`);
  await expect(page.getByRole('row')).toHaveCount(3);
  await expectAccessible(page);
  await page
    .getByRole('button', { name: /^Show revision/ })
    .last()
    .click();
  const panel = page.getByRole('complementary', { name: /^Revision of/ });
  await expect(panel.getByLabel('Differences')).toContainText('First');
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Restore…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Restore the revision of/ });
  await expect(dialog.getByRole('list', { name: 'What will change' })).toContainText('Second');
  await expectAccessible(page);
  await dialog.getByRole('checkbox', { name: 'Response to create: response' }).uncheck();
  await dialog.getByRole('button', { name: 'Restore 1 field' }).click();
  await expect(page.getByText(/restored to the revision of/)).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(4);
  await expect(page.getByRole('row').nth(1)).toContainText('Restored');
  expect(await readJourneyApp(run, app.id)).toMatchObject({ white_user_agent: 'First' });
  expect(await callApi(run, 'super', 'GET', `apps/${app.id}`)).toMatchObject({ response_message: { create: { response: '{"a":1}' } } });
});

test('[HIST-011] an app is duplicated', async ({ page, run }) => {
  const app = await createJourneyApp(run, { whiteUserAgent: 'First', privateKeys: { apiSecret: 'hidden' } });
  await page.goto(`/apps/${app.id}/edit`);
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/apps\/create\?copy=/);
  // The form of the former page stays until that of the new app has loaded.
  await expect(page.getByRole('heading', { name: 'Create app' })).toBeVisible();
  await expect(page.getByLabel('White user agent', { exact: true })).toHaveValue('First');
  await page.getByLabel('Name', { exact: true }).fill(`${app.name} two`);
  await page.getByLabel('Bundle', { exact: true }).fill(`${app.bundle}.two`);
  await page.getByLabel('Domain', { exact: true }).fill(`two-${app.domain}`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog', { name: 'Are you sure?' }).getByRole('button', { name: 'OK' }).click();
  await expect(page).toHaveURL(/\/apps\/\d+\/edit/);
  const id = Number(/\/apps\/(\d+)\//.exec(page.url())?.[1]);
  expect(await callApi(run, 'super', 'GET', `apps/${id}`)).toMatchObject({ white_user_agent: 'First', keys: { apiSecret: null } });
});
