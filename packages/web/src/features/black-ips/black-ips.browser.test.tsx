import { QueryClientProvider } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../../shared/api/query-client.ts';
import { createBulkServer } from '../../shared/bulk/testing/bulk-server.ts';
import { ConfirmHost } from '../../shared/ui/confirm.tsx';
import { NotificationStacks } from '../../shared/ui/notifications/notifications.tsx';
import { sessionStore } from '../../shared/session/session-store.ts';
import { renderPage } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { BlackIpsPage } from './black-ips-page.tsx';

type Call = { method: string; path: string; body?: unknown };
type Warning = { ip: string; kind: string; server: string | null };

const updatedAt = '2026-11-20 10:11:12';
const entry = { kind: 'address', source: '', expires_at: null, created_at: updatedAt, updated_at: updatedAt, covered_by: null };
const rows = [
  { ...entry, entry: '203.0.113.9', reason: 'Manager' },
  { ...entry, entry: '2001:db8::1', reason: 'x'.repeat(401) },
  { ...entry, entry: '10.0.0.1', reason: '', source: 'DROP', expires_at: '2099-01-01 00:00:00', covered_by: '10.0.0.0/24' },
  { ...entry, entry: '10.0.0.0/24', kind: 'network', reason: '' },
];
const pagination = { total: 4, count: 4, limit: 50, currentPage: 1, totalPages: 1, current_page: 1, last_page: 1, links: [] };

const rule = {
  kind: 'network',
  target: '10.0.0.0/24',
  name: '',
  applies_to: ['create', 'receive'],
  reason: 'Scan',
  since: { create: updatedAt, receive: updatedAt },
  at: updatedAt,
  actor: { id: 1, name: 'Olga' },
  source: 'DROP',
  expires_at: '2099-01-01 00:00:00',
};
/** What blocks an address, or of a network the one around it and one of 23 in it. */
function coveringAnswer(path: string): object {
  const asked = path.replace(/^.*entry=/, '');
  if (!asked.includes('/')) return { entry: asked, rules: [rule], total: 1 };
  const inside = { ...rule, kind: 'address', target: '10.0.0.1' };
  return { entry: asked, rules: [inside, { ...rule, target: '10.0.0.0/16' }], total: 24 };
}
const noCounts = { added: 0, existing: 0, extended: 0, covered: 0, invalid: 0, protected: 0, skipped: 0 };
const added = { result: 'added', message: null, suggestion: null };

/** The texts of a form. */
async function textsOf(form: FormData | undefined): Promise<Record<string, string>> {
  const texts = Array.from(form ?? [], async ([name, value]) => [name, value instanceof File ? await value.text() : value]);
  return Object.fromEntries(await Promise.all(texts));
}

/** The answer of a check: its second line is an entry once it is corrected. */
async function answerCheck(form: FormData): Promise<Response> {
  const { list = '' } = await textsOf(form);
  if (list === 'many') {
    const many = Array.from({ length: 25 }, (_, at) => ({ line: at + 1, text: '', entry: `203.0.113.${at + 1}`, ...added }));
    return linesAnswer([...many, { counts: { ...noCounts, added: 25 } }]);
  }
  if (list.startsWith('203.0.113.1 ')) {
    const invalid = (part: string, suggestion: string) => ({
      line: 1,
      text: list,
      entry: null,
      result: 'invalid',
      message: `${part} is none.`,
      suggestion,
      part,
    });
    const mistakes = list.includes('.9/24')
      ? [invalid('203.0.113.9/24', '203.0.113.0/24'), invalid('198.51.100.9/24', '198.51.100.0/24')]
      : [];
    return linesAnswer([...mistakes, { counts: { ...noCounts, added: 4 - mistakes.length, invalid: mistakes.length } }]);
  }
  const isCorrected = list.endsWith('113.0/24');
  const second = isCorrected
    ? { line: 2, text: '203.0.113.0/24', entry: '203.0.113.0/24', ...added }
    : {
        line: 2,
        text: '203.0.113.77/24',
        entry: null,
        result: 'invalid',
        message: '203.0.113.77/24 is not the first address of its network. Write 203.0.113.0/24.',
        suggestion: '203.0.113.0/24',
      };
  const lines = [
    { line: 1, text: '203.0.113.7', entry: '203.0.113.7', ...added },
    second,
    { counts: { ...noCounts, added: isCorrected ? 2 : 1, invalid: isCorrected ? 0 : 1 } },
  ];
  return linesAnswer(lines);
}

