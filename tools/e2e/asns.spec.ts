import type { Page } from '@playwright/test';
import { callApi } from '../console/app-api.ts';
import { expect, test, widths } from './console-test.ts';
import { handIn, ownClient } from '../console/hand-in.ts';
import { appWith } from './event-tab.ts';
import { expectAccessible } from './expect-accessible.ts';
import { changeAnswer, headers, listRows, recordQueries, rowOf } from '../console/list-rows.ts';

const toggle = (page: Page, name: 'Create' | 'Receive', code: number) =>
  page.getByRole('button', { name: new RegExp(`^${name} of AS${code}:`) });

test.beforeEach(async ({ run }) => {
  // The first start loads the registry beside its other work, on a busy machine for longer than a test takes.
  test.setTimeout(180_000);
  const findAsn = async () => JSON.stringify(await callApi(run, 'super', 'GET', 'octopus-app/asn?search=AS13335'));
  await expect.poll(findAsn, { timeout: 120_000 }).toContain('13335');
});

test('[ASN-001, ASN-002, ASN-003, ASN-004, ASN-005, ASN-006, ASN-007, ASN-008, ASN-009, ASN-017, SHELL-026, PERM-047, CONST-035] systems are found by text, code and IP, and by their flags', async ({
  page,
}) => {
  const queries = recordQueries(page, '/api/octopus-app/asn');
  await page.goto('/apps');
  await page.getByRole('link', { name: 'ASNs', exact: true }).click();
  await expect(page).toHaveTitle(/^ASNs \| /);
  await expect(listRows(page)).toHaveCount(18);
  expect(queries[0]?.get('limit')).toBe('18');
  await expect
    .poll(() => headers(page))
    .toEqual(['ASN', 'Domain', 'Description', 'Create', 'Receive', 'Requests', 'Bots', 'Creates', 'Receives', 'Changed', 'Reason']);
  const search = page.getByRole('searchbox', { name: 'Search' });
  for (const text of ['AS13335', 'Cloudflare, Inc', '1.1.1.1']) {
    await search.fill(text);
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect.poll(() => queries.at(-1)?.get('search')).toBe(text);
    await expect(rowOf(page, /^13335\D/)).toContainText('Cloudflare, Inc.');
  }
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page).toHaveURL(/\/asns$/);
  await expect.poll(() => queries.at(-1)?.get('search')).toBe(null);
  for (const [name, key] of [
    ['Create', 'isBanCreate'],
    ['Receive', 'isBanReceive'],
  ] as const) {
    for (const [choice, sentValue] of [
      ['isBan', '1'],
      ['free', '0'],
      ['all', null],
    ] as const) {
      await page.getByRole('combobox', { name, exact: true }).click();
      await page.getByRole('option', { name: choice, exact: true }).click();
      const queryCount = queries.length;
      await page.getByRole('button', { name: 'Apply filter' }).click();
      await expect.poll(() => [queries.length > queryCount, queries.at(-1)?.get(key)]).toEqual([true, sentValue]);
    }
  }
});

