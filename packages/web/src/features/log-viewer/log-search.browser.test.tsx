import type { FoundLogEntry, LogSearchLine } from '@switchyard/contract/log-search';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { callTexts, place, renderLogs } from './testing/render-logs.tsx';

const entry = (id: number, more: Partial<FoundLogEntry> = {}): FoundLogEntry => ({
  date: '2026-11-20',
  id,
  datetime: '2026-11-20 10:11:12',
  level: 'info',
  env: 'production',
  header: `Push refused ${id}`,
  source: '',
  excerpt: { part: 'header', before: 'Push ', match: 'refused', after: ` ${id}` },
  ...more,
});
const progress = { date: '2026-11-20', days: 0, of_days: 2, bytes: 1_000_000, of: 4_000_000, is_indexing: false };
const whole: LogSearchLine = { end: { reason: 'complete', cursor: null } };

const bytesOf = (lines: readonly LogSearchLine[]) => new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
const linesAnswer = (lines: readonly LogSearchLine[]) =>
  new Response(bytesOf(lines), { headers: { 'content-type': 'application/x-ndjson' } });
const failure = (status: number, body: object) => Response.json({ success: false, ...body }, { status });

const button = (name: string) => page.getByRole('button', { name, exact: true });
const grid = () => page.getByRole('grid', { name: 'Found entries' });
const rows = () => [...grid().element().querySelectorAll('tr')].slice(1).map((row) => row.textContent);
const searchbox = () => page.getByRole('searchbox', { name: 'Search' });

describe.each([
  { list: '/logs', call: 'log-viewer/logs' },
  { list: '/app-logs', call: 'octopus-app/log' },
])('the search of all days at $list', ({ list, call }) => {
  it('[LOGX-105] opens from the list, takes text, levels and days into the address, and links each entry to its place', async () => {
    const found = [
      entry(7),
      entry(3, {
        date: '2026-11-18',
        level: 'error',
        source: 'web',
        excerpt: { part: 'stack', before: 'at ', match: 'refused', after: '()' },
      }),
    ];
    const { calls, history } = await renderLogs(list, {
      answer: ({ path }) => (path.endsWith('/search') ? linesAnswer([{ progress }, ...found.map((one) => ({ entry: one })), whole]) : null),
    });
    await page.getByRole('link', { name: 'Search all days' }).click();
    await expect.element(page.getByRole('heading', { name: 'Search all days', level: 2 })).toBeVisible();
    await searchbox().fill('refus|fail');
    await page.getByRole('switch', { name: 'Regular expression' }).click();
    await button('Search').click();
    await expect.element(grid()).toBeVisible();
    expect(rows()).toEqual([
      '2026-11-20',
      expect.stringContaining('Push refused 7'),
      '2026-11-18',
      expect.stringMatching(/web.*error.*Push refused 3Stack at refused\(\)$/),
    ]);
    expect([...grid().element().querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['refused', 'refused']);
    await expect.element(page.getByText(/Search complete/)).toBeVisible();
    await expect.element(page.getByText(/2 entries found/)).toBeVisible();
    const address = new URL(place(history), 'http://console');
    expect([address.pathname, address.searchParams.get('query'), address.searchParams.get('regex')]).toEqual([list, 'refus|fail', '1']);
    expect(address.searchParams.get('startDate')).toMatch(/^\d{4}-\d\d-\d\d$/);
    const sent = new URLSearchParams(callTexts(calls).at(-1)?.split('?')[1]);
    expect([callTexts(calls).at(-1)?.split('?')[0], sent.get('query'), sent.get('regex'), sent.get('endDate')]).toEqual([
      `GET ${call}/search`,
      'refus|fail',
      '1',
      address.searchParams.get('endDate'),
    ]);
    const links = grid().getByRole('link').elements();
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      `${list}/2026-11-20/show?entry=7++2026-11-20+10%3A11%3A12`,
      `${list}/2026-11-18/show?entry=3+web+2026-11-20+10%3A11%3A12`,
    ]);
  });
});

