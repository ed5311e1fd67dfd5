import { expect, test } from './console-test.ts';
import { appWith, chips, openEvents } from './event-tab.ts';
import { handIn, ownClient } from '../console/hand-in.ts';
import { columnTexts, listRows } from '../console/list-rows.ts';

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
  // The menu of marks and the types that occur are between the two.
  await expect(page.getByRole('button', { name: /^(?:Marks|\d+ marks?)$/ })).toBeVisible();
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('Tab');
  await expect(slider).toBeFocused();
  await page.keyboard.press('Home');
  const words = async () => (await slider.getAttribute('aria-valuetext')) ?? '';
  for (let step = 0; step < 120 && !(await words()).includes('2 requests'); step += 1) await page.keyboard.press('ArrowRight');
  await expect.poll(() => words()).toMatch(/^\d{2}\.\d{2}\.\d{4} \d{2}:\d{2} to .*, 2 requests: 1 create, 1 type error$/);
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
  await page.getByRole('button', { name: '24 h: last 24 hours' }).click();
  await expect(page).toHaveURL(/startDate=/);
  // The chart before has the same total: that of 24 hours has each quarter of an hour, the first and the last one in part.
  await expect(page.getByRole('slider')).toHaveAttribute('max', /^9[78]$/);
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

test('[MARK-025] a chart is there when the code of its marks does not arrive', async ({ page }) => {
  let refusedFiles = 0;
  await page.route(/\/assets\/mark-parts-.*\.js$/, async (route) => {
    refusedFiles += 1;
    await route.abort();
  });
  await page.goto('/requests');
  await expect(page.getByRole('slider')).toBeVisible();
  await expect.poll(() => refusedFiles).toBeGreaterThan(0);
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('list', { name: 'Requests by type' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Phone Requests' })).toBeVisible();
});
