import { permissionCatalogue } from '@switchyard/contract/permissions';
import type { Mark } from '@switchyard/contract/marks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import { queryClient } from '../api/query-client.ts';
import { Chart } from '../charts/chart.tsx';
import { sessionStore } from '../session/session-store.ts';
import { renderPages } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { MarksMenu } from './marks-menu.tsx';
import { sampleEntry } from './testing/sample-entry.ts';

const hour = 3_600_000_000;
const start = Date.UTC(2026, 10, 20, 8) * 1000;
const axis = { starts: [0, 1, 2, 3].map((at) => start + at * hour), until: start + 4 * hour };
const subjects = { appIds: [12] };
const data = {
  kind: 'line' as const,
  title: 'Requests',
  form: 'count' as const,
  labels: ['08', '09', '10', '11'],
  series: [{ name: 'Requests', values: [5, 9, 7, 8], kind: 'current' as const }],
  isStacked: false,
  incomplete: 0,
  note: null,
  axis,
};
const note = sampleEntry({ kind: 'note', what: 'note', id: 31, name: 'Campaign begins', is_deletable: true, at: '2026-11-20 08:10:00' });
const change = sampleEntry();
const marks: Mark[] = [
  { at: change.at, count: 41, entries: [change] },
  { at: note.at, count: 1, entries: [note] },
];
const user = {
  id: 7,
  name: 'Olga',
  email: 'o@x.y',
  panel: 'user' as const,
  hasAllApps: true,
  isSuperAdmin: true,
  roles: [],
  badges: [],
  permissions: permissionCatalogue.map(({ label }) => label),
};

type Shown = { answer?: () => Response | Promise<Response>; permissions?: string[]; hasAllApps?: boolean };

/** A chart with the menu of its marks, over a server of the test's own. */
async function show({
  answer = () => Response.json({ success: true, data: marks }),
  permissions = user.permissions,
  hasAllApps = true,
}: Shown = {}) {
  await cleanup();
  queryClient.clear();
  const calls: string[] = [];
  const bodies: unknown[] = [];
  stubApi(
    (url, init) => {
      calls.push(`${init.method} ${url}`);
      if (init.method === 'DELETE') return new Response(null, { status: 204 });
      if (init.method === 'POST') {
        bodies.push(typeof init.body === 'string' ? JSON.parse(init.body) : null);
        return Response.json({ success: true, data: { id: 32 } }, { status: 201 });
      }
      return answer();
    },
    { answersMarks: true },
  );
  sessionStore.open({ user: { ...user, permissions, hasAllApps }, token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 } });
  const content = () => (
    <div style={{ width: 600 }}>
      <MarksMenu axis={axis} subjects={subjects} />
      <Chart data={data} format={(value) => `${value}`} markSubjects={subjects}>
        Values
      </Chart>
    </div>
  );
  await renderPages([['/page', 'Page', content]], ['/page']);
  return { calls, bodies };
}

const figure = page.getByRole('figure', { name: 'Line chart: Requests' });
const dots = figure.getByRole('button');
const menu = page.getByRole('button', { name: /^(?:Marks(?: off)?|\d+ marks?)$/ });
const dropdown = page.getByRole('dialog', { name: /marks/i });

afterEach(() => vi.restoreAllMocks());

