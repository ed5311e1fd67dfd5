import type { Permission } from '@switchyard/contract/permissions';
import type { Report, ReportGroup } from '@switchyard/contract/reports';
import type { SavedView } from '@switchyard/contract/saved-views';
import { pageOf } from '@switchyard/contract/page-of';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { downloads } from '../../shared/downloads/downloads.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { renderPages } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import type { ChartData } from '../../shared/charts/chart-data.ts';
import { paintPicture } from '../../shared/charts/draw-chart.ts';
import { ReportsPage } from './reports-page.tsx';
import { unsavedWork } from '../../shared/unsaved-work.ts';

type Values = ReportGroup['current'];
const values = (requests: number, more: Values = {}): Values => ({ requests, success_share: 0.5, pushes: 3, payout: '310.5', ...more });
const app = (value: string, name: string | null, requests: number, earlier: number): ReportGroup => ({
  keys: [{ value, name }],
  current: values(requests),
  compared: values(earlier, { success_share: 0.4, payout: '310.49' }),
  few: [],
});

const byApp: Report = {
  group_by: ['app'],
  columns: ['requests', 'success_share', 'pushes', 'payout'],
  groups: [app('12', 'Acme Bet', 1_500, 1_200), app('7', null, 500, 0)],
  total_groups: 2,
  totals: { current: values(2_000), compared: values(1_200), few: [] },
  pivot: null,
  from: '2026-11-14',
  to: '2026-11-20',
  compared_from: '2026-11-07',
  compared_to: '2026-11-13',
  compared_until: '2026-11-13 16:20:30',
  complete_from: '2026-08-22',
  is_complete: true,
  compared_is_complete: true,
  source: 'roll-ups',
};

const day = (value: string, requests: number): ReportGroup => ({
  keys: [{ value, name: null }],
  current: values(requests, { pushes: null }),
  compared: null,
  few: [],
});
const byDay: Report = {
  ...byApp,
  group_by: ['day'],
  groups: [day('2026-11-14', 1), day('2026-11-15', 9), day('2026-11-16', 4)],
  total_groups: 3,
  totals: { current: values(14, { pushes: null }), compared: null, few: [] },
  compared_from: null,
  compared_to: null,
  compared_until: null,
  compared_is_complete: null,
};

/** The kinds of conversions that the page offers. */
const byKind: Report = {
  ...byDay,
  group_by: ['status_conversion'],
  columns: ['conversions'],
  groups: ['deposit', 'install', '<b>a,b</b>'].map((value) => ({ ...day(value, 1), keys: [{ value, name: null }] })),
};
const isKinds = ({ searchParams }: URL): boolean =>
  searchParams.get('groupBy[]') === 'status_conversion' && searchParams.get('days') === '30';

type PageOptions = { address?: string; permissions?: Permission[]; answer?: (url: URL) => Report | Response; view?: SavedView };

async function show({ address = '/reports', permissions = ['manager_app_statistics'], answer, view }: PageOptions = {}) {
  const calls: URL[] = [];
  const respond = (text: string): Response => {
    const url = new URL(text, 'http://console');
    if (url.pathname === '/api/views') return Response.json({ success: true, data: { views: [view], roles: [] } });
    if (url.pathname.endsWith('/servers/list')) return Response.json({ success: true, data: [{ id: 3, name: 'edge-ams-3', ip: null }] });
    if (url.pathname.startsWith('/api/picks/')) return Response.json({ success: true, ...pageOf([], { page: 1, limit: 50 }) });
    if (isKinds(url)) return Response.json({ success: true, data: byKind });
    calls.push(url);
    const report = answer?.(url) ?? (url.searchParams.get('groupBy[]') === 'app' ? byApp : byDay);
    return report instanceof Response ? report : Response.json({ success: true, data: report });
  };
  stubApi(respond, { answersViews: view !== undefined });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  const history = await renderPages([['/reports', 'Reports', ReportsPage]], [address]);
  return { history, calls };
}

const table = page.getByRole('grid', { name: 'figures' });
const keysShown = (): string[] => [...table.element().querySelectorAll('tbody td:first-child')].map((cell) => cell.textContent);
const apply = page.getByRole('button', { name: 'Apply filter' });

