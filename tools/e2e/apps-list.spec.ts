import { columnTexts, headers, listRows, recordQueries, rowOf } from '../console/list-rows.ts';
import { expect, test } from './console-test.ts';

const everyColumn = ['#', 'Name', 'Bundle', 'Domain', 'V', 'T_C', 'T_R', 'QA_C', 'QA_R', 'Bots'];
const statisticsColumns = ['U', 'All_C', 'All_R', 'All_Push', 'All_Conversion'];

test.use({ account: 'catalogue' });

test.describe('what an account sees', () => {
  // Wide enough for all columns. Where they do not fit, those that give way come last as soon as the contents are measured.
  test.use({ viewport: { width: 1920, height: 900 } });

  test('[APPS-002, APPS-003, APPS-014, APPS-015, APPS-017, APPS-019, APPS-021, APPS-022, APPS-023, APPS-024, APPS-025, APPS-026] every column is there', async ({
    page,
  }) => {
    await page.goto('/apps');
    await expect(page.getByRole('heading', { name: 'Apps', level: 1 })).toBeVisible();
    await expect(page).toHaveTitle('Apps | Switchyard');
    await expect(listRows(page)).toHaveCount(20);
    expect((await headers(page)).slice(0, 10).map((text) => text.trim())).toEqual(everyColumn);
    await expect(page.getByRole('link', { name: 'Create app' })).toHaveAttribute('href', '/apps/create');
  });

  test('[APPS-012, APPS-027, APPS-028, APPS-029, APPS-030, APPS-031, APPS-032, APPS-033, APPS-040] statistics and archiving show with their permissions, the highest id first', async ({
    page,
  }) => {
    const queries = recordQueries(page, '/api/apps');
    await page.goto('/apps');
    await expect(page.getByRole('row', { name: /^TOTAL/ })).toBeVisible();
    await expect(listRows(page)).toHaveCount(20);
    expect([queries[0]?.get('orderBy'), queries[0]?.get('orderDirection')]).toEqual(['keyId', 'desc']);
    const ids = (await columnTexts(page, '#')).map(Number);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect((await headers(page)).slice(10)).toEqual([...statisticsColumns, '7 days', 'Actions', 'Archive or restore']);
  });

  test.describe('manager', () => {
    test.use({ account: 'manager' });

    test('[APPS-027, APPS-032, APPS-033, APPS-040, AMB-073] without the permissions they are absent', async ({ page }) => {
      await page.goto('/apps');
      await expect(listRows(page)).toHaveCount(20);
      expect((await headers(page)).map((text) => text.trim())).toEqual(everyColumn);
      await expect(page.getByText('TOTAL')).toHaveCount(0);
      await expect(page.getByRole('button', { name: /^Archive/ })).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'Create app' })).toBeVisible();
    });
  });

  test.describe('reviewer', () => {
    test.use({ account: 'reviewer' });

    test('[APPS-003, PERM-005] without the permission there is no create button', async ({ page }) => {
      await page.goto('/apps');
      await expect(listRows(page)).toHaveCount(20);
      await expect(page.getByRole('link', { name: 'Create app' })).toHaveCount(0);
    });
  });
});