test('[ASN-011, ASN-012, ASN-013, ASN-014, ASN-015, ASN-016, AMB-200] each flag is flipped by itself, silently, with a spinner; an error flips it back', async ({
  page,
  run,
}) => {
  const code = 13335;
  await callApi(run, 'super', 'POST', `octopus-app/asn/${code}`, { isBanCreate: false, isBanReceive: false });
  await page.goto(`/asns?search=AS${code}`);
  const row = toggle(page, 'Create', code);
  await expect(row).toHaveText('FREE');
  let release = (): void => undefined;
  const holding = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/octopus-app/asn/${code}`, async (route) => {
    await holding;
    await route.continue();
  });
  const banRequest = page.waitForRequest((request) => request.method() === 'POST');
  await row.click();
  expect((await banRequest).postDataJSON()).toEqual({ isBanCreate: true });
  await expect(row).toHaveText('BAN');
  await expect(row.getByTestId('saving')).toBeVisible();
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  release();
  await expect(row.getByTestId('saving')).toHaveCount(0);
  await expect(row).toHaveText('BAN');
  await expect(toggle(page, 'Receive', code)).toHaveText('FREE');
  // The light theme's warning, for the banned one alone.
  await expect(row).toHaveCSS('color', 'rgb(130, 77, 5)');
  await expect(toggle(page, 'Receive', code)).not.toHaveCSS('color', 'rgb(130, 77, 5)');
  await expect(page.getByText(/^\d\d\.\d\d\.\d{4} .* Olga Petrova$/).first()).toBeVisible();

  await page.unroute(`**/octopus-app/asn/${code}`);
  await page.route(`**/octopus-app/asn/${code}`, (route) => route.fulfill({ status: 500, json: { success: false, message: 'Broken' } }));
  await toggle(page, 'Receive', code).press('Enter');
  await expect(page.getByText('Broken')).toBeVisible();
  await expect(toggle(page, 'Receive', code)).toHaveText('FREE');
  await page.unroute(`**/octopus-app/asn/${code}`);
  const banAnswer = page.waitForResponse((answer) => answer.request().method() === 'POST');
  await toggle(page, 'Receive', code).press('Enter');
  await expect(toggle(page, 'Receive', code)).toHaveText('BAN');
  // It says so before the server does.
  await banAnswer;
  await page.reload();
  for (const name of ['Create', 'Receive'] as const) await expect(toggle(page, name, code)).toHaveText('BAN');
});

test('[ASNX-102] the number of a system opens its traffic of 30 days, with what a ban would have blocked, and leads to its requests', async ({
  page,
  run,
}) => {
  // A system of its own, so that no other test adds to it.
  const [code, ip] = [36_692, '208.67.222.222'];
  const app = await appWith(run, [
    { type: 'create', ip },
    { type: 'create', ip, error: 'boom' },
    { type: 'receive', ip },
    { type: 'track', ip },
  ]);
  await page.goto(`/asns?search=AS${code}`);
  await page.getByRole('button', { name: String(code), exact: true }).click();
  const popup = page.getByRole('dialog', { name: new RegExp(`^AS${code}`) });
  await expect(popup).toContainText('4 requests, 3 of them successful, 0 of bots.');
  await expect(popup).toContainText(/Create2 requests, 1 of them successfulReceive1 request, 1 of them successful/);
  await expect(popup).toContainText(`${app.name}4 requests`);
  await expect(popup.getByRole('list', { name: 'Requests by day' }).getByRole('listitem')).toHaveCount(30);
  await expectAccessible(page);
  await popup.getByRole('link', { name: 'Show in All Requests' }).click();
  await expect(page).toHaveURL(new RegExp(`/requests\\?asn=${code}&startDate=`));
  await expect(listRows(page)).toHaveCount(4);
});

for (const width of widths(390)) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('autonomous systems are accessible and fit their window', async ({ page, run }) => {
      await callApi(run, 'super', 'POST', 'octopus-app/asn/15169', { isBanCreate: true });
      await page.goto('/asns?search=google');
      await expect(toggle(page, 'Create', 15_169)).toHaveText('BAN');
      if (width === 390)
        await expect(page.getByRole('listitem').filter({ hasText: 'ASN15169' })).toContainText(/Google.*CreateBAN.*Receive/);
      await expectAccessible(page);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });
  });
}

test('[ASN-010, CONST-043] a description is shown up to 200 characters', async ({ page }) => {
  const [short, long] = ['a'.repeat(200), 'b'.repeat(240)];
  await changeAnswer(page, /\/api\/octopus-app\/asn\?/, ({ data: [first, second] }) => {
    Object.assign(first ?? {}, { name: short });
    Object.assign(second ?? {}, { name: long });
  });
  await page.goto('/asns');
  await expect(listRows(page).nth(0)).toContainText(short);
  await expect(listRows(page).nth(1)).toContainText(/b{190,200}/);
  await expect(listRows(page).nth(1)).not.toContainText('b'.repeat(201));
});

test('[INV-047, INV-052] the page of an address bans its autonomous system, and the panel says since when', async ({ page, run }) => {
  const client = ownClient();
  const asnCard = page.getByRole('region', { name: 'Autonomous system' });
  // An address of a system of its own, so that no other test sees the ban.
  const ip = '9.9.9.9';
  await page.goto(`/addresses/${ip}`);
  await asnCard.getByRole('button', { name: /^Create of AS\d+: FREE$/ }).click();
  await expect(asnCard).toContainText('Banned for create');
  await handIn(run, [
    { type: 'create', ip, client_uid: client, date: new Date(Date.now() + 60_000).toISOString() },
    { type: 'track', ip, client_uid: client, date: new Date(Date.now() - 60_000).toISOString() },
  ]);
  await page.goto(`/requests?search=${client}`);
  const rules = page.getByRole('region', { name: 'Rules that block this address now' });
  await rowOf(page, 'create').getByRole('gridcell').first().click();
  await expect(rules).toContainText('It applies to create requests and was in force when this one came.');
  await rowOf(page, 'track').getByRole('gridcell').first().click();
  await expect(rules).toContainText('It does not apply to track requests such as this one.');
  await page.goto(`/addresses/${ip}`);
  await asnCard.getByRole('button', { name: /^Create of AS\d+: / }).click();
  await expect(asnCard).toContainText('Not banned');
});
