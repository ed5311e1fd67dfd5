import type { Page } from '@playwright/test';
import { z } from 'zod';
import { accounts } from './accounts.ts';
import { callApi, createJourneyApp, type JourneyApp } from './app-api.ts';
import { expect, stored, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { expectTooltip } from './expect-tooltip.ts';
import { handIn, handInRows, ownClient } from './hand-in.ts';
import { columnTexts, headers, listRows, recordQueries } from './list-rows.ts';
import { daysAgo, writtenDay } from './past-days.ts';
import type { RunState } from './run-state.ts';

type GivenEvent = Parameters<typeof handIn>[1][number];

const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' });
const show = (page: Page, at: number) =>
  listRows(page)
    .nth(at)
    .getByRole('button', { name: /^Show request/ });
const panelOf = (page: Page) => page.getByRole('complementary', { name: /^Request \d+$/ });

/** An app of the test's own with these events. */
async function appWith(run: RunState, events: readonly GivenEvent[]): Promise<JourneyApp> {
  const app = await createJourneyApp(run);
  if (events.length > 0)
    await handIn(
      run,
      events.map((event) => ({ bundle: app.bundle, ...event })),
    );
  return app;
}

async function nameStreams(run: RunState, app: JourneyApp, names: Record<string, string>): Promise<void> {
  const now = new Date().toISOString();
  await handInRows(
    run,
    'streams',
    Object.entries(names).map(([uid, name]) => ({
      uid,
      name,
      bundle: app.bundle,
      buyer_email: accounts.buyer.email,
      created_at: now,
      updated_at: now,
    })),
  );
}

async function openEvents(page: Page, app: JourneyApp, query = ''): Promise<void> {
  await page.goto(`/apps/${app.id}/edit?startTabName=Event${query}`);
  await expect(page.getByRole('tab', { name: 'Event' })).toHaveAttribute('aria-selected', 'true');
}

test('[EVT-001, PERM-021] the tab and its calls are for those who may see requests', async ({ page, run }) => {
  const app = await appWith(run, []);
  await page.route('**/api/sanctum/user', async (route) => {
    const response = await route.fetch();
    const body: { data: { permissions: string[] } } = await response.json();
    body.data.permissions = body.data.permissions.filter((name) => name !== 'manager_app_requests');
    await route.fulfill({ response, json: body });
  });
  await page.goto(`/apps/${app.id}/edit`);
  await expect(page.getByRole('tab', { name: 'Push' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Event' })).toHaveCount(0);
  await page.unrouteAll({ behavior: 'wait' });
  await openEvents(page, app);
  await expect(page.getByRole('heading', { name: 'No requests yet' })).toBeVisible();
  await expect(page.getByText('0 requests', { exact: true })).toBeVisible();
  await expect(callApi(run, 'buyer', 'GET', `apps/${app.id}/postbacks`)).rejects.toThrow('403');
});

test('[EVT-018, EVT-025, EVT-026, EVT-027, EVT-028, EVT-029, EVT-030, EVT-031, AMB-050, AMB-138, AMB-145, AMB-146] columns and what they say', async ({
  page,
  run,
}) => {
  const dates = [daysAgo(2, '22:30'), daysAgo(3, '22:29'), daysAgo(4, '22:28')] as const;
  const app = await appWith(run, [
    { type: 'create', country: 'DE', bot: 'CF HLL', stream_uid: 'long', date: dates[0], body_request: { a: 1 } },
    { type: 'receive', ip: '100.64.0.9', stream_uid: 'short', date: dates[1] },
    { type: 'token', stream_uid: 'unnamed', date: dates[2] },
  ]);
  await nameStreams(run, app, { long: 'Germany organic retarget 1', short: 'Germany organic retarge1' });
  await openEvents(page, app);
  await expect(listRows(page)).toHaveCount(3);
  const shown = (await headers(page)).map((text) => text.trim());
  expect(shown).toEqual(['#', 'IP', 'Bot labels', 'Stream name', 'Date', 'Req_Type', 'JSON Body']);
  await expect.poll(() => columnTexts(page, 'Stream name')).toEqual(['Germany organic retarg...', 'Germany organic retarge1', 'unnamed']);
  // The server shows dates two hours ahead of UTC.
  const [first, second, third] = dates.map(writtenDay);
  await expect.poll(() => columnTexts(page, 'Date')).toEqual([`${first} 00:30:00`, `${second} 00:29:00`, `${third} 00:28:00`]);
  await expect.poll(() => columnTexts(page, 'Req_Type')).toEqual(['create', 'receive', 'token']);
  const listed = z.array(z.object({ id: z.int() })).parse(await callApi(run, 'super', 'GET', `apps/${app.id}/postbacks`));
  expect(await columnTexts(page, '#')).toEqual(listed.map(({ id }) => String(id)));
  await expect(listRows(page).getByRole('button', { name: /^Show request/ })).toHaveCount(3);

  const row = listRows(page).first();
  await expect(row.getByRole('img', { name: 'Germany' })).toBeVisible();
  await expect(row).toContainText('DE203.0.113.9');
  await expect(listRows(page).nth(1)).toContainText('N/A100.64.0.9');
  await expect(row.getByText('HLL', { exact: true })).toHaveAttribute('data-tone', 'danger');
  await expectTooltip(row.getByText('HLL', { exact: true }), 'Blocked by machine learning');
  await expectTooltip(row.getByText('Germany organic retarg...'), 'Germany organic retarget 1');

  for (const header of ['#', 'IP', 'Bot labels', 'Stream name', 'Req_Type', 'JSON Body']) {
    await expect(page.getByRole('columnheader', { name: header, exact: true }).getByRole('button')).toHaveCount(0);
  }
  await page.getByRole('columnheader', { name: 'Date' }).getByRole('button').click();
  await expect.poll(() => columnTexts(page, 'Req_Type')).toEqual(['token', 'receive', 'create']);
  await expect(page).toHaveURL(/startTabName=Event&orderDirection=asc$/);
});

test('[EVT-002, EVT-003, EVT-004, EVT-005, EVT-006, EVT-007, EVT-008, EVT-009, EVT-010, EVT-011, EVT-016] filters of the app travel once they are applied', async ({
  page,
  run,
}) => {
  const app = await appWith(run, [
    { type: 'create', country: 'DE', stream_uid: 's-1' },
    { type: 'error', country: 'PL', stream_uid: 's-2', error: 'Boom' },
  ]);
  await nameStreams(run, app, { 's-1': 'First stream', 's-2': 'Second stream' });
  const asked = recordQueries(page, `/api/apps/${app.id}/postbacks`);
  await openEvents(page, app);
  await expect(listRows(page)).toHaveCount(2);

  for (const [name, options, picked] of [
    ['Type', ['create', 'receive', 'token', 'track', 'error'], 'error'],
    ['Geo', ['Germany', 'Poland'], 'Poland'],
    ['Stream', ['First stream', 'Second stream'], 'Second stream'],
  ] as const) {
    await page.getByRole('combobox', { name, exact: true }).click();
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([...options]);
    await page.getByRole('option', { name: picked }).click();
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: 'Start day', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^10 / }).first().click();
  await page.getByRole('button', { name: 'End day', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^12 / }).first().click();
  await page.getByRole('switch', { name: 'Empty App' }).click();
  expect(asked).toHaveLength(1);
  await page.getByPlaceholder('search by client uid or ip').fill('203.0.113.');
  await page.getByPlaceholder('search by client uid or ip').press('Enter');

  await expect.poll(() => asked.length).toBe(2);
  const sent = asked[1];
  expect(['type[]', 'geo[]', 'streamUid[]'].map((name) => sent?.getAll(name))).toEqual([['error'], ['PL'], ['s-2']]);
  expect(sent?.get('startDate')).toMatch(/^\d{4}-\d{2}-10$/);
  expect(sent?.get('endDate')).toMatch(/^\d{4}-\d{2}-12$/);
  expect([sent?.get('emptyPostbacksDomain'), sent?.get('search')]).toEqual(['1', '203.0.113.']);
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
  await expect.poll(() => stored(page, 'start_date')).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
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
  await expect.poll(() => stored(page, 'start_date')).toBeNull();
});

test('[EVT-015, AMB-143] dates show microseconds when wished, and the wish is kept', async ({ page, run }) => {
  const given = daysAgo(2, '22:30');
  const app = await appWith(run, [{ type: 'create', date: given.replace('.000Z', '.123456Z') }]);
  const shown = `${writtenDay(given)} 00:30:00`;
  const date = listRows(page).getByText(writtenDay(given));
  await openEvents(page, app);
  await expect(date).toHaveText(shown);
  await page.getByRole('checkbox', { name: 'Show date with microseconds' }).check();
  await expect(date).toHaveText(`${shown}.123456`);
  await page.reload();
  await expect(date).toHaveText(`${shown}.123456`);
  await page.getByRole('checkbox', { name: 'Show date with microseconds' }).uncheck();
  await expect(date).toHaveText(shown);
});

test('[EVT-019, EVT-020, EVT-021, EVT-022, EVT-023, EVT-024, EVT-032, EVT-033, EVT-034, EVT-035, EVT-036, EVT-038, AMB-136, AMB-137] a request is shown and copied whole', async ({
  page,
  run,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const app = await appWith(run, [
    {
      type: 'create',
      user_agent: 'Mozilla/5.0 (Test)',
      body_request: { one: { two: { three: { four: { five: 'deep' } } } } },
      body_response: { url: 'https://offer.example/x' },
      additional_data: '{"retries":2}',
    },
    { type: 'receive', error: { exception_type: 'Notice', message: 'Undefined index: sub1' } },
    { type: 'track', error: 'Boom' },
    { type: 'static', error: 'Boom' },
  ]);
  await openEvents(page, app);
  for (const [at, tone] of ['success', 'warning', 'danger', 'default'].entries()) {
    await expect(show(page, at)).toHaveAttribute('data-tone', tone);
  }
  await show(page, 0).click();
  const part = (name: string) => panelOf(page).getByRole('region', { name });
  await expect(part('User agent')).toContainText('Mozilla/5.0 (Test)');
  await expect(part('Request body')).toContainText('four:');
  await expect(part('Request body')).not.toContainText('deep');
  await expect(part('Response body')).toContainText('https://offer.example/x');
  await expect(part('Error')).toContainText('None');
  await expect(part('Additional data')).toContainText('retries:2');
  await page.keyboard.press('Escape');
  await expect(panelOf(page)).toBeHidden();

  await show(page, 1).click();
  await expect(part('Error')).toContainText('Undefined index: sub1');
  await panelOf(page).getByRole('button', { name: 'Close panel' }).click();
  await expect(panelOf(page)).toBeHidden();

  await listRows(page)
    .first()
    .getByRole('button', { name: /^Copy request/ })
    .click();
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  await expect.poll(copied).toContain('offer.example');
  expect(JSON.parse(await copied())).toMatchObject({ app_id: app.id, body_response: { url: 'https://offer.example/x' } });
});

test('requests over time narrow the list by keyboard alone, and going back widens it again', async ({ page, run }) => {
  const now = Date.now();
  const at = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
  const app = await appWith(run, [
    { type: 'create', date: at(300) },
    { type: 'error', date: at(300) },
    { type: 'track', date: at(10) },
  ]);
  await openEvents(page, app);
  await expect(listRows(page)).toHaveCount(3);
  const slider = page.getByRole('slider', { name: 'Time to narrow the list to' });
  await page.getByRole('button', { name: 'Requests over time' }).focus();
  await page.keyboard.press('Tab');
  await expect(slider).toBeFocused();
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuetext', /, no requests$/);
  const words = async () => (await slider.getAttribute('aria-valuetext')) ?? '';
  for (let step = 0; step < 120 && !(await words()).includes('2 requests'); step += 1) await page.keyboard.press('ArrowRight');
  await expect.poll(() => words()).toMatch(/^\d{2}\.\d{2}\.\d{4} \d{2}:\d{2} to .*, 2 requests: 1 create, 1 error$/);
  await page.keyboard.press('Enter');
  await expect(listRows(page)).toHaveCount(2);
  expect((await columnTexts(page, 'Req_Type')).toSorted()).toEqual(['create', 'error']);
  await expect(page.getByText('1–2 of 2')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Requests by type' })).toContainText('track 0');
  await expect(chips(page).getByRole('button', { name: /^Remove filter/ })).toHaveCount(2);
  await expect(slider).toBeFocused();
  await page.goBack();
  await expect(listRows(page)).toHaveCount(3);
});

test('requests over time of all apps narrow the list by a drag, and never hold it up', async ({ page, run }) => {
  const client = ownClient();
  await handIn(
    run,
    Array.from({ length: 12 }, (_, hour) => ({
      type: 'create',
      client_uid: client,
      date: new Date(Date.now() - (hour * 2 + 1) * 3_600_000).toISOString(),
    })),
  );
  await page.route('**/api/all-requests/histogram?*', (route) => route.fulfill({ status: 503, json: { message: 'Busy' } }));
  await page.goto(`/requests?search=${client}`);
  await expect(listRows(page)).toHaveCount(12);
  await expect(page.getByText('The requests could not be counted')).toBeVisible();
  await page.unroute('**/api/all-requests/histogram?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('12 requests')).toBeVisible();

  const plot = await page.getByRole('slider').boundingBox();
  if (plot === null) throw new Error('There is no chart');
  await page.mouse.move(plot.x + plot.width * 0.5, plot.y + 20);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width - 2, plot.y + 30, { steps: 4 });
  await expect(page.getByText('6 requests', { exact: true })).toBeVisible();
  await page.mouse.up();
  await expect(listRows(page)).toHaveCount(6);
  await page.getByRole('button', { name: 'Requests over time' }).click();
  await expect(page.getByRole('slider')).toHaveCount(0);
});

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('[EVT-025, EVT-031] the tab with chart, chips and panel is accessible and fits the screen', async ({ page, run }) => {
      const types = ['create', 'receive', 'token', 'track', 'proxy', 'static', 'error'];
      const app = await appWith(
        run,
        types.map((type, at) => ({
          type,
          bot: 'CF BOT HLL NEW',
          country: 'DE',
          body_request: { at },
          ...(at > 4 ? { error: 'Boom' } : {}),
        })),
      );
      await openEvents(page, app, '&geo=DE');
      await expect(page.getByRole('list', { name: 'Requests by type' })).toContainText('error 1');
      if (width < 768) await page.getByRole('button', { name: 'Show more' }).first().click();
      await expectAccessible(page);
      const overhang = () => page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      await expect.poll(overhang).toBe(0);
      await page
        .getByRole('button', { name: /^Show request/ })
        .first()
        .click();
      await expect(panelOf(page)).toBeVisible();
      await expectAccessible(page);
    });
  });
}
