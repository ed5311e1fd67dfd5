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
