import { columnTexts, listRows, recordQueries } from '../console/list-rows.ts';
import { expect, storedValue, test } from './console-test.ts';
import { expectTooltip } from './expect-tooltip.ts';
import { handIn, ownClient } from '../console/hand-in.ts';

const call = '/api/all-requests';

test.describe('filters', () => {
  test('[REQ-003, REQ-004, REQ-005, REQ-006, REQ-007, REQ-008, REQ-009, AMB-134, AMB-132] filters travel once they are applied', async ({
    page,
  }) => {
    const queries = recordQueries(page, call);
    await page.goto('/requests');
    await expect.poll(() => queries.length).toBe(1);

    await page.getByRole('combobox', { name: 'Type' }).click();
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([
      'create',
      'receive',
      'token',
      'track',
      'proxy',
      'static',
      'error',
    ]);
    await page.getByRole('option', { name: 'create' }).click();
    await page.getByRole('option', { name: 'error' }).click();
    await page.keyboard.press('Escape');

    await page.getByRole('combobox', { name: 'Geo' }).click();
    await page.getByLabel('Find in geo').fill('nowhere');
    await expect(page.getByText('Sorry, no matching options.')).toBeVisible();
    await page.getByLabel('Find in geo').fill('germ');
    await page.getByRole('option', { name: 'Germany' }).click();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Start day' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /^10 / }).first().click();
    await page.getByRole('button', { name: 'End day' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /^12 / }).first().click();
    await page.getByRole('switch', { name: 'Empty App' }).click();
    expect(queries).toHaveLength(1);

    await page.getByLabel('Search').fill('203.0.113.');
    await page.getByLabel('Search').press('Enter');
    await expect.poll(() => queries.length).toBe(2);
    const secondQuery = queries[1];
    expect(secondQuery?.getAll('type[]')).toEqual(['create', 'error']);
    expect(secondQuery?.getAll('geo[]')).toEqual(['DE']);
    expect(secondQuery?.get('startDate')).toMatch(/^\d{4}-\d{2}-10$/);
    expect(secondQuery?.get('endDate')).toMatch(/^\d{4}-\d{2}-12$/);
    expect(secondQuery?.get('emptyPostbacksDomain')).toBe('1');
    expect(secondQuery?.get('search')).toBe('203.0.113.');
    await expect(page.getByRole('list', { name: 'Active filters' }).getByRole('button', { name: /^Remove filter/ })).toHaveCount(7);
  });

  test('[REQ-005, WID-049] the country list holds every country by its English name with its flag', async ({ page }) => {
    await page.goto('/requests');
    await page.getByRole('combobox', { name: 'Geo' }).click();
    await expect(page.getByRole('listbox').getByRole('option').first()).toHaveAttribute('aria-setsize', '250');
    await expect(page.getByRole('listbox').getByRole('option').first()).toHaveText('Afghanistan');
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('option', { name: 'No country' })).toBeVisible();
    await expect(page.getByRole('option', { name: 'Zimbabwe' })).toBeVisible();
    await expect(page.getByRole('option', { name: 'Zimbabwe' }).locator('img')).toHaveAttribute('src', /ZW/);
  });

  test('[REQ-004, REQ-034] type filters choose rows', async ({ page, run }) => {
    const client = ownClient();
    const types = ['create', 'receive', 'token', 'track', 'proxy', 'static', 'error'];
    await handIn(
      run,
      types.map((type) => ({ type, client_uid: client })),
    );
    await page.goto(`/requests?search=${client}&type=proxy&type=static`);
    await expect(listRows(page)).toHaveCount(2);
    expect((await columnTexts(page, 'Req_Type')).toSorted()).toEqual(['proxy', 'static']);
    await page.getByRole('button', { name: 'Remove filter proxy' }).click();
    await expect(listRows(page)).toHaveCount(1);
    await page.getByRole('button', { name: 'Remove filter static' }).click();
    await expect(listRows(page)).toHaveCount(7);
  });

  test('[REQ-010] the download waits for a search, and says so', async ({ page }) => {
    await page.goto('/requests');
    await expect(page.getByRole('button', { name: 'Download' })).toBeDisabled();
    await expectTooltip(page.getByRole('button', { name: 'Download' }), 'Enter a search to download its requests', { force: true });
  });

  test('[REQ-011] refresh reads the same rows again', async ({ page, run }) => {
    const client = ownClient();
    await handIn(run, [{ type: 'create', client_uid: client }]);
    await page.goto(`/requests?search=${client}`);
    await expect(listRows(page)).toHaveCount(1);
    await handIn(run, [{ type: 'receive', client_uid: client }]);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(listRows(page)).toHaveCount(2);
  });

  test('[REQ-032, AMB-128] a start date kept on this device is applied at once, shown as a chip, and forgotten with it', async ({
    page,
  }) => {
    const queries = recordQueries(page, call);
    await page.goto('/');
    await page.evaluate("localStorage.setItem('switchyard_start_date', '2026-11-20 10:11:12')");
    await page.goto('/requests');
    await expect(page).toHaveURL(/startDate=2026-11-20/);
    await expect(page.getByRole('button', { name: 'Start day', exact: true })).toHaveText('2026-11-20');
    await expect.poll(() => queries.map((query) => query.get('startDate'))).toEqual(['2026-11-20 10:11:12']);
    await page.getByRole('button', { name: 'Remove filter 20.11.2026 12:11:12' }).click();
    await expect(page).toHaveURL(/\/requests$/);
    await expect.poll(() => storedValue(page, 'start_date')).toBeNull();
  });

  test('[REQ-032] leaving the page keeps the start date', async ({ page }) => {
    await page.goto('/');
    await page.evaluate("localStorage.setItem('switchyard_start_date', '2026-11-20')");
    await page.goto('/requests');
    await expect(page).toHaveURL(/startDate=2026-11-20/);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Apps' }).click();
    await expect(page).toHaveTitle(/^Apps \| /);
    await expect(listRows(page).first()).toBeVisible();
    await expect.poll(() => storedValue(page, 'start_date')).toBe('2026-11-20');
  });
});

