import { ownPerson, journeyPassword } from './account-api.ts';
import { expect, test } from './console-test.ts';

test('[IDN-065, IDN-078, IDN-080] an administrator invites; the invited person sets a password with the link and is in', async ({
  page,
  browser,
  run,
}) => {
  const person = ownPerson();
  await page.goto('/users/add');
  await page.getByLabel('Name', { exact: true }).fill(person.name);
  await page.getByLabel('Email', { exact: true }).fill(person.email);
  await page.getByRole('checkbox', { name: 'App Manager', exact: true }).check();
  await page.getByRole('button', { name: 'Invite by link instead' }).click();
  await page.getByRole('button', { name: 'Create and invite' }).click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(link.startsWith(`${run.url}/invitation#`)).toBe(true);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'New link' })).toBeVisible();

  const theirs = await browser.newContext({ baseURL: run.url });
  const invited = await theirs.newPage();
  const asked: string[] = [];
  invited.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`));
  await invited.goto(link.replace('/invitation#', '/invitation?next=https%3A%2F%2Fevil.example&redirect=%2F%2Fevil.example#'));
  await invited.getByLabel('New password', { exact: true }).fill(journeyPassword);
  await invited.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(invited).toHaveURL(`${run.url}/apps`);
  await expect(invited.getByRole('button', { name: `Account of ${person.name}` })).toBeVisible();
  // The token is in no address that anybody but the browser sees.
  expect(asked.filter((text) => text.split('#')[0]?.includes(link.slice(-43)))).toEqual([]);
  await theirs.close();

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Effective permissions' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Invitation' })).toHaveCount(0);
});
