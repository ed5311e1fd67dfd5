import { randomUUID } from 'node:crypto';
import { listRows, recordQueries } from '../console/list-rows.ts';
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

  const asked = recordQueries(page, `/api/apps/${other.id}/postbacks`);
  await page.evaluate("localStorage.removeItem('switchyard_shown_columns_postbacks')");
  await page.goto(`/apps/${other.id}/edit?startTabName=Event&view=${view}`);
  await expect(listRows(page)).toHaveCount(1);
  await expect(chips(page)).toHaveText(/Poland/);
  await expect(page.getByRole('columnheader', { name: 'ASN', exact: true })).toBeVisible();
  expect(asked).toHaveLength(1);
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
