import type { LogDayPage, LogEntry } from '@switchyard/contract/log-viewer';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { callTexts, place, renderLogs, sampleEntry } from './testing/render-logs.tsx';
import { passTime, stopClock } from '../../testing/clock.ts';

const date = '2026-11-20';
const stack = '#0 /srv/app/vendor/laravel/Pipeline.php(12)\n#1 /srv/app/app/Send.php(3)\n#2 {main}';
const failedEntry = sampleEntry(2, { level: 'error', header: 'Push refused', context: { campaign: 91, tags: ['db'] }, stack });
const entries = [
  failedEntry,
  sampleEntry(1, { env: '', datetime: '' }),
  sampleEntry(0, { level: 'warning', header: 'Push slow', context: { ms: 808 } }),
];
const dayWith = (rows: LogEntry[]) => ({ days: new Map([[date, rows]]) });

const statistics = () => page.getByRole('table', { name: 'Entries by level' });
const grid = () => page.getByRole('grid', { name: 'Log entries' });
const row = (text: RegExp) => grid().getByRole('row', { name: text });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const headers = () => grid().element().querySelectorAll('tr[data-index] > [data-column="header"]');
const shownHeaders = (): string[] => [...headers()].map((cell) => cell.textContent);
const search = () => page.getByRole('searchbox', { name: 'Search' });

describe.each([
  { address: `/logs/${date}/show`, list: '/logs', call: 'log-viewer/logs', title: 'Logs', dayTitle: 'Log' },
  { address: `/app-logs/${date}/show`, list: '/app-logs', call: 'octopus-app/log', title: 'App logs', dayTitle: 'App log' },
])('the day at $address', ({ address, list, call, title, dayTitle }) => {
  it('[LOG-015, LOG-016, LOG-031, LOG-001, LOG-002, LOG-003, LOG-030, API-069, API-074, AMB-028] has a table of levels; one filters the entries, one without entries cannot be pressed', async () => {
    const { calls, history } = await renderLogs(`${address}?page=1`, dayWith(entries));
    await expect.element(page.getByRole('heading', { name: date, level: 1 })).toBeVisible();
    await expect.poll(() => document.title).toMatch(new RegExp(`^${dayTitle} ${date} \\| `));
    await expect.element(page.getByRole('link', { name: title })).toHaveAttribute('href', list);
    await expect.element(statistics()).toBeVisible();
    const levels = statistics().getByRole('row').elements();
    expect(levels.map((one) => one.textContent)).toEqual([
      'LevelEntries',
      'All3',
      'Emergency0',
      'Alert0',
      'Critical0',
      'Error1',
      'Warning1',
      'Notice0',
      'Info1',
      'Debug0',
    ]);
    expect(statistics().element().querySelectorAll('svg')).toHaveLength(8);
    const pressedButtons = statistics().getByRole('button').elements();
    expect(pressedButtons.map((one) => one.textContent)).toEqual(['All', 'Error', 'Warning', 'Info']);
    await statistics().getByRole('button', { name: 'Error' }).click();
    await expect.poll(() => place(history)).toBe(`${address}?level=error`);
    await expect
      .poll(() => callTexts(calls))
      .toEqual([`GET ${call}/${date}?page=1&limit=50&level=all&details=1`, `GET ${call}/${date}?page=1&limit=50&level=error&details=1`]);
    await expect.poll(shownHeaders).toEqual(['Push refused']);
    await expect.element(statistics().getByRole('button', { name: 'Error' })).toHaveAttribute('aria-pressed', 'true');
  });

  it('[LOG-014, LOG-023] deletes after asking, and goes back to the list', async () => {
    const { calls, history } = await renderLogs(address, dayWith(entries));
    await button('Delete').click();
    await expect.element(page.getByRole('dialog', { name: 'Are you sure?' })).toMatchTextContent(/Log will be REMOVED!/);
    await button('OK').click();
    await expect.poll(() => place(history)).toBe(list);
    expect(calls.find(({ method }) => method === 'DELETE')).toMatchObject({ path: `${call}/delete`, body: { date } });
    await expect.element(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
  });

  it('[LOG-023, LOG-011] downloads the workbook, and the file as it is', async () => {
    vi.stubGlobal('showSaveFilePicker', undefined);
    const savedUrls: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      savedUrls.push(this.download);
    });
    const answer = ({ path }: { path: string }) => (/download|raw/.test(path) ? new Response('PK') : null);
    const { calls } = await renderLogs(address, { ...dayWith(entries), answer });
    for (const [name, file, path] of [
      ['Download', 'log.xlsx', `${call}/${date}/download/`],
      ['Raw .log', `${date}.log`, `${call}/${date}/raw`],
    ] as const) {
      await button(name).click();
      await expect.element(page.getByRole('dialog', { name: 'Are you sure?' })).toMatchTextContent(/Data will be DOWNLOADED/);
      await button('OK').click();
      await expect.poll(() => savedUrls.at(-1)).toBe(file);
      expect(calls.at(-1)?.path).toBe(path);
      await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0);
    }
  });
});

