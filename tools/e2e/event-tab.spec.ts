import { z } from 'zod';
import { callApi } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';
import { appWith, nameStreams, openEvents } from './event-tab.ts';
import { expectAccessible } from './expect-accessible.ts';
import { expectTooltip } from './expect-tooltip.ts';
import { columnTexts, headers, listRows } from '../console/list-rows.ts';
import { daysAgo, writtenDay } from './past-days.ts';
import { requestPanel, showButton } from './request-panel.ts';

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
  const shownHeaders = (await headers(page)).map((text) => text.trim());
  expect(shownHeaders).toEqual(['#', 'IP', 'Bot labels', 'Stream name', 'Date', 'Req_Type', 'JSON Body']);
  await expect.poll(() => columnTexts(page, 'Stream name')).toEqual(['Germany organic retarg...', 'Germany organic retarge1', 'unnamed']);
  // The server shows dates two hours ahead of UTC.
  const [first, second, third] = dates.map(writtenDay);
  await expect.poll(() => columnTexts(page, 'Date')).toEqual([`${first} 00:30:00`, `${second} 00:29:00`, `${third} 00:28:00`]);
  await expect.poll(() => columnTexts(page, 'Req_Type')).toEqual(['create', 'receive', 'token']);
  const listedRows = z.array(z.object({ id: z.int() })).parse(await callApi(run, 'super', 'GET', `apps/${app.id}/postbacks`));
  expect(await columnTexts(page, '#')).toEqual(listedRows.map(({ id }) => String(id)));
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

test('[EVT-015, AMB-143] dates show microseconds when wished, and the wish is kept', async ({ page, run }) => {
  const givenTime = daysAgo(2, '22:30');
  const app = await appWith(run, [{ type: 'create', date: givenTime.replace('.000Z', '.123456Z') }]);
  const shownTime = `${writtenDay(givenTime)} 00:30:00`;
  const date = listRows(page).getByText(writtenDay(givenTime));
  await openEvents(page, app);
  await expect(date).toHaveText(shownTime);
  const wish = page.getByRole('checkbox', { name: 'Show date with microseconds' });
  // The tick does not wait for the rows, which render later.
  const tickAtOnce = (box: { click: () => void; checked?: boolean }) => {
    box.click();
    return box.checked;
  };
  expect(await wish.evaluate(tickAtOnce)).toBe(true);
  await expect(date).toHaveText(`${shownTime}.123456`);
  await page.reload();
  await expect(date).toHaveText(`${shownTime}.123456`);
  await wish.uncheck();
  await expect(date).toHaveText(shownTime);
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
    await expect(showButton(page, at)).toHaveAttribute('data-tone', tone);
  }
  await showButton(page, 0).click();
  const part = (name: string) => requestPanel(page).getByRole('region', { name });
  await expect(part('User agent')).toContainText('Mozilla/5.0 (Test)');
  await expect(part('Request body')).toContainText('four:');
  await expect(part('Request body')).not.toContainText('deep');
  await expect(part('Response body')).toContainText('https://offer.example/x');
  await expect(part('Error')).toContainText('None');
  await expect(part('Additional data')).toContainText('retries:2');
  await page.keyboard.press('Escape');
  await expect(requestPanel(page)).toBeHidden();

  await showButton(page, 1).click();
  await expect(part('Error')).toContainText('Undefined index: sub1');
  await requestPanel(page).getByRole('button', { name: 'Close panel' }).click();
  await expect(requestPanel(page)).toBeHidden();

  await listRows(page)
    .first()
    .getByRole('button', { name: /^Copy request/ })
    .click();
  const readClipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
  await expect.poll(readClipboard).toContain('offer.example');
  expect(JSON.parse(await readClipboard())).toMatchObject({ app_id: app.id, body_response: { url: 'https://offer.example/x' } });
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
      await expect(requestPanel(page)).toBeVisible();
      await expectAccessible(page);
    });
  });
}