async function pick(label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

beforeEach(() => page.viewport(1440, 900));
afterEach(async () => {
  sessionStore.close();
  await page.viewport(1280, 800);
});

describe('reports', () => {
  it('[REP-057] choose a period that moves on with the clock, until a number of days or dates are chosen', async () => {
    const { history, calls } = await show({ address: '/reports?startDate=2026-10-01&endDate=2026-10-31' });
    await pick('Period', 'Last month');
    await expect.poll(() => history.location.search).toBe('?period=last_month');
    await expect.poll(() => calls.at(-1)?.searchParams.get('period')).toBe('last_month');
    await page.getByRole('button', { name: '30 d: the last 30 days' }).click();
    await expect.poll(() => history.location.search).toBe('?days=30');
    await pick('Period', 'Yesterday');
    await expect.poll(() => history.location.search).toBe('?period=yesterday');
    await page
      .getByRole('row', { name: /15\.11\.2026/ })
      .getByRole('button')
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Filter for this day' }).click();
    await expect.poll(() => history.location.search).toBe('?startDate=2026-11-15&endDate=2026-11-15');
  });

  it('[MARK-031] names the parameters of the address that have no effect, and removes them', async () => {
    const { history } = await show({ address: '/reports?groupBy=day&colour[]=red&colour=blue&compare=never&mode=stacked' });
    await expect.element(page.getByText('This page does not know colour. The value of compare cannot be read.')).toBeVisible();
    await page.getByRole('button', { name: 'Remove from the address' }).click();
    await expect.poll(() => history.location.search).toBe('?groupBy=day&mode=stacked');
    await expect.element(page.getByText('Parts of the address were ignored')).not.toBeInTheDocument();
  });

  it('[MARK-030] zooms to the days over which the reader drags, or which the keyboard chooses, and back', async () => {
    vi.spyOn(HTMLElement.prototype, 'setPointerCapture').mockImplementation(() => undefined);
    const { history, calls } = await show();
    const slider = page.getByRole('slider', { name: 'Time to zoom to' });
    await expect.element(slider).toHaveAttribute('aria-valuetext', '20.11.2026 Fri: 14.11.2026 – 20.11.2026 0');
    const point = (kind: 'pointerdown' | 'pointermove' | 'pointerup', label: number) => {
      const box = slider.element().getBoundingClientRect();
      const clientX = box.left + (box.width * (label + 0.5)) / 7;
      const event = new PointerEvent(kind, { clientX, clientY: box.top + 50, bubbles: true, button: 0 });
      slider.element().parentElement?.dispatchEvent(event);
    };
    // A press alone is not a choice.
    point('pointerdown', 3);
    point('pointerup', 3);
    expect(history.location.search).toBe('');
    point('pointerdown', 4);
    point('pointermove', 2);
    await expect.element(slider).toHaveAttribute('aria-valuetext', '16.11.2026 Mon to 18.11.2026 Wed');
    point('pointerup', 2);
    await expect.poll(() => history.location.search).toBe('?startDate=2026-11-16&endDate=2026-11-18');
    await expect.poll(() => calls.at(-1)?.searchParams.get('startDate')).toBe('2026-11-16');
    history.back();
    await expect.poll(() => history.location.search).toBe('');
    await expect.element(slider).toBeInTheDocument();
    slider.element().focus();
    await userEvent.keyboard('{Home}{Shift>}{ArrowRight}{/Shift}{Enter}');
    await expect.poll(() => history.location.search).toBe('?startDate=2026-11-14&endDate=2026-11-15');
  });

  it('[REP-010] have all that is chosen in the address, and sort a whole report without another call', async () => {
    const { history, calls } = await show();
    await expect.element(table).toBeVisible();
    await expect.poll(keysShown).toEqual(['14.11.2026 Sat', '15.11.2026 Sun', '16.11.2026 Mon']);
    await page.getByRole('columnheader', { name: 'Requests' }).getByRole('button').click();
    await expect.poll(keysShown).toEqual(['15.11.2026 Sun', '16.11.2026 Mon', '14.11.2026 Sat']);
    expect(history.location.search).toBe('?orderBy=requests&orderDirection=desc');
    expect(calls).toHaveLength(1);
    await pick('Group by', 'App');
    await pick('Compare with', 'A week earlier');
    await page.getByRole('button', { name: '30 d: the last 30 days' }).click();
    await expect.poll(keysShown).toEqual(['Acme Bet', '#7 deleted']);
    expect(new URLSearchParams(history.location.search).toString()).toBe(
      'groupBy=app&days=30&compare=week&orderBy=requests&orderDirection=desc',
    );
    expect(Object.fromEntries(calls.at(-1)?.searchParams ?? [])).toMatchObject({ 'groupBy[]': 'app', days: '30', compare: 'week' });
    await expect.element(page.getByRole('button', { name: '30 d: the last 30 days' })).toHaveAttribute('aria-pressed', 'true');
    history.back();
    await expect.poll(keysShown).toContain('15.11.2026 Sun');
  });

  it('[WID-085] give the first column the width of its text, and the rest to the measures alike', async () => {
    await show();
    await expect.poll(keysShown).toContain('15.11.2026 Sun');
    const [first = 0, ...measures] = [...table.element().querySelectorAll('th')].map((header) => header.getBoundingClientRect().width);
    expect(first).toBeLessThan(170);
    expect(Math.min(...measures)).toBeGreaterThan(first);
  });

  it('[WID-084] end the values of a card at one edge', async () => {
    await page.viewport(390, 844);
    await show({ address: '/reports?groupBy=app&compare=previous' });
    await expect.element(page.getByText('Acme Bet')).toBeVisible();
    const card = page.getByRole('listitem').filter({ hasText: 'Acme Bet' });
    await card.getByRole('button', { name: 'Show more' }).click();
    await expect.element(card.getByText('310.50')).toBeVisible();
    /** Where a text ends, whatever holds it. */
    const endOf = (text: string): number => {
      const nodes = document.createTreeWalker(card.element(), NodeFilter.SHOW_TEXT);
      while (nodes.nextNode() !== null && nodes.currentNode.textContent !== text);
      const range = document.createRange();
      range.selectNodeContents(nodes.currentNode);
      return Math.round(range.getBoundingClientRect().right);
    };
    const ends = ['1,500', '50.0%', '3', '310.50'].map(endOf);
    expect(ends).toEqual(ends.map(() => ends[0]));
  });

  it('[REP-078] begin cards with the measure that they are ordered by, and name its change', async () => {
    await page.viewport(390, 844);
    await show({ address: '/reports?groupBy=app&compare=week&orderBy=change:payout' });
    await expect.element(page.getByText('Acme Bet')).toBeVisible();
    const card = page.getByRole('listitem').filter({ hasText: 'Acme Bet' });
    await expect.element(card).toMatchTextContent(/^Acme BetPayout310\.50.*Requests1,500/);
    const word = () => getComputedStyle(document.querySelector('[data-direction]') ?? document.body, '::after').content;
    expect(word()).toBe('"change"');
    await expect.element(page.getByText('Sort by change of')).toBeVisible();
    await page.viewport(1440, 900);
    await expect.element(table).toBeVisible();
    expect(word()).toBe('none');
    // In the table, columns keep their order.
    const headers = [...table.element().querySelectorAll('th')].map(({ textContent }) => textContent);
    expect(headers.slice(0, 3)).toEqual(['App', 'Requests', 'Success share']);
  });

  it('[REP-011] say first that they read single events, however a run is started', async () => {
    const server: Report = {
      ...byDay,
      group_by: ['server'],
      groups: [{ ...day('2', 5), keys: [{ value: '2', name: 'edge-fra-1' }] }],
      source: 'events',
      total_groups: 1,
    };
    let cost = 4_970_551;
    const isCost = (url: URL): boolean => url.searchParams.get('groupBy[]') === 'month';
    const { history, calls } = await show({
      address: '/reports?groupBy=server&appId=12&bot=L1',
      answer: (url) => (isCost(url) ? { ...byDay, totals: { current: { requests: cost }, compared: null, few: [] } } : server),
    });
    const reports = () => calls.filter((url) => !isCost(url));
    const run = page.getByRole('button', { name: 'Run report' });
    await expect.element(page.getByRole('heading', { name: 'This report reads individual events' })).toBeVisible();
    await expect.element(page.getByText(/4,970,551 requests are read one by one\. Fewer days/)).toBeVisible();
    const [estimate] = calls;
    expect([calls.length, estimate?.searchParams.get('appId[]'), estimate?.searchParams.get('bot[]')]).toEqual([1, '12', null]);
    await run.click();
    await expect.element(page.getByText('edge-fra-1')).toBeVisible();
    await expect.element(page.getByText(/counted from single events$/)).toBeVisible();
    await pick('Then by', 'Country');
    await expect.element(page.getByText('Reads individual events, which may take seconds')).toBeVisible();
    await apply.click();
    await expect.element(run).toBeVisible();
    expect(reports()).toHaveLength(1);
    await run.click();
    await expect.poll(() => reports().length).toBe(2);
    await expect.element(run).not.toBeInTheDocument();
    // A file reads as much.
    await page.getByRole('button', { name: 'Download' }).click();
    const question = page.getByRole('dialog', { name: 'This report reads individual events' });
    await expect.element(question.getByText(/4,970,551 requests are read one by one/)).toBeVisible();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(reports()).toHaveLength(2);
    // The counted groups show again, and a new read asks for confirmation first.
    history.back();
    await expect.element(page.getByText('edge-fra-1')).toBeVisible();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.element(run).toBeVisible();
    expect(reports()).toHaveLength(2);
    // So few requests are read at once.
    cost = 2_000_000;
    history.push('/reports?groupBy=server&appId=13');
    await expect.poll(() => reports().length).toBe(3);
    await expect.element(run).not.toBeInTheDocument();
  });

  it('[REP-043] stop when the reader cancels them', async () => {
    const signals: AbortSignal[] = [];
    await show({
      address: '/reports?groupBy=server',
      answer: () => ({ ...byDay, totals: { current: { requests: 9_000_000 }, compared: null, few: [] } }),
    });
    const run = page.getByRole('button', { name: 'Run report' });
    await expect.element(run).toBeVisible();
    vi.stubGlobal(
      'fetch',
      async (_: string, { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) => {
          signals.push(signal);
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    );
    await run.click();
    await page.getByRole('button', { name: 'Cancel report' }).click();
    await expect.element(run).toBeVisible();
    expect(signals[0]?.aborted).toBe(true);
  });

  it('[REP-012] show totals, bars and changes in words, and why a value is missing', async () => {
    await show({ address: '/reports?groupBy=app&compare=previous' });
    const row = (name: string) => table.getByRole('row', { name: new RegExp(`^${name}`) });
    await expect.element(row('Total')).toMatchTextContent(/2,000 up \+66\.7% from 1,200/);
    await expect
      .element(row('Acme Bet'))
      .toMatchTextContent(/1,500 up \+25% from 1,200.*50\.0% up \+10 pp from 40\.0%.*310\.50 unchanged 0%/);
    await expect.element(row('#7')).toMatchTextContent(/500 up new from 0/);
    expect(row('Acme Bet').element().querySelectorAll('svg').length).toBeGreaterThanOrEqual(4);
    const widths = [...table.element().querySelectorAll<HTMLElement>('tbody td:nth-child(2) [style*="width"]')].map(
      (bar) => bar.style.width,
    );
    expect(widths).toEqual(['100%', '33.3333%']);
    expect(row('Acme Bet').element().querySelector('td:nth-child(2) [title]')?.getAttribute('title')).toBe(
      '1,500, 75.0% of all, before: 1,200',
    );
  });

  it('[REP-025] [SHELL-084] define ratios with names, mark those of few, and draw them by their form', async () => {
    const paid = 'ratio:Paid out';
    const of = (group: ReportGroup, value: number | null, few: string[] = []): ReportGroup => ({
      ...group,
      current: { ...group.current, [paid]: value },
      compared: null,
      few,
    });
    const [first, second] = byApp.groups;
    if (first === undefined || second === undefined) throw new Error('There are two groups');
    const answer: Report = {
      ...byApp,
      columns: [...byApp.columns, paid],
      groups: [of(first, 1_234.5), of(second, 2.25, [paid])],
      totals: { current: of(first, null).current, compared: null, few: [] },
      compared_from: null,
    };
    const { history, calls } = await show({
      address: '/reports?groupBy=app',
      answer: (url) => (url.searchParams.has('ratio[]') ? answer : { ...byApp, compared_from: null }),
    });
    await expect.element(table.getByText('Acme Bet')).toBeVisible();
    await page.getByRole('button', { name: 'Add ratio' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Paid, all');
    await expect.element(page.getByText('Leave out commas and colons.')).toBeVisible();
    await page.getByRole('textbox', { name: 'Name' }).fill('Paid out');
    expect(unsavedWork.isHeld()).toBe(true);
    await pick('Sum of', 'Payout');
    await pick('Divided by', 'Bots');
    await page.getByRole('checkbox', { name: 'Per thousand' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add ratio' }).click();
    await apply.click();
    await expect.element(table.getByRole('columnheader', { name: 'Paid out' })).toBeVisible();
    expect(new URLSearchParams(history.location.search).get('ratio')).toBe('Paid out:payout/bots*1000');
    expect(calls.at(-1)?.searchParams.get('ratio[]')).toBe('Paid out:payout/bots*1000');
    const row = (name: string) => table.getByRole('row', { name: new RegExp(`^${name}`) });
    await expect.element(row('Acme Bet')).toMatchTextContent(/1,234\.50$/);
    await expect.element(row('#7')).toMatchTextContent(/2\.25\*, a ratio based on fewer than 30$/);
    await expect.element(row('Total')).toMatchTextContent(/– No bots to divide by$/);
    await expect.element(page.getByText(/2 groups, \*: a ratio based on fewer than 30$/)).toBeVisible();
    await page.getByRole('button', { name: 'Remove filter Paid out' }).click();
    await expect.poll(() => history.location.search).toBe('?groupBy=app');
  });

  it('[REP-026, REP-059] order by change, show the biggest movers, and keep the order for the next column', async () => {
    const moving = (name: string, requests: number, earlier: number): ReportGroup => ({ ...app(name, name, requests, earlier) });
    const columns = ['requests', 'conversions'];
    const answer = { ...byApp, columns, groups: [moving('up', 90, 60), moving('new', 5, 0), moving('down', 50, 80)], total_groups: 3 };
    const { history, calls } = await show({ answer: (url) => (url.searchParams.get('groupBy[]') === 'app' ? answer : byDay) });
    await expect.poll(keysShown).toContain('15.11.2026 Sun');
    await page.getByRole('button', { name: 'Ready reports' }).click();
    await page.getByRole('menuitem', { name: /^Biggest movers/ }).click();
    expect(Object.fromEntries(new URLSearchParams(history.location.search))).toEqual({
      groupBy: 'app',
      compare: 'week',
      orderBy: 'change:conversions',
      orderDirection: 'asc',
    });
    const { length } = calls;
    await page.getByRole('columnheader', { name: 'Requests' }).getByRole('button').click();
    await expect.poll(keysShown).toEqual(['up', 'new', 'down']);
    expect(new URLSearchParams(history.location.search).get('orderBy')).toBe('change:requests');
    await page.getByRole('button', { name: 'Change %: order by change in percent' }).click();
    await expect.poll(keysShown).toEqual(['up', 'down', 'new']);
    await expect.element(page.getByText(/3 groups.*; groups with fewer than 30 are listed last/)).toBeVisible();
    await pick('Add filter', 'Minimum volume');
    await page.getByRole('option', { name: 'Any', exact: true }).click();
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect.poll(keysShown).toEqual(['new', 'up', 'down']);
    await expect.element(page.getByText(/are listed last/)).not.toBeInTheDocument();
    expect(calls).toHaveLength(length + 1);
    await page.getByRole('button', { name: 'Value: order by value' }).click();
    await expect.poll(keysShown).toEqual(['up', 'down', 'new']);
    expect(calls).toHaveLength(length + 1);
  });

  it.each([
    ['Biggest movers', 'groupBy=app&compare=week&orderBy=change:payout&orderDirection=asc&measure=payout'],
    [
      'Conversion and payout by country',
      'groupBy=app,country&measure=create,conversions_valid,create_to_conversion,payout_valid,payout_per_thousand',
    ],
    ['Blocked traffic by system', 'groupBy=asn&measure=error,bots,requests,error_share,bot_share&orderBy=error'],
    ['Hours of the week', 'groupBy=weekday,hour&measure=requests&pivot=1&days=28'],
    [
      'Rising errors',
      'groupBy=stream&measure=error_share,error,requests&compare=previous&orderBy=change:error_share&orderDirection=desc&days=1',
    ],
    ['Largest countries', 'groupBy=country&measure=requests,success_share,conversions,payout&orderBy=requests&top=10'],
  ])('[REP-080] ready report %s keeps the filters and replaces how the report is laid out', async (name, layout) => {
    const { history } = await show({ address: '/reports?appId=3&groupBy=type&measure=payout&least=5&pivot=1&top=3&compare=month' });
    await page.getByRole('button', { name: 'Ready reports' }).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();
    const valuesOf = (search: string): unknown =>
      Object.fromEntries([...new URLSearchParams(search).keys()].map((key) => [key, new URLSearchParams(search).getAll(key).join()]));
    await expect.poll(() => valuesOf(history.location.search)).toEqual(valuesOf(`appId=3&${layout}`));
  });

  it.each([
    ['measure=conversions&measure=create&type=create', 'change:create', ['conversions', 'create']],
    ['measure=conversions_by_status', 'change:requests', []],
    ['measure=requests&statusConversion=deposit', 'change:conversions', []],
  ])('[REP-080] biggest movers of %s are by a measure that has a change', async (asked, orderBy, measure) => {
    const { history } = await show({ address: `/reports?${asked}` });
    await page.getByRole('button', { name: 'Ready reports' }).click();
    await page.getByRole('menuitem', { name: /^Biggest movers/ }).click();
    const search = () => new URLSearchParams(history.location.search);
    await expect.poll(() => search().get('orderBy')).toBe(orderBy);
    expect(search().getAll('measure')).toEqual(measure);
  });

  it('[REP-026] order by the change of the first measure that has values, by day with a filter for kinds', async () => {
    const { history } = await show({ address: '/reports?compare=week&statusConversion=deposit' });
    await expect.poll(keysShown).toContain('15.11.2026 Sun');
    await page.getByRole('button', { name: 'Change: order by change', exact: true }).click();
    await expect.poll(() => new URLSearchParams(history.location.search).get('orderBy')).toBe('change:conversions');
  });

  it('[REP-012, REP-051] show a dash with the reason for what nobody knows', async () => {
    await show({ address: '/reports?type=create&serverId=3' });
    await expect.poll(keysShown).toContain('14.11.2026 Sat');
    await expect.element(page.getByRole('button', { name: 'Remove filter #3' })).toBeVisible();
    await expect.element(page.getByRole('combobox', { name: 'Server' })).not.toBeInTheDocument();
    const why = 'Pushes are not known by type';
    expect(table.element().querySelector('tbody td:nth-child(4)')?.textContent).toBe(`– ${why}`);
    expect(table.element().querySelector(`tbody [title="${why}"]`)).not.toBeNull();
  });

  it('[REP-013] draw a chart of the measure that the address names', async () => {
    const { history } = await show({ address: '/reports?chart=payout' });
    await expect.element(page.getByRole('figure', { name: 'Line chart: Payout by day, 14.11.2026 – 20.11.2026' })).toBeVisible();
    const inkedPixels = (): number => {
      const canvas = document.querySelector('canvas');
      const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
      return data === undefined ? 0 : data.filter((part) => part > 0).length;
    };
    await expect.poll(inkedPixels).toBeGreaterThan(1_000);
    await page.getByRole('figure').hover({ position: { x: 400, y: 80 } });
    await expect.element(page.getByText(/^\d\d\.11\.2026 \w{3}14\.11\.2026 – 20\.11\.2026: [\d.,]+$/)).toBeVisible();
    await pick('Measure of the chart', 'Requests');
    await expect.poll(() => history.location.search).toBe('?chart=requests');
    await expect.element(page.getByRole('figure', { name: /Requests by day/ })).toBeVisible();
  });

  it('[REP-054, REP-070] draw the first rows of the table, and the largest keys of all of two groupings of which it has a part', async () => {
    const part = { ...byApp, total_groups: 1_200, compared_from: null, compared_to: null };
    const groups = (first: number, requests: number, key?: string) =>
      Array.from({ length: 20 }, (_, n): ReportGroup => {
        const one = app(String(first + n), `App ${first + n}`, requests - n, 0);
        return { ...one, compared: null, keys: key === undefined ? one.keys : [...one.keys, { value: key, name: null }] };
      });
    const drawn = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillText');
    let isAway = true;
    const { calls } = await show({
      address: '/reports?groupBy=app&orderBy=key&orderDirection=asc&chart=requests',
      answer: ({ searchParams }) => {
        if (searchParams.getAll('groupBy[]').length === 1) return { ...part, groups: groups(1, 30) };
        const pair: Report = { ...part, group_by: ['app', 'vertical'] };
        if (searchParams.get('top') !== '12') return { ...pair, groups: groups(1, 30, 'casino') };
        const failed = Response.json({ success: false, message: 'The server is busy, try again', data: null }, { status: 503 });
        return isAway ? failed : { ...pair, groups: groups(900, 12_265, 'casino') };
      },
    });
    // The others are what the total has beyond the drawn ones.
    await expect.poll(() => drawn.mock.calls.map(([text]) => text)).toContain('Others (1,188)');
    const texts = new Set(drawn.mock.calls.map(([text]) => text));
    expect(['App 1', 'App 12', 'App 20', '1,706'].map((text) => texts.has(text))).toEqual([true, true, false, true]);
    expect(calls).toHaveLength(1);
    await pick('Then by', 'Vertical');
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect.element(page.getByText(/The largest groups could not be counted/)).toBeVisible();
    isAway = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => drawn.mock.calls.map(([text]) => text)).toContain('App 900');
    expect(Object.fromEntries(calls.at(-1)?.searchParams ?? [])).toMatchObject({ top: '12', orderDirection: 'desc' });
    expect(keysShown()[0]).toBe('App 1');
  });

  it('[REP-033, REP-037] turn the second grouping into columns of one measure, also on phones, with totals, links and the same address', async () => {
    const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), name: null }));
    const cell = (requests: number) => ({ current: values(requests), compared: null, few: [] });
    const row = (key: ReportGroup['keys'][number], requests: number, at: number): ReportGroup => ({
      keys: [key],
      ...cell(requests),
      cells: hours.map((_, hour) => (hour === at ? cell(requests) : null)),
    });
    const turned: Report = {
      ...byApp,
      group_by: ['app', 'hour'],
      groups: [row({ value: '12', name: 'Acme Bet' }, 1_200, 3), row({ value: '', name: null, merged: 1_234 }, 7_654_321, 4)],
      totals: { ...cell(7_655_521), cells: hours.map((_, hour) => (hour === 3 ? cell(1_200) : hour === 4 ? cell(7_654_321) : null)) },
      pivot: { keys: hours, empty: cell(0) },
      compared_from: null,
    };
    const { history, calls } = await show({
      address: '/reports?groupBy=app%2Chour&top=1',
      permissions: ['manager_app_statistics', 'manager_app_all_requests'],
      answer: (url) => (url.searchParams.has('pivot') ? turned : byApp),
    });
    await page.getByRole('button', { name: 'Pivot: show the second grouping as columns' }).click();
    const cellsOf = (name: string) =>
      table
        .getByRole('row', { name: new RegExp(`^${name}`) })
        .element()
        .querySelectorAll('td');
    await expect.element(table.getByRole('columnheader', { name: '03:00' })).toBeVisible();
    expect(Object.fromEntries(calls.at(-1)?.searchParams ?? [])).toMatchObject({ pivot: '1', top: '1' });
    expect(history.location.search).toBe('?groupBy=app&groupBy=hour&top=1&pivot=1');
    const texts = (name: string) => Array.from(cellsOf(name), ({ textContent }) => textContent).slice(0, 7);
    expect(texts('Acme Bet')).toEqual(['Acme Bet', '1,200', '0', '0', '0', '1,200', '0']);
    expect(texts('Others')).toEqual(
      ['Others (1,234)', '7,654,321', '0', '0', '0', '0', '7,654,321'].map((text, at) =>
        at === 0 ? text : expect.stringMatching(/^[\d.,]+M?$/),
      ),
    );
    expect(texts('Total').slice(0, 2)).toEqual(['Total', expect.stringMatching(/^7[.,]6/)]);
    // Nothing leads from others or hours of day to a list, but the total of an app does.
    const links = [...table.element().querySelectorAll('tbody a, thead a')].map((link) => link.getAttribute('href'));
    expect(links).toEqual(['/requests?appId=12&startDate=2026-11-14&endDate=2026-11-20']);
    await pick('Measure', 'Payout');
    await expect.poll(() => texts('Acme Bet')[1]).toMatch(/^310\.5/);
    expect(new URLSearchParams(history.location.search).get('chart')).toBe('payout');

    await page.viewport(390, 844);
    await expect.element(table.getByRole('columnheader', { name: '23:00' })).toBeInTheDocument();
    const scroller = table.element().parentElement;
    expect(scroller?.scrollWidth).toBeGreaterThan(scroller?.clientWidth ?? Infinity);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    expect([...cellsOf('Acme Bet')].slice(0, 2).map((one) => getComputedStyle(one).position)).toEqual(['sticky', 'static']);
  });

  it('[REP-034, REP-035, REP-037] draw a heat map, bars and shares, as the address says', async () => {
    const byHour: Report = {
      ...byDay,
      group_by: ['weekday', 'hour'],
      total_groups: 2,
      groups: [
        {
          ...day('1', 1_500),
          keys: [
            { value: '1', name: null },
            { value: '0', name: null },
          ],
        },
        {
          ...day('1', 500),
          keys: [
            { value: '1', name: null },
            { value: '1', name: null },
          ],
        },
      ],
    };
    const { history } = await show({ address: '/reports?groupBy=weekday,hour&measure=requests', answer: () => byHour });
    const run = page.getByRole('button', { name: 'Run report' });
    if (run.query() !== null) await run.click();
    await expect
      .element(page.getByRole('figure', { name: 'Heat map: Requests by weekday and hour of day, 14.11.2026 – 20.11.2026' }))
      .toBeVisible();
    await page.getByRole('figure').hover({ position: { x: 60, y: 20 } });
    await expect.element(page.getByText(/^00:00Mon: 1,500$/)).toBeVisible();
    await page.getByRole('button', { name: 'Share: shares of the whole' }).click();
    await expect.poll(() => new URLSearchParams(history.location.search).get('mode')).toBe('share');
    await expect.element(page.getByRole('figure', { name: /^Area chart: Requests, share by weekday/ })).toBeVisible();
    await page.getByRole('button', { name: 'Heat map' }).click();
    await expect.poll(() => new URLSearchParams(history.location.search).get('mode')).toBe(null);
  });

  it('[REP-015, WID-087] paint the chart with its title as a PNG, and with a legend for two series or more', async () => {
    const paint = async (...names: string[]) => {
      const data: ChartData = {
        kind: 'bar',
        title: 'Requests by app',
        form: 'count',
        labels: ['Acme Bet'],
        series: names.map((name) => ({ name, values: [3], kind: 'current' })),
        isStacked: false,
        incomplete: 0,
        note: null,
      };
      const picture = await createImageBitmap(await paintPicture(data, { format: String, hasPatterns: false }));
      expect([picture.width, picture.height]).toEqual([2400, 1200]);
      const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
      context?.drawImage(picture, 0, 0);
      const pixels = (top: number, bottom: number): number[][] => {
        const parts = context?.getImageData(0, top, 1200, bottom - top).data ?? [];
        return Array.from({ length: parts.length / 4 }, (_, at) => Array.from(parts.slice(at * 4, at * 4 + 4)));
      };
      const hasInk = (top: number, bottom: number) => pixels(top, bottom).some(([red = 255]) => red < 128);
      const hasColour = (top: number, bottom: number) =>
        pixels(top, bottom).some(([red = 0, green = 0, blue = 0]) => Math.max(red, green, blue) - Math.min(red, green, blue) > 60);
      return { hasTitle: hasInk(40, 110), hasLegend: hasColour(1_110, 1_180), corner: pixels(2, 3)[2] };
    };
    // The legend is at the bottom and has the colours of the series. Axes have none. The background is filled.
    const corner = [255, 255, 255, 255];
    expect(await paint('14.11.2026')).toEqual({ hasTitle: true, hasLegend: false, corner });
    expect(await paint('14.11.2026', '15.11.2026')).toEqual({ hasTitle: true, hasLegend: true, corner });
  });

  it('[REP-077] draw patterns when they are chosen, which the device remembers', async () => {
    const byType = ['create', 'track'].map((type) => ({
      ...day('2026-11-14', 5),
      keys: [
        { value: '2026-11-14', name: null },
        { value: type, name: null },
      ],
    }));
    const dash = vi.spyOn(CanvasRenderingContext2D.prototype, 'setLineDash');
    await show({
      address: '/reports?groupBy=day,type',
      answer: () => ({ ...byDay, group_by: ['day', 'type'], groups: byType, total_groups: 2 }),
    });
    const patterns = page.getByRole('button', { name: /^Patterns/ });
    await expect.element(patterns).toHaveAttribute('aria-pressed', 'false');
    await expect.element(page.getByRole('figure')).toBeVisible();
    expect(dash.mock.calls.some(([parts]) => [...parts].length > 0)).toBe(false);
    await patterns.click();
    await expect.poll(() => dash.mock.calls.some(([parts]) => [...parts].length > 0)).toBe(true);
    expect(localStorage.getItem('switchyard_chart_patterns')).toBe('true');
    await patterns.click();
    expect(localStorage.getItem('switchyard_chart_patterns')).toBe('false');
  });

  it('[REP-015, REP-074] name filters and period in the picture, with names and values that are whole', async () => {
    const save = vi.spyOn(downloads, 'start').mockImplementation(async ({ open }) => void (await open(new AbortController().signal)));
    const write = vi.spyOn(OffscreenCanvasRenderingContext2D.prototype, 'fillText');
    const long = `${'A very long name of an app '.repeat(6)}end`;
    await show({
      address: '/reports?groupBy=app&geo=DE&geo=PL&type=create&days=7',
      answer: () => ({ ...byApp, compared_from: null, groups: [app('12', long, 1_500, 0), app('7', 'Acme Bet', 12_345, 0)] }),
    });
    await page.getByRole('button', { name: 'Save picture' }).click();
    await expect.poll(() => write.mock.calls.map(([text]) => text)).toContain('Total: 2,000 (+66.7%)');
    const texts = write.mock.calls.map(([text]) => text);
    expect(texts).toEqual(expect.arrayContaining(['Requests by app, 14.11.2026 – 20.11.2026', '1,500', '12,345', long, 'Acme Bet']));
    expect(texts).toContain('Filters: Geo Germany, Poland; Type create');
    expect(save).toHaveBeenCalledOnce();
    const boxes = write.mock.calls.map(([text, x, y], at) => {
      const context = write.mock.contexts[at];
      const width = context instanceof OffscreenCanvasRenderingContext2D ? context.measureText(text).width : 0;
      return { text, x, y, width };
    });
    for (const { x, y } of boxes) expect(Math.min(x, y)).toBeGreaterThan(0);
  });

  describe('as a file', () => {
    type Asked = { name: string; days: (string | null)[] };

    /** Opens the page over a server that answers with the days that are asked for, and gives the name and the days of each file. */
    async function openWithFiles(address: string, view?: SavedView) {
      const files: Asked[] = [];
      const { calls } = await show({
        address,
        ...(view && { view }),
        answer: ({ searchParams }) => ({
          ...byApp,
          from: searchParams.get('startDate') ?? '2026-11-14',
          to: searchParams.get('endDate') ?? '2026-11-20',
        }),
      });
      vi.spyOn(downloads, 'start').mockImplementation(async ({ name, open }) => {
        await open(new AbortController().signal);
        const asked = calls.findLast(({ pathname }) => pathname.endsWith('/download'))?.searchParams;
        files.push({ name, days: ['startDate', 'endDate', 'period'].map((parameter) => asked?.get(parameter) ?? null) });
      });
      await expect.element(page.getByRole('button', { name: 'Save picture' })).toBeVisible();
      return files;
    }
    const download = () => page.getByRole('button', { name: 'Download', exact: true }).click();

    it.each(['days=7', 'period=last_week'])('[REP-094] have the days that the page shows with %s, as their name says', async (days) => {
      const files = await openWithFiles(`/reports?groupBy=app&${days}`);
      await download();
      await expect.poll(() => files).toEqual([{ name: 'report-2026-11-14-2026-11-20.csv', days: ['2026-11-14', '2026-11-20', null] }]);
    });

    it('[REP-095] are named after a view only while they have what it says', async () => {
      const query = 'groupBy=app&geo=DE&startDate=2026-10-01&endDate=2026-10-31';
      const fields = { role_ids: [], owner: { id: 1, name: 'Olga' }, is_own: true, is_default: false, updated_at: '2026-11-20 10:11:12' };
      const columns = { hidden: [], shown: [], widths: {} };
      const germany: SavedView = { ...fields, id: 9, list: 'reports', name: 'Germany', query, columns, sharing: 'private' };
      const files = await openWithFiles(`/reports?view=9&${query}`, germany);
      await download();
      await expect.poll(() => files.at(-1)?.name).toBe('germany-2026-10-01-2026-10-31.csv');
      await page.getByRole('button', { name: /clear.*Start day/i }).click();
      await download();
      await expect.poll(() => files.at(-1)?.name).toBe('report-until-2026-10-31.csv');
      await expect.element(page.getByRole('button', { name: /^View Germany/ })).toBeVisible();
      await download();
      await expect.poll(() => files.length).toBe(3);
      expect(files.at(-1)?.name).toMatch(/^report-/);
    });

    it('[REP-094] name no days that were cleared in the bar', async () => {
      const files = await openWithFiles('/reports?groupBy=app&startDate=2026-10-01&endDate=2026-10-31');
      for (const label of ['Start day', 'End day']) await page.getByRole('button', { name: new RegExp(`clear.*${label}`, 'i') }).click();
      await download();
      await expect.poll(() => files).toEqual([{ name: 'report.csv', days: [null, null, null] }]);
    });
  });

  it('[REP-035, REP-037] paint a heat map in steps of one colour, as high as its rows need', async () => {
    const data: ChartData = {
      kind: 'heat',
      title: 'Requests by day and hour of day',
      form: 'count',
      labels: ['00:00', '01:00', '02:00'],
      series: Array.from({ length: 40 }, (_, row) => ({ name: `day ${row}`, values: [0, 1, 2], kind: 'current' })),
      isStacked: false,
      incomplete: 0,
      note: null,
    };
    const picture = await createImageBitmap(await paintPicture(data, { format: String, hasPatterns: false }));
    expect(picture.height).toBe(2 * (40 * 26 + 150 + 28));
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    context?.drawImage(picture, 0, 0);
    // At the edges of cells, beside their numbers.
    const blueness = [1 / 6, 3 / 6, 5 / 6].map((place) => {
      const [red = 0, , blue = 0] = context?.getImageData(200 + Math.round(place * 2_150) - 200, 400, 1, 1).data ?? [];
      return blue - red;
    });
    expect(blueness[0]).toBe(0);
    expect(blueness[1]).toBeGreaterThan(20);
    expect(blueness[2]).toBeGreaterThan((blueness[1] ?? 0) + 20);
  });

  it('[REP-014] filter for a group and lead to the lists that the reader may open, with the same filters and days', async () => {
    const { history } = await show({
      address: '/reports?groupBy=app&type=create',
      permissions: ['manager_app_statistics', 'manager_app_all_requests', 'manager_app_edit', 'manager_app_requests'],
    });
    await table.getByRole('button', { name: 'Acme Bet' }).click();
    const links = (): (string | null)[] => [...document.querySelectorAll('[role="menu"] a')].map((link) => link.getAttribute('href'));
    await expect
      .poll(links)
      .toEqual([
        '/requests?appId=12&type=create&startDate=2026-11-14&endDate=2026-11-20',
        '/apps/12/edit?startTabName=Event&type=create&startDate=2026-11-14&endDate=2026-11-20',
      ]);
    await page.getByRole('menuitem', { name: 'Filter for this app' }).click();
    await expect.poll(() => history.location.search).toBe('?appId=12&type=create&groupBy=app');
    await expect.element(page.getByRole('button', { name: 'Remove filter Acme Bet' })).toBeVisible();
  });

  it('[REP-051] are filtered by traffic servers where these may be picked', async () => {
    const byServer: Report = { ...byDay, group_by: ['server'], groups: [{ ...day('2', 5), keys: [{ value: '2', name: 'edge-fra-1' }] }] };
    const answer = (): Report => byServer;
    const { history } = await show({
      address: '/reports?groupBy=server',
      permissions: ['manager_app_statistics', 'manager_app_edit'],
      answer,
    });
    await table.getByRole('button', { name: 'edge-fra-1' }).click();
    expect(document.querySelectorAll('[role="menu"] a')).toHaveLength(0);
    await page.getByRole('menuitem', { name: 'Filter for this server' }).click();
    await expect.poll(() => history.location.search).toBe('?serverId=2&groupBy=server');
    await expect.element(page.getByRole('button', { name: 'Remove filter edge-fra-1' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Server' }).click();
    await page.getByRole('option', { name: 'edge-ams-3' }).click();
    await userEvent.keyboard('{Escape}');
    await apply.click();
    await expect.poll(() => new URLSearchParams(history.location.search).getAll('serverId').join()).toBe('2,3');
  });

  it('[REP-058] have the filters that were added by name, with the keyboard alone, or that have a value', async () => {
    const { history } = await show({ address: '/reports?groupBy=app', permissions: ['manager_app_statistics'] });
    const field = (name: string) => page.getByRole('combobox', { name, exact: true });
    await expect.element(field('Group by')).toBeVisible();
    await expect.element(field('Geo')).not.toBeInTheDocument();
    field('Add filter').element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByLabelText('Find in add filter')).toHaveFocus();
    await userEvent.keyboard('ser');
    // No filter by servers, which only others may pick.
    await expect.element(page.getByText('Sorry, no matching options.')).toBeVisible();
    await page.getByLabelText('Find in add filter').fill('geo');
    await userEvent.keyboard('{Enter}');
    // Its options are open, with the focus in their search.
    await expect.element(page.getByLabelText('Find in geo')).toHaveFocus();
    await userEvent.keyboard('Germany{Enter}{Escape}');
    await expect.element(field('Geo')).toHaveFocus();
    await apply.click();
    await expect.poll(() => new URLSearchParams(history.location.search).get('geo')).toBe('DE');
    await page.getByRole('button', { name: 'Remove filter Germany' }).click();
    await expect.poll(() => history.location.search).toBe('?groupBy=app');
    // A control that was in use stays, and is not offered again.
    await expect.element(field('Geo')).toBeVisible();
    await field('Add filter').click();
    await expect.element(page.getByRole('option', { name: 'Type' })).toBeVisible();
    await expect.element(page.getByRole('option', { name: 'Geo' })).not.toBeInTheDocument();
  });

  it('[REP-065] choose measures of a kind of conversions by typing, filter by kinds, and say what ratios leave out', async () => {
    const measured = (url: URL): Report => {
      const columns = url.searchParams.getAll('measure[]');
      return columns.length === 0
        ? byApp
        : { ...byApp, columns, totals: { ...byApp.totals, current: { create: 4, [columns[1] ?? '']: 1.25 } } };
    };
    const { history } = await show({ address: '/reports?groupBy=app&measure=create', answer: measured });
    const field = (name: string) => page.getByRole('combobox', { name, exact: true });
    await field('Measures').click();
    await page.getByLabelText('Find in measures').fill('deposit');
    await expect
      .poll(() =>
        page
          .getByRole('option')
          .elements()
          .map(({ textContent }) => textContent),
      )
      .toEqual([
        'Conversions of deposit',
        'Valid conversions of deposit',
        'Payout of deposit',
        'Valid payout of deposit',
        'Create to deposit ratio',
        'Payout per create of deposit',
        'Payout per 1,000 requests of deposit',
      ]);
    await page.getByRole('option', { name: 'Create to deposit ratio' }).click();
    await page.getByLabelText('Find in measures').fill('payout of <b>');
    await page.getByRole('option', { name: 'Payout of <b>a,b</b>', exact: true }).click();
    await userEvent.keyboard('{Escape}');
    await field('Add filter').click();
    await page.getByRole('option', { name: 'Kind of conversion' }).click();
    await page.getByRole('option', { name: '<b>a,b</b>', exact: true }).click();
    await userEvent.keyboard('{Escape}');
    await apply.click();
    await expect.element(page.getByText(/; ratios leave out duplicates and errors$/)).toBeVisible();
    await field('Add filter').click();
    await page.getByRole('option', { name: 'Duplicates and errors' }).click();
    await page.getByRole('option', { name: 'Counted in ratios' }).click();
    await apply.click();
    await expect
      .poll(() => Object.fromEntries(new URLSearchParams(history.location.search)))
      .toEqual({
        groupBy: 'app',
        measure: 'payout_of:<b>a%2Cb<%2Fb>',
        invalid: '1',
        'statusConversion[]': '<b>a,b</b>',
      });
    await expect.element(page.getByText(/ratios leave out/)).not.toBeInTheDocument();
    const header = table.getByRole('columnheader', { name: 'Create to deposit ratio' });
    await expect.element(header).toBeVisible();
    await expect.element(table.getByRole('row', { name: /^Total/ })).toMatchTextContent(/125\.0%/);
    await header.getByText('Create to deposit ratio').hover();
    await expect
      .element(page.getByText('Conversions of deposit / Requests: create. A ratio of events, which may exceed 100%'))
      .toBeVisible();
    await page.getByRole('button', { name: 'Remove filter <b>a,b</b>' }).click();
    await expect.poll(() => new URLSearchParams(history.location.search).has('statusConversion[]')).toBe(false);
  });

  it('[REP-066] show no part of a whole above 100%', async () => {
    const paid = (value: string, payout: string): ReportGroup => ({
      ...app(value, value, 1, 0),
      current: values(1, { payout, payout_per_create: 5 }),
    });
    const columns = ['requests', 'payout', 'payout_per_create'];
    const totals = { current: values(2, { payout: '5', payout_per_create: 1 }), compared: null, few: [] };
    await show({
      address: '/reports?groupBy=app',
      answer: () => ({ ...byApp, columns, groups: [paid('1', '10'), paid('2', '-5'), paid('3', '2')], totals }),
    });
    const titles = (name: RegExp) =>
      [...table.getByRole('row', { name }).element().querySelectorAll('td [title]')].map((cell) => cell.getAttribute('title'));
    await expect.element(table.getByRole('row', { name: /^3 / })).toBeVisible();
    expect(titles(/^1 /).slice(-3)).toEqual(['1, 50.0% of all, before: 0', '10, before: 310.49', '5']);
    expect(titles(/^3 /).slice(-3)).toEqual(['1, 50.0% of all, before: 0', '2, 40.0% of all, before: 310.49', '5']);
  });

  it('[REP-014] narrow the days, and lead nowhere without permission', async () => {
    const { history } = await show({ address: '/reports?measure=requests' });
    await table.getByRole('button', { name: '15.11.2026 Sun' }).click();
    await expect.element(page.getByRole('menuitem', { name: 'Filter for this day' })).toBeVisible();
    expect(document.querySelectorAll('[role="menu"] a')).toHaveLength(1);
    await expect.element(page.getByRole('link', { name: 'Show in All Requests' })).not.toBeInTheDocument();
    await page.getByRole('menuitem', { name: 'Filter for this day' }).click();
    await expect.poll(() => new URLSearchParams(history.location.search).get('startDate')).toBe('2026-11-15');
    expect(new URLSearchParams(history.location.search).get('endDate')).toBe('2026-11-15');
  });

  it('[REP-021] say up to when the compared days are counted while today is not over', async () => {
    await show({ address: '/reports?groupBy=app&compare=previous' });
    await expect
      .element(page.getByText(/compared with 07\.11\.2026 – 13\.11\.2026, up to 13\.11\.2026 16:20, because today is not over/))
      .toBeVisible();
  });

  it('[REP-016] mark the days that retention has cut', async () => {
    await show({ answer: () => ({ ...byDay, complete_from: '2026-11-15', is_complete: false }) });
    await expect.element(page.getByText('Days before 15.11.2026 are incomplete: older events were deleted.')).toBeVisible();
    expect(keysShown()).toEqual(['14.11.2026 Sat, incomplete', '15.11.2026 Sun', '16.11.2026 Mon']);
    await expect.element(table.getByRole('row', { name: /^14\.11/ })).toHaveAccessibleDescription('Incomplete: older events were deleted');
  });

  it('[REP-017] keep what was chosen when a report takes too long, say what helps, and try again', async () => {
    let isBusy = true;
    const busy = () => Response.json({ success: false, message: 'The server is busy, try again', data: null }, { status: 503 });
    const { history } = await show({ address: '/reports?groupBy=app&days=90', answer: () => (isBusy ? busy() : byApp) });
    await expect.element(page.getByText('The server is busy, try again. Choose fewer days or set a filter, then try again.')).toBeVisible();
    expect(history.location.search).toBe('?groupBy=app&days=90');
    isBusy = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(table.getByText('Acme Bet')).toBeVisible();
    await userEvent.keyboard('{Escape}');
  });

  it('[REP-082] show further filters that a board set, and remove them', async () => {
    const address = '/reports?groupBy=app&type=create&within[]=type%3Derror%2Creceive%26bot%3DL1';
    const { history } = await show({ address });
    await expect.element(page.getByText('Acme Bet')).toBeVisible();
    await expect.element(page.getByText('Also', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Remove filter Bot L1; Type with an error, receive' }).click();
    await expect.poll(() => history.location.search).toBe('?type=create&groupBy=app');
  });

  it('[REP-010] clear filters without another layout, and say what has no traffic', async () => {
    const none = { ...byApp, groups: [], total_groups: 0 };
    const { history } = await show({ address: '/reports?groupBy=app&compare=week&type=create', answer: () => none });
    await expect.element(page.getByText('No figures match these filters.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => history.location.search).toBe('?groupBy=app&compare=week');
    await expect.element(page.getByText('No traffic in these days')).toBeVisible();
  });
});

it('[ASNX-121] says from which day on systems are known where groups are systems', async () => {
  const known = { known_from: '2026-11-02', percent: 37, is_running: true };
  const answer = ({ pathname }: URL): Report | Response =>
    pathname.endsWith('/asn/known') ? Response.json({ success: true, data: known }) : { ...byApp, group_by: ['asn'] };
  await show({ address: '/reports?groupBy=asn', answer });
  await expect.element(page.getByText(/Autonomous systems are known from 02\.11\.2026 on/)).toBeVisible();
});
