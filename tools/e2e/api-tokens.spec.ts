import { createJourneyUser, journeyPassword } from './account-api.ts';
import { agree } from './agree.ts';
import { callApi } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';
import { accounts } from '../console/accounts.ts';
import { rowOf } from '../console/list-rows.ts';
import { expectAccessible } from './expect-accessible.ts';
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

test.describe('service accounts', () => {
  test.use({ account: 'super' });

  test('[IDN-086] a service account whose owner lost access is taken over, and its token works again', async ({ page, run, request }) => {
    const { id, email } = await createJourneyUser(run, { roles: ['Admin'] });
    const signedIn = await request.post(`${run.url}/api/sanctum/login`, { data: { email, password: journeyPassword } });
    const authorization = `Bearer ${(await signedIn.json()).data.token.accessToken}`;
    const name = `Backup ${id}`;
    const creation = await request.post(`${run.url}/api/service-accounts`, {
      headers: { authorization },
      data: { name, permission_ids: [3], has_all_apps: true, app_ids: [], networks: [], expires_in_days: 30 },
    });
    const headers = { authorization: `Bearer ${(await creation.json()).data.secret}` };
    const statusOf = async (): Promise<number> => (await request.get(`${run.url}/api/apps`, { headers })).status();
    expect(await statusOf()).toBe(200);
    await callApi(run, 'super', 'PUT', `users/${id}/switch-access`, { hasAccess: false });
    expect(await statusOf()).toBe(401);

    await page.goto('/service-accounts');
    await expect(rowOf(page, name)).toContainText('Stopped');
    await page.getByRole('button', { name: `Edit ${name}` }).click();
    await page.getByRole('dialog', { name, exact: true }).getByRole('button', { name: 'Take over' }).click();
    await agree(page, `Take over ${name}?`);
    await expect(rowOf(page, name)).toContainText('Works');
    await expect(rowOf(page, name)).toContainText(accounts.super.name);
    expect(await statusOf()).toBe(200);
  });
});

test.describe('administrator', () => {
  test.use({ account: 'super' });

  test('[IDN-111, IDN-114] finds a token that was never used, and revokes it on the page of its account', async ({
    page,
    run,
    request,
  }) => {
    const { email, name, id } = await createJourneyUser(run, { roles: ['Admin'] });
    const signIn = await request.post('/api/sanctum/login', { data: { email, password: journeyPassword } });
    const session = { authorization: `Bearer ${(await signIn.json()).data.token.accessToken}` };
    const body = { name: 'Forgotten script', permission_ids: [1], has_all_apps: true, expires_in_days: 30 };
    const { data } = await (await request.post('/api/sanctum/tokens', { headers: session, data: body })).json();
    const headers = { authorization: `Bearer ${data.secret}` };

    await page.goto('/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API tokens' }).click();
    await page.getByLabel('Search', { exact: true }).fill(email);
    await page.getByLabel('Last use', { exact: true }).click();
    await page.getByRole('option', { name: 'Never used' }).click();
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect(page).toHaveURL(/use=never/);
    await expect(page.getByRole('button', { name: /^Revoke/ })).toHaveCount(1);
    await expectAccessible(page);
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/users/${id}/edit`));
    const token = page.getByRole('list', { name: 'API tokens' }).getByRole('listitem');
    await expect(token).toContainText('never used');
    await token.getByRole('button', { name: 'Revoke Forgotten script' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await expect(page.getByText('The account has no API tokens.')).toBeVisible();
    expect((await request.get('/api/apps', { headers })).status()).toBe(401);
    await page.goBack();
    await expect(page.getByText('No API tokens match these filters.')).toBeVisible();
  });
});
