import type { Page } from '@playwright/test';
import { accounts, password } from '../console/accounts.ts';
import { expect, test } from './console-test.ts';
import { handIn, ownClient } from '../console/hand-in.ts';
import { listRows } from '../console/list-rows.ts';
import { showButton } from './request-panel.ts';

/** Presses Tab, or another key, until the element has the focus; fails when sixty presses do not reach it. */
async function tabTo(page: Page, target: ReturnType<Page['locator']>, key = 'Tab'): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
}

test.describe('without a pointer', () => {
  test.use({ account: 'guest' });

  test('[SHELL-024, SHELL-028, KEY-002] one signs in, skips to the content, opens a page and a row, and signs out', async ({
    page,
    run,
  }) => {
    const client = ownClient();
    await handIn(run, [
      { type: 'create', client_uid: client, body_request: { a: 1 } },
      { type: 'create', client_uid: client, body_request: { a: 2 } },
    ]);
    await page.goto('/login');
    await expect(page.getByLabel('Email')).toBeFocused();
    await page.keyboard.type(accounts.super.email);
    await page.keyboard.press('Tab');
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/apps$/);
    await expect(listRows(page).first()).toBeVisible();

    await tabTo(page, page.getByRole('link', { name: 'Skip to content' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();

    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'All Requests' });
    await tabTo(page, link, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/requests$/);
    // Until the page is there the one before it, which has a search too, stays.
    await expect(page.getByRole('heading', { name: 'Phone Requests' })).toBeVisible();

    await page.keyboard.press('/');
    await expect(page.getByLabel('Search')).toBeFocused();
    await page.keyboard.type(client);
    await page.keyboard.press('Enter');
    await expect(listRows(page)).toHaveCount(2);
    await tabTo(page, listRows(page).first());
    await page.keyboard.press('ArrowDown');
    await expect(listRows(page).nth(1)).toBeFocused();
    await page.keyboard.press('k');
    await expect(listRows(page).first()).toBeFocused();
    await page.keyboard.press('j');
    await expect(listRows(page).nth(1)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('complementary')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('complementary')).toHaveCount(0);
    await expect(listRows(page).nth(1)).toBeFocused();

    const account = page.getByRole('button', { name: `Account of ${accounts.super.name}` });
    await tabTo(page, account);
    const own = page.getByRole('link', { name: 'My account' });
    await page.keyboard.press('Enter');
    await expect(own).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(account).toBeFocused();
    await page.keyboard.press('Enter');
    // The menu takes the focus a moment after it has opened.
    await expect(own).toBeFocused();
    await tabTo(page, page.getByRole('button', { name: 'Sign out' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/login$/);
  });
});

test('[SHELL-044] the product is called the platform in tooltips', async ({ page }) => {
  await page.goto('/');
  await page.getByTestId('server-time').hover();
  await expect(page.getByRole('tooltip')).toContainText('Dates in the platform are shown in it');
});

for (const width of [1024, 1440]) {
  test(`[REQ-017] [SHELL-045] at ${width} px the whole date of a request can be read, and its panel hides nothing that has the focus`, async ({
    page,
    run,
  }) => {
    const client = ownClient();
    await handIn(run, [
      { type: 'create', client_uid: client, body_request: { a: 1 } },
      { type: 'create', client_uid: client, body_request: { a: 2 } },
    ]);
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/requests?search=${client}`);
    const cells = listRows(page).first().locator('td');
    // The font may come after the row.
    await expect.poll(() => cells.nth(5).evaluate((cell) => cell.scrollWidth > cell.clientWidth)).toBe(false);
    const date = await cells.nth(5).evaluate((cell) => cell.getBoundingClientRect().right);
    const body = await cells.last().evaluate((cell) => cell.getBoundingClientRect().left);
    expect(date).toBeLessThanOrEqual(body);

    await showButton(page).focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary');
    await expect(panel).toBeInViewport();
    const focusedElement = page.locator(':focus');
    const isOver = async () =>
      focusedElement.evaluate((element) => {
        const { left, top, width: across, height } = element.getBoundingClientRect();
        return element.contains(element.ownerDocument.elementFromPoint(left + across / 2, top + height / 2));
      });
    await expect.poll(isOver).toBe(true);
    await page.keyboard.press('ArrowDown');
    await expect(listRows(page).nth(1)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
    await expect(listRows(page).nth(1)).toBeFocused();
  });
}