test.describe('filters', () => {
  test('[APPS-004, APPS-010, AMB-081] Enter in the search applies it and goes back to the first page', async ({ page }) => {
    await page.goto('/apps?page=2');
    await page.getByLabel('Search').fill('harbor');
    await page.getByLabel('Search').press('Enter');
    await expect(page).toHaveURL(/\/apps\?search=harbor$/);
    await expect(listRows(page)).toHaveCount(1);
    await expect(listRows(page)).toContainText('com.luckyharbor.app');
  });

  test('[APPS-005, APPS-006, APPS-007, APPS-008, APPS-013, APPS-041] status and Cache count once they are applied', async ({ page }) => {
    const queries = recordQueries(page, '/api/apps');
    await page.goto('/apps');
    await expect(listRows(page)).toHaveCount(20);
    // A busy server has the list asked for again.
    const asked = queries.splice(0);
    expect(new Set(asked.map((query) => `${query.get('status')} ${query.get('isCache')}`))).toEqual(new Set(['active 1']));

    await page.getByRole('combobox', { name: 'Status' }).click();
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Active', 'Deleted', 'All']);
    await page.getByRole('option', { name: 'Deleted' }).click();
    await expect(page.getByRole('switch', { name: 'Cache' })).toBeChecked();
    await page.getByRole('switch', { name: 'Cache' }).click();
    expect(queries).toEqual([]);

    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect(listRows(page).first()).toContainText('Archived');
    expect(queries.map((query) => [query.get('status'), query.get('isCache')])).toEqual([['deleted', '0']]);
    await expect(listRows(page).first()).toHaveAttribute('data-tone', 'warning');
    await expect(page).toHaveURL(/status=deleted&isCache=0$/);
  });

  test('[APPS-009, AMB-082] clear resets the filters, keeps the sort and reloads', async ({ page }) => {
    await page.goto('/apps?search=lucky&status=all&isCache=0&orderBy=keyName&orderDirection=asc&page=1');
    await expect(page.getByLabel('Search')).toHaveValue('lucky');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect(page).toHaveURL(/\/apps\?orderBy=keyName&orderDirection=asc$/);
    await expect(page.getByLabel('Search')).toHaveValue('');
    await expect(page.getByRole('switch', { name: 'Cache' })).toBeChecked();
    await expect(listRows(page)).toHaveCount(20);
  });

  test('active filters are chips that can be removed one by one, and the back button undoes it', async ({ page }) => {
    await page.goto('/apps?search=a&status=all');
    const chips = page.getByRole('list', { name: 'Active filters' });
    await chips.getByRole('button', { name: 'Remove filter a', exact: true }).click();
    await expect(page).toHaveURL(/\/apps\?status=all$/);
    await expect(chips.getByRole('button', { name: 'Remove filter All' })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/search=a/);
    await expect(page.getByLabel('Search')).toHaveValue('a');
  });

  test('[AMB-081] removing a chip leaves what was typed but not applied out of the question', async ({ page }) => {
    await page.goto('/apps?status=all');
    await page.getByRole('searchbox', { name: 'Search' }).fill('harbor');
    await page.getByRole('button', { name: 'Remove filter All' }).click();
    await expect(page).toHaveURL(/\/apps$/);
    await expect(listRows(page)).toHaveCount(20);
  });

  test('[APPS-034] the TOTAL row asks with the same filters and leaves the loading bar alone', async ({ page }) => {
    const queries = recordQueries(page, '/api/apps/statistics/total');
    let release = (): void => undefined;
    const holding = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/apps/statistics/total*', async (route) => {
      await holding;
      await route.continue();
    });
    await page.goto('/apps?search=a&status=all&isCache=0');
    await expect(listRows(page)).not.toHaveCount(0);
    await expect(page.getByTestId('loading-bar')).not.toHaveAttribute('data-active');
    release();
    await expect(page.getByRole('row', { name: /^TOTAL/ })).toContainText('|');
    expect(queries.map((query) => Object.fromEntries(query))).toEqual([{ status: 'all', search: 'a', isCache: '0' }]);
  });
});

