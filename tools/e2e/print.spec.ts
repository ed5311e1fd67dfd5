import { expect, test } from './console-test.ts';
import { listRows } from '../console/list-rows.ts';

test.use({ theme: 'dark' });

test('a printed list shows its rows and filters on white paper, and nothing to click', async ({ page }) => {
  await page.goto('/apps?status=all&limit=50');
  const rows = listRows(page);
  await expect(rows.first()).toBeVisible();
  const count = await rows.count();
  await page.emulateMedia({ media: 'print' });
  await expect(rows).toHaveCount(count);
  await expect(page.getByRole('heading', { name: 'Apps', exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('All');
  for (const name of ['Main', 'Pages']) await expect(page.getByRole('navigation', { name })).toHaveCount(0);
  await expect(page.getByRole('banner')).toHaveCount(0);
  await expect(page.getByRole('search')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^(Archive|Restore|Create|Edit)/ })).toHaveCount(0);
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(rows.first()).toHaveCSS('color', 'rgb(23, 26, 33)');
  await expect(page.getByLabel('Rows on a page')).toBeHidden();
});

test('[REP-092] a printed list of apps has their names whole, and no boxes to select them', async ({ page }) => {
  await page.goto('/apps?status=all&limit=50');
  await expect(listRows(page).first()).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  // The width of a page of paper.
  await page.setViewportSize({ width: 1032, height: 700 });
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  const lowest = listRows(page).evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().bottom - (row.querySelector('.name-link')?.getBoundingClientRect().bottom ?? Infinity)),
  );
  expect(Math.min(...(await lowest))).toBeGreaterThanOrEqual(0);
});
