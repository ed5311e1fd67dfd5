import type { Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { callApi, createJourneyApp } from '../console/app-api.ts';
import { expect, test, widths } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { expectTooltip } from './expect-tooltip.ts';
import { handInRows } from '../console/hand-in.ts';
import { columnTexts, headers, listRows, recordQueries } from '../console/list-rows.ts';
import { daysAgo, serverDay, writtenDay } from './past-days.ts';
import type { RunState } from '../console/run-state.ts';
import { withoutPermission } from './without-permission.ts';

/** An app of the test's own with these conversions, the last of them the newest; gives the address of its Conversion tab. */
async function withConversions(run: RunState, conversions: readonly Record<string, unknown>[]): Promise<{ id: number; tab: string }> {
  const { id } = await createJourneyApp(run);
  const rows = conversions.map((conversion, at) => ({
    id: randomUUID(),
    app_id: id,
    source: 'appsflyer',
    status_conversion: 'install',
    click_id: `clk-${at}`,
    created_at: new Date(Date.now() - (conversions.length - at) * 60_000).toISOString(),
    ...conversion,
  }));
  if (rows.length > 0) await handInRows(run, 'conversions', rows);
  return { id, tab: `/apps/${id}/edit?startTabName=Conversion` };
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const apply = (page: Page) => page.getByRole('button', { name: 'Apply filter' });
const pick = async (page: Page, name: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};
const columns = [
  'id',
  'source',
  'client_uid',
  'stream_uid',
  'click_id',
  'receive_apf_uid',
  'app_instance_id',
  'status_conversion',
  'payout',
  'status',
  'created_at',
];

test('[CONV-007, CONV-008, CONV-009, CONV-010, CONV-011, CONV-012, CONV-013, CONV-014, CONV-015, CONV-016, CONV-017, CONV-018, CONV-019, CONST-039, AMB-150, ENT-028] eleven columns, long uids by their ends, dates of the server', async ({
  page,
  run,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const createdAt = daysAgo(2, '23:30');
  const long = '1700000000000-123';
  const { tab } = await withConversions(run, [
    {
      click_id: 'clk-1',
      client_uid: 'c-88a1b2c3',
      stream_uid: 'st_7f21',
      receive_apf_uid: long,
      app_instance_id: '0123456789abcdef',
      status_conversion: 'deposit',
      payout: 1234.5,
      created_at: createdAt,
    },
    { click_id: '=clk-long-1', client_uid: null, source: '', payout: -0.0001 },
  ]);
  await page.goto(tab);
  await expect(listRows(page)).toHaveCount(2);
  await expect.poll(() => headers(page)).toEqual(columns);
  const texts = async (at: number) => (await listRows(page).nth(at).getByRole('gridcell').allInnerTexts()).slice(1);
  const date = `${writtenDay(createdAt)} 01:30:00`;
  await expect
    .poll(() => texts(1))
    .toEqual(['appsflyer', 'c-88...b2c3', 'st_7f21', 'clk-1', '1700...-123', '0123...cdef', 'deposit', '1,234.50', 'success', date]);
  expect((await texts(0)).slice(0, -1)).toEqual(['-', '-', '-', '=clk...ng-1', '-', '-', 'install', '-0.0001', 'success']);
  await expectTooltip(page.getByText('1700...-123'), long);
  const copy = page.getByRole('button', { name: `Copy receive apf uid ${long}` });
  await copy.click();
  await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(long);
});

test('[CONV-002, CONV-003, CONV-004, CONV-005, CONV-006, AMB-148, AMB-149, API-031, API-032, API-033] filters travel once they are applied, isSend only once it was touched', async ({
  page,
  run,
}) => {
  const late = daysAgo(3, '22:30');
  const kind = `kind-${randomUUID().slice(0, 6)}`;
  const { id, tab } = await withConversions(run, [
    { click_id: 'a', stream_uid: 'st_one', client_uid: 'c-1', is_send: true, created_at: daysAgo(4, '12:00') },
    { click_id: 'b', stream_uid: 'st_two', client_uid: 'c-2', status: 'duplicate', created_at: late },
    { click_id: 'd', stream_uid: 'st_two', client_uid: 'c-3', status_conversion: kind, status: 'held', created_at: daysAgo(2, '12:00') },
  ]);
  const queries = recordQueries(page, `/api/apps/${id}/conversions`);
  const filters = (): Record<string, string> => {
    const own = new Set(['page', 'limit', 'orderBy', 'orderDirection']);
    return Object.fromEntries([...(queries.at(-1) ?? [])].filter(([name]) => !own.has(name)));
  };
  const clicks = (): Promise<string[]> => columnTexts(page, 'click_id');
  await page.goto(tab);
  await expect(listRows(page)).toHaveCount(3);
  await expect.poll(clicks).toEqual(['d', 'b', 'a']);
  expect(filters()).toEqual({});

  await field(page, 'Stream uid').fill('TWO');
  await field(page, 'Client uid').fill('-3');
  expect(queries).toHaveLength(1);
  await field(page, 'Client uid').press('Enter');
  await expect.poll(clicks).toEqual(['d']);
  expect(filters()).toEqual({ streamUid: 'TWO', clientUid: '-3' });
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect.poll(clicks).toEqual(['d', 'b', 'a']);

  await pick(page, 'Status conversion', kind);
  await apply(page).click();
  await expect.poll(clicks).toEqual(['d']);
  expect(filters()).toEqual({ statusConversion: kind });
  await page.getByRole('button', { name: `Remove filter ${kind}` }).click();
  // A choice that has not taken effect is dropped with it.
  await expect.poll(clicks).toEqual(['d', 'b', 'a']);
  await page.getByRole('combobox', { name: 'Status', exact: true }).click();
  await expect.poll(async () => (await page.getByRole('option').allInnerTexts()).slice(0, 3)).toEqual(['success', 'error', 'duplicate']);
  await page.getByRole('option', { name: 'duplicate', exact: true }).click();
  await apply(page).click();
  await expect.poll(clicks).toEqual(['b']);
  expect(filters()).toEqual({ status: 'duplicate' });
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect.poll(clicks).toEqual(['d', 'b', 'a']);

  const isSend = page.getByRole('checkbox', { name: 'Is send' });
  await expect(isSend).not.toBeChecked();
  await isSend.click();
  await apply(page).click();
  await expect.poll(clicks).toEqual(['a']);
  expect(filters()).toEqual({ isSend: '1' });
  await isSend.click();
  await apply(page).click();
  await expect.poll(clicks).toEqual(['d', 'b']);
  expect(filters()).toEqual({ isSend: '0' });
  await page.getByRole('button', { name: 'Remove filter not sent' }).click();
  await expect.poll(clicks).toEqual(['d', 'b', 'a']);
  expect(filters()).toEqual({});

  await page.goto(`${tab}&startDate=${serverDay(late)}&endDate=${serverDay(late)}&isSend=0`);
  await expect(listRows(page)).toHaveCount(2);
  await expect.poll(clicks).toEqual(['d', 'b']);
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText(writtenDay(late));
});

test('[CONV-007, CONV-009, CONV-016, CONV-023, CONV-024, CONST-037] the newest comes first; three columns sort, and pages keep the sort', async ({
  page,
  run,
}) => {
  const { id, tab } = await withConversions(
    run,
    Array.from({ length: 60 }, (_, at) => ({ client_uid: `c-${99 - at}`, status: ['success', 'duplicate', 'error'][at % 3] })),
  );
  const queries = recordQueries(page, `/api/apps/${id}/conversions`);
  await page.goto(tab);
  await expect(page.getByText('1–50 of 60')).toBeVisible();
  await expect(listRows(page).first()).toContainText('clk-59');
  expect(Object.fromEntries(queries[0] ?? [])).toEqual({ limit: '50', orderBy: 'keyId', orderDirection: 'desc', page: '1' });
  await page.getByRole('button', { name: 'Page 2' }).click();
  await expect(listRows(page)).toHaveCount(10);
  await expect(listRows(page).last()).toContainText('clk-0');
  expect(queries.at(-1)?.get('page')).toBe('2');

  const sort = async (column: string, key: string, first: string): Promise<void> => {
    await page.getByRole('columnheader', { name: column, exact: true }).getByRole('button').click();
    await expect(listRows(page).first()).toContainText(first);
    expect([queries.at(-1)?.get('orderBy'), queries.at(-1)?.get('page')]).toEqual([key, '1']);
  };
  await sort('client_uid', 'keyClient', 'c-99');
  await sort('status', 'keyStatus', 'clk-57');
  await page.getByRole('button', { name: 'Page 2' }).click();
  await expect(page.getByText('51–60 of 60')).toBeVisible();
  expect(new Set(await columnTexts(page, 'status'))).toEqual(new Set(['duplicate']));
  await sort('id', 'keyId', 'clk-59');
  await sort('id', 'keyId', 'clk-0');
  for (const column of columns.filter((name) => !['id', 'client_uid', 'status'].includes(name)))
    await expect(page.getByRole('columnheader', { name: column, exact: true }).getByRole('button')).toHaveCount(0);
});

test('conversions are downloaded as the filters say', async ({ page, run }) => {
  await page.addInitScript("Object.defineProperty(window, 'showSaveFilePicker', { value: undefined })");
  const { tab } = await withConversions(run, [{ client_uid: 'a-1' }, { client_uid: 'b-2' }, { client_uid: 'a-3' }]);
  await page.goto(tab);
  await field(page, 'Client uid').fill('a-');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download', exact: true }).click()]);
  expect(file.suggestedFilename()).toMatch(/^[a-z0-9-]+-conversions\.csv$/);
  await expect(listRows(page)).toHaveCount(2);
  await expect(page.getByText('-conversions.csv is saved: 2 rows').first()).toBeVisible();
});

test('[CONV-001, PERM-027, CONF-011] the tab is for those who may see conversions; an app without any says so', async ({ page, run }) => {
  const { id, tab } = await withConversions(run, []);
  await withoutPermission(page, 'manager_app_conversions');
  await page.goto(tab);
  await expect(page.getByRole('tab', { name: 'Push' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Conversion' })).toHaveCount(0);
  await page.unrouteAll();
  await expect(callApi(run, 'buyer', 'GET', `apps/${id}/conversions`)).rejects.toThrow('403');

  await page.goto(tab);
  await expect(page.getByRole('heading', { name: 'No conversions yet' })).toBeVisible();
});

for (const width of widths(1440)) {
  test(`the Conversion tab with open pickers is accessible at ${width} px`, async ({ page, run }) => {
    await page.setViewportSize({ width, height: 844 });
    const statuses = ['success', 'error', 'duplicate', 'held'];
    const { tab } = await withConversions(
      run,
      statuses.map((status) => ({ status, error: status === 'error' ? 'Boom' : null, client_uid: 'c-0123456789', payout: 5 })),
    );
    await page.goto(`${tab}&clientUid=c`);
    await expect(page.getByText('1–4 of 4')).toBeVisible();
    if (width < 768) {
      await page.getByRole('button', { name: 'Show more' }).first().click();
      await page.getByRole('button', { name: /^Filters/ }).click();
    }
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'Status conversion', exact: true }).click();
    await expect(page.getByRole('option', { name: 'install' })).toBeVisible();
    await expectAccessible(page);
  });
}