test.describe('sort and pages', () => {
  test('[APPS-011, WID-014, WID-015] pages are numbered and in the address; the current one does nothing', async ({ page }) => {
    const queries = recordQueries(page, '/api/apps');
    await page.goto('/apps?status=all');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await expect(page.getByText('1–20 of 40')).toBeVisible();
    await expect(pages.getByRole('button', { name: /^Page/ })).toHaveText(['1', '2']);
    await pages.getByRole('button', { name: 'Page 1' }).click();
    await pages.getByRole('button', { name: 'Page 2' }).click();
    await expect(page.getByText('21–40 of 40')).toBeVisible();
    await expect(page).toHaveURL(/\?page=2&status=all$/);
    expect(queries.map((query) => query.get('page'))).toEqual(['1', '2']);
    await page.goBack();
    await expect(page.getByText('1–20 of 40')).toBeVisible();
  });

  test('[WID-018, AMB-046] one page hides the numbers; the page size is chosen and stays in the address', async ({ page }) => {
    await page.goto('/apps?status=all&page=2');
    await page.getByLabel('Rows on a page').selectOption('50');
    await expect(listRows(page)).toHaveCount(40);
    await expect(page).toHaveURL(/\/apps\?limit=50&status=all$/);
    await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveCount(0);
  });
});

test.describe('row actions', () => {
  test('[APPS-035, APPS-036, APPS-037, APPS-038] events and edit lead to the tabs; archived apps are not edited', async ({ page }) => {
    await page.goto('/apps?status=all&limit=50');
    const active = rowOf(page, 'com.goalrush.app');
    const id = (await active.locator('td').nth(1).innerText()).trim();
    await expect(active.getByRole('link', { name: 'View events of Goal Rush' })).toHaveAttribute(
      'href',
      `/apps/${id}/edit?startTabName=Event`,
    );
    await expect(active.getByRole('link', { name: 'Edit Goal Rush' })).toHaveAttribute('href', `/apps/${id}/edit?startTabName=General`);

    const archivedRow = rowOf(page, 'com.turftips.app');
    await expect(archivedRow.getByRole('link', { name: 'View events of Turf Tips' })).toBeVisible();
    await expect(archivedRow.getByRole('link', { name: /^Edit/ })).toHaveCount(0);
    await archivedRow.locator('td').nth(3).dblclick();
    await expect(page).toHaveURL(/\/apps\?/);
    await active.locator('td').nth(3).dblclick();
    await expect(page).toHaveURL(new RegExp(`/apps/${id}/edit\\?startTabName=General$`));
  });

  test('[APPS-042, APPS-047, AMB-073] archive asks first, and Cancel changes nothing', async ({ page }) => {
    const writes: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && writes.push(request.url()));
    await page.goto('/apps?search=com.bingovalley.app');
    await page.getByRole('button', { name: 'Archive Bingo Valley' }).click();
    const prompt = page.getByRole('dialog', { name: 'Are you sure?' });
    await expect(prompt).toContainText('All data will be ARCHIVED!');
    await expect(prompt.getByText('Bingo Valley', { exact: true })).toBeVisible();
    await prompt.getByRole('button', { name: 'Cancel' }).click();
    await expect(prompt).toBeHidden();
    await expect(listRows(page)).toHaveCount(1);
    expect(writes).toEqual([]);
  });

  test('[APPS-039, APPS-041, APPS-043, APPS-044, APPS-045, APPS-046, APPS-056] an app is archived and restored, and the list is read again', async ({
    page,
  }) => {
    await page.goto('/apps?search=com.wicketwizards.app&status=all');
    await page.getByRole('button', { name: 'Archive Wicket Wizards' }).click();
    await page.getByRole('button', { name: 'OK' }).click();
    await expect(page.getByText('App "Wicket Wizards" archived')).toBeVisible();
    const row = rowOf(page, 'com.wicketwizards.app');
    await expect(row).toHaveAttribute('data-tone', 'warning');
    await expect(row.getByText('Archived')).toBeVisible();

    await page.getByRole('button', { name: 'Restore Wicket Wizards' }).click();
    await expect(page.getByRole('dialog')).toContainText('All data will be RESTORED!');
    await page.getByRole('button', { name: 'OK' }).click();
    await expect(page.getByText('App "Wicket Wizards" restored')).toBeVisible();
    await expect(row).not.toHaveAttribute('data-tone');
    await expect(page.getByRole('button', { name: 'Archive Wicket Wizards' })).toBeVisible();
  });
});
