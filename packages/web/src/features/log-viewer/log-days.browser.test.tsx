import { logLevels, type LogEntry } from '@switchyard/contract/log-viewer';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { callTexts, place, renderLogs, sampleEntry } from './testing/render-logs.tsx';

const dateOf = (at: number): string => new Date(Date.UTC(2026, 10, 20 - at)).toISOString().slice(0, 10);
/** Days with two errors and an info each. */
const someDays = (count: number): Map<string, LogEntry[]> =>
  new Map(
    Array.from({ length: count }, (_, at) => [
      dateOf(at),
      [sampleEntry(2, { level: 'error' }), sampleEntry(1, { level: 'error' }), sampleEntry(0)],
    ]),
  );
const row = (date: string) => page.getByRole('row', { name: new RegExp(`^${date}`) });
const dialog = () => page.getByRole('dialog', { name: 'Are you sure?' });
const button = (name: string) => page.getByRole('button', { name, exact: true });

describe.each([
  { address: '/logs', call: 'log-viewer/logs', title: 'Logs' },
  { address: '/app-logs', call: 'octopus-app/log', title: 'App logs' },
])('the list at $address', ({ address, call, title }) => {
  it('[LOG-005, LOG-006, LOG-007, LOG-008, LOG-031, ENT-037, LOG-030, API-068, API-073] shows a day a row, its entries in all and by level, and what can be done', async () => {
    const { calls } = await renderLogs(address, { days: someDays(2) });
    await expect.element(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expect.element(row('2026-11-20')).toBeVisible();
    expect(callTexts(calls)).toEqual([`GET ${call}?page=1&limit=20`]);
    const heads = page.getByRole('columnheader').elements();
    expect(heads.map((head) => head.textContent.trim())).toEqual(['Date', 'all', ...logLevels, 'Actions']);
    const cells = row('2026-11-20').getByRole('gridcell').elements();
    expect(cells.slice(0, -1).map((cell) => cell.textContent)).toEqual(['2026-11-20', '3', '0', '0', '0', '2', '0', '0', '1', '0']);
    expect([...(cells[5]?.querySelectorAll('[data-level]') ?? [])].map((icon) => icon.getAttribute('data-level'))).toEqual(['error']);
    for (const action of ['Show', 'Download', 'Remove'])
      await expect.element(row('2026-11-20').getByLabelText(`${action} 2026-11-20`)).toBeVisible();
  });

  it('[LOG-009, LOG-010, LOG-003, LOG-004, AMB-194, AMB-213] a level cell opens the day filtered by that level, unless it has none; show opens the day', async () => {
    const { history, calls } = await renderLogs(address, { days: someDays(1) });
    await page.getByRole('link', { name: '2 error on 2026-11-20' }).click();
    await expect.poll(() => place(history)).toBe(`${address}/2026-11-20/show?level=error`);
    await expect.poll(() => callTexts(calls).at(-1)).toBe(`GET ${call}/2026-11-20?page=1&limit=50&level=error&details=1`);
    history.back();
    await expect.element(page.getByRole('link', { name: '2 error on 2026-11-20' })).toBeVisible();
    expect(page.getByRole('link', { name: / debug on 2026-11-20$/ }).elements()).toHaveLength(0);
    await page.getByRole('link', { name: '3 all on 2026-11-20' }).click();
    await expect.poll(() => place(history)).toBe(`${address}/2026-11-20/show`);
    await expect.poll(() => callTexts(calls).at(-1)).toBe(`GET ${call}/2026-11-20?page=1&limit=50&level=all&details=1`);
    history.back();
    await page.getByRole('link', { name: 'Show 2026-11-20' }).click();
    await expect.poll(() => place(history)).toBe(`${address}/2026-11-20/show`);
  });

  it('[LOG-012, LOG-013] remove asks first, then deletes and reads the list again at its page', async () => {
    const { calls, history } = await renderLogs(`${address}?page=2`, { days: someDays(23) });
    const date = dateOf(21);
    await button(`Remove ${date}`).click();
    await expect.element(dialog()).toMatchTextContent(/Log will be REMOVED!/);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect(callTexts(calls)).toEqual([`GET ${call}?page=2&limit=20`]);
    await button(`Remove ${date}`).click();
    await dialog().getByRole('button', { name: 'OK' }).click();
    await expect
      .poll(() => callTexts(calls))
      .toEqual([`GET ${call}?page=2&limit=20`, `DELETE ${call}/delete`, `GET ${call}?page=2&limit=20`]);
    expect(calls[1]?.body).toEqual({ date });
    expect(place(history)).toBe(`${address}?page=2`);
    await expect.element(page.getByText(new RegExp(`${title} of ${date} deleted$`))).toBeVisible();
  });

  it('[LOG-011, LOG-029, CONST-030] download asks first, then fetches the workbook', async () => {
    vi.stubGlobal('showSaveFilePicker', undefined);
    const savedUrls: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      savedUrls.push(this.download);
    });
    const file = () =>
      new Response('PK', {
        headers: { 'content-disposition': 'attachment; filename="log.xlsx"', 'content-type': 'application/octet-stream' },
      });
    const { calls } = await renderLogs(address, {
      days: someDays(1),
      answer: ({ path }) => (path.includes('download') ? file() : null),
    });
    await button('Download 2026-11-20').click();
    await expect.element(dialog()).toMatchTextContent(/Data will be DOWNLOADED/);
    await dialog().getByRole('button', { name: 'OK' }).click();
    await expect.poll(() => savedUrls).toEqual(['log.xlsx']);
    expect(callTexts(calls).at(-1)).toBe(`GET ${call}/2026-11-20/download/?details=1`);
    await expect.poll(() => dialog().elements().length).toBe(0);
    await expect.element(page.getByText(/log\.xlsx is saved: 2 B/)).toBeVisible();
  });
});

