import { randomUUID } from 'node:crypto';
import { listRows, recordQueries } from '../console/list-rows.ts';
import { asSession } from './as-session.ts';
import { expect, test } from './console-test.ts';
import { appWith, chips, openEvents } from './event-tab.ts';

test('[VIEW-005, VIEW-006, VIEW-009] a view saved on one app opens on another, with its filters and columns', async ({ page, run }) => {
  const events = [
    { type: 'create', country: 'DE', stream_uid: 's-1' },
    { type: 'error', country: 'PL', stream_uid: 's-2', error: 'Boom' },
  ];
  const [one, other] = [await appWith(run, events), await appWith(run, events)];
  const name = `View ${randomUUID().slice(0, 8)}`;
  await openEvents(page, one);
  await page.getByRole('combobox', { name: 'Geo' }).click();
  await page.getByRole('option', { name: 'Poland' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await page.getByRole('button', { name: /^Columns/ }).click();
  await page.getByRole('checkbox', { name: 'ASN', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save as new view…' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `View ${name}` })).toBeFocused();
  const view = new URL(page.url()).searchParams.get('view') ?? '';

  const queries = recordQueries(page, `/api/apps/${other.id}/postbacks`);
  await page.evaluate("localStorage.removeItem('switchyard_shown_columns_postbacks')");
  await page.goto(`/apps/${other.id}/edit?startTabName=Event&view=${view}`);
  await expect(listRows(page)).toHaveCount(1);
  await expect(chips(page)).toHaveText(/Poland/);
  await expect(page.getByRole('columnheader', { name: 'ASN', exact: true })).toBeVisible();
  expect(queries).toHaveLength(1);
  await page.reload();
  await expect(page.getByRole('button', { name: `View ${name}` })).toBeVisible();

  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search apps, accounts, pages and actions').fill(name);
  await expect(page.getByText('Nothing found')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `View ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete view…' }).click();
  await page.getByRole('button', { name: 'OK', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Views' })).toBeVisible();
  await expect(listRows(page)).toHaveCount(2);
});

test('[VIEW-002, VIEW-005, VIEW-006] a view is shared with a staff role, opened with the apps of its reader, and renamed', async ({
  page,
  run,
  browser,
}) => {
  const [name, newName] = [`Shared ${randomUUID().slice(0, 8)}`, `Renamed ${randomUUID().slice(0, 8)}`];
  await page.goto('/apps?search=a');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save as new view…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByText('Roles', { exact: true }).click();
  // Buyers open no list of the console, so their roles are not offered.
  await expect(dialog.getByRole('checkbox', { name: 'Buyer', exact: true })).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: 'App Manager', exact: true }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: `View ${name}` })).toBeVisible();
  const address = page.url();

  const context = await browser.newContext({ baseURL: run.url });
  const readers = await context.newPage();
  await asSession(readers, run.sessions.restricted);
  await readers.goto('/apps');
  await expect(listRows(readers).first()).toBeVisible();
  const own = await listRows(readers).count();
  await readers.getByRole('button', { name: 'Views' }).click();
  await readers.getByRole('menuitemradio', { name }).click();
  await expect(chips(readers)).toHaveText(/^Search\W*a/);
  expect(await listRows(readers).count()).toBeLessThanOrEqual(own);
  await readers.getByRole('button', { name: `View ${name}` }).click();
  await expect(readers.getByRole('menuitem', { name: 'Make default' })).toBeVisible();
  for (const action of ['Rename or share…', 'Delete view…']) await expect(readers.getByRole('menuitem', { name: action })).toHaveCount(0);

  await page.getByRole('button', { name: `View ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Rename or share…' }).click();
  await expect(dialog.getByRole('checkbox', { name: 'App Manager', exact: true })).toBeChecked();
  await dialog.getByLabel('Name', { exact: true }).fill(newName);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: `View ${newName}` })).toBeVisible();
  await readers.reload();
  await expect(readers.getByRole('button', { name: `View ${newName}` })).toBeVisible();
  await context.close();

  const buyers = await browser.newContext({ baseURL: run.url });
  const buyersPage = await buyers.newPage();
  await asSession(buyersPage, run.sessions.buyer);
  await buyersPage.goto(address);
  await expect(buyersPage.getByRole('heading', { name: 'No access' })).toBeVisible();
  await buyers.close();

  await page.getByRole('button', { name: `View ${newName}` }).click();
  await page.getByRole('menuitem', { name: 'Delete view…' }).click();
  await page.getByRole('button', { name: 'OK', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Views' })).toBeVisible();
});
