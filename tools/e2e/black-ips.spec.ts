import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import { callApi } from '../console/app-api.ts';
import { expect, test, widths } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { listRows, rowOf } from '../console/list-rows.ts';

/** An address that no other test uses. */
const ownIp = (): string => `2001:db8:${randomInt(1, 0xffff).toString(16)}:${randomInt(1, 0xffff).toString(16)}::1`;
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add IPs' });

test('[BIP-001, BIP-002, BIP-004, BIP-008, BIP-016, SHELL-027, PERM-048] addresses are added with a reason, found, changed and deleted', async ({
  page,
  run,
}) => {
  const ip = ownIp();
  await page.goto('/apps');
  await page.getByRole('link', { name: 'Black IP', exact: true }).click();
  await expect(page).toHaveTitle(/^Black IP \| /);
  await page.getByRole('button', { name: 'Add IPs' }).first().click();
  await expect(dialog(page).getByText('Still needed: IPs')).toBeVisible();
  await expect(dialog(page).getByRole('button', { name: 'Add' })).toBeDisabled();
  await dialog(page).getByLabel('IPs', { exact: true }).fill(`${ip.toUpperCase()}, 999.1.1.1`);
  await expect(dialog(page).getByText(/^Still needed/)).toHaveCount(0);
  await dialog(page).getByRole('button', { name: 'Add' }).click();
  await expect(dialog(page).getByRole('alert')).toHaveText('The following entries are not valid IPv4 or IPv6 addresses: 999.1.1.1');
  await dialog(page).getByLabel('IPs', { exact: true }).fill(ip.toUpperCase());
  await dialog(page).getByLabel('Reason').fill('Scans ports');
  await dialog(page).getByRole('button', { name: 'Add' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(rowOf(page, ip)).toContainText('Scans ports');

  await callApi(run, 'super', 'POST', 'black-list', { ips: [ip], reason: 'Elsewhere' });
  await page.getByRole('searchbox', { name: 'Search' }).fill(ip);
  await page.keyboard.press('Enter');
  await expect(listRows(page)).toHaveCount(1);
  await expect(rowOf(page, ip)).toContainText('Elsewhere');
  await page.getByRole('button', { name: `Delete ${ip}` }).click();
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
});

test('the own address is added only after a warning', async ({ page }) => {
  await page.goto('/black-ip');
  await page.getByRole('button', { name: 'Add IPs' }).first().click();
  await dialog(page).getByLabel('IPs', { exact: true }).fill('127.0.0.1');
  await dialog(page).getByRole('button', { name: 'Add' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText(/127\.0\.0\.1 is (your own address|an address of this console)/);
  await expect(dialog(page).getByRole('button', { name: 'Add anyway' })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page)).toHaveCount(0);
});

test('[BIP-008] a deletion can be undone, which adds the address again with its reason', async ({ page, run }) => {
  const ip = ownIp();
  await callApi(run, 'super', 'POST', 'black-list', { ips: [ip], reason: 'Kept in mind' });
  await page.goto(`/black-ip?search=${ip}`);
  await expect(rowOf(page, ip)).toContainText('Kept in mind');
  await page.getByRole('button', { name: `Delete ${ip}` }).click();
  await expect(listRows(page)).toHaveCount(0);
  await page.getByTestId('notification').getByRole('button', { name: 'Undo' }).click();
  await expect(rowOf(page, ip)).toContainText('Kept in mind');
  await expect(page.getByText(`${ip} is on the black list again`)).toBeVisible();
});

test('[BAN-103, BAN-104] a list is imported with a correction, and what it covers is found', async ({ page, run }) => {
  const part = randomInt(1, 0xffff).toString(16);
  const network = `2001:db8:${part}::/48`;
  await page.goto('/black-ip');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const importing = page.getByRole('dialog', { name: 'Import addresses and networks' });
  await importing.getByRole('textbox', { name: 'List' }).fill(`# feed\n2001:db8:${part}::7/48 ; bad\n2001:db8:${part}::9\n127.0.0.1`);
  await importing.getByLabel('Source').fill('feed.txt');
  await importing.getByText('7 days').click();
  await importing.getByRole('button', { name: 'Check list' }).click();
  await importing.getByRole('button', { name: `Use ${network}` }).click();
  await importing.getByRole('button', { name: 'Check corrected lines' }).click();
  await expect(importing.getByText('Covered 1')).toBeVisible();
  await importing.getByText('Protected 1').click();
  await expect(importing.getByText('127.0.0.1 is', { exact: false })).toBeVisible();
  await expectAccessible(page);
  await importing.getByRole('button', { name: 'Import 1 entry' }).click();
  await expect(importing).toHaveCount(0);
  await expect(rowOf(page, network)).toContainText('feed.txt');
  await expect(rowOf(page, network)).toContainText(/in 6 d 23 h|in 7 d/);
  await page.getByRole('button', { name: 'Is it covered?' }).click();
  const asking = page.getByRole('dialog', { name: 'Is it covered?' });
  await asking.getByLabel('Address, network or system').fill(`2001:db8:${part}::9`);
  await page.keyboard.press('Enter');
  await expect(asking.getByText('One rule blocks', { exact: false })).toBeVisible();
  await asking.getByRole('link', { name: network }).click();
  await expect(rowOf(page, network)).toBeVisible();
  await callApi(run, 'super', 'DELETE', `black-list/entries/${encodeURIComponent(network)}`, {});
});

for (const width of widths(390)) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('list and popup are accessible and fit their window', async ({ page, run }) => {
      const ip = ownIp();
      await callApi(run, 'super', 'POST', 'black-list', { ips: [ip], reason: 'Many words '.repeat(60) });
      await page.goto(`/black-ip?search=${ip}`);
      await expect(page.getByText(ip).last()).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Add IPs' }).click();
      // The focus comes a moment after the popup, and would take the keyboard back to its beginning.
      await expect(dialog(page).getByLabel('IPs', { exact: true })).toBeFocused();
      await dialog(page).getByLabel('IPs', { exact: true }).fill('999.1.1.1');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect(dialog(page).getByRole('alert')).toBeVisible();
      await expectAccessible(page);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });
  });
}
