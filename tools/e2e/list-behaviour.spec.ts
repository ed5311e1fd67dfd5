import { changeAnswer, headers, listRows, recordQueries, rowOf } from '../console/list-rows.ts';
import { expect, storedValue, test } from './console-test.ts';

const appsCall = /\/api\/apps\?/;
const holdAnswer = () => {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { until, release: () => release() };
};

test.use({ account: 'catalogue' });

test.describe('states', () => {
  test('the first load shows grey rows, later ones keep the old rows', async ({ page }) => {
    const first = holdAnswer();
    const second = holdAnswer();
    await page.route(appsCall, async (route) => {
      await (route.request().url().includes('page=2') ? second.until : first.until);
      await route.continue();
    });
    await page.goto('/apps?status=all');
    const grid = page.getByRole('grid', { name: 'apps' });
    await expect(grid).toHaveAttribute('aria-busy', 'true');
    await expect(grid.locator('tbody[aria-hidden] tr')).toHaveCount(12);
    first.release();
    await expect(listRows(page)).toHaveCount(20);
    // The server's offset, in which dates are shown, may come after the rows.
    await expect(page.getByTestId('server-time')).toBeVisible();
    // So may the days of the sparklines.
    await expect(
      listRows(page)
        .first()
        .getByRole('img', { name: /today: / }),
    ).toBeVisible();
    const top = await listRows(page).first().innerText();
    await page.getByRole('button', { name: 'Page 2' }).click();
    await expect(grid).toHaveAttribute('aria-busy', 'true');
    expect(await listRows(page).first().innerText()).toBe(top);
    second.release();
    await expect(page.getByText('21–40 of 40')).toBeVisible();
    await expect(grid).toHaveAttribute('aria-busy', 'false');
  });

  test('[ERR-012] a failed load says why, in one toast, and can be tried again', async ({ page }) => {
    // No outage, after which the list would load again by itself.
    let isDown = true;
    await page.route(appsCall, async (route) =>
      isDown ? route.fulfill({ status: 500, json: { success: false, message: 'Something broke' } }) : route.continue(),
    );
    await page.goto('/apps');
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { name: 'The apps could not be loaded' })).toBeVisible();
    await expect(main.getByText('Something broke')).toBeVisible();
    await expect(page.getByTestId('notification')).toHaveCount(1);
    isDown = false;
    await main.getByRole('button', { name: 'Try again' }).click();
    await expect(listRows(page)).toHaveCount(20);
    await expect(page.getByTestId('notification')).toHaveCount(0);
    isDown = true;
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect(main.getByText('These rows may be old: Something broke')).toBeVisible();
    await expect(listRows(page)).toHaveCount(20);
  });

  test('[AMB-062] a missing permission shows no access and no toast', async ({ page }) => {
    await page.route(appsCall, async (route) =>
      route.fulfill({ status: 403, json: { success: false, message: 'You have no permission for this action' } }),
    );
    await page.goto('/apps');
    await expect(page.getByRole('heading', { name: 'No access' })).toBeVisible();
    await expect(page.getByTestId('notification')).toHaveCount(0);
  });

  test('[AMB-047] nothing found offers to clear the filters, a page past the end leads back', async ({ page }) => {
    await page.goto('/apps?search=no-such-app-anywhere');
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).click();
    await expect(listRows(page)).toHaveCount(20);
    await page.goto('/apps?page=99');
    await page.getByRole('button', { name: 'Go to the first page' }).click();
    await expect(listRows(page)).toHaveCount(20);
  });

  test('[REQ-006, REQ-007] a range of days that ends before it starts says so and can be turned round', async ({ page }) => {
    const queries = recordQueries(page, '/api/all-requests');
    await page.goto('/requests?startDate=2026-03-09&endDate=2026-03-01');
    await expect(page.getByRole('heading', { name: 'The start day is after the end day' })).toBeVisible();
    await expect(page.getByTestId('notification')).toHaveCount(0);
    expect(queries).toEqual([]);
    await page.getByRole('button', { name: 'Swap the days' }).click();
    await expect(page).toHaveURL(/startDate=2026-03-01&endDate=2026-03-09/);
    await expect.poll(() => queries.map((query) => query.get('startDate'))).toEqual(['2026-03-01']);
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'The start day is after the end day' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Apply filter' })).toBeVisible();
  });

  test('[AMB-062] without rows nothing is said of their number', async ({ page }) => {
    await page.goto('/apps?search=no-such-app-anywhere');
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
    await expect(page.getByLabel('Rows on a page')).toHaveCount(0);
    await expect(page.getByText('0 of 0')).toHaveCount(0);
  });

  test('an empty list says what will appear there', async ({ page }) => {
    await changeAnswer(page, appsCall, (body) => {
      body.data = [];
      Object.assign(body.pagination, { total: 0, count: 0, totalPages: 1, last_page: 1 });
    });
    await page.goto('/apps');
    await expect(page.getByRole('heading', { name: 'No apps yet' })).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'Create app' })).toHaveCount(2);
  });

  test('[AMB-047] broken parameters of the address show the default list', async ({ page }) => {
    await page.goto('/apps?page=x&limit=-4&status=nobody&orderBy=passwords&isCache=maybe');
    await expect(listRows(page)).toHaveCount(20);
    await expect(page.getByRole('columnheader', { name: '#' })).toHaveAttribute('aria-sort', 'descending');
  });
});

