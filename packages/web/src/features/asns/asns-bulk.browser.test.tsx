import type { AsnRow } from '@switchyard/contract/asns';
import { QueryClientProvider } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../../shared/api/query-client.ts';
import { createBulkServer, pageOf } from '../../shared/bulk/testing/bulk-server.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { renderPage } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { AsnsPage } from './asns-page.tsx';

const rows = [13_335, 15_169, 64_500].map((code): AsnRow => ({
  code,
  domain: `as${code}.example`,
  name: `System ${code}`,
  is_ban_create: false,
  is_ban_receive: false,
}));

type Options = { address?: string; total?: number; listed?: AsnRow[]; changes?: (url: URL) => Promise<Response> | Response };

async function show({ address = '/page', total = 3, listed = rows, changes }: Options = {}) {
  await page.viewport(1440, 900);
  const server = createBulkServer('asn');
  const reads: string[] = [];
  stubApi((url, init) => {
    const path = url.replace('/api/', '');
    reads.push(path);
    if (path.startsWith('octopus-app/asn/changes'))
      return changes?.(new URL(url, 'http://console')) ?? Response.json({ success: true, data: [] });
    return server.respond(url, init) ?? Response.json({ success: true, data: listed, pagination: pageOf(3, total) });
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: ['manager_settings_asns'] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  queryClient.clear();
  await renderPage(
    <QueryClientProvider client={queryClient}>
      <AsnsPage />
    </QueryClientProvider>,
    address,
  );
  await expect.element(page.getByRole('row', { name: /13335/ })).toBeVisible();
  return { ...server, reads };
}

const box = (code: number) => page.getByRole('checkbox', { name: `Select AS${code}` });
const dialog = page.getByRole('dialog');
const headers = () =>
  page
    .getByRole('columnheader')
    .elements()
    .map((head) => head.textContent.trim());
async function choose(name: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

it('[BAN-108] tells the reasons of all systems of a long page, and none before they are known', async () => {
  const listed = Array.from({ length: 150 }, (_, at): AsnRow => ({
    code: 13_335 + at,
    domain: '',
    name: '',
    is_ban_create: true,
    is_ban_receive: false,
  }));
  const known = Promise.withResolvers<void>();
  const asked: string[][] = [];
  await show({
    listed,
    async changes({ searchParams }) {
      const codes = searchParams.getAll('codes[]');
      asked.push(codes);
      await known.promise;
      const change = { code: 13_335, at: '2026-11-20 10:11:12', actor: null, reason: 'Scans' };
      return Response.json({ success: true, data: codes.includes('13335') ? [change] : [] });
    },
  });
  await expect.poll(() => asked.map(({ length }) => length)).toEqual([100, 50]);
  expect(new Set(asked.flat()).size).toBe(150);
  const reason = (code: number) => page.getByRole('button', { name: new RegExp(`reason of AS${code}$`, 'i') });
  expect(reason(13_335).elements()).toHaveLength(0);
  known.resolve();
  await expect.element(reason(13_335)).toHaveTextContent('Scans');
  await expect.element(reason(13_336)).toHaveTextContent('Add reason');
});

describe('bulk changes of autonomous systems', () => {
  it('[BULK-012] shows the specified columns after the boxes, and selects rows by x', async () => {
    const { posts } = await show();
    expect(headers()).toEqual(['', 'ASN', 'Domain', 'Description', 'Create', 'Receive', 'Changed', 'Reason']);
    const row = page.getByRole('row', { name: /13335/ }).element();
    if (row instanceof HTMLElement) row.focus();
    await userEvent.keyboard('x{ArrowDown}{Shift>}X{/Shift}');
    await expect.element(box(15_169)).toBeChecked();
    await expect.element(box(64_500)).not.toBeChecked();
    await choose('Ban create');
    await expect
      .poll(() => posts[0]?.body)
      .toEqual({ change: { action: 'asn.ban', params: { isBanCreate: true } }, target: { keys: ['13335', '15169'] } });
    await expect.element(dialog.getByText('2 autonomous systems: will change')).toBeVisible();
  });

  it('[BULK-012] bans and frees all that match the filters, except some', async () => {
    const { posts } = await show({ address: '/page?search=system&isBanCreate=0', total: 1_200 });
    await box(13_335).click();
    await page.getByRole('button', { name: 'Select all 1,200 that match' }).click();
    await box(64_500).click();
    for (const [name, params] of [
      ['Ban create and receive', { isBanCreate: true, isBanReceive: true }],
      ['Ban receive', { isBanReceive: true }],
      ['Free create and receive', { isBanCreate: false, isBanReceive: false }],
      ['Free create', { isBanCreate: false }],
      ['Free receive', { isBanReceive: false }],
    ] as const) {
      await choose(name);
      await expect
        .poll(() => posts.findLast(({ path }) => path === 'bulk/runs')?.body)
        .toEqual({ change: { action: 'asn.ban', params }, target: { filter: 'isBanCreate=0&search=system', except: ['64500'] } });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    }
  });

  it('[BULK-034] says what a ban would have blocked, lists the largest first and searches the rows', async () => {
    const { reads, block } = await show();
    block([
      ['AS15169 Largest', 1200],
      ['AS13335 Small', 1],
    ]);
    await box(13_335).click();
    await choose('Ban create');
    await expect
      .element(dialog.getByText('In the last 7 days this would have blocked 1,201 of 4,804 requests (25 %). The system of 7 is not known.'))
      .toBeVisible();
    const list = dialog.getByRole('list', { name: 'Results' });
    await expect.element(list.getByText('1,200 requests in the last 7 days')).toBeVisible();
    await expect.element(list.getByText('1 request in the last 7 days')).toBeVisible();
    await dialog.getByRole('searchbox', { name: 'Search the rows' }).fill('largest');
    await expect.poll(() => list.getByRole('listitem').elements().length).toBe(1);
    expect(reads.some((path) => /rows\?.*search=largest/.test(path))).toBe(true);
    await dialog.getByRole('searchbox').fill('nothing like it');
    await expect.element(list.getByText('No rows match.')).toBeVisible();
  });

  it('[BULK-012] does not offer to select more rows than a run takes', async () => {
    await show({ total: 50_001 });
    await box(13_335).click();
    await expect.element(page.getByText('To select all, filter down to 50,000')).toBeVisible();
    expect(page.getByRole('button', { name: /^Select all/ }).elements()).toHaveLength(0);
  });

  it('[BULK-010, BULK-012] reads the rows and who changed them again after a run', async () => {
    const { reads, finish } = await show();
    await box(13_335).click();
    await choose('Ban create');
    await dialog.getByRole('button', { name: 'Ban 2 autonomous systems' }).click();
    await expect.element(dialog.getByText(/^Changing…/)).toBeVisible();
    reads.length = 0;
    finish();
    await expect.element(dialog.getByText('1 autonomous system: changed')).toBeVisible();
    await expect.poll(() => reads.some((path) => path.startsWith('octopus-app/asn?'))).toBe(true);
    await expect.poll(() => reads.some((path) => path.startsWith('octopus-app/asn/changes'))).toBe(true);
    await expect.element(box(13_335)).not.toBeChecked();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
  });
});