describe('a search across days', () => {
  const address = '/logs?view=search&query=refused';

  it('[LOGX-106] shows entries and progress as they arrive, stops when it is cancelled, and starts again', async () => {
    const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
    let cancelled = 0;
    await renderLogs(address, {
      answer: () =>
        new Response(new ReadableStream({ start: (controller) => void streams.push(controller), cancel: () => void (cancelled += 1) }), {
          headers: { 'content-type': 'application/x-ndjson' },
        }),
    });
    await expect.poll(() => streams.length).toBe(1);
    streams[0]?.enqueue(bytesOf([{ progress }, { entry: entry(1) }]));
    await expect.element(page.getByText(/2026-11-20 · day 1 of 2 · 1 MB of 4 MB/)).toBeVisible();
    await expect.element(page.getByText(/1 entry found/)).toBeVisible();
    expect(rows()).toHaveLength(2);
    await button('Cancel').click();
    await expect.element(page.getByText(/Cancelled/)).toBeVisible();
    streams[0]?.enqueue(bytesOf([{ entry: entry(0) }]));
    await expect.poll(() => cancelled).toBe(1);
    expect(rows()).toHaveLength(2);
    await button('Search again').click();
    await expect.poll(() => streams.length).toBe(2);
    streams[1]?.enqueue(bytesOf([whole]));
    streams[1]?.close();
    await expect.element(page.getByRole('heading', { name: 'No entries match' })).toBeVisible();
  });

  it('[LOGX-105] keeps the focus, and is ready for another search after Back', async () => {
    const { history } = await renderLogs('/logs?view=search', {
      answer: () => new Response(new ReadableStream(), { headers: { 'content-type': 'application/x-ndjson' } }),
    });
    await searchbox().fill('refused');
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Search')).toBeDisabled();
    await expect.element(searchbox()).toHaveFocus();
    history.back();
    await expect.element(button('Search')).toBeEnabled();
    await expect.element(searchbox()).toHaveValue('');
  });

  it('[LOGX-106] continues from where it ended, and says which files changed', async () => {
    const { calls } = await renderLogs(address, {
      answer: ({ query }) =>
        query.includes('cursor=next')
          ? linesAnswer([{ entry: entry(1) }, whole])
          : linesAnswer([
              { entry: entry(2) },
              { notice: { date: '2026-11-20', source: 'console', change: 'truncated' } },
              { end: { reason: 'entries', cursor: 'next' } },
            ]),
    });
    await expect.element(page.getByText(/The file console of 2026-11-20 was truncated during the search\./)).toBeVisible();
    await button('Continue').click();
    await expect.element(page.getByText(/2 entries found/)).toBeVisible();
    expect(rows().slice(1)).toEqual([expect.stringContaining('refused 2'), expect.stringContaining('refused 1')]);
    expect(calls.map(({ query }) => query)).toEqual(['query=refused', 'query=refused&cursor=next']);
  });

  it('[LOGX-106] says why it failed, also on its field, and tries again', async () => {
    const answers = [
      failure(429, { message: 'Too many log searches are running. Cancel one or try again later.' }),
      linesAnswer([{ entry: entry(1) }]),
      failure(422, {
        message: 'The given data was invalid.',
        errors: { query: ['The regular expression is too complex.'] },
        data: { errors: { query: ['The regular expression is too complex.'] } },
      }),
    ];
    await renderLogs(address, { answer: () => answers.shift() ?? null });
    await expect.element(page.getByText(/Too many log searches are running\./)).toBeVisible();
    await button('Try again').click();
    await expect.element(page.getByText(/The search stopped: the connection was lost/)).toBeVisible();
    expect(rows()).toHaveLength(2);
    await button('Try again').click();
    await expect.element(page.getByText(/The regular expression is too complex\./)).toBeVisible();
    await expect.element(searchbox()).toHaveAttribute('aria-invalid', 'true');
  });

  it('[LOGX-105] moves through found entries by keyboard and opens one', async () => {
    const { history } = await renderLogs(address, {
      answer: ({ path }) =>
        path.endsWith('/search')
          ? linesAnswer([{ entry: entry(2) }, { entry: entry(1, { level: 'error' }) }, { entry: entry(-4) }, whole])
          : null,
    });
    await expect.element(grid()).toBeVisible();
    grid().element().querySelector<HTMLElement>('[data-index="0"]')?.focus();
    await userEvent.keyboard('e');
    expect(document.activeElement?.getAttribute('data-index')).toBe('1');
    await userEvent.keyboard('{End}{Enter}');
    // Its ordinal is unknown while the file is being indexed.
    await expect.poll(() => place(history)).toMatch(/^\/logs(\/2026-11-20\/show\?query=refused)?$/);
  });
});
