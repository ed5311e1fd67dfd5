import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '../shared/api/query-client.ts';
import { pageOf } from '../shared/bulk/testing/bulk-server.ts';
import { sessionStore } from '../shared/session/session-store.ts';
import { renderPage } from '../testing/render-pages.tsx';
import { stubApi } from '../testing/stub-api.ts';
import { ValueMenu } from './value-menu.tsx';
import { unsavedWork } from '../shared/unsaved-work.ts';

const asn = { code: 13_335, domain: 'cloudflare.com', name: 'Cloudflare <b>\u202e', is_ban_create: false, is_ban_receive: false };
const counts = { requests: 1_200_000, successes: 7 };
const traffic = {
  code: 13_335,
  from: '2026-11-01',
  to: '2026-11-30',
  total: { ...counts, bots: 1 },
  days: [],
  apps: [],
  ban: { create: counts, receive: { requests: 0, successes: 0 } },
  unknown: 0,
};

type Options = { permissions: string[]; value?: string; fail?: boolean };

async function show({ permissions, value = '13335', fail = false }: Options) {
  const state = { asn, reason: 'Old reason' };
  const writes: unknown[] = [];
  stubApi((url, { method, body }) => {
    const path = url.replace(/^.*\/api\//, '');
    if (typeof body === 'string') writes.push([method, path, JSON.parse(body)]);
    if (fail) return Response.json({ success: false, message: 'Server Error' }, { status: 500 });
    const data = (answer: unknown) => Response.json({ success: true, data: answer });
    if (path.endsWith('/traffic')) return data(traffic);
    if (path.endsWith('/reason')) {
      state.reason = typeof body === 'string' ? JSON.parse(body).reason : '';
      return data({ code: asn.code, reason: state.reason });
    }
    if (path.startsWith('octopus-app/asn/changes'))
      return data([{ code: asn.code, at: '2026-11-20 10:11:12', actor: { id: 2, name: 'Sam' }, reason: state.reason }]);
    if (method === 'POST') {
      state.asn = { ...state.asn, is_ban_create: true };
      return data(state.asn);
    }
    // Another system has the code in its name.
    const isExact = new URL(url, 'http://console').searchParams.get('search') === '13335,13335';
    return Response.json({
      success: true,
      data: [isExact ? state.asn : { ...asn, code: 42, name: 'Not AS13335' }],
      pagination: pageOf(1, 1),
    });
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  await renderPage(
    <QueryClientProvider client={queryClient}>
      <ValueMenu kind="asn" value={value}>
        The system
      </ValueMenu>
    </QueryClientProvider>,
    '/page',
  );
  await page.getByRole('button', { name: 'The system' }).click();
  return { writes };
}

const dialog = page.getByRole('dialog', { name: 'Bans of AS13335' });
const item = page.getByRole('menuitem', { name: 'Ban or free…' });

beforeEach(() => queryClient.clear());

describe('the bans of a system', () => {
  it('[BAN-109, SHELL-084] are set where its traffic is looked at, with what they would have blocked and the reason', async () => {
    const { writes } = await show({ permissions: ['manager_settings_asns', 'manager_app_all_requests'] });
    await item.click();
    await expect.element(dialog.getByText(/would have blocked 1,200,000 requests of type create and 0 of type receive\.$/)).toBeVisible();
    await expect.element(dialog.getByText(/^Last changed 20\.11\.2026 .* by Sam$/)).toBeVisible();
    // A free system has no reason.
    await expect.element(dialog.getByRole('textbox', { name: 'Reason' })).not.toBeInTheDocument();
    await dialog.getByRole('button', { name: /^Create of AS13335/ }).click();
    const reason = dialog.getByRole('textbox', { name: 'Reason' });
    await expect.element(reason).toHaveValue('Old reason');
    await expect.element(dialog.getByRole('button', { name: 'Save reason' })).toBeDisabled();
    await reason.fill('Scans ports');
    expect(unsavedWork.isHeld()).toBe(true);
    await dialog.getByRole('button', { name: 'Save reason' }).click();
    await expect.element(dialog.getByRole('button', { name: 'Save reason' })).toBeDisabled();
    expect(writes).toEqual([
      ['POST', 'octopus-app/asn/13335', { isBanCreate: true }],
      ['PUT', 'octopus-app/asn/13335/reason', { reason: 'Scans ports' }],
    ]);
  });

  it.each([
    ['readers who may not ban', { permissions: ['manager_app_all_requests'] }],
    ['requests without a system', { permissions: ['manager_settings_asns'], value: 'none' }],
  ])('[BAN-109] are not offered to %s', async (_who, options) => {
    await show(options);
    await expect.element(page.getByRole('menuitem', { name: 'Copy ASN' })).toBeVisible();
    await expect.element(item).not.toBeInTheDocument();
  });

  it('[BAN-109] say that they could not be loaded, and are loaded again', async () => {
    await show({ permissions: ['manager_settings_asns'], fail: true });
    await item.click();
    await expect.element(dialog.getByText(/The bans could not be loaded: Server Error/)).toBeVisible();
    await expect.element(dialog.getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});
