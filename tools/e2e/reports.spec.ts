import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from './console-test.ts';
import { handInRows } from '../console/hand-in.ts';
import { appWith } from './event-tab.ts';
import { expectAccessible } from './expect-accessible.ts';

test('[LIST-008] [REP-010, REP-013, REP-014, REP-015] a report is grouped, saved as CSV and PNG, and leads to its requests', async ({
  page,
  run,
}) => {
  await page.addInitScript("Object.defineProperty(window, 'showSaveFilePicker', { value: undefined })");
  await page.setViewportSize({ width: 1440, height: 900 });
  const date = new Date(Date.now() - 60_000).toISOString();
  const app = await appWith(run, [
    { type: 'create', date },
    { type: 'error', date },
    { type: 'track', date },
  ]);
  const code: string[] = [];
  page.on('request', (request) => code.push(new URL(request.url()).pathname));
  await page.goto('/requests');
  await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible();
  expect(code.filter((path) => path.includes('reports-page'))).toEqual([]);

  await page.goto(`/reports?appId=${app.id}&groupBy=type&compare=previous&measure=requests&measure=success_share`);
  const table = page.getByRole('grid', { name: 'figures' });
  await expect(table.getByRole('row', { name: /^Total 3 up new from 0/ })).toBeVisible();
  await expect(page.getByRole('figure', { name: /^Bar chart: Requests by type/ })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('combobox', { name: 'Group by' }).click();
  await page.getByRole('option', { name: 'Day', exact: true }).click();
  await page.getByRole('combobox', { name: 'Then by' }).click();
  await page.getByRole('option', { name: 'Type', exact: true }).click();
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await expect(page.getByRole('figure', { name: /^Line chart: Requests by day and type/ })).toBeVisible();
  await expect(table.getByRole('button', { name: 'error' })).toBeVisible();

  const csvDownload = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const fileName = (await csvDownload).suggestedFilename();
  expect(fileName).toMatch(/^report-2\d{3}-\d\d-\d\d-2\d{3}-\d\d-\d\d\.csv$/);
  const [header, ...rows] = (await readFile(await (await csvDownload).path(), 'utf8')).trim().split(/\r?\n/);
  expect(header).toBe('day,type,requests,success_share,requests_compared,success_share_compared');
  expect(rows).toHaveLength(4);
  expect(rows.at(-1)).toMatch(/^\(total\),,3,/);
  const imageDownload = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save picture' }).click();
  expect((await imageDownload).suggestedFilename()).toBe(fileName.replace('.csv', '.png'));
  expect((await readFile(await (await imageDownload).path())).subarray(1, 4).toString()).toBe('PNG');

  await table.getByRole('button', { name: 'error' }).click();
  await page.getByRole('menuitem', { name: 'Show in All Requests' }).click();
  await expect(page).toHaveURL(new RegExp(`/requests\\?appId=${app.id}&type=error&typeNot=create&`));
  await expect(page.getByRole('grid').getByRole('row')).toHaveCount(2);
});

test('[WID-083, WID-086] a report that loads is accessible, and its days are beside each other', async ({ page, run }) => {
  await appWith(run, [{ type: 'create', date: new Date(Date.now() - 60_000).toISOString() }]);
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/reports?*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.goto('/reports');
  await expect(page.getByRole('button', { name: 'Start day' })).toBeVisible();
  await expectAccessible(page);
  answer.resolve();
  await expect(page.getByRole('figure')).toBeVisible();
  for (const width of [768, 900, 1024, 1200, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const [start, end] = await Promise.all(
      ['Start day', 'End day'].map((name) => page.getByRole('button', { name, exact: true }).boundingBox()),
    );
    expect(start?.y, `${width} px`).toBe(end?.y);
  }
});

test('[REP-060, REP-061, REP-064, REP-067] kinds of conversions are counted beside creates, and a number leads to its rows', async ({
  page,
  run,
}) => {
  const date = new Date(Date.now() - 60_000).toISOString();
  const app = await appWith(
    run,
    Array.from({ length: 4 }, () => ({ type: 'create', date })),
  );
  const hostileKind = ' first, <b>second</b> 50%';
  const kinds = ['deposit', 'deposit', 'deposit', 'install', hostileKind];
  await handInRows(
    run,
    'conversions',
    kinds.map((kind, at) => ({
      id: randomUUID(),
      app_id: app.id,
      status_conversion: kind,
      status: at === 0 ? 'duplicate' : 'success',
      payout: 10,
      created_at: date,
    })),
  );
  await page.goto(
    `/reports?appId=${app.id}&groupBy=app&measure=create&measure=conversions_of:deposit&measure=create_to:deposit&measure=payout_per_create_of:deposit`,
  );
  const table = page.getByRole('grid', { name: 'figures' });
  await expect(table.getByRole('row', { name: /^Total/ })).toHaveText(/^Total4350\.0%\*.*305\.00\*/);
  await expectAccessible(page);
  await table.getByRole('link', { name: 'Show 3 conversions' }).click();
  await expect(page.getByRole('tab', { name: 'Conversion' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('grid').getByRole('row')).toHaveCount(4);

  await page.goto(`/reports?appId=${app.id}&groupBy=status_conversion&measure=conversions&measure=payout`);
  await expect(table.getByRole('row')).toHaveCount(5);
  await table
    .getByRole('row', { name: /first, <b>/ })
    .getByRole('link', { name: 'Show 1 conversions' })
    .click();
  await expect(page.getByRole('grid').getByRole('row')).toHaveCount(2);
  await page.goBack();
  await table.getByRole('button', { name: 'deposit' }).click();
  await page.getByRole('menuitem', { name: 'Exclude this status conversion' }).click();
  await expect(page).toHaveURL(/statusConversionNot=deposit/);
  await expect(table.getByRole('row')).toHaveCount(4);
});
