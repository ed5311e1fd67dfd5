import { randomInt } from 'node:crypto';
import { handIn, ownClient } from '../console/hand-in.ts';
import { listRows, rowOf } from '../console/list-rows.ts';
import { expect, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';

test('[INV-044, INV-045, INV-047] a suspicious request leads to its address, which is banned and freed again', async ({ page, run }) => {
  const ip = `2001:db8:${randomInt(1, 0xffff).toString(16)}:${randomInt(1, 0xffff).toString(16)}::7`;
  const client = ownClient();
  await handIn(run, [
    { type: 'create', ip, client_uid: client },
    { type: 'error', ip, client_uid: client, error: { exception_type: 'Bot' } },
  ]);
  await page.goto(`/requests?search=${client}`);
  await expect(listRows(page)).toHaveCount(2);
  await rowOf(page, 'create').getByRole('button', { name: ip }).click();
  await page.getByRole('menuitem', { name: 'Open address' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ip);
  await expect(page).toHaveTitle(new RegExp(`^Address ${ip} `));
  await expect(listRows(page)).toHaveCount(2);
  await expect(page.getByRole('region', { name: 'Clients' }).getByRole('link', { name: client })).toBeVisible();
  await expectAccessible(page);

  const blackList = page.getByRole('region', { name: 'Black list', exact: true });
  await blackList.getByRole('button', { name: 'Ban address' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Sends errors');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await expect(blackList).toContainText('Sends errors');
  await blackList.getByRole('link', { name: 'Open in Black IP' }).click();
  await expect(rowOf(page, ip)).toContainText('Sends errors');

  await page.goBack();
  await blackList.getByRole('button', { name: 'Free address' }).click();
  await expect(blackList).toContainText('Not on the black list');
  await page.goto(`/black-ip?search=${ip}`);
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();

  await page.goto(`/clients/${client}`);
  await expect(page.getByRole('region', { name: 'Addresses' }).getByRole('link', { name: ip })).toBeVisible();
  await expectAccessible(page);
});

test('[INV-046, INV-049, INV-051, CMD-008] the palette leads to a block, whose timeline grows while it is live', async ({ page, run }) => {
  const [group, client] = [randomInt(1, 0xffff).toString(16), ownClient()];
  await handIn(run, [{ type: 'create', ip: `2001:db8:${group}::7`, client_uid: client }]);
  await page.goto('/apps');
  await expect(page.getByRole('grid')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search apps, accounts, pages and actions').fill(`2001:DB8:${group}:0::9/64`);
  await expect(page.getByRole('option', { name: /^Block / })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`2001:db8:${group}::/64`);
  await page.reload();
  await expect(listRows(page)).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Rules inside this block' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Live', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Live', exact: true })).toHaveAttribute('data-state', 'live');
  await handIn(run, [{ type: 'track', ip: `2001:db8:${group}::8`, client_uid: client }]);
  await expect(listRows(page)).toHaveCount(2);
  await expect(listRows(page).first()).toContainText(`2001:db8:${group}::8`);
  // An open panel keeps the rows where they are.
  await listRows(page).first().getByRole('gridcell').first().click();
  await expect(page.getByRole('complementary', { name: /^Request/ })).toBeVisible();
  await handIn(run, [{ type: 'receive', ip: `2001:db8:${group}::7`, client_uid: client }]);
  await expect(page.getByRole('button', { name: /new row$/ })).toBeVisible();
  await expect(listRows(page)).toHaveCount(2);
  await page.getByRole('button', { name: /new row$/ }).click();
  await expect(listRows(page)).toHaveCount(3);
});

test('[INV-030, INV-031] the menu of a value opens, filters and closes by keyboard alone', async ({ page, run }) => {
  const client = ownClient();
  await handIn(run, [
    { type: 'create', client_uid: client },
    { type: 'track', client_uid: client },
  ]);
  await page.goto(`/requests?search=${client}`);
  await expect(listRows(page)).toHaveCount(2);
  const type = rowOf(page, 'track').getByRole('button', { name: 'track' });
  await type.focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu');
  await expect(menu).toBeVisible();
  // It receives keys once it has the focus.
  await expect(page.locator('[role="menu"]:focus, [role="menu"]:focus-within')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(type).toBeFocused();
  await page.keyboard.press('Space');
  await expect(menu).toBeVisible();
  await expect(page.locator('[role="menu"]:focus, [role="menu"]:focus-within')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Exclude this type' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Filter for this type' }).press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Exclude this type' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/typeNot=track/);
  await expect(listRows(page)).toHaveCount(1);
});
