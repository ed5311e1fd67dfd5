import { savedView } from '@switchyard/contract/saved-views';
import { callApi } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';
import { appWith } from './event-tab.ts';
import { expectAccessible } from './expect-accessible.ts';

test('[DASH-101, DASH-102, DASH-104] a saved report is pinned to Home from its page, seen there, moved and opened', async ({
  page,
  run,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const date = new Date(Date.now() - 60_000).toISOString();
  const app = await appWith(run, [
    { type: 'create', date },
    { type: 'receive', date },
  ]);
  const names = ['Pinned first', 'Pinned second'].map((name) => `${name} ${app.id}`);
  const [first = '', second = ''] = names;
  const views: number[] = [];
  for (const name of names) {
    const body = { list: 'reports', name, query: `appId=${app.id}&groupBy=type&measure=requests` };
    views.push(savedView.parse(await callApi(run, 'super', 'POST', 'views', body)).id);
  }
  await page.goto(`/reports?appId=${app.id}&groupBy=type&measure=requests`);
  await page.getByRole('button', { name: 'Pin to Home' }).click();
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toHaveValue('Requests by type');
  await page.keyboard.press('Escape');
  for (const [at, shape] of ['Figure', 'Table'].entries()) {
    await page.goto(`/reports?view=${views[at]}`);
    await expect(page.getByRole('button', { name: `View ${names[at]}` })).toBeVisible();
    await page.getByRole('button', { name: 'Pin to Home' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pin to Home' });
    await dialog.getByText(shape, { exact: true }).click();
    if (at === 0) await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
    await expect(page.getByText(`"${names[at]}" pinned to Home`)).toBeVisible();
  }
  await page.goto('/');
  const tiles = page
    .getByRole('region', { name: 'Board' })
    .getByRole('listitem', { name: new RegExp(`^Pinned (?:first|second) ${app.id}$`) });
  await expect(tiles.nth(0).getByRole('definition').first()).toHaveText('2');
  await expect(tiles.nth(1).getByRole('cell', { name: 'create' })).toBeVisible();
  await tiles
    .nth(1)
    .getByRole('button', { name: `Options of ${second}` })
    .click();
  await page.getByRole('menuitem', { name: 'Move earlier' }).click();
  await expect(tiles.nth(0)).toContainText(second);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(tiles.nth(0)).toContainText(second);
  await expect(tiles.nth(1).getByRole('definition').first()).toHaveText('2');
  await expectAccessible(page);
  await tiles.nth(1).getByRole('link', { name: first }).click();
  await expect(page).toHaveURL(new RegExp(`/reports\\?.*view=${views[0]}`));
  await expect(page.getByRole('button', { name: `View ${first}` })).toBeVisible();
  for (const id of views) await callApi(run, 'super', 'DELETE', `views/${id}`);
});
