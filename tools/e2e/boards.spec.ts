import { createJourneyUser, signInAs } from './account-api.ts';
import { asSession } from './as-session.ts';
import { expect, test } from './console-test.ts';
import { appWith } from './event-tab.ts';
import { expectAccessible } from './expect-accessible.ts';

test('[DASH-107, DASH-111, DASH-112] a board by name is shared, shows each reader their own apps, and is arranged by each', async ({
  page,
  run,
  browser,
}) => {
  const date = new Date(Date.now() - 60_000).toISOString();
  const events = (count: number) => Array.from({ length: count }, () => ({ type: 'create', date }));
  const [one, other] = [await appWith(run, events(2)), await appWith(run, events(3))];
  const owner = await createJourneyUser(run, { roles: ['Super Admin'], appIds: [one.id, other.id] });
  const reader = await createJourneyUser(run, { roles: ['Super Admin'], appIds: [other.id] });
  const name = `Launch ${one.id}`;
  await asSession(page, await signInAs(run, owner));
  await page.goto('/');
  await page.getByRole('button', { name: 'Board: Home' }).click();
  await page.getByRole('menuitem', { name: 'New board…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New board' });
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByRole('combobox', { name: 'Share with people' }).click();
  await page.getByRole('option', { name: reader.name }).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Create board' }).click();
  await expect(page).toHaveURL(/\?board=\d+/);
  const address = page.url();

  await page.goto('/reports?groupBy=type&measure=requests');
  await page.getByRole('button', { name: 'Pin to Home' }).click();
  const pin = page.getByRole('dialog', { name: 'Pin to Home' });
  await pin.getByText('Figure', { exact: true }).click();
  await pin.getByRole('combobox', { name: 'Board' }).click();
  await page.getByRole('option', { name }).click();
  await pin.getByRole('button', { name: 'Pin', exact: true }).click();
  await page.goto(address);
  const tiles = page.getByRole('region', { name: 'Board' }).getByRole('listitem');
  await expect(tiles.getByRole('definition').first()).toHaveText('5');
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'Yesterday' }).click();
  await expect(tiles.getByRole('definition').first()).toHaveText('0');
  await tiles.getByRole('link').first().click();
  await expect(page).toHaveURL(/\/reports\?.*period=yesterday/);

  const context = await browser.newContext({ baseURL: run.url, viewport: { width: 390, height: 844 } });
  const theirs = await context.newPage();
  await asSession(theirs, await signInAs(run, reader));
  await theirs.goto('/');
  await theirs.getByRole('button', { name: 'Board: Home' }).click();
  await theirs.getByRole('menuitem', { name: new RegExp(`^${name}, by `) }).click();
  const theirTiles = theirs.getByRole('region', { name: 'Board' }).getByRole('listitem');
  await expect(theirTiles.getByRole('definition').first()).toHaveText('3');
  await expectAccessible(theirs);
  await theirTiles.getByRole('button', { name: /^Options of/ }).click();
  await theirs.getByRole('menuitem', { name: 'Hide' }).click();
  await expect(theirTiles).toHaveCount(0);
  await theirs.reload();
  await expect(theirs.getByRole('button', { name: `Board: ${name}` })).toBeVisible();
  await expect(theirTiles).toHaveCount(0);
  await context.close();

  await page.goto(address);
  await expect(tiles.getByRole('definition').first()).toHaveText('5');
});
