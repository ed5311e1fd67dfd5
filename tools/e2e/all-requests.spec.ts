import { headers, listRows } from '../console/list-rows.ts';
import { expect, test } from './console-test.ts';
import { expectTooltip } from './expect-tooltip.ts';
import { handIn, ownClient } from '../console/hand-in.ts';
import { daysAgo, writtenDay } from './past-days.ts';

test('[REQ-002, REQ-012, REQ-013, REQ-014, REQ-015, REQ-016, REQ-017, REQ-018, REQ-019] title and columns', async ({ page, run }) => {
  const client = ownClient();
  const date = daysAgo(2, '22:30');
  await handIn(run, [
    {
      type: 'create',
      client_uid: client,
      ip: '203.0.113.77',
      country: 'DE',
      bot: 'CF HLL',
      body_request: { gaid: '7c1e' },
      date,
    },
    { type: 'receive', client_uid: client, bot: 'NEW L1 ORG', date: daysAgo(3, '22:29') },
  ]);
  await page.goto(`/requests?search=${client}`);
  await expect(page).toHaveTitle('Phone Requests | Switchyard');
  await expect(page.getByRole('heading', { name: 'Phone Requests', level: 1 })).toBeVisible();
  await expect(listRows(page)).toHaveCount(2);
  expect((await headers(page)).map((text) => text.trim())).toEqual(['#', 'App', 'Stream', 'IP', 'Bot', 'Date', 'Req_Type', 'JSON Body']);
  const row = listRows(page).first();
  await expect(row).toContainText('com.luckyharbor.app');
  await expect(row.getByRole('img', { name: 'Germany' })).toBeVisible();
  await expect(row).toContainText('203.0.113.77');
  // The server shows dates two hours ahead of UTC.
  await expect(row).toContainText(`${writtenDay(date)} 00:30:00`);
  await expect(row.getByText('create', { exact: true })).toBeVisible();
  for (const [tag, tone, meaning] of [
    ['CF', 'success', 'CDN pass'],
    ['HLL', 'danger', 'Blocked by machine learning'],
    ['NEW', 'default', 'Неизвестно'],
    ['+2', null, 'L1: Hosting, datacenter, proxy or VPN ORG: Organisation on the blacklist'],
  ] as const) {
    const label = listRows(page).getByText(tag, { exact: true });
    if (tone !== null) await expect(label).toHaveAttribute('data-tone', tone);
    await expectTooltip(label, meaning);
  }
});

test('[REQ-015, WID-070, WID-071] unknown countries are N/A with a globe, Russia an unavailable page', async ({ page, run }) => {
  const client = ownClient();
  await handIn(run, [
    { type: 'create', client_uid: client, ip: '100.64.0.9' },
    { type: 'receive', client_uid: client, ip: '203.0.113.5', country: 'RU' },
  ]);
  await page.goto(`/requests?search=${client}&orderBy=type&orderDirection=asc`);
  await expect(listRows(page).nth(0)).toContainText('N/A');
  await expect(listRows(page).nth(0).locator('[data-flag="globe"]')).toBeVisible();
  await expect(listRows(page).nth(1)).toContainText('RU');
  await expect(listRows(page).nth(1).locator('[data-flag="unavailable"]')).toBeVisible();
});
