import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { passTime, stopClock } from '../../testing/clock.ts';
import { asked, renderLogs, sampleEntry } from './testing/render-logs.tsx';

const date = '2026-11-20';
const address = `/logs/${date}/show`;
const days = new Map([[date, [sampleEntry(1), sampleEntry(0)]]]);
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Lets no search tire after its ten seconds, which a busy machine may need before the test has stopped it. */
function searchWithoutEnd(): void {
  const later = window.setTimeout.bind(window);
  vi.stubGlobal('setTimeout', (call: () => void, delay?: number) => (delay === 10_000 ? 0 : later(call, delay)));
}

describe('a day that is not read to its end', () => {
  it('tells how far its file has been read, and looks again until it has', async () => {
    let looks = 0;
    const { calls } = await renderLogs(address, {
      days,
      change: () => {
        looks += 1;
        return looks < 3 ? { indexing: { bytes: looks * 300, of: 1_000 } } : {};
      },
    });
    await expect.element(page.getByText('Reading the file')).toBeVisible();
    await expect.element(page.getByText('30%')).toBeVisible();
    await expect.element(page.getByText('60%')).toBeVisible();
    await expect.poll(() => page.getByText('Reading the file').elements().length).toBe(0);
    expect(asked(calls)).toHaveLength(3);
  });

  it('keeps what is folded out, and the keyboard, when the file has been read and its entries get their own ids', async () => {
    let isRead = false;
    await renderLogs(address, {
      days: new Map([[date, [sampleEntry(1, { header: 'Failed', context: { order: 77 } }), sampleEntry(0)]]]),
      change: ({ entries }) =>
        isRead ? {} : { indexing: { bytes: 300, of: 1_000 }, entries: entries.map((entry, at) => ({ ...entry, id: -1 - at })) },
    });
    await button('Context').click();
    await expect.element(page.getByRole('heading', { name: 'Context' })).toBeVisible();
    isRead = true;
    await expect.poll(() => page.getByText('Reading the file').elements().length).toBe(0);
    await expect.element(page.getByRole('heading', { name: 'Context' })).toBeVisible();
    await expect.element(button('Context')).toHaveFocus();
  });

  it('shows what a search finds while it goes on by itself, until it is stopped; then it goes on when asked to', async () => {
    let parts = 0;
    let isFound = false;
    searchWithoutEnd();
    const { calls } = await renderLogs(`${address}?query=Served`, {
      days,
      change: () => {
        parts += 1;
        return isFound ? {} : { search_stopped: { bytes: Math.min(900, parts * 10), of: 1_000 } };
      },
    });
    await expect.element(page.getByText('Searching')).toBeVisible();
    await expect.element(page.getByRole('row', { name: /Served 1/ })).toBeVisible();
    await expect.poll(() => calls.length).toBeGreaterThan(3);
    expect(new Set(asked(calls))).toEqual(new Set([`GET log-viewer/logs/${date}?page=1&limit=50&level=all&query=Served&wait=1`]));
    await button('Stop').click();
    await expect.element(page.getByText('The search stopped')).toBeVisible();
    await expect.element(page.getByText(/^after \d+% of the file$/)).toBeVisible();
    isFound = true;
    await button('Continue').click();
    await expect.poll(() => page.getByText(/Searching|The search stopped/).elements().length).toBe(0);
  });

  it('[LOG-027] does not call a file empty before it has been searched to its end', async () => {
    let isAtEnd = false;
    searchWithoutEnd();
    await renderLogs(`${address}?query=needle`, { days, change: () => (isAtEnd ? {} : { search_stopped: { bytes: 1, of: 9 } }) });
    await expect.element(page.getByRole('heading', { name: 'Nothing found so far' })).toBeVisible();
    isAtEnd = true;
    await expect.element(page.getByRole('heading', { name: 'The list is empty!' })).toBeVisible();
  });

  it('lets a search go on by itself for ten seconds only', async () => {
    let isSlow = false;
    searchWithoutEnd();
    await renderLogs(`${address}?query=Served`, {
      days,
      answer: () => (isSlow ? new Promise<Response>(() => undefined) : null),
      change: () => ({ search_stopped: { bytes: 1, of: 1_000 } }),
    });
    await button('Stop').click();
    await expect.element(page.getByText('The search stopped')).toBeVisible();
    isSlow = true;
    stopClock();
    await button('Continue').click();
    await passTime(9_900);
    await expect.element(page.getByText('Searching')).toBeVisible();
    await passTime(200);
    await expect.element(page.getByText('The search stopped')).toBeVisible();
  });
});