describe('the list of days', () => {
  it('[AMB-044, LOG-005] has pages by links, and follows the keyboard', async () => {
    const { calls, history } = await renderLogs('/logs', { days: someDays(23) });
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => callTexts(calls).at(-1)).toBe('GET log-viewer/logs?page=2&limit=20');
    await expect.element(row(dateOf(20))).toBeVisible();
    row(dateOf(20)).element().focus();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    await expect.poll(() => place(history)).toBe(`/logs/${dateOf(21)}/show`);
  });

  it('says when there is no day, and that somebody else deleted a day', async () => {
    const { calls } = await renderLogs('/logs', {
      days: someDays(1),
      answer: ({ method }) => (method === 'DELETE' ? Response.json({ success: false, message: 'Not found' }, { status: 404 }) : null),
    });
    await button('Remove 2026-11-20').click();
    await dialog().getByRole('button', { name: 'OK' }).click();
    await expect.element(page.getByText(/Logs of 2026-11-20 no longer exist/)).toBeVisible();
    await expect.poll(() => callTexts(calls).filter((one) => one.startsWith('GET'))).toHaveLength(2);
  });

  it('says that there is none yet', async () => {
    await renderLogs('/logs');
    await expect.element(page.getByRole('heading', { name: 'The list is empty!' })).toBeVisible();
  });

  it('polls while the figures of a large day are still being counted', async () => {
    let looks = 0;
    const counting = {
      date: '2026-11-20',
      all: 9,
      emergency: 0,
      alert: 0,
      critical: 0,
      error: 0,
      warning: 0,
      notice: 0,
      info: 9,
      debug: 0,
    };
    const pagination = { total: 1, count: 1, limit: 20, currentPage: 1, totalPages: 1, current_page: 1, last_page: 1, links: [] };
    await renderLogs('/logs', {
      answer: () => {
        looks += 1;
        const day = looks === 1 ? { ...counting, indexing: { bytes: 14, of: 100 } } : { ...counting, all: 90, info: 90 };
        return Response.json({ success: true, data: [day], pagination: { ...pagination, prev_cursor: null, next_cursor: null } });
      },
    });
    await expect.element(row('2026-11-20')).toMatchTextContent(/14% counted/);
    await expect.element(page.getByRole('link', { name: '90 all on 2026-11-20' })).toBeVisible();
    expect(row('2026-11-20').element().textContent).not.toContain('counted');
    expect(looks).toBe(2);
  });
});