test.describe('the table', () => {
  test('[WID-055] [CONST-018] is as high as the window leaves, less 36 px, and never under 300', async ({ page }) => {
    await page.goto('/apps');
    await expect(listRows(page)).toHaveCount(20);
    const room = () =>
      page.evaluate<{ top: number; height: number; window: number; scrolls: boolean }>(`(() => {
        const box = document.querySelector('table').parentElement.getBoundingClientRect();
        return { top: box.top + scrollY, height: box.height, window: innerHeight,
          scrolls: document.documentElement.scrollHeight > innerHeight };
      })()`);
    /** Pixels by which the table is too high or too low; measured again after the parts above it were drawn. */
    const amiss = async () => {
      const { height, window, top } = await room();
      return height - Math.floor(window - top - 36);
    };
    await expect.poll(amiss).toBe(0);
    await expect.poll(async () => (await room()).scrolls).toBe(false);
    const tall = await room();
    await page.getByLabel('Search').fill('a');
    await page.getByLabel('Search').press('Enter');
    await expect(page.getByRole('list', { name: 'Active filters' })).toBeVisible();
    await expect.poll(async () => (await room()).top).toBeGreaterThan(tall.top);
    await expect.poll(amiss).toBe(0);
    await expect.poll(async () => (await room()).scrolls).toBe(false);
    await page.setViewportSize({ width: 1440, height: 420 });
    await expect.poll(async () => (await room()).height).toBe(300);
  });

  test('mounts only the rows in view when there are many, and the keyboard reaches the last', async ({ page }) => {
    await changeAnswer(page, appsCall, (body) => {
      const app = body.data[0] ?? {};
      body.data = Array.from({ length: 200 }, (_, at) => ({ ...app, id: 5_000 - at, name: `App ${at}` }));
      Object.assign(body.pagination, { total: 200, count: 200, limit: 200 });
    });
    await page.goto('/apps?limit=200');
    await expect(page.getByText('App 0', { exact: true })).toBeVisible();
    expect(await listRows(page).count()).toBeLessThan(70);
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '202');
    await listRows(page).first().focus();
    await page.keyboard.press('End');
    const last = page.locator('tr[data-index="199"]');
    await expect(last).toBeFocused();
    await expect(last).toBeInViewport();
    await page.keyboard.press('Home');
    await expect(page.locator('tr[data-index="0"]')).toBeFocused();
  });

  test('[APPS-038] the keyboard moves through rows and their controls and opens', async ({ page }) => {
    await page.goto('/apps');
    await listRows(page).first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const second = listRows(page).nth(1);
    await expect(second).toBeFocused();
    await expect
      .poll(() => listRows(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('tabindex')).filter((index) => index === '0')))
      .toEqual(['0']);
    await page.keyboard.press('ArrowLeft');
    await expect(second).toBeFocused();
    for (
      let at = 0;
      at < 20 && !(await second.getByRole('link', { name: /^View events/ }).evaluate((link) => link === link.ownerDocument.activeElement));
      at += 1
    ) {
      await page.keyboard.press('ArrowRight');
    }
    await expect(second.getByRole('link', { name: /^View events/ })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(listRows(page).nth(2)).toBeFocused();
    const id = (await listRows(page).nth(2).locator('td').nth(1).innerText()).trim();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/apps/${id}/edit\\?startTabName=General$`));
  });

  test('[APPS-035, APPS-037] the name of an archived app leads to its events', async ({ page }) => {
    await page.goto('/apps?status=all&limit=50');
    await rowOf(page, 'com.turftips.app').getByRole('link', { name: 'Turf Tips', exact: true }).click();
    await expect(page).toHaveURL(/\/edit\?startTabName=Event$/);
  });

  test('which columns show is kept on this device', async ({ page }) => {
    await page.goto('/apps');
    await expect(listRows(page)).toHaveCount(20);
    await page.getByRole('button', { name: 'Columns' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveCount(0);
    await page.getByLabel('Bundle', { exact: true }).uncheck();
    await page.getByRole('checkbox', { name: 'Vertical' }).uncheck();
    await expect(page.getByRole('columnheader', { name: 'Bundle' })).toHaveCount(0);
    await expect.poll(() => storedValue(page, 'hidden_columns_apps')).toBe('["bundle","vertical"]');
    await page.reload();
    await expect(listRows(page)).toHaveCount(20);
    await expect.poll(() => headers(page)).not.toContain('Bundle');
    await page.getByRole('button', { name: 'Columns (2 hidden)' }).click();
    await page.getByRole('button', { name: 'Show all columns' }).click();
    await expect(page.getByRole('columnheader', { name: 'Bundle' })).toBeVisible();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('[APPS-035, APPS-036] the actions of an app are above its statistics', async ({ page }) => {
    await page.goto('/apps?search=com.goalrush.app');
    const card = page.getByRole('listitem').filter({ hasText: 'goal-rush.example' });
    await card.getByRole('button', { name: 'Show more' }).click();
    const action = await card.getByRole('link', { name: 'Edit Goal Rush' }).boundingBox();
    const statistics = await card.getByText('Receive requests today').boundingBox();
    expect(action?.y).toBeLessThan(statistics?.y ?? 0);
  });

  test.describe('reviewer', () => {
    test.use({ account: 'reviewer' });

    test('[APPS-032, APPS-036] opens an app without the statistics permission by its name', async ({ page }) => {
      await page.goto('/apps?search=com.goalrush.app');
      await page.getByRole('link', { name: 'Goal Rush', exact: true }).click();
      await expect(page).toHaveURL(/\/apps\/\d+\/edit\?startTabName=General$/);
    });
  });

  test('[SHELL-042] the server time is in the menu', async ({ page }) => {
    await page.goto('/apps');
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await expect(page.getByRole('dialog').getByText('Server time')).toBeVisible();
    await expect(page.getByRole('dialog').locator('time')).toHaveText(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2} GMT\+02:00$/);
  });

  test('[APPS-057] [CONST-001] [CONST-002] rows are cards with three columns, the rest on tap', async ({ page }) => {
    await page.goto('/apps?search=com.goalrush.app');
    const card = page.getByRole('listitem').filter({ hasText: 'goal-rush.example' });
    await expect(page.getByRole('grid')).toHaveCount(0);
    await expect(card).toContainText('Goal Rush');
    await expect(card.getByText('com.goalrush.app')).toHaveCount(0);
    await card.getByRole('button', { name: 'Show more' }).click();
    await expect(card.getByText('com.goalrush.app')).toBeVisible();
    await expect(card.getByRole('link', { name: 'Edit Goal Rush' })).toBeVisible();
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    await expect(page.getByRole('combobox', { name: 'Status' })).toBeVisible();
    await page.setViewportSize({ width: 768, height: 844 });
    await expect(page.getByRole('grid')).toBeVisible();
  });
});
