import type { Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { callApi, createJourneyApp } from '../console/app-api.ts';
import { expect, test, widths } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { handInRows } from '../console/hand-in.ts';
import { daysAgo, serverDay, writtenDay } from './past-days.ts';
import { columnTexts, headers, listRows, recordQueries, rowOf } from '../console/list-rows.ts';
import type { RunState } from '../console/run-state.ts';
import { withoutPermission } from './without-permission.ts';

type GivenPush = Record<string, unknown>;

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><rect width="600" height="300" fill="teal"/></svg>';
const message = (notification: object): string => JSON.stringify({ notification, data: { deep: { deeper: { deepest: { end: 1 } } } } });

/** An app of the test's own with these pushes, the last of them the newest; gives the address of its Push tab. */
async function withPushes(run: RunState, pushes: readonly GivenPush[]): Promise<{ id: number; tab: string }> {
  const { id } = await createJourneyApp(run);
  const rows = pushes.map((push, at) => ({
    id: randomUUID(),
    app_id: id,
    push_id: `p-${at}`,
    push_name: 'Welcome',
    push_message: message({ title: 'Hi', body: 'Bonus' }),
    send_at: new Date(Date.now() - (pushes.length - at) * 60_000).toISOString(),
    ...push,
  }));
  if (rows.length > 0) await handInRows(run, 'pushes', rows);
  return { id, tab: `/apps/${id}/edit?startTabName=Push` };
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const apply = (page: Page) => page.getByRole('button', { name: 'Apply filter' });

test('[PUSH-007, PUSH-008, PUSH-009, PUSH-010, PUSH-011, PUSH-012, PUSH-014, PUSH-016, CONST-046, AMB-147, AMB-152, ENT-027] a push is shown as its receiver saw it, and its picture is asked for safely', async ({
  page,
  run,
}) => {
  const imageRequests: { url: string; referrer: string | undefined }[] = [];
  await page.route(/^https?:\/\/[^/]*\.example\//, async (route) => {
    imageRequests.push({
      url: route.request().url(),
      referrer: await route
        .request()
        .headerValue('referer')
        .then((value) => value ?? undefined),
    });
    await (route.request().url().endsWith('gone.png') ? route.abort() : route.fulfill({ contentType: 'image/svg+xml', body: picture }));
  });
  const sentAt = daysAgo(2, '23:30');
  const { tab } = await withPushes(run, [
    { push_id: 'p-http', push_message: message({ title: 'Insecure', image: 'http://cdn.example/a.png' }) },
    { push_id: 'p-script', push_message: message({ title: '<img src=x onerror=alert(1)>', image: 'javascript:alert(1)' }) },
    { push_id: 'p-data', push_message: message({ title: 'Data', image: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' }) },
    { push_id: 'p-gone', push_message: message({ title: 'Gone', image: 'https://cdn.example/gone.png' }) },
    { push_id: 'p-plain', push_message: 'Just some words', status: 'held' },
    {
      push_id: 'p-whole',
      push_name: 'Weekend cup',
      push_message: message({ title: 'The cup starts', body: 'Join before noon', image: 'https://cdn.example/cup.png' }),
      uid: 'u-1',
      client_uid: 'c-88a1',
      push_campaign_uid: 'pc-7',
      send_at: sentAt,
      status: 'error',
      error: 'The registration token is not valid',
    },
  ]);
  await page.goto(tab);
  await expect(listRows(page)).toHaveCount(6);
  await expect
    .poll(() => headers(page))
    .toEqual(['Push id', 'Push name', 'Push message', 'Uid', 'Client uid', 'Push campaign uid', 'Send at', 'Status', 'Error']);
  const whole = rowOf(page, 'p-whole');
  const cells = async () => (await whole.getByRole('gridcell').allInnerTexts()).map((text) => text.replaceAll(/\s*\n\s*/g, ' | '));
  // The server's offset, in which dates are shown, may come after the rows.
  await expect
    .poll(cells)
    .toEqual([
      expect.stringMatching(/^#\d+ \| p-whole$/),
      'Weekend cup',
      'The cup starts | Join before noon',
      'u-1',
      'c-88a1',
      'pc-7',
      `${writtenDay(sentAt)} 01:30:00`,
      'error',
      'The registration token is not valid',
    ]);
  const image = whole.getByRole('img', { name: 'Preview' });
  await expect(image).toHaveJSProperty('complete', true);
  await expect(image).toHaveJSProperty('width', 50);
  await expect(image).not.toHaveJSProperty('naturalWidth', 0);

  for (const other of ['p-http', 'p-script', 'p-data', 'p-gone', 'p-plain']) {
    const placeholder = rowOf(page, other).getByRole('img', { name: 'Placeholder' });
    await expect(placeholder).toHaveJSProperty('width', 50);
  }
  await expect(rowOf(page, 'p-plain').getByRole('gridcell').nth(2)).toHaveText('Just some words');
  await expect(rowOf(page, 'p-plain').getByRole('gridcell').nth(7)).toHaveText('held');
  await expect(rowOf(page, 'p-script')).toContainText('<img src=x onerror=alert(1)>');
  expect(imageRequests.toSorted((a, b) => a.url.localeCompare(b.url))).toEqual([
    { url: 'https://cdn.example/cup.png', referrer: undefined },
    { url: 'https://cdn.example/gone.png', referrer: undefined },
  ]);
});

test('[PUSH-002, PUSH-003, PUSH-004, PUSH-005, API-030] the three uids and the days narrow the list by Enter or Apply, and Clear takes all back', async ({
  page,
  run,
}) => {
  // On the next day by the server's offset.
  const late = daysAgo(3, '22:30');
  const { id, tab } = await withPushes(run, [
    { push_id: 'p-1', uid: 'u-one', client_uid: 'c-1', push_campaign_uid: 'pc-a', send_at: daysAgo(4, '12:00') },
    { push_id: 'p-2', uid: 'u-two', client_uid: 'c-2', push_campaign_uid: 'pc-b', send_at: late },
    { push_id: 'q-3', uid: 'u_two', client_uid: 'c-3', push_campaign_uid: 'pc-b', send_at: daysAgo(2, '12:00') },
  ]);
  const queries = recordQueries(page, `/api/apps/${id}/pushes`);
  await page.goto(tab);
  await expect(listRows(page)).toHaveCount(3);
  await field(page, 'Uid').fill('-TWO');
  expect(queries).toHaveLength(1);
  await field(page, 'Uid').press('Enter');
  await expect(listRows(page)).toHaveCount(1);
  await expect.poll(() => columnTexts(page, 'Uid')).toEqual(['u-two']);
  expect(Object.fromEntries(queries.at(-1) ?? [])).toMatchObject({ uid: '-TWO', page: '1' });

  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(listRows(page)).toHaveCount(3);
  await expect(field(page, 'Uid')).toHaveValue('');
  await field(page, 'Push campaign uid').fill('pc-b');
  await field(page, 'Push id').fill('q');
  await apply(page).click();
  await expect(listRows(page)).toHaveCount(1);
  await expect.poll(() => columnTexts(page, 'Client uid')).toEqual(['c-3']);
  expect(Object.fromEntries(queries.at(-1) ?? [])).toMatchObject({ pushCampaignUid: 'pc-b', pushId: 'q' });
  expect(queries.at(-1)?.has('uid')).toBe(false);
  await page.getByRole('button', { name: 'Remove filter q' }).click();
  await expect(listRows(page)).toHaveCount(2);
  await page.reload();
  await expect(field(page, 'Push campaign uid')).toHaveValue('pc-b');

  await page.goto(`${tab}&startDate=${serverDay(late)}&endDate=${serverDay(late)}`);
  await expect(listRows(page)).toHaveCount(2);
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText(writtenDay(late));
  await page.getByRole('button', { name: 'Clear start day' }).click();
  await apply(page).click();
  await expect(listRows(page)).toHaveCount(3);
  await page.goto(`${tab}&uid=nothing`);
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(listRows(page)).toHaveCount(3);
});

test('[PUSH-006, PUSH-013, PUSH-014, PUSH-015, PUSH-017, PUSH-018, CONST-037] the newest push comes first; four columns sort, and pages keep the sort', async ({
  page,
  run,
}) => {
  const day = daysAgo(3, '00:00');
  const { id, tab } = await withPushes(
    run,
    Array.from({ length: 60 }, (_, at) => ({
      push_campaign_uid: `pc-${99 - at}`,
      status: ['pending', 'sent', 'success', 'error'][at % 4],
      send_at: day.replace('T00:00', `T00:${String((at * 7) % 60).padStart(2, '0')}`),
    })),
  );
  const queries = recordQueries(page, `/api/apps/${id}/pushes`);
  await page.goto(tab);
  await expect(page.getByText('1–50 of 60')).toBeVisible();
  await expect(listRows(page).first()).toContainText('p-59');
  expect(Object.fromEntries(queries[0] ?? [])).toEqual({ limit: '50', orderBy: 'keyId', orderDirection: 'desc', page: '1' });
  await page.getByRole('button', { name: 'Page 2' }).click();
  await expect(listRows(page)).toHaveCount(10);
  await expect(listRows(page).last()).toContainText('p-0');

  const sort = async (column: string, key: string, first: string): Promise<void> => {
    await page.getByRole('columnheader', { name: column }).getByRole('button').click();
    await expect(listRows(page).first()).toContainText(first);
    expect(queries.at(-1)?.get('orderBy')).toBe(key);
    expect(queries.at(-1)?.get('page')).toBe('1');
  };
  await sort('Push campaign uid', 'keyCampaign', 'pc-99');
  await sort('Send at', 'keySendAt', `${writtenDay(day)} 02:59:00`);
  await sort('Status', 'keyStatus', 'p-58');
  expect(new Set(await columnTexts(page, 'Status'))).toEqual(new Set(['error', 'pending', 'sent', 'success']));
  await page.getByRole('button', { name: 'Page 2' }).click();
  await expect(page.getByText('51–60 of 60')).toBeVisible();
  expect(new Set(await columnTexts(page, 'Status'))).toEqual(new Set(['error']));
  await sort('Push id', 'keyId', 'p-59');
  await sort('Push id', 'keyId', 'p-0');
  for (const column of ['Push name', 'Push message', 'Client uid', 'Error'])
    await expect(page.getByRole('columnheader', { name: column }).getByRole('button')).toHaveCount(0);
});

test('the message of a push is shown as JSON, browsed by keys and closed by Escape', async ({ page, run }) => {
  const { tab } = await withPushes(run, [{}, { status: 'error', error: 'Quota exceeded' }, {}]);
  await page.goto(tab);
  await rowOf(page, 'p-1')
    .getByRole('button', { name: /^Show push/ })
    .click();
  const panel = page.getByRole('complementary', { name: /^Push \d+$/ });
  await expect(panel.getByText('deepest:', { exact: true })).toBeVisible();
  await expect(panel.getByText('end:', { exact: true })).toBeHidden();
  await expect(panel.getByRole('region', { name: 'Error' })).toContainText('Quota exceeded');
  await page.keyboard.press('ArrowDown');
  await expect(panel.getByRole('region', { name: 'Error' })).toContainText('None');
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await rowOf(page, 'p-2').dblclick({ position: { x: 300, y: 10 } });
  await expect(panel).toBeVisible();
  await page.getByRole('columnheader', { name: 'Send at' }).getByRole('button').click();
  await expect(panel).toBeHidden();
});

test('pushes are downloaded as the filters say', async ({ page, run }) => {
  await page.addInitScript("Object.defineProperty(window, 'showSaveFilePicker', { value: undefined })");
  const { tab } = await withPushes(run, [{ push_id: 'a-1' }, { push_id: 'b-2', push_name: '=1+1' }, { push_id: 'a-3' }]);
  await page.goto(tab);
  await field(page, 'Push id').fill('a-');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download', exact: true }).click()]);
  expect(file.suggestedFilename()).toMatch(/^[a-z0-9-]+-pushes\.csv$/);
  await expect(listRows(page)).toHaveCount(2);
  await expect(page.getByText('-pushes.csv is saved: 2 rows').first()).toBeVisible();
});

test('[PUSH-001, PERM-026, CONF-010] the tab is for those who may see pushes; an app without any says so, and a failure can be tried again', async ({
  page,
  run,
}) => {
  const { id, tab } = await withPushes(run, []);
  await withoutPermission(page, 'manager_app_pushes');
  await page.goto(tab);
  await expect(page.getByRole('tab', { name: 'Conversion' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Push' })).toHaveCount(0);
  await page.unrouteAll();
  await expect(callApi(run, 'buyer', 'GET', `apps/${id}/pushes`)).rejects.toThrow('403');

  await page.goto(tab);
  await expect(page.getByRole('heading', { name: 'No pushes yet' })).toBeVisible();
  await page.route(`**/api/apps/${id}/pushes*`, (route) =>
    route.fulfill({ status: 503, json: { success: false, message: 'Database is unavailable, try again' } }),
  );
  await page.reload();
  await expect(page.getByRole('heading', { name: 'The pushes could not be loaded' })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'No pushes yet' })).toBeVisible();
});

for (const width of widths(390)) {
  test(`the Push tab with its panel is accessible at ${width} px`, async ({ page, run }) => {
    await page.setViewportSize({ width, height: 844 });
    const statuses = ['pending', 'sent', 'success', 'error', 'held'];
    const { tab } = await withPushes(
      run,
      statuses.map((status) => ({ status, error: status === 'error' ? 'Boom' : null, uid: 'u-1', client_uid: 'c-1' })),
    );
    await page.goto(`${tab}&uid=u`);
    await expect(page.getByText('1–5 of 5')).toBeVisible();
    if (width < 768) {
      await page.getByRole('button', { name: 'Show more' }).first().click();
      await page.getByRole('button', { name: /^Filters/ }).click();
    }
    // Where the pointer rests a tooltip may be open, which lies outside of the landmarks.
    await page.mouse.move(1, 1);
    await expect(page.getByRole('tooltip')).toHaveCount(0);
    await expectAccessible(page);
    await page
      .getByRole('button', { name: /^Show push/ })
      .first()
      .click();
    await expect(page.getByRole('complementary', { name: /^Push \d+$/ })).toBeVisible();
    await expectAccessible(page);
  });
}
