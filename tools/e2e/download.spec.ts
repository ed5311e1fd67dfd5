import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { createJourneyApp } from '../console/app-api.ts';
import { asSession } from './as-session.ts';
import { expect, test } from './console-test.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { expectAccessible } from './expect-accessible.ts';
import { handIn, ownClient } from '../console/hand-in.ts';
import { columnTexts, listRows } from '../console/list-rows.ts';

/** Browsers other than Chromium keep a download and hand it over when it is whole. */
async function withoutPicker(page: Page): Promise<void> {
  await page.addInitScript("Object.defineProperty(window, 'showSaveFilePicker', { value: undefined })");
}

/** Stands in for the dialog alone: the file is a real one, in the page's own file system. */
async function withPickedFile(page: Page): Promise<void> {
  await page.addInitScript(`Object.defineProperty(window, 'showSaveFilePicker', {
    value: async ({ suggestedName }) => (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
  })`);
}

/** Names and contents of the files that were saved that way. */
async function pickedFiles(page: Page): Promise<Record<string, string>> {
  return page.evaluate<Record<string, string>>(`(async () => {
    const files = {};
    for await (const [name, handle] of await navigator.storage.getDirectory()) files[name] = await (await handle.getFile()).text();
    return files;
  })()`);
}

/** Cells of a CSV (RFC 4180). */
function cellsOf(csv: string): string[][] {
  const records: string[][] = [[]];
  for (const [, quotedCell, plain = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n"]*))(,|\r\n|$)/g)) {
    records.at(-1)?.push(quotedCell?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') records.push([]);
  }
  return records.filter((record) => record.length > 1);
}

const tray = (page: Page) => page.getByRole('region', { name: 'Downloads' });
const download = (page: Page) => page.getByRole('button', { name: 'Download', exact: true });

test('[REQ-010, REQ-033, CONST-029] a search can be downloaded as it is typed; the file holds the rows of the list, one by one', async ({
  page,
  run,
}) => {
  await withoutPicker(page);
  const client = ownClient();
  await handIn(run, [
    { type: 'create', client_uid: client, ip: '203.0.113.77', country: 'DE', body_request: { text: 'a "quoted"\r\nline, and =1+1' } },
    { type: 'receive', client_uid: client, bot: 'CF L1', user_agent: '=HYPERLINK("x")' },
    ...Array.from({ length: 30 }, () => ({ type: 'track', client_uid: client, ip: '2001:db8::7' })),
  ]);
  await page.goto('/requests');
  await expect(download(page)).toBeDisabled();
  await page.getByLabel('Search').fill(client);
  const [file] = await Promise.all([page.waitForEvent('download'), download(page).click()]);
  expect(file.suggestedFilename()).toBe('requests.csv');
  await expect(page.getByTestId('notification')).toContainText('requests.csv is saved: 32 rows');
  await expect(tray(page).getByText('Downloading')).toHaveCount(0);

  await expect(page, 'the list shows what was downloaded').toHaveURL(new RegExp(`search=${client}`));
  await expect(listRows(page)).toHaveCount(32);
  const [header = [], ...rows] = cellsOf(await readFile(await file.path(), 'utf8'));
  const column = (name: string): string[] => rows.map((row) => row[header.indexOf(name)] ?? 'none');
  expect(column('id')).toEqual(await columnTexts(page, '#'));
  expect(column('type')).toEqual(await columnTexts(page, 'Req_Type'));
  expect(column('app_bundle')).toEqual(await columnTexts(page, 'App'));
  expect(new Set(column('client_uid'))).toEqual(new Set([client]));
  expect(column('body_request')[0]).toBe('{"text":"a \\"quoted\\"\\r\\nline, and =1+1"}');
  expect(column('user_agent')[1]).toBe(`'=HYPERLINK("x")`);
});

test('[EVT-012, EVT-037, AMB-141] the Event tab downloads what its filters choose, without a search', async ({ page, run }) => {
  await withPickedFile(page);
  const { id, bundle } = await createJourneyApp(run);
  await handIn(run, [
    { type: 'create', bundle },
    { type: 'error', bundle },
  ]);
  await page.goto(`/apps/${id}/edit?startTabName=Event&type=error`);
  await expect(listRows(page)).toHaveCount(1);
  await download(page).click();
  await expect(page.getByTestId('notification')).toContainText(`app_${id}.csv is saved: 1 row`);
  const [header, ...rows] = cellsOf((await pickedFiles(page))[`app_${id}.csv`] ?? '');
  expect(header?.slice(0, 3)).toEqual(['id', 'uuid', 'app_id']);
  expect(rows.map((row) => row[0])).toEqual(await columnTexts(page, '#'));
});

test.describe('downloads that do not come to their end', () => {
  test('show their progress on every page, ask before the page closes, and leave nothing when they are cancelled', async ({
    page,
    run,
  }) => {
    const proxy = await startCuttingProxy(run.url, { path: /^\/api\/.*\/download/, bytes: 900 });
    try {
      const client = ownClient();
      await handIn(
        run,
        Array.from({ length: 20 }, () => ({ type: 'create', client_uid: client })),
      );
      await withPickedFile(page);
      await asSession(page, run.session);
      await page.goto(`${proxy.url}/requests?search=${client}`);
      await expect(listRows(page)).toHaveCount(20);
      await download(page).click();
      await expect(tray(page).getByRole('status')).toHaveText('Downloading requests.csv');
      await expect(tray(page).getByText(/^[1-9]\d* of 20 rows · 900 B$/)).toBeVisible();
      await expect(tray(page).getByRole('progressbar', { name: 'Progress of requests.csv' })).toBeVisible();
      await expectAccessible(page);

      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Apps' }).click();
      await expect(tray(page).getByText('Downloading requests.csv')).toBeVisible();
      await page.getByRole('button', { name: 'Cancel the download of requests.csv' }).click();
      await expect(tray(page).getByText('Downloading requests.csv')).toHaveCount(0);
      await expect.poll(async () => pickedFiles(page)).toEqual({});
    } finally {
      await proxy.stop();
    }
  });

  test('are reported as failed when the connection is cut; no file is passed off as whole', async ({ page, run }) => {
    const proxy = await startCuttingProxy(run.url, { path: /^\/api\/.*\/download/, bytes: 900 });
    try {
      const client = ownClient();
      await handIn(
        run,
        Array.from({ length: 20 }, () => ({ type: 'create', client_uid: client })),
      );
      await withPickedFile(page);
      await asSession(page, run.session);
      await page.goto(`${proxy.url}/requests?search=${client}`);
      // Any other call under way would be cut and reported, too.
      await expect(listRows(page)).toHaveCount(20);
      await expect(page.getByText('20 requests', { exact: true })).toBeVisible();
      await expect(page.getByTestId('server-time')).toBeVisible();
      await download(page).click();
      await expect(tray(page).getByText(/of 20 rows/)).toBeVisible();
      proxy.cut();
      await expect(tray(page).getByRole('alert')).toHaveText('requests.csv was not downloaded');
      await expect(tray(page).getByText(/^The connection was lost\. \d+ of 20 rows had arrived; no file was saved\.$/)).toBeVisible();
      await expect.poll(async () => pickedFiles(page)).toEqual({});
      await expect(page.getByTestId('notification')).toHaveCount(0);
      await page.setViewportSize({ width: 390, height: 844 });
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Dismiss requests.csv' }).click();
      await expect(tray(page).getByRole('alert')).toHaveCount(0);
    } finally {
      await proxy.stop();
    }
  });

  test('[ERR-012] say what the server says when too many run, and can be tried again', async ({ page, run }) => {
    await withoutPicker(page);
    const client = ownClient();
    await handIn(run, [{ type: 'create', client_uid: client }]);
    await page.goto(`/requests?search=${client}`);
    await page.route(
      /\/all-requests\/download/,
      (route) => route.fulfill({ status: 503, json: { success: false, message: 'Too many downloads are running, try again' } }),
      { times: 1 },
    );
    await download(page).click();
    await expect(tray(page).getByText('Too many downloads are running, try again')).toBeVisible();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Try again' }).click()]);
    expect(cellsOf(await readFile(await file.path(), 'utf8'))).toHaveLength(2);
  });
});
