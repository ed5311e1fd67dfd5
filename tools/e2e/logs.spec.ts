import type { Page } from '@playwright/test';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { listRows, rowOf } from '../console/list-rows.ts';

const sources = {
  logs: { folder: 'logs', name: (date: string) => `console-${date}.log`, title: 'Logs', menu: 'All logs' },
  'app-logs': { folder: 'app-logs', name: (date: string) => `app-${date}.log`, title: 'App logs', menu: 'App logs' },
} as const;
type Source = keyof typeof sources;

const fileOf = (dataDir: string, source: Source, date: string): string => join(dataDir, sources[source].folder, sources[source].name(date));
const grid = (page: Page) => page.getByRole('grid', { name: 'Log entries' });
const entries = (page: Page) => grid(page).locator('tr[data-index]');
const levels = (page: Page) => page.getByRole('table', { name: 'Entries by level' });
const confirm = (page: Page) => page.getByRole('dialog', { name: 'Are you sure?' });

/** Entries of both forms: newest last, as they are written. */
const logText = (date: string): string =>
  [
    `[${date} 08:00:00] production.INFO: Served at first {"ms":12} []`,
    ...Array.from(
      { length: 58 },
      (_, at) => `{"level":"info","time":"${date}T08:01:${String(at).padStart(2, '0')}Z","env":"worker","msg":"Served ${at}"}`,
    ),
    `[${date} 09:30:00] production.ERROR: Postback refused [status 502] {"exception":"[object] (App\\\\Refused(code: 0): Postback refused at /srv/app/app/Send.php:12)`,
    '[stacktrace]',
    '#0 /srv/app/vendor/laravel/Pipeline.php(12): handle()',
    '#1 {main}',
    '"} ',
    `{"level":"critical","time":"${date}T10:00:00Z","env":"worker","context":{"disk":{"free":0}},"msg":"Disk is full"}`,
  ].join('\n') + '\n';

for (const [at, source] of (['logs', 'app-logs'] as const).entries()) {
  const { title, menu } = sources[source];
  test(`[LOG-001, LOG-002, LOG-003, LOG-004, LOG-009, LOG-015, LOG-016, LOG-017, LOG-018, LOG-022, LOG-024, LOG-025, LOG-026, LOG-027, LOG-028, LOG-030, SHELL-031, PERM-042] ${title} are read from the menu to the stack of an entry`, async ({
    page,
    run,
  }) => {
    const date = `2099-01-1${at}`;
    await writeFile(fileOf(run.dataDir, source, date), logText(date));
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: menu, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/${source}$`));
    await expect(page).toHaveTitle(new RegExp(`^${title} \\| `));
    await expect(rowOf(page, date)).toHaveText(`${date}61001100590`);
    await page.getByRole('link', { name: `1 error on ${date}` }).click();
    await expect(page).toHaveURL(new RegExp(`/${source}/${date}/show\\?level=error$`));
    await expect(entries(page)).toHaveCount(1);
    // Times are shown in the server's offset, here two hours ahead.
    await expect(entries(page)).toContainText(
      new RegExp(`production\\s*error\\s*1${at}\\.01\\.2099 11:30:00\\s*Postback refused \\[status 502\\]`),
    );
    const info = page.getByRole('region', { name: 'Log info' });
    await expect(info).toContainText(`${sources[source].folder}/${sources[source].name(date)}`);
    await expect(info).toContainText('Entries61');
    await page.getByRole('button', { name: 'Stack', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Stack' })).toContainText('#0 /srv/app/vendor/laravel/Pipeline.php(12): handle()');

    await expect(levels(page).getByRole('button')).toHaveText(['All', 'Critical', 'Error', 'Info']);
    await levels(page).getByRole('button', { name: 'All' }).click();
    await expect(entries(page)).toHaveCount(50);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(entries(page)).toHaveCount(11);
    await expect(entries(page).last()).toContainText('Served at first');

    await levels(page).getByRole('button', { name: 'Critical' }).click();
    await expect(entries(page)).toHaveCount(1);
    await expect(entries(page)).toContainText('Disk is full');
    await page.getByRole('button', { name: 'Context', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Context' })).toContainText('free:0');
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('[STATUS 502]');
    await search.press('Enter');
    await expect(page).toHaveURL(/\/show\?query=/);
    await expect(entries(page)).toHaveCount(1);
    await expect(entries(page).locator('mark')).toHaveText('[status 502]');
    await search.fill('no.*such');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'The list is empty!' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect(entries(page)).toHaveCount(50);
  });
}

test('[LOG-012, LOG-013, LOG-014, AMB-044] days are deleted from their list, which stays at its page, and from their own page, which leads back', async ({
  page,
  run,
}) => {
  const [own, other] = ['2099-02-01', '2001-02-03'];
  for (const date of [own, other]) await writeFile(fileOf(run.dataDir, 'app-logs', date), logText(date));
  await page.goto('/app-logs?page=2');
  await expect(rowOf(page, other)).toBeVisible();
  await page.getByRole('button', { name: `Remove ${other}` }).click();
  await expect(confirm(page)).toContainText('Log will be REMOVED!');
  await confirm(page).getByRole('button', { name: 'OK' }).click();
  await expect(rowOf(page, other)).toHaveCount(0);
  await expect(page).toHaveURL(/\/app-logs\?page=2$/);
  expect(existsSync(fileOf(run.dataDir, 'app-logs', other))).toBe(false);

  await page.goto(`/app-logs/${own}/show`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await confirm(page).getByRole('button', { name: 'OK' }).click();
  await expect(page).toHaveURL(/\/app-logs$/);
  await expect(page.getByRole('columnheader', { name: 'Date' })).toBeVisible();
  await expect(listRows(page)).toHaveCount(20);
  await expect(rowOf(page, own)).toHaveCount(0);
  expect(existsSync(fileOf(run.dataDir, 'app-logs', own))).toBe(false);
});

test('[LOG-011, LOG-023, LOG-029, CONST-030] a day is downloaded as a workbook and as the file it is', async ({ page, run }) => {
  await page.addInitScript("Object.defineProperty(window, 'showSaveFilePicker', { value: undefined })");
  const date = '2099-03-01';
  const path = fileOf(run.dataDir, 'app-logs', date);
  await writeFile(path, logText(date));
  await page.goto(`/app-logs/${date}/show`);
  const save = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).click();
    await expect(confirm(page)).toContainText('Data will be DOWNLOADED');
    const [file] = await Promise.all([page.waitForEvent('download'), confirm(page).getByRole('button', { name: 'OK' }).click()]);
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };
  const workbook = await save('Download');
  expect([workbook.name, workbook.bytes.toString('latin1', 0, 4)]).toEqual(['log.xlsx', 'PK\u0003\u0004']);
  await expect(page.getByText(/log\.xlsx is saved/)).toBeVisible();
  const raw = await save('Raw .log');
  expect([raw.name, raw.bytes.toString()]).toEqual([`${date}.log`, await readFile(path, 'utf8')]);
});

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('logs are accessible and fit their window', async ({ page, run }) => {
      const date = `2099-05-0${width === 390 ? 1 : 2}`;
      await writeFile(fileOf(run.dataDir, 'app-logs', date), logText(date));
      await page.goto('/app-logs');
      await expect(page.getByText(date).first()).toBeVisible();
      await expectAccessible(page);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.goto(`/app-logs/${date}/show`);
      for (const part of ['Context', 'Stack'] as const) {
        await page.getByRole('button', { name: part, exact: true }).first().click();
        await expect(page.getByRole('region', { name: part })).toBeVisible();
      }
      await expectAccessible(page);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });
  });
}