describe('a day', () => {
  const address = `/logs/${date}/show`;

  it('[LOGX-102] shows secrets after asking, and hands them out, until they are hidden or the page is left', async () => {
    vi.stubGlobal('showSaveFilePicker', undefined);
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const answer = ({ path }: { path: string }) => (/download|raw/.test(path) ? new Response('PK') : null);
    const { calls, history } = await renderLogs(address, { ...dayWith(entries), answer });
    const queries = () => callTexts(calls).filter((text) => !text.includes('download') && !text.includes('raw'));
    await button('Show secrets').click();
    const dialog = page.getByRole('dialog', { name: 'Are you sure?' });
    await expect.element(dialog).toMatchTextContent(/Passwords, tokens, cookies and card numbers will be SHOWN.*Activity records it/);
    await button('Cancel').click();
    await expect.poll(() => dialog.elements().length).toBe(0);
    expect(queries()).toHaveLength(1);
    await button('Show secrets').click();
    await button('OK').click();
    await expect.poll(() => queries().at(-1)).toMatch(/[?&]secrets=1/);
    expect(place(history)).toBe(address);
    await expect.element(row(/Push refused/)).toBeVisible();
    for (const name of ['Download', 'Raw .log']) {
      await button(name).click();
      await expect.element(dialog).toMatchTextContent(/Passwords, tokens, cookies and card numbers will be SHOWN/);
      await button('OK').click();
      await expect.poll(() => dialog.elements().length).toBe(0);
      await expect.poll(() => callTexts(calls).at(-1)).toMatch(/(?:download|raw).*secrets=1/);
    }
    await button('Hide secrets').click();
    await expect.element(button('Show secrets')).toBeVisible();
    await button('Raw .log').click();
    await button('OK').click();
    await expect.poll(() => callTexts(calls).at(-1)).toMatch(/raw$/);
  });

  it('[LOG-017, LOG-018, LOG-019, LOG-020, LOG-021, ENT-037, AMB-218] shows path, entries, size and times of its file', async () => {
    await renderLogs(address, dayWith(entries));
    await expect
      .element(page.getByRole('region', { name: 'Log info' }))
      .toMatchTextContent(
        /File pathlogs\/console-2026-11-20\.log.*Entries3Size12\.4 KBCreated at20\.11\.2026 00:00:01Updated at20\.11\.2026 10:11:12/,
      );
  });

  it('[LOG-022, LOG-027, LOG-028, AMB-215] a search uses the text literally, in every level, from the first page; clear removes it', async () => {
    const { calls, history } = await renderLogs(`${address}?level=warning&page=2`, dayWith(entries));
    await expect.element(search()).toBeVisible();
    await search().fill(' Push.* ');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => place(history)).toBe(`${address}?query=Push.*`);
    await expect
      .poll(() => callTexts(calls).at(-1))
      .toBe(`GET log-viewer/logs/${date}?page=1&limit=50&level=all&query=Push.*&details=1&wait=1`);
    await expect.element(page.getByRole('heading', { name: 'The list is empty!' })).toBeVisible();
    await search().fill('Push');
    await button('Search').click();
    await expect.poll(shownHeaders).toEqual(['Push refused', 'Push slow']);
    expect([...grid().element().querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['Push', 'Push']);
    await button('Clear').click();
    await expect.poll(() => place(history)).toBe(address);
    await expect.element(search()).toHaveValue('');
    await expect.poll(shownHeaders).toHaveLength(3);
  });

  it('[O42] counts what matches a search by level, and entries without a level apart', async () => {
    const plain = sampleEntry(3, { level: '', env: '', header: 'Push by hand' });
    const matching = { all: 3, emergency: 0, alert: 0, critical: 0, error: 1, warning: 1, notice: 0, info: 0, debug: 0 };
    const change = (_: LogDayPage, { query }: { query: string }) => (query.includes('query=Push') ? { matching } : {});
    await renderLogs(address, { ...dayWith([plain, ...entries]), change });
    const counts = () =>
      statistics()
        .getByRole('row')
        .elements()
        .map((one) => one.textContent);
    await expect.poll(counts).toEqual(expect.arrayContaining(['LevelEntries', 'All4', 'Info1', 'No level1']));
    expect(statistics().getByRole('button', { name: 'No level' }).elements()).toHaveLength(0);
    await expect.element(row(/Push by hand/)).toMatchTextContent(/^--20/);
    await search().fill('Push');
    await button('Search').click();
    await expect.poll(counts).toEqual(expect.arrayContaining(['LevelMatching', 'All3', 'Error1', 'Info0', 'No level1']));
    expect(statistics().getByRole('button', { name: 'Info' }).elements()).toHaveLength(0);
  });

  it('[O42] folds out the extra of an entry by itself', async () => {
    await renderLogs(address, dayWith([sampleEntry(1, { context: { campaign: 91 }, extra: { url: '/api' } })]));
    await button('Extra').click();
    await expect.element(page.getByRole('region', { name: 'Extra' })).toMatchTextContent(/url:.*\/api/);
    expect(page.getByRole('region', { name: 'Context' }).elements()).toHaveLength(0);
  });

  it('[LOG-027] says so when there is nothing, and leads to every entry', async () => {
    const { history } = await renderLogs(`${address}?level=debug`, dayWith(entries));
    await expect.element(page.getByRole('heading', { name: 'The list is empty!' })).toBeVisible();
    await button('Show all entries').click();
    await expect.poll(() => place(history)).toBe(address);
    await expect.poll(shownHeaders).toHaveLength(3);
  });

  it('[LOG-024, LOG-004, AMB-044, ENT-038] lists entries with env, level, time and header, page by page; an unknown level means all', async () => {
    const many = Array.from({ length: 23 }, (_, at) => sampleEntry(22 - at));
    const { calls, history } = await renderLogs(`${address}?level=fatal&limit=20`, dayWith(many));
    await expect.poll(shownHeaders).toHaveLength(20);
    expect(
      grid()
        .getByRole('columnheader')
        .elements()
        .map((head) => head.textContent),
    ).toEqual(['env', 'level', 'time', 'header', 'actions']);
    await expect.element(row(/Served 22/)).toMatchTextContent(/^productioninfo20\.11\.2026 10:11:12Served 22/);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(shownHeaders).toEqual(['Served 2', 'Served 1', 'Served 0']);
    expect(place(history)).toBe(`${address}?page=2&limit=20`);
    expect(callTexts(calls)).toEqual([1, 2].map((at) => `GET log-viewer/logs/${date}?page=${at}&limit=20&level=all&details=1`));
  });

  it('[LOG-024] shows which process wrote an entry on a day with several', async () => {
    const of = (source: string) => sampleEntry(0, { header: `Served by ${source}`, source });
    await renderLogs(address, dayWith([of('web-1'), of('web-2'), sampleEntry(1)]));
    const cell = (header: RegExp) => row(header).element().querySelector('[data-column="env"]')?.textContent;
    await expect.element(row(/by web-1/)).toBeVisible();
    expect([cell(/by web-1/), cell(/by web-2/), cell(/Served 1/)]).toEqual(['productionweb-1', 'productionweb-2', 'production']);
  });

  it('[LOGX-101] names the recognised format, and reads the day in the chosen one', async () => {
    const { calls, history } = await renderLogs(`/logs/${date}/show`, dayWith([sampleEntry(0)]));
    const format = page.getByRole('combobox', { name: 'Format' });
    await expect.element(format).toHaveDisplayValue('Automatic: Monolog and Laravel');
    await format.selectOptions('PostgreSQL');
    await expect
      .poll(() => callTexts(calls).at(-1))
      .toBe(`GET log-viewer/logs/${date}?page=1&limit=50&level=all&format=postgresql&details=1`);
    expect(place(history)).toContain('format=postgresql');
  });

  it('[LOG-025, LOG-026] folds out context and stack, each by itself; what an entry lacks has no button', async () => {
    await renderLogs(address, dayWith(entries));
    await expect.element(row(/Served 1/)).toMatchTextContent(/^-info-Served 1/);
    expect(
      row(/Served 1/)
        .getByRole('button', { name: /Context|Stack/ })
        .elements(),
    ).toHaveLength(0);
    expect(
      row(/Push slow/)
        .getByRole('button', { name: 'Stack' })
        .elements(),
    ).toHaveLength(0);
    const context = row(/Push refused/).getByRole('button', { name: 'Context' });
    await context.click();
    await expect.element(context).toHaveAttribute('aria-expanded', 'true');
    await expect.element(page.getByRole('region', { name: 'Context' })).toMatchTextContent(/campaign:91/);
    expect(page.getByRole('region', { name: 'Stack' }).elements()).toHaveLength(0);
    await row(/Push refused/)
      .getByRole('button', { name: 'Stack' })
      .click();
    const lines = page.getByRole('region', { name: 'Stack' });
    await expect.element(lines).toMatchTextContent(/Pipeline\.php\(12\)[^#]*#1 \/srv\/app\/app\/Send\.php\(3\)/);
    expect([...lines.element().querySelectorAll('[data-foreign]')].map((line) => line.textContent.trim())).toEqual([stack.split('\n')[0]]);
    await context.click();
    expect(page.getByRole('region', { name: 'Context' }).elements()).toHaveLength(0);
  });

  it('moves by the keyboard: Enter expands the whole entry, and collapses it again', async () => {
    await renderLogs(address, dayWith(entries));
    await expect.element(row(/Push refused/)).toBeVisible();
    row(/Push refused/)
      .element()
      .focus();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    await expect.element(page.getByRole('region', { name: 'Context' })).toMatchTextContent(/ms:808/);
    await userEvent.keyboard('{Home}{Enter}');
    await expect.element(page.getByRole('region', { name: 'Stack' })).toBeVisible();
    await userEvent.keyboard('{Enter}{ArrowRight}');
    expect(page.getByRole('region', { name: 'Stack' }).elements()).toHaveLength(0);
    await expect.element(row(/Push refused/).getByRole('button', { name: 'Context' })).toHaveFocus();
  });

  it('[LOGX-103] folds neighbouring frames of libraries, which a press unfolds', async () => {
    const library = (at: number) => `#${at} /srv/app/vendor/laravel/Frame${at}.php(${at})`;
    const frames = ['#0 /srv/app/app/Send.php(3)', ...[1, 2, 3, 4, 5].map(library), '#6 /srv/app/app/Run.php(9)', library(7)];
    await renderLogs(address, dayWith([sampleEntry(1, { header: 'Broken', stack: frames.join('\n') })]));
    await button('Stack').click();
    const lines = page.getByRole('region', { name: 'Stack' });
    await expect.element(lines).toMatchTextContent(/Send\.php\(3\)\s*Show 5 frames of libraries\s*#6 .*Run\.php\(9\)\s*#7 /);
    await button('Show 5 frames of libraries').click();
    await expect.element(lines).toMatchTextContent(/Hide 5 frames of libraries\s*#1 .*Frame5\.php\(5\)\s*#6 /);
  });

  it('[LOGX-104] a link opens the page of its entry, in all levels, and marks it', async () => {
    const answer = ({ path, query }: { path: string; query: string }) => {
      if (!path.includes('/entries/')) return null;
      return query.includes('10%3A11%3A12')
        ? Response.json({ success: true, data: { page: 1 } })
        : Response.json({ success: false, message: 'Not found' }, { status: 404 });
    };
    const { calls, history } = await renderLogs(`${address}?level=error`, { ...dayWith(entries), answer });
    const link = row(/Push refused/).getByRole('link', { name: 'Link to this entry among its neighbours' });
    await expect.element(link).toHaveAttribute('href', `${address}?entry=2++2026-11-20+10%3A11%3A12`);
    await link.click();
    await expect.poll(() => place(history)).toBe(`${address}?page=1&limit=50&entry=2++2026-11-20+10%3A11%3A12`);
    expect(callTexts(calls)).toContainEqual(expect.stringMatching(/entries\/2\?datetime=2026-11-20\+10%3A11%3A12&limit=50/));
    await expect.element(row(/Push refused/)).toHaveAttribute('data-linked', 'true');
    expect(grid().element().querySelectorAll('[data-linked]')).toHaveLength(1);
    await statistics().getByRole('button', { name: 'Warning' }).click();
    await expect.poll(() => place(history)).not.toContain('entry');
  });

  it('[LOGX-104] a link to an entry that is gone says so', async () => {
    const answer = ({ path }: { path: string }) =>
      path.includes('/entries/') ? Response.json({ success: false, message: 'Not found' }, { status: 404 }) : null;
    const { calls } = await renderLogs(`${address}?format=json&entry=7++2026-11-20+00%3A00%3A00`, { ...dayWith(entries), answer });
    await expect.element(page.getByText(/The entry of this link is no longer in the log$/)).toBeVisible();
    expect(callTexts(calls)).toContainEqual(expect.stringMatching(/entries\/7\?.*format=json/));
    const link = row(/Push refused/).getByRole('link', { name: 'Link to this entry among its neighbours' });
    await expect.element(link).toHaveAttribute('href', `${address}?format=json&entry=2++2026-11-20+10%3A11%3A12`);
    await expect.element(row(/Push refused/)).toBeVisible();
  });

  it('[LOGX-103] goes by e from error to error, and back by Shift', async () => {
    const levels = ['info', 'error', 'warning', 'critical', 'info'] as const;
    await renderLogs(address, dayWith(levels.map((level, at) => sampleEntry(4 - at, { level, header: `Entry ${at}` }))));
    await expect.element(row(/Entry 0/)).toBeVisible();
    row(/Entry 0/)
      .element()
      .focus();
    await userEvent.keyboard('e');
    await expect.element(row(/Entry 1/)).toHaveFocus();
    await userEvent.keyboard('e');
    await expect.element(row(/Entry 3/)).toHaveFocus();
    await userEvent.keyboard('e');
    await expect.element(row(/Entry 3/)).toHaveFocus();
    await userEvent.keyboard('{Shift>}e{/Shift}');
    await expect.element(row(/Entry 1/)).toHaveFocus();
  });

  it('shows long texts cut, and the whole on demand', async () => {
    const header = `Broken ${'x'.repeat(400)}end`;
    const long = sampleEntry(1, { header, stack: Array.from({ length: 90 }, (_, at) => `#${at} frame`).join('\n'), truncated: true });
    await renderLogs(address, dayWith([long]));
    await expect.element(grid()).toMatchTextContent(/x…/);
    expect(grid().element().textContent).not.toContain('end');
    await button('Message').click();
    await expect.element(page.getByRole('region', { name: 'Message' })).toMatchTextContent(/xend/);
    await button('Stack').click();
    expect(grid().element().textContent).not.toContain('#89 frame');
    await button('Show all 90 lines').click();
    await expect.element(page.getByRole('region', { name: 'Stack' })).toMatchTextContent(/#89 frame/);
    await expect.element(row(/Broken/)).toMatchTextContent(/Cut/);
  });

  it('[LOG-003, AMB-217] says that there is no such day and goes back to the list, also if it is deleted while it is read', async () => {
    const days = new Map([[date, entries]]);
    const { calls, history } = await renderLogs(address, { days });
    await expect.poll(shownHeaders).toHaveLength(3);
    days.clear();
    await button('Refresh').click();
    await expect.element(page.getByText(new RegExp(`There is no log of ${date}$`))).toBeVisible();
    await expect.element(page.getByRole('heading', { name: 'The list is empty!' })).toBeVisible();
    expect(place(history)).toBe('/logs');
    expect(callTexts(calls).filter((one) => one.includes(date))).toHaveLength(2);
  });

  it.each(['/logs/..%2Fsecret/show', '/app-logs/2026-11-2/show'])('asks nothing of the server at %s', async (path) => {
    const { calls, history } = await renderLogs(path);
    await expect.element(page.getByText(/There is no log of this day$/)).toBeVisible();
    await expect.poll(() => place(history)).toMatch(/^\/(app-)?logs$/);
    await expect
      .poll(() => callTexts(calls))
      .toEqual([expect.stringMatching(/^GET (log-viewer\/logs|octopus-app\/log)\?page=1&limit=20$/)]);
  });

  it('keeps what it shows when it cannot be read again, and offers to try once more', async () => {
    let isBroken = false;
    const answer = () => (isBroken ? Response.json({ success: false, message: 'The server is busy, try again' }, { status: 503 }) : null);
    await renderLogs(address, { ...dayWith(entries), answer });
    await expect.poll(shownHeaders).toHaveLength(3);
    isBroken = true;
    await button('Refresh').click();
    await expect.element(page.getByText(/These rows may be old: The server is busy/)).toBeVisible();
    expect(shownHeaders()).toHaveLength(3);
    isBroken = false;
    await button('Try again').click();
    await expect.poll(() => page.getByText(/These rows may be old/).elements().length).toBe(0);
  });

  it('[PERM-042] shows nothing of a day to a reader without permission', async () => {
    const answer = () => Response.json({ success: false, message: 'You have no permission for this action' }, { status: 403 });
    await renderLogs(address, { answer });
    await expect.element(page.getByRole('heading', { name: 'No access' })).toBeVisible();
  });
});

const address = `/logs/${date}/show`;
const days = new Map([[date, [sampleEntry(1), sampleEntry(0)]]]);

/** Lets no search tire after its ten seconds, which a busy machine may need before the test has stopped it. */
function searchWithoutEnd(): void {
  const later = window.setTimeout.bind(window);
  vi.stubGlobal('setTimeout', (call: () => void, delay?: number) => (delay === 10_000 ? 0 : later(call, delay)));
}

describe('a day that is not read to its end', () => {
  it('shows how much of its file has been read, and asks again until all of it has', async () => {
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
    expect(callTexts(calls)).toHaveLength(3);
  });

  it('keeps what is folded out, and the keyboard, when the file has been read and its entries get their own ids', async () => {
    let isRead = false;
    await renderLogs(address, {
      days: new Map([[date, [sampleEntry(1, { header: 'Failed', context: { order: 77 } }), sampleEntry(0)]]]),
      change: ({ entries: readEntries }) =>
        isRead ? {} : { indexing: { bytes: 300, of: 1_000 }, entries: readEntries.map((entry, at) => ({ ...entry, id: -1 - at })) },
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
    expect(new Set(callTexts(calls))).toEqual(
      new Set([`GET log-viewer/logs/${date}?page=1&limit=50&level=all&query=Served&details=1&wait=1`]),
    );
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