test.describe('sort and pages', () => {
  test('[REQ-025, REQ-026, REQ-027, REQ-028, REQ-029] newest first; id, date and type sort and drop the cursor', async ({ page, run }) => {
    const client = ownClient();
    await handIn(
      run,
      ['create', 'receive', 'track'].map((type) => ({ type, client_uid: client })),
    );
    const queries = recordQueries(page, call);
    await page.goto(`/requests?search=${client}`);
    await expect(listRows(page)).toHaveCount(3);
    expect([queries[0]?.get('orderBy'), queries[0]?.get('orderDirection')]).toEqual(['concatenated_date', 'desc']);
    await expect.poll(() => columnTexts(page, 'Req_Type')).toEqual(['create', 'receive', 'track']);

    await page.getByRole('columnheader', { name: 'Req_Type' }).getByRole('button').click();
    await expect.poll(async () => columnTexts(page, 'Req_Type')).toEqual(['track', 'receive', 'create']);
    await page.getByRole('columnheader', { name: '#' }).getByRole('button').click();
    await expect(page).toHaveURL(/orderBy=id$/);
    const date = page.getByRole('columnheader', { name: 'Date' });
    await date.getByRole('button').click();
    await expect(date).toHaveAttribute('aria-sort', 'descending');
    await date.getByRole('button').click();
    await expect(date).toHaveAttribute('aria-sort', 'ascending');
    await expect.poll(async () => columnTexts(page, 'Req_Type')).toEqual(['track', 'receive', 'create']);
    for (const header of ['App', 'Stream', 'IP', 'Bot', 'JSON Body']) {
      await expect(page.getByRole('columnheader', { name: header }).getByRole('button')).toHaveCount(0);
    }
    expect(queries.every((query) => !query.has('cursor'))).toBe(true);
  });

  test('[REQ-024, REQ-029, REQ-030, WID-021, WID-022] Prev and Next page by cursor; a filter goes back to the start', async ({
    page,
    run,
  }) => {
    const client = ownClient();
    await handIn(
      run,
      Array.from({ length: 45 }, () => ({ type: 'create', client_uid: client })),
    );
    await page.goto(`/requests?search=${client}&limit=20`);
    const previous = page.getByRole('button', { name: 'Prev', exact: true });
    const next = page.getByRole('button', { name: 'Next', exact: true });
    await expect(listRows(page)).toHaveCount(20);
    await expect(previous).toBeDisabled();
    const first = await columnTexts(page, '#');
    await next.click();
    await expect.poll(async () => (await columnTexts(page, '#'))[0]).not.toBe(first[0]);
    await expect(previous).toBeEnabled();
    await next.click();
    await expect(listRows(page)).toHaveCount(5);
    await expect(next).toBeDisabled();
    await expect(page).toHaveURL(/cursor=/);
    await previous.click();
    // Its cursors lead on only once the page is there.
    await expect(listRows(page)).toHaveCount(20);
    await previous.click();
    await expect.poll(async () => columnTexts(page, '#')).toEqual(first);
    await next.click();
    await expect(page).toHaveURL(/cursor=/);
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'create' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect(page).toHaveURL(/type=create&limit=20$/);
    await expect.poll(async () => columnTexts(page, '#')).toEqual(first);
  });
});
