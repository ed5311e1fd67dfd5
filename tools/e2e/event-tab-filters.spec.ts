import { expect, storedValue, test } from './console-test.ts';
import { appWith, chips, nameStreams, openEvents } from './event-tab.ts';
import { expectTooltip } from './expect-tooltip.ts';
import { handIn, ownClient } from '../console/hand-in.ts';
import { columnTexts, listRows, recordQueries } from '../console/list-rows.ts';

test('[EVT-002, EVT-003, EVT-004, EVT-005, EVT-006, EVT-007, EVT-008, EVT-009, EVT-010, EVT-011, EVT-016] filters of the app travel once they are applied', async ({
  page,
  run,
}) => {
  const app = await appWith(run, [
    { type: 'create', country: 'DE', stream_uid: 's-1' },
    { type: 'error', country: 'PL', stream_uid: 's-2', error: 'Boom' },
  ]);
  await nameStreams(run, app, { 's-1': 'First stream', 's-2': 'Second stream' });
  const queries = recordQueries(page, `/api/apps/${app.id}/postbacks`);
  await openEvents(page, app);
  await expect(listRows(page)).toHaveCount(2);

  for (const [name, options, pickedOption] of [
    ['Type', ['create', 'receive', 'token', 'track', 'error'], 'error'],
    ['Geo', ['Germany', 'Poland', 'No country'], 'Poland'],
    ['Stream', ['First stream', 'Second stream', 'No stream'], 'Second stream'],
  ] as const) {
    await page.getByRole('combobox', { name, exact: true }).click();
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([...options]);
    await page.getByRole('option', { name: pickedOption }).click();
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: 'Start day', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^10 / }).first().click();
  await page.getByRole('button', { name: 'End day', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^12 / }).first().click();
  await page.getByRole('switch', { name: 'Empty App' }).click();
  expect(queries).toHaveLength(1);
  await page.getByPlaceholder('search by client uid or ip').fill('203.0.113.');
  await page.getByPlaceholder('search by client uid or ip').press('Enter');

  await expect.poll(() => queries.length).toBe(2);
  const secondQuery = queries[1];
  expect(['type[]', 'geo[]', 'streamUid[]'].map((name) => secondQuery?.getAll(name))).toEqual([['error'], ['PL'], ['s-2']]);
  expect(secondQuery?.get('startDate')).toMatch(/^\d{4}-\d{2}-10$/);
  expect(secondQuery?.get('endDate')).toMatch(/^\d{4}-\d{2}-12$/);
  expect([secondQuery?.get('emptyPostbacksDomain'), secondQuery?.get('search')]).toEqual(['1', '203.0.113.']);
  await expect(chips(page).getByRole('button', { name: /^Remove filter/ })).toHaveCount(7);
  await expect(chips(page)).toContainText('Second stream');
  await expect(page.getByText('No requests match these filters.')).toBeVisible();

  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(listRows(page)).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Geo' }).click();
  await page.getByRole('option', { name: 'Germany' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await expect(listRows(page)).toHaveCount(1);
  await expect.poll(() => columnTexts(page, 'Stream name')).toEqual(['First stream']);
});

test('[EVT-002, EVT-013, AMB-130, AMB-131] the search finds clients and addresses, the own one by a press; refresh reads again', async ({
  page,
  run,
}) => {
  const client = ownClient();
  const app = await appWith(run, [
    { type: 'create', client_uid: client, ip: '127.0.0.1' },
    { type: 'receive', client_uid: 'other', ip: '203.0.113.50' },
    { type: 'track', client_uid: '%', ip: '2001:db8::1' },
  ]);
  await openEvents(page, app);
  const search = page.getByRole('searchbox', { name: 'Search' });
  // None finds what the one before it found.
  for (const [text, type] of [
    [client.toUpperCase(), 'create'],
    ['2001:db8:', 'track'],
    ['203.0.113.', 'receive'],
    ['%', 'track'],
  ] as const) {
    await search.fill(text);
    await search.press('Enter');
    await expect.poll(() => columnTexts(page, 'Req_Type')).toEqual([type]);
  }
  await page.getByRole('button', { name: 'My IP' }).click();
  await expect(search).toHaveValue(/^127\.0\.0\.1$|^::1$/);
  await search.fill('203.0.113.50');
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await expect.poll(() => columnTexts(page, 'Req_Type')).toEqual(['receive']);
  await handIn(run, [{ type: 'token', bundle: app.bundle, ip: '203.0.113.50' }]);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(listRows(page)).toHaveCount(2);
  await expect(page.getByRole('list', { name: 'Requests by type' })).toContainText('token 1');
});

test('[APPS-075] the search shows its whole placeholder beside the button at its end', async ({ page, run }) => {
  await openEvents(page, await appWith(run, [{ type: 'create' }]));
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible();
  const missing = () =>
    page.evaluate<number>(`(() => {
      const field = document.querySelector('input[type=search]');
      const style = getComputedStyle(field);
      const context = new OffscreenCanvas(1, 1).getContext('2d');
      context.font = style.fontSize + ' ' + style.fontFamily;
      const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      return context.measureText(field.placeholder).width - room;
    })()`);
  for (const width of [360, 768, 1140, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(missing).toBeLessThan(0);
  }
});

test('[EVT-017] pages are numbered, the total is exact, and a filter leads back to the first page', async ({ page, run }) => {
  const app = await appWith(
    run,
    Array.from({ length: 45 }, (_, at) => ({ type: at < 25 ? 'create' : 'receive' })),
  );
  await openEvents(page, app, '&limit=20');
  await expect(page.getByText('1–20 of 45')).toBeVisible();
  await page.getByRole('button', { name: 'Page 3' }).click();
  await expect(page.getByText('41–45 of 45')).toBeVisible();
  await expect(listRows(page)).toHaveCount(5);
  await page.reload();
  await expect(page.getByText('41–45 of 45')).toBeVisible();
  await page.getByRole('combobox', { name: 'Type', exact: true }).click();
  await page.getByRole('option', { name: 'create' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await expect(page.getByText('1–20 of 25')).toBeVisible();
  await openEvents(page, app, '&limit=20&page=9');
  await expect(page.getByRole('heading', { name: 'This page is past the end' })).toBeVisible();
});

test('[EVT-014, AMB-127, AMB-128] clearing previous data hides the older rows on this device until its chip is removed', async ({
  page,
  run,
}) => {
  const app = await appWith(run, [{ type: 'create', date: new Date(Date.now() - 3_600_000).toISOString() }]);
  await openEvents(page, app);
  await expect(listRows(page)).toHaveCount(1);
  const clear = page.getByRole('button', { name: 'Clear previous data' });
  await expectTooltip(clear, 'Before current date');
  await clear.click();
  await expect(page.getByText('No requests match these filters.')).toBeVisible();
  await expect.poll(() => storedValue(page, 'start_date')).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
  await handIn(run, [{ type: 'receive', bundle: app.bundle, date: new Date(Date.now() + 60_000).toISOString() }]);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(listRows(page)).toHaveCount(1);
  await expect.poll(() => columnTexts(page, 'Req_Type')).toEqual(['receive']);

  // The date outlives the tab, and the list of all requests keeps it too.
  await page.getByRole('tab', { name: 'General' }).click();
  await page.getByRole('tab', { name: 'Event' }).click();
  await expect(chips(page)).toContainText('From');
  await page.goto('/requests');
  await expect(chips(page)).toContainText('From');

  await openEvents(page, app);
  await chips(page)
    .getByRole('button', { name: /^Remove filter/ })
    .click();
  await expect(listRows(page)).toHaveCount(2);
  await expect.poll(() => storedValue(page, 'start_date')).toBeNull();
});

test('[EVT-039] no control moves when the options of the filters arrive', async ({ page, run }) => {
  const app = await appWith(run, [{ type: 'create' }]);
  const arrival = Promise.withResolvers<void>();
  await page.route('**/postbacks/filters*', async (route) => {
    await arrival.promise;
    await route.continue();
  });
  await openEvents(page, app);
  const box = page.getByRole('checkbox', { name: 'Show date with microseconds' });
  await expect(listRows(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'My IP' })).toBeDisabled();
  const early = await box.boundingBox();
  arrival.resolve();
  await expect(page.getByRole('button', { name: 'My IP' })).toBeEnabled();
  expect(await box.boundingBox()).toEqual(early);
});