function linesAnswer(lines: readonly object[]): Response {
  return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { headers: { 'content-type': 'application/x-ndjson' } });
}

async function show({ address = '/page', warnings = [] }: { address?: string; warnings?: readonly Warning[] } = {}) {
  const state: { failure: { status: number; message: string } | null; isAway: boolean } = { failure: null, isAway: false };
  const calls: Call[] = [];
  const forms: FormData[] = [];
  const bulk = createBulkServer('black_ip');
  stubApi((url, init) => {
    const { method, body } = init;
    const path = decodeURIComponent(url.replace(/^.*\/api\//, ''));
    const bulkAnswer = bulk.respond(url, init);
    if (bulkAnswer !== null) return bulkAnswer;
    calls.push({ method, path, ...(typeof body === 'string' ? { body: JSON.parse(body) } : {}) });
    if (state.isAway) return method === 'DELETE' ? Promise.reject(new TypeError('Failed to fetch')) : new Promise(() => undefined);
    if (method === 'DELETE') return Promise.resolve(new Response(null, { status: 204 }));
    if (body instanceof FormData) {
      forms.push(body);
      if (state.failure !== null) {
        const { status, message } = state.failure;
        return Promise.resolve(Response.json({ success: false, message }, { status }));
      }
      if (path === 'black-list/import/check') return answerCheck(body);
      return Promise.resolve(Response.json({ success: true, data: { ...noCounts, added: 2 } }));
    }
    if (path === 'black-list/merge') return Promise.resolve(Response.json({ success: true, data: { removed: 3 } }));
    if (path.startsWith('black-list/covering')) return Promise.resolve(Response.json({ success: true, data: coveringAnswer(path) }));
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
      <ConfirmHost />
      <NotificationStacks onOpen={() => undefined} />
    </QueryClientProvider>,
    address,
  );
  await expect.element(page.getByRole('row', { name: /203\.0\.113\.9/ })).toBeVisible();
  return { calls, forms, history, posts: bulk.posts, state };
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
    expect(reads(calls)).toEqual(['black-list/entries?page=1&limit=50']);
    const heads = page
      .getByRole('columnheader')
      .elements()
      .map((head) => head.textContent.trim());
    expect(heads).toEqual(['', 'IP', 'Reason', 'Expires', 'Source', 'Covered by', 'Updated', 'Delete']);
    await expect.element(page.getByRole('row', { name: /203/ })).toMatchTextContent(/203\.0\.113\.9ManagerNever--20\.11\.2026 10:11:12/);
    const cutReason = page.getByText(/^x+/);
    await expect.poll(() => cutReason.element().textContent.replace(/[^x]/g, '').length).toBe(400);
  });

  it('[BIP-002, BIP-003] searches when applied, and clears', async () => {
    const { calls, history } = await show();
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('manager');
    expect(reads(calls)).toHaveLength(1);
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect.poll(() => reads(calls).at(-1)).toBe('black-list/entries?page=1&limit=50&search=manager');
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

  it('[BIP-008, ERR-002] shows an entry again whose deletion did not reach the server', async () => {
    const { calls, state } = await show();
    state.isAway = true;
    await page.getByRole('button', { name: 'Delete 203.0.113.9', exact: true }).click();
    await expect.poll(() => writes(calls)).toHaveLength(1);
    await expect.element(page.getByRole('row', { name: /203\.0\.113\.9/ })).toBeVisible();
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

describe('networks, expiry and imports of the black list', () => {
  it('[BAN-101] shows until when an entry stays, its source, and the network that covers it', async () => {
    await show();
    await expect
      .element(page.getByRole('row', { name: /10\.0\.0\.1DROP|10\.0\.0\.1/ }).first())
      .toMatchTextContent(/10\.0\.0\.1-in \d+ d(?: \d+ h)?, 01\.01\.2099 00:00DROP10\.0\.0\.0\/24/);
  });

  it('[BAN-101] deletes a network by its own call, and restores an entry as it was', async () => {
    const { calls } = await show();
    await page.getByRole('button', { name: 'Delete 10.0.0.0/24' }).click();
    await expect.poll(() => writes(calls)).toEqual([{ method: 'DELETE', path: 'black-list/entries/10.0.0.0/24' }]);
    await page.getByRole('button', { name: 'Delete 10.0.0.1' }).click({ position: { x: 2, y: 2 } });
    await expect.poll(() => writes(calls).at(-1)).toEqual({ method: 'DELETE', path: 'black-list/10.0.0.1' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect
      .poll(() => writes(calls).at(-1))
      .toEqual({
        method: 'POST',
        path: 'black-list/entries',
        body: { entries: ['10.0.0.1'], reason: '', source: 'DROP', expires_at: '2099-01-01T00:00:00Z' },
      });
  });

  it('[BAN-102] offers to merge where only covered entries are listed', async () => {
    const { calls } = await show({ address: '/page?covered=1' });
    await page.getByRole('button', { name: 'Merge covered entries' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await expect.poll(() => writes(calls).at(-1)).toEqual({ method: 'POST', path: 'black-list/merge', body: {} });
  });

  it('[BAN-103] shows the result of each line, corrects invalid ones, and imports what is left', async () => {
    const { forms } = await show();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const importing = page.getByRole('dialog', { name: 'Import addresses and networks' });
    await importing.getByLabelText('List').fill('203.0.113.7\n203.0.113.77/24');
    await importing.getByLabelText('Source').fill('DROP');
    await importing.getByText('1 day').click();
    await importing.getByRole('button', { name: 'Check list' }).click();
    await expect.element(importing.getByText(/is not the first address of its network/)).toBeVisible();
    expect(await textsOf(forms[0])).toEqual({ list: '203.0.113.7\n203.0.113.77/24', expires_in_hours: '24' });
    await importing.getByRole('button', { name: 'Use 203.0.113.0/24' }).click();
    await expect.element(importing.getByLabelText('Line 2')).toHaveValue('203.0.113.0/24');
    await importing.getByRole('button', { name: 'Check corrected lines' }).click();
    await expect.element(importing.getByRole('button', { name: 'Import 2 entries' })).toBeVisible();
    await importing.getByRole('button', { name: 'Import 2 entries' }).click();
    await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0);
    expect(await textsOf(forms[2])).toEqual({ list: '203.0.113.7\n203.0.113.0/24', expires_in_hours: '24', reason: '', source: 'DROP' });
  });

  it('[BAN-043] corrects one of several entries of a line, and keeps the others', async () => {
    const { forms } = await show();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const importing = page.getByRole('dialog', { name: 'Import addresses and networks' });
    await importing.getByLabelText('List').fill('203.0.113.1 203.0.113.9/24 198.51.100.9/24 198.51.100.7');
    await importing.getByRole('button', { name: 'Check list' }).click();
    await importing.getByRole('button', { name: 'Use 203.0.113.0/24' }).click();
    await importing.getByRole('button', { name: 'Use 198.51.100.0/24' }).click();
    await importing.getByRole('button', { name: 'Check corrected lines' }).click();
    await expect.element(importing.getByRole('button', { name: 'Import 4 entries' })).toBeVisible();
    expect(await textsOf(forms[1])).toMatchObject({ list: '203.0.113.1 203.0.113.0/24 198.51.100.0/24 198.51.100.7' });
  });

  it('[BAN-103] keeps corrected lines when their check fails, and when going back to the list', async () => {
    const { forms, state } = await show();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const importing = page.getByRole('dialog', { name: 'Import addresses and networks' });
    await importing.getByLabelText('List').fill('203.0.113.7\n203.0.113.77/24');
    await importing.getByRole('button', { name: 'Check list' }).click();
    await importing.getByLabelText('Line 2').fill('203.0.113.0/24');
    state.failure = { status: 503, message: 'The server is busy, try again' };
    await importing.getByRole('button', { name: 'Check corrected lines' }).click();
    await expect.poll(() => forms.length).toBe(2);
    await expect.element(importing.getByRole('button', { name: 'Check corrected lines' })).toBeEnabled();
    await expect.element(importing.getByLabelText('Line 2')).toHaveValue('203.0.113.0/24');
    await importing.getByRole('button', { name: 'Back' }).click();
    await expect.element(importing.getByLabelText('List')).toHaveValue('203.0.113.7\n203.0.113.0/24');
    state.failure = null;
    await importing.getByRole('button', { name: 'Check list' }).click();
    await expect.element(importing.getByRole('button', { name: 'Import 2 entries' })).toBeVisible();
  });

  it('[BAN-103] keeps a reason that is typed while a chosen file is read', async () => {
    await show();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const importing = page.getByRole('dialog', { name: 'Import addresses and networks' });
    const fileRead = Promise.withResolvers<ArrayBuffer>();
    vi.spyOn(File.prototype, 'arrayBuffer').mockReturnValueOnce(fileRead.promise);
    await userEvent.upload(document.querySelector('input[type="file"]') ?? document.body, new File(['203.0.113.7'], 'drop.txt'));
    await importing.getByLabelText('Reason').fill('Scans ports');
    fileRead.resolve(new TextEncoder().encode('203.0.113.7').buffer);
    await expect.element(importing.getByLabelText('Source')).toHaveValue('drop.txt');
    await expect.element(importing.getByLabelText('Reason')).toHaveValue('Scans ports');
  });

  it('[SHELL-077] says why a list could not be imported, and keeps it', async () => {
    const { state } = await show();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const importing = page.getByRole('dialog', { name: 'Import addresses and networks' });
    await importing.getByLabelText('List').fill('203.0.113.7');
    await importing.getByRole('button', { name: 'Check list' }).click();
    state.failure = { status: 403, message: 'You have no permission for this action' };
    await importing.getByRole('button', { name: 'Import 1 entry' }).click();
    await expect.element(importing.getByRole('alert')).toHaveTextContent('You have no permission for this action');
    await importing.getByRole('button', { name: 'Back' }).click();
    await expect.element(importing.getByLabelText('List')).toHaveValue('203.0.113.7');
  });

  it('[BAN-103] shows twenty lines at a time', async () => {
    await show();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const importing = page.getByRole('dialog', { name: 'Import addresses and networks' });
    await importing.getByLabelText('List').fill('many');
    await importing.getByRole('button', { name: 'Check list' }).click();
    await expect.element(importing.getByText('1–20 of 25')).toBeVisible();
    await importing.getByRole('button', { name: 'Next lines' }).click();
    await expect.element(importing.getByText('21–25 of 25')).toBeVisible();
    await expect.element(importing.getByText('203.0.113.25')).toBeVisible();
    await expect.element(importing.getByRole('button', { name: 'Next lines' })).toBeDisabled();
  });

  it('[BAN-104] says which rules block an address, with author, reason and end', async () => {
    const { calls } = await show();
    await page.getByRole('button', { name: 'Is it covered?' }).click();
    const asking = page.getByRole('dialog', { name: 'Is it covered?' });
    await asking.getByLabelText('Address, network or system').fill('10.0.0.1');
    await asking.getByRole('button', { name: 'Check' }).click();
    await expect.element(asking.getByText('One rule blocks 10.0.0.1.', { exact: true })).toBeVisible();
    await expect
      .element(asking.getByText(/black-listed for create and receive/))
      .toMatchTextContent(/set 20\.11\.2026 10:11:12 by Olga · until 01\.01\.2099 00:00:00 · source: DROP · reason: Scan/);
    expect(reads(calls).at(-1)).toBe('black-list/covering?entry=10.0.0.1');
  });

  it('[BAN-104] tells rules that block all of a network from those that block a part of it', async () => {
    await show();
    await page.getByRole('button', { name: 'Is it covered?' }).click();
    const asking = page.getByRole('dialog', { name: 'Is it covered?' });
    await asking.getByLabelText('Address, network or system').fill('10.0.0.0/24');
    await asking.getByRole('button', { name: 'Check' }).click();
    await expect.element(asking.getByText('One rule blocks all of 10.0.0.0/24.', { exact: true })).toBeVisible();
    await expect.element(asking.getByText('23 rules block a part of 10.0.0.0/24.', { exact: true })).toBeVisible();
    const lists = asking.getByRole('list');
    await expect.element(lists.nth(0)).toMatchTextContent(/^10\.0\.0\.0\/16/);
    await expect.element(lists.nth(1)).toMatchTextContent(/^10\.0\.0\.1 /);
    await expect.element(asking.getByText('And 22 more.')).toBeVisible();
    await asking.getByLabelText('Address, network or system').fill('10.0.0.0/8');
    await asking.getByRole('button', { name: 'Check' }).click();
    await expect.element(asking.getByText('No rule blocks all of 10.0.0.0/8.', { exact: true })).toBeVisible();
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
    await page.getByRole('button', { name: 'Select all 4 that match' }).click();
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
