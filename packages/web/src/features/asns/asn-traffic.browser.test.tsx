import type { AsnRow, AsnTraffic } from '@switchyard/contract/asns';
import type { Permission } from '@switchyard/contract/permissions';
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { queryClient } from '../../shared/api/query-client.ts';
import { pageOf } from '../../shared/bulk/testing/bulk-server.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { renderPage } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { AsnsPage } from './asns-page.tsx';

const row: AsnRow = { code: 64_500, domain: '', name: 'EXAMPLE-NET', is_ban_create: false, is_ban_receive: false };
const days = Array.from({ length: 30 }, (_, index) => ({
  day: `2026-10-${String(index + 1).padStart(2, '0')}`,
  requests: index === 3 ? 1204 : 0,
  successes: index === 3 ? 900 : 0,
}));
const traffic: AsnTraffic = {
  code: 64_500,
  from: '2026-10-01',
  to: '2026-10-30',
  total: { requests: 1204, successes: 900, bots: 30 },
  days,
  apps: [{ id: 7, name: 'Bet', requests: 1100 }],
  ban: { create: { requests: 804, successes: 700 }, receive: { requests: 0, successes: 0 } },
  unknown: 12,
};

afterEach(() => sessionStore.close());

let asked: string[] = [];

async function show(permissions: Permission[], fails: () => boolean = () => false): Promise<void> {
  await page.viewport(1440, 900);
  asked = [];
  stubApi((url) => {
    if (url.includes('/changes')) return Response.json({ success: true, data: [] });
    if (url.includes('/asn/known'))
      return Response.json({ success: true, data: { known_from: '2026-10-20', percent: 37, is_running: true } });
    if (url.includes('/64500/traffic'))
      return fails()
        ? Response.json({ success: false, message: 'Event store unavailable' }, { status: 503 })
        : Response.json({ success: true, data: traffic });
    if (url.startsWith('/api/octopus-app/asn/traffic')) {
      asked.push(url);
      if (fails()) return Response.json({ success: false, message: 'Event store unavailable' }, { status: 503 });
      const figures = { requests: 1_204_567, bots: 301_141, create: 804_000, receive: 0 };
      return Response.json({ success: true, data: [{ ...row, traffic: figures }], pagination: pageOf(1, 1) });
    }
    return Response.json({ success: true, data: [row], pagination: pageOf(1, 1) });
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  queryClient.clear();
  await renderPage(
    <QueryClientProvider client={queryClient}>
      <AsnsPage />
    </QueryClientProvider>,
    '/page',
  );
  await expect.element(page.getByRole('row', { name: /64500/ })).toBeVisible();
}

it('[ASNX-102] the traffic of a system opens from its number, with what a ban would have blocked', async () => {
  let isAway = true;
  await show(['manager_settings_asns', 'manager_app_all_requests'], () => isAway);
  await page.getByRole('button', { name: '64500', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'AS64500 EXAMPLE-NET' });
  await expect.element(dialog).toMatchTextContent(/Could not be counted: Event store unavailable/);
  isAway = false;
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect.element(dialog).toMatchTextContent(/1,204 requests, 900 of them successful, 30 of bots/);
  await expect.element(dialog).toMatchTextContent(/Create804 requests, 700 of them successfulReceive0 requests/);
  await expect.element(dialog).toMatchTextContent(/Bet1,100 requests/);
  await expect.element(dialog).toMatchTextContent(/system of 12 requests of these days is not known/);
  await expect.element(dialog).toMatchTextContent(/known from 20\.10\.2026 on\. Older requests are still being filled in \(37 %\)/);
  await expect.element(dialog.getByRole('listitem').nth(3)).toHaveAttribute('title', '2026-10-04: 1,204 requests');
  await expect
    .element(dialog.getByRole('link', { name: 'Show in All Requests' }))
    .toHaveAttribute('href', '/requests?asn=64500&startDate=2026-10-01&endDate=2026-10-30');
});

it('[ASNX-102] the number is plain for readers who see no requests', async () => {
  await show(['manager_settings_asns']);
  expect(page.getByRole('button', { name: '64500', exact: true }).elements()).toEqual([]);
});

it('[ASNX-103] rows show what a system sent in 7 days, and are ordered by it; the list does not wait for it', async () => {
  await show(['manager_settings_asns', 'manager_app_all_requests']);
  const cells = () => page.getByRole('row', { name: /64500/ }).getByRole('gridcell').elements();
  await expect.poll(() => cells().map((cell) => cell.textContent)).toEqual(expect.arrayContaining(['1,204,567', '25%', '804,000', '0']));
  await page.getByRole('columnheader', { name: 'Requests' }).getByRole('button').click();
  await expect.poll(() => asked.at(-1)).toMatch(/orderBy=requests&orderDirection=desc/);
});

it('[ASNX-103] systems are listed while the events are away, and to readers who see no requests', async () => {
  await show(['manager_settings_asns', 'manager_app_all_requests'], () => true);
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  await expect.element(page.getByRole('columnheader', { name: 'Requests' })).toBeVisible();
});

it('[ASNX-103] readers who see no requests have no such columns', async () => {
  await show(['manager_settings_asns']);
  expect(page.getByRole('columnheader', { name: 'Requests' }).elements()).toEqual([]);
  expect(asked).toEqual([]);
});
