import { agree } from './agree.ts';
import { callApi } from '../console/app-api.ts';
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
  const invitedPage = await theirs.newPage();
  const askedPaths: string[] = [];
  invitedPage.on('request', (request) => askedPaths.push(`${request.url()} ${request.headers()['referer'] ?? ''}`));
  await invitedPage.goto(link.replace('/invitation#', '/invitation?next=https%3A%2F%2Fevil.example&redirect=%2F%2Fevil.example#'));
  await invitedPage.getByLabel('New password', { exact: true }).fill(journeyPassword);
  await invitedPage.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(invitedPage).toHaveURL(`${run.url}/apps`);
  await expect(invitedPage).toHaveTitle('Apps | Switchyard');
  await expect(invitedPage.getByRole('button', { name: `Account of ${person.name}` })).toBeVisible();
  // The token is in no address that anybody but the browser sees.
  expect(askedPaths.filter((text) => text.split('#')[0]?.includes(link.slice(-43)))).toEqual([]);
  await theirs.close();

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Effective permissions' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Invitation' })).toHaveCount(0);
});

test('[IDN-079, IDN-080] a withdrawn link says so, and inviting again gives one that works', async ({ page, browser, run }) => {
  const { name, email } = ownPerson();
  const creation = await callApi(run, 'super', 'POST', 'users/invite', { name, email, roles: ['Log Reviewer'] });
  const id = typeof creation === 'object' && creation !== null && 'id' in creation ? Number(creation.id) : 0;
  await page.goto(`/users/${id}/edit`);
  const invitation = page.getByRole('region', { name: 'Invitation' });
  const newLink = async (button: string): Promise<string> => {
    await invitation.getByRole('button', { name: button }).click();
    const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    return link;
  };
  const first = await newLink('New link');
  await invitation.getByRole('button', { name: 'Withdraw' }).click();
  expect(await agree(page, 'Withdraw the invitation?')).toEqual([`The link of ${name} stops working. The account stays.`]);
  await expect(invitation).toContainText('There is no link.');
  await expect(invitation.getByRole('button', { name: 'Withdraw' })).toHaveCount(0);

  const theirs = await browser.newContext({ baseURL: run.url });
  const invitedPage = await theirs.newPage();
  await invitedPage.goto(first);
  await expect(invitedPage.getByRole('alert')).toContainText('This invitation is invalid, was used or has expired');
  await expect(invitedPage.getByLabel('New password', { exact: true })).toHaveCount(0);
  await invitedPage.getByRole('link', { name: 'Go to sign-in' }).click();
  await expect(invitedPage).toHaveURL(/\/login$/);
  // Without a mail server there is no other way to a password, and no page pretends that there is.
  await expect(invitedPage.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(invitedPage.getByRole('link', { name: 'Forgot your password?' })).toHaveCount(0);
  await invitedPage.goto('/forgot-password');
  await expect(invitedPage.getByRole('alert')).toHaveText('Passwords cannot be reset by e-mail here. Contact your administrator');

  await invitedPage.goto(await newLink('Invite again'));
  await invitedPage.getByLabel('New password', { exact: true }).fill(journeyPassword);
  await invitedPage.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(invitedPage.getByRole('button', { name: `Account of ${name}` })).toBeVisible();
  await theirs.close();
});
