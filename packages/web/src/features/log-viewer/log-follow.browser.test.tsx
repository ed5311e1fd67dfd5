import type { FollowedLogEntry } from '@switchyard/contract/log-search';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { renderLogs, sampleEntry } from './testing/render-logs.tsx';

const today = new Date().toISOString().slice(0, 10);
const day = { days: new Map([[today, [sampleEntry(1), sampleEntry(0)]]]) };

const button = (name: string) => page.getByRole('button', { name, exact: true });
const grid = () => page.getByRole('grid', { name: 'New log entries' });
const lines = () => [...grid().element().querySelectorAll('[data-column="header"], td[colspan]')].slice(1).map((cell) => cell.textContent);
const entry = (id: number, more: Partial<FollowedLogEntry> = {}): FollowedLogEntry => ({
  ...sampleEntry(id),
  date: today,
  header: `New ${id}`,
  ...more,
});
const event = (id: string, kind: string, data: unknown) => `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;

/** A page whose streams the test writes to. */
async function show(address = `/logs/${today}/show`) {
  const streams: { query: string; send: (text: string) => void; close: () => void }[] = [];
  const { calls, history } = await renderLogs(address, {
    ...day,
    answer: ({ path, query }) => {
      if (!path.endsWith('/follow')) return null;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          const send = (text: string): void => controller.enqueue(new TextEncoder().encode(text));
          streams.push({ query, send, close: () => controller.close() });
          send('retry: 10\n: ok\n\nid: start\n\n');
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  return { streams, calls, history };
}

describe('following a day', () => {
  it('[LOGX-107] goes on after midnight', async () => {
    const { calls } = await show();
    await expect.element(button('Follow')).toBeVisible();
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(Date.now() + 86_400_000);
    const before = calls.length;
    await button('Refresh').click();
    await expect.poll(() => calls.length).toBeGreaterThan(before);
    await expect.element(button('Follow')).toBeVisible();
  });

  it('[LOGX-107] shows new entries on top with the filters of the page, holds them while paused, and marks gaps', async () => {
    const { streams } = await show(`/logs/${today}/show?level=info&query=New`);
    await button('Follow').click();
    await expect.poll(() => streams.length).toBe(1);
    expect(decodeURIComponent(streams[0]?.query ?? '')).toBe('level[]=info&query=New');
    streams[0]?.send(event('a', 'rows', [entry(2), entry(3)]));
    await expect.element(page.getByRole('heading', { name: '2 new entries' })).toBeVisible();
    expect(lines()).toEqual(['New 3', 'New 2']);
    streams[0]?.send(event('b', 'gap', { skipped: 7, reason: 'rate' }));
    streams[0]?.send(event('c', 'rows', [entry(4)]));
    await expect.poll(lines).toEqual(['New 4', 'More entries came than can be shown: 7 entries are missing here.', 'New 3', 'New 2']);
    await button('Pause').click();
    // An entry that grew is no new one.
    streams[0]?.send(event('d', 'rows', [entry(5), entry(4, { stack: '#0 frame' })]));
    await expect.element(page.getByText(/2 entries are waiting|1 entry is waiting/)).toBeVisible();
    expect(lines()[0]).toBe('New 4');
    await button('Resume').click();
    await expect.poll(() => lines()[0]).toBe('New 5');
    await expect.element(page.getByRole('heading', { name: '4 new entries' })).toBeVisible();
    expect(lines().filter((line) => line === 'New 4')).toHaveLength(1);
    const links = grid().getByRole('link').elements();
    expect(links[0]?.getAttribute('href')).toMatch(new RegExp(`^/logs/${today}/show\\?entry=5\\+`));
  });

  it('[LOGX-107] reconnects after the last event, and stops when it is switched off', async () => {
    const { streams } = await show();
    await button('Follow').click();
    await expect.poll(() => streams.length).toBe(1);
    streams[0]?.send(event('a', 'rows', [entry(2)]));
    await expect.poll(lines).toEqual(['New 2']);
    streams[0]?.close();
    await expect.poll(() => streams.length).toBe(2);
    expect(streams[1]?.query).toBe('lastEventId=a');
    streams[1]?.send(event('b', 'gap', { skipped: null, reason: 'truncated' }));
    await expect.element(page.getByText('The file was truncated: some entries are missing here.')).toBeVisible();
    await button('Follow').click();
    await expect.poll(() => grid().elements()).toEqual([]);
  });

  it('[LOGX-107] says that another tab follows, and takes it back', async () => {
    const { streams } = await show();
    await button('Follow').click();
    await expect.poll(() => streams.length).toBe(1);
    streams[0]?.send('event: end\ndata: {"reason":"replaced"}\n\n');
    await expect.element(page.getByText(/Following moved to another tab\./)).toBeVisible();
    await button('Follow here').click();
    await expect.poll(() => streams.length).toBe(2);
  });

  it('[LOGX-107] is offered on the day of today alone', async () => {
    await renderLogs('/logs/2026-01-02/show', { days: new Map([['2026-01-02', [sampleEntry(0)]]]) });
    await expect.element(page.getByRole('grid', { name: 'Log entries' })).toBeVisible();
    expect(button('Follow').elements()).toEqual([]);
  });
});