describe('marks of a chart', () => {
  it('[MARK-022] draws a dot and a dashed line at the time of each mark, the line under the values, and lists it at a press', async () => {
    const { calls } = await show();
    await expect.element(dots.nth(1)).toBeVisible();
    expect(calls).toEqual(['GET /api/marks?startDate=2026-11-20+08%3A00%3A00&endDate=2026-11-20+11%3A59%3A59&appId[]=12']);
    const canvas = figure.element().querySelector('canvas');
    const lines = [...figure.element().querySelectorAll<HTMLElement>('span[class*="line"]')];
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(getComputedStyle(line).borderInlineStartStyle).toBe('dashed');
    // The canvas lies over the lines, and the dots over the canvas, above the values.
    const layerOf = (element: Element | null | undefined): number => Number((element && getComputedStyle(element).zIndex) ?? 0) || 0;
    expect(layerOf(canvas)).toBeGreaterThan(layerOf(lines[0]));
    expect(layerOf(dots.first().element())).toBeGreaterThan(layerOf(canvas));
    const [first, second] = dots.elements().map((dot) => dot.getBoundingClientRect());
    // The note lies in the first hour, the change in the third of four.
    expect((second?.x ?? 0) - (first?.x ?? 0)).toBeGreaterThan(300);
    await expect.element(dots.nth(1)).toHaveAccessibleName('41 marks, 20.11.2026 10:20');
    await dots.nth(1).click();
    const link = page.getByRole('link', { name: 'App Lucky Harbor changed: Proxy cache, seconds' });
    await expect.element(link).toHaveAttribute('href', '/apps/12/history?startDate=2026-11-20&endDate=2026-11-20');
    await expect.element(page.getByText('20.11.2026 10:20 · Olga Petrova')).toBeVisible();
    await expect.element(page.getByText('And 40 more at these times.')).toBeVisible();
  });

  it('[MARK-022] names a dot by what it shows of its number', async () => {
    await show({ answer: () => Response.json({ success: true, data: [{ at: change.at, count: 140, entries: [change] }] }) });
    await expect.element(dots.first()).toHaveAccessibleName('99+ marks (140), 20.11.2026 10:20');
    await expect.element(dots.first()).toHaveTextContent('99+');
  });

  it('[MARK-023] lists all marks by keyboard, and gives the focus back', async () => {
    await show();
    await expect.element(menu).toHaveTextContent('42 marks');
    await userEvent.tab();
    await expect.element(menu).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(dropdown.getByText('Campaign begins')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(menu).toHaveFocus();
  });

  it('[MARK-024] switches marks off and remembers it; then nothing is loaded', async () => {
    await show();
    await menu.click();
    await page.getByRole('switch', { name: 'Show marks in charts' }).click();
    await expect.poll(() => dots.elements()).toHaveLength(0);
    expect(localStorage.getItem('switchyard_chart_marks')).toBe('false');
    await expect.element(menu).toHaveTextContent('Marks off');
    const { calls } = await show();
    await expect.element(menu).toHaveTextContent('Marks off');
    expect(calls).toEqual([]);
    await menu.click();
    await page.getByRole('switch', { name: 'Show marks in charts' }).click();
    await expect.element(dots.first()).toBeVisible();
  });

  it('[MARK-025] draws the chart before its marks, and without them if they fail', async () => {
    const pending = Promise.withResolvers<Response>();
    await show({ answer: () => pending.promise });
    const canvas = () => figure.element().querySelector('canvas');
    await expect.poll(() => canvas()?.width ?? 0).toBeGreaterThan(300);
    expect(dots.elements()).toHaveLength(0);
    const height = figure.element().getBoundingClientRect().height;
    pending.resolve(Response.json({ success: false, message: 'Something went wrong' }, { status: 500 }));
    await menu.click();
    await expect.element(dropdown.getByText(/The marks could not be loaded/)).toBeVisible();
    expect(figure.element().getBoundingClientRect().height).toBe(height);
    expect(page.getByRole('alert').elements()).toHaveLength(0);
    await expect.element(dropdown.getByRole('button', { name: 'Try again' })).toBeVisible();
  });

  it('[MARK-026] adds a note about the app or all, and deletes one after a question', async () => {
    const { calls, bodies } = await show();
    await menu.click();
    await page.getByRole('button', { name: 'Add note' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add note' });
    await expect.element(dialog.getByRole('button', { name: 'Add note' })).toBeDisabled();
    await dialog.getByLabelText('Note').fill('Price change');
    await dialog.getByLabelText('Time').fill('2026-11-20T09:30');
    await dialog.getByRole('button', { name: 'Add note' }).click();
    await expect.element(page.getByRole('status')).toMatchTextContent(/The note has been added/);
    expect(bodies).toEqual([{ text: 'Price change', at: '2026-11-20T09:30:00+00:00', app_id: 12 }]);
    // The marks are loaded again.
    await expect.poll(() => calls.filter((one) => one.startsWith('GET'))).toHaveLength(2);
    await menu.click();
    await page.getByRole('button', { name: 'Delete note' }).click();
    await page.getByRole('button', { name: 'OK' }).click();
    await expect.poll(() => calls).toContain('DELETE /api/marks/notes/31');
  });

  it('[MARK-026] offers notes only to who may write them', async () => {
    await show({ permissions: ['manager_app_requests'] });
    await menu.click();
    await expect.element(dropdown.getByText('Campaign begins')).toBeVisible();
    expect(page.getByRole('button', { name: 'Add note' }).elements()).toHaveLength(0);
    await userEvent.keyboard('{Escape}');
    await show({ permissions: ['manager_app_edit'], hasAllApps: false });
    await menu.click();
    await page.getByRole('button', { name: 'Add note' }).click();
    await expect.element(page.getByLabelText('Note')).toBeVisible();
    expect(page.getByLabelText('Shown in charts of').elements()).toHaveLength(0);
  });
});
