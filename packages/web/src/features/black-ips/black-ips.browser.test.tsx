import { QueryClientProvider } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../../shared/api/query-client.ts';
import { createBulkServer } from '../../shared/bulk/testing/bulk-server.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { renderPage } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { BlackIpsPage } from './black-ips-page.tsx';

type Call = { method: string; path: string; body?: unknown };
type Warning = { ip: string; kind: string; server: string | null };

const updatedAt = '2026-11-20 10:11:12';
const rows = [
  { ip: '203.0.113.9', reason: 'Manager', updated_at: updatedAt },
  { ip: '2001:db8::1', reason: 'x'.repeat(401), updated_at: updatedAt },
  { ip: '10.0.0.1', reason: '', updated_at: updatedAt },
];
const pagination = { total: 3, count: 3, limit: 50, currentPage: 1, totalPages: 1, current_page: 1, last_page: 1, links: [] };

/** Opens the page over a server of the test's own; gives what it was asked, and the history. */
async function show({ address = '/page', warnings = [] }: { address?: string; warnings?: readonly Warning[] } = {}) {
  const calls: Call[] = [];
  const bulk = createBulkServer('black_ip');
  stubApi((url, init) => {
    const { method, body } = init;
    const path = decodeURIComponent(url.replace(/^.*\/api\//, ''));
    const bulkAnswer = bulk.respond(url, init);
    if (bulkAnswer !== null) return bulkAnswer;
    calls.push({ method, path, ...(typeof body === 'string' ? { body: JSON.parse(body) } : {}) });
    if (method === 'DELETE') return Promise.resolve(new Response(null, { status: 204 }));
    if (path === 'black-list/check') return Promise.resolve(Response.json({ success: true, data: warnings }));
    if (method === 'POST') return Promise.resolve(Response.json({ success: true, data: { created: 2, updated: 1 } }));
    return Promise.resolve(
      Response.json({ success: true, data: rows, pagination: { ...pagination, prev_cursor: null, next_cursor: null } }),
    );
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: ['manager_settings_asns'] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  queryClient.clear();
  const history = await renderPage(
    <QueryClientProvider client={queryClient}>
      <BlackIpsPage />
    </QueryClientProvider>,
    address,
  );
  await expect.element(page.getByRole('row', { name: /203\.0\.113\.9/ })).toBeVisible();
  return { calls, history, posts: bulk.posts };
}

const dialog = () => page.getByRole('dialog', { name: 'Add IPs' });
const box = () => dialog().getByLabelText('IPs', { exact: true });
const add = () => dialog().getByRole('button', { name: /^Add/ });
const writes = (calls: readonly Call[]): Call[] => calls.filter(({ method }) => method !== 'GET');
const reads = (calls: readonly Call[]): string[] => calls.filter(({ method }) => method === 'GET').map(({ path }) => path);
async function openPopup(): Promise<void> {
  await page.getByRole('button', { name: 'Add IPs' }).click();
  await expect.element(box()).toHaveFocus();
}

describe('black list', () => {
  it('[BIP-005, BIP-006, BIP-007, BIP-008, BIP-018, CONST-034, CONST-044, ENT-036, API-080] asks for 50 and shows address, reason cut at 400, date', async () => {
    const { calls } = await show();
    expect(reads(calls)).toEqual(['black-list?page=1&limit=50']);
    const heads = page
      .getByRole('columnheader')
      .elements()
      .map((head) => head.textContent.trim());
    expect(heads).toEqual(['', 'IP', 'Reason', 'Updated', 'Delete']);
    await expect.element(page.getByRole('row', { name: /203/ })).toMatchTextContent(/203\.0\.113\.9Manager20\.11\.2026 10:11:12/);
    const cutReason = page.getByText(/^x+/);
    await expect.poll(() => cutReason.element().textContent.replace(/[^x]/g, '').length).toBe(400);
  });

  it('[BIP-002, BIP-003] searches when applied, and clears', async () => {
    const { calls, history } = await show();
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('manager');
    expect(reads(calls)).toHaveLength(1);
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect.poll(() => reads(calls).at(-1)).toBe('black-list?page=1&limit=50&search=manager');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect.poll(() => history.location.search).toBe('');
    // The page follows its address a moment later, and drops what was typed before.
    await expect.element(search).toHaveValue('');
    await search.fill('203.0');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => history.location.search).toBe('?search=203.0');
  });

  it('[BIP-008, AMB-206, API-082] deletes at once, with the address as it is, and reads the list again', async () => {
    const { calls } = await show();
    await page.getByRole('button', { name: 'Delete 2001:db8::1' }).click();
    await expect.poll(() => writes(calls)).toEqual([{ method: 'DELETE', path: 'black-list/2001:db8::1' }]);
    await expect.poll(() => reads(calls)).toHaveLength(2);
    expect(page.getByRole('dialog').elements()).toHaveLength(0);
  });

  it('[BIP-004, BIP-009, BIP-010, BIP-013, BIP-017, API-081] adds texts between blanks, commas and new lines, each once', async () => {
    const { calls } = await show();
    await openPopup();
    await expect.element(dialog().getByLabelText('Reason')).toHaveAttribute('placeholder', 'Reason: Manager');
    await box().fill('203.0.113.7, 2001:DB8:0::7\n::ffff:203.0.113.7');
    await dialog().getByLabelText('Reason').fill('scans');
    await add().click();
    const ips = ['203.0.113.7', '2001:db8::7'];
    await expect
      .poll(() => writes(calls))
      .toEqual([
        { method: 'POST', path: 'black-list/check', body: { ips } },
        { method: 'POST', path: 'black-list', body: { ips, reason: 'scans' } },
      ]);
    await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0);
    await expect.poll(() => reads(calls)).toHaveLength(2);
  });

  it('[BIP-011, AMB-207] cannot add while nothing but blanks is typed', async () => {
    await show();
    await openPopup();
    await expect.element(add()).toBeDisabled();
    await box().fill(' \n ');
    await expect.element(add()).toBeDisabled();
    await box().fill('1');
    await expect.element(add()).toBeEnabled();
  });

  it('[BIP-012] cancel closes without sending, and the next time begins empty', async () => {
    const { calls } = await show();
    await openPopup();
    await box().fill('203.0.113.7');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0);
    expect(writes(calls)).toEqual([]);
    await openPopup();
    await expect.element(box()).toHaveValue('');
  });

  it.each([
    ['BIP-014, ERR-030, AMB-205', ' ,, \n,', 'Please enter at least one IP address.'],
    [
      'BIP-015, BIP-016, ERR-030, AMB-203',
      '203.0.113.7 999.1.1.1,0.0.0.0/0 fe80::1%eth0',
      'The following entries are not valid IPv4 or IPv6 addresses: 999.1.1.1, 0.0.0.0/0, fe80::1%eth0',
    ],
    ['AMB-203', Array.from({ length: 1_001 }, (_, n) => `10.9.${n >> 8}.${n & 255}`).join(' '), 'At most 1000 IP addresses per call.'],
  ])('[%s] sends nothing that does not fit, says why and keeps the text', async (_, typedText, text) => {
    const { calls } = await show();
    await openPopup();
    await box().fill(typedText);
    await add().click();
    await expect.element(dialog().getByRole('alert')).toHaveTextContent(text);
    await expect.element(box()).toHaveValue(typedText);
    expect(writes(calls)).toEqual([]);
    await box().fill('203.0.113.7');
    expect(dialog().getByRole('alert').elements()).toHaveLength(0);
  });

  it('warns of addresses of the console, its servers and its reader, and adds them when asked again', async () => {
    const { calls } = await show({ warnings: [{ ip: '203.0.113.20', kind: 'server', server: 'edge-fra-1' }] });
    await openPopup();
    await box().fill('203.0.113.20');
    await add().click();
    await expect.element(dialog().getByRole('alert')).toMatchTextContent(/203\.0\.113\.20 is the address of the traffic server edge-fra-1/);
    expect(writes(calls).map(({ path }) => path)).toEqual(['black-list/check']);
    await dialog().getByRole('button', { name: 'Add anyway' }).click();
    await expect.poll(() => writes(calls).map(({ path }) => path)).toEqual(['black-list/check', 'black-list']);
  });
});

describe('bulk changes of the black list', () => {
  it('[BULK-013] removes chosen addresses, and all that match the filters', async () => {
    const { posts } = await show({ address: '/page?search=manager' });
    await page.getByRole('checkbox', { name: 'Select 2001:db8::1' }).click();
    const remove = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Remove addresses from the black list' }).click();
    };
    const change = { action: 'black_ip.delete', params: {} };
    await remove();
    await expect.poll(() => posts[0]?.body).toEqual({ change, target: { keys: ['2001:db8::1'] } });
    await expect.element(page.getByRole('dialog').getByText('2 addresses: will change')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Select all 3 that match' }).click();
    await remove();
    await expect.poll(() => posts.at(-1)?.body).toEqual({ change, target: { filter: 'search=manager', except: [] } });
  });
});

describe('Escape', () => {
  it('closes the popup only while nothing is typed', async () => {
    await show();
    await openPopup();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog()).not.toBeInTheDocument();
    await openPopup();
    await userEvent.keyboard('203.0.113.50{Escape}');
    await expect.element(box()).toHaveValue('203.0.113.50');
    await userEvent.keyboard('{Control>}a{/Control}{Backspace}{Escape}');
    await expect.element(dialog()).not.toBeInTheDocument();
  });
});
