import type { ConversionRow } from '@switchyard/contract/conversions';
import { pageOf } from '@switchyard/contract/page-of';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { queryClient } from '../shared/api/query-client.ts';
import { sessionStore } from '../shared/session/session-store.ts';
import { renderPages } from '../testing/render-pages.tsx';
import { stubApi } from '../testing/stub-api.ts';
import { ConversionTab } from './conversions/conversion-tab.tsx';

const conversion: ConversionRow = {
  id: 7,
  source: 'appsflyer',
  client_uid: 'c-1',
  stream_uid: null,
  click_id: null,
  receive_apf_uid: null,
  app_instance_id: null,
  status_conversion: 'deposit',
  payout: 12.5,
  status: 'success',
  error: null,
  is_send: true,
  created_at: '2026-11-20 10:30:00',
};
const place = {
  country: 'DE',
  asn: { code: 64500, domain: 'net.example', name: 'EXAMPLE-NET', is_ban_create: false, is_ban_receive: false },
  server: { id: 3, name: 'eu-1' },
  bot: 'CF',
};

function Tab() {
  return <ConversionTab app={{ id: 1, name: 'Acme' }} />;
}

async function show(address = '/page'): Promise<URLSearchParams[]> {
  const queries: URLSearchParams[] = [];
  stubApi((url) => {
    const { pathname, searchParams } = new URL(url, 'http://console');
    if (!pathname.endsWith('/apps/1/conversions')) return Response.json({ success: true, data: [] });
    queries.push(searchParams);
    const row = searchParams.get('place') === '1' ? { ...conversion, place } : conversion;
    return Response.json({ success: true, ...pageOf([row], { page: 1, limit: 50 }) });
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: true } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: ['manager_app_conversions'] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  await renderPages([['/page', 'Conversions', Tab]], [address]);
  await expect.element(page.getByRole('grid')).toMatchTextContent(/appsflyer/);
  return queries;
}

beforeEach(() => {
  queryClient.clear();
  localStorage.clear();
});
afterEach(() => sessionStore.close());

it('[CONV-110] columns of the place are asked for once the reader chooses one, and their values filter the list', async () => {
  const queries = await show();
  expect(queries.map((query) => query.get('place'))).toEqual([null]);
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const name of ['Country', 'Bot', 'ASN', 'Server']) await page.getByRole('checkbox', { name, exact: true }).click();
  await expect.poll(() => queries.at(-1)?.get('place')).toBe('1');
  const row = page.getByRole('row').nth(1);
  await expect
    .poll(() =>
      page
        .getByRole('columnheader')
        .elements()
        .slice(-6)
        .map((head) => head.textContent),
    )
    .toEqual(['Country', 'Bot', 'ASN', 'Server', 'status', 'created_at']);
  for (const text of ['DE', 'CF', 'AS64500', 'eu-1']) await expect.element(row).toMatchTextContent(new RegExp(text));
  await page.getByRole('button', { name: 'Columns' }).click();
  await row.getByRole('button', { name: /eu-1/ }).click();
  await page.getByRole('menuitem', { name: 'Filter for this server' }).click();
  await expect.poll(() => queries.at(-1)?.getAll('serverId[]')).toEqual(['3']);
  await expect.element(page.getByRole('button', { name: /Remove filter eu-1/ })).toBeVisible();
});

it('[CONV-110] filters of the address are asked for and shown', async () => {
  const queries = await show('/page?geo=DE&geoNot=none&asnNot=64500&bot=blocking');
  expect(queries[0]?.getAll('geo[]')).toEqual(['DE']);
  for (const name of ['Germany', 'No country', 'any bot']) {
    await expect.element(page.getByRole('button', { name: new RegExp(`Remove filter ${name}`) })).toBeVisible();
  }
});
