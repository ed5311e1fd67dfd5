import { randomUUID } from 'node:crypto';
import { accounts } from '../console/accounts.ts';
import { callApi, createJourneyApp, saveElsewhere } from '../console/app-api.ts';
import { expect, test, widths } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { listRows } from '../console/list-rows.ts';

test('[AMB-189] a saved app is in the activity with who, what, before and after, and leads to the app', async ({ page, run }) => {
  const app = await createJourneyApp(run);
  await saveElsewhere(run, app.id, { domain: `new-${app.domain}` });
  await page.goto('/apps');
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await expect(page).toHaveTitle(/^Activity \| /);
  await page.goto(`/activity?entity=app&entityId=${app.id}`);
  await expect(listRows(page)).toHaveCount(2);
  await expect(listRows(page).first()).toContainText(/Olga PetrovaChangedApp Journey .*Domain/);
  await expect(listRows(page).last()).toContainText('Created');

  await listRows(page).first().dblclick();
  const panel = page.getByRole('complementary', { name: /^Activity \d+$/ });
  await expect(panel.getByLabel('Differences')).toContainText(`Before: ${app.domain}After: new-${app.domain}`);
  await expect(panel).toContainText(/Request id[A-Za-z0-9._-]{8,64}/);
  await expect(panel.getByRole('button', { name: 'Copy request id' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(panel.getByLabel('Differences')).toContainText(`After: ${app.domain}`);
  await panel.getByRole('link', { name: app.name }).click();
  await expect(page).toHaveURL(new RegExp(`/apps/${app.id}/edit`));
});

test('who, action, kind and days narrow the activity; the address keeps them; each chip takes one back', async ({ page, run }) => {
  const name = `Role ${randomUUID().slice(0, 8)}`;
  await callApi(run, 'super', 'POST', 'roles', { name, permission_ids: [3, 6], panel: 'manager' });
  // The staff is among those to choose from only once it has been asked for.
  await Promise.all([page.waitForResponse(/\/api\/users\/list$/), page.goto('/activity')]);
  await expect(listRows(page).first()).toBeVisible();
  await page.getByRole('combobox', { name: 'Who', exact: true }).click();
  await page.getByRole('option', { name: 'Olga Petrova' }).click();
  await page.getByRole('combobox', { name: 'What', exact: true }).click();
  await page.getByRole('option', { name: 'Role', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await expect(page).toHaveURL(/\/activity\?actor=\d+&entity=role$/);
  const row = listRows(page).filter({ hasText: name });
  await expect(row).toContainText('Created');
  // The row was there, among others, before the filters were set.
  await expect.poll(async () => (await listRows(page).allInnerTexts()).filter((other) => !other.includes('Role'))).toEqual([]);
  await row.getByRole('button', { name: /^Show activity/ }).click();
  await page.getByRole('button', { name: 'Everything done to this' }).click();
  await expect(listRows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/\/activity$/);
  await page.goto('/activity?endDate=2020-01-01');
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
});

test('[AMB-189] the search finds an app by its name, and the switch takes sign-ins out of what is found', async ({ page, run }) => {
  const app = await createJourneyApp(run);
  await page.goto('/activity');
  await expect(listRows(page).first()).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.fill(app.name.toUpperCase());
  await search.press('Enter');
  await expect(listRows(page)).toHaveCount(1);
  await expect(listRows(page).first()).toContainText(`Olga PetrovaCreatedApp ${app.name}`);
  await page.getByRole('button', { name: /^Remove filter / }).click();
  await expect(page).toHaveURL(/\/activity$/);

  // Who has only signed in, and has changed nothing.
  await search.fill(accounts.reviewer.email);
  await search.press('Enter');
  await expect(page).toHaveURL(/\/activity\?search=/);
  await expect(listRows(page).filter({ hasText: 'Signed in' }).first()).toBeVisible();
  await page.getByRole('switch', { name: 'Hide sign-ins' }).press('Space');
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('Sign-insHidden');
  await expect(listRows(page).filter({ hasText: /Signed (in|out)|Sign-in failed/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove filter Hidden' }).click();
  await expect(listRows(page).filter({ hasText: 'Signed in' }).first()).toBeVisible();
});

test('a failed sign-in is shown, and so are pages further back', async ({ page, run }) => {
  const email = `${randomUUID().slice(0, 8)}@example.com`;
  await fetch(`${run.url}/api/sanctum/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'wrong' }),
  });
  await page.goto('/activity?action=login_failed');
  await expect(listRows(page).filter({ hasText: email })).toContainText('NobodySign-in failed');
  await page.goto('/activity?limit=2');
  await expect(listRows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect(page.getByRole('button', { name: 'Prev', exact: true })).toBeEnabled();
});

test.describe('without the permission', () => {
  test.use({ account: 'manager' });

  test('[AMB-189] there is no entry, and the address leads to the login page', async ({ page }) => {
    await page.goto('/apps');
    await expect(page.getByRole('link', { name: 'Apps', exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Activity', exact: true })).toHaveCount(0);
    await page.goto('/activity');
    await expect(page).toHaveURL(/\/login$/);
  });
});

for (const width of widths(1440)) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('list, filters and differences are accessible and fit their window', async ({ page, run }) => {
      const app = await createJourneyApp(run);
      await saveElsewhere(run, app.id, { name: `${app.name} renamed` });
      await page.goto(`/activity?entity=app&entityId=${app.id}`);
      await expect(page.getByRole('button', { name: /^Show activity/ })).toHaveCount(2);
      await expectAccessible(page);
      await page
        .getByRole('button', { name: /^Show activity/ })
        .first()
        .click();
      await expect(page.getByRole('complementary', { name: /^Activity \d+$/ })).toBeVisible();
      await expectAccessible(page);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });
  });
}
