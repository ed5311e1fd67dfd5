import type { Board } from '@switchyard/contract/boards';
import { keptReportQuery } from '@switchyard/contract/reports';
import type { SavedView } from '@switchyard/contract/saved-views';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { parseListQuery } from '../../../shared/listing/list-query.ts';
import { useSavedViews } from '../../../shared/listing/views/use-saved-views.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { PinButton } from './pin-button.tsx';

const stored: SavedView = {
  id: 5,
  list: 'reports',
  name: 'By server',
  query: 'groupBy=server',
  columns: { hidden: [], shown: [], widths: {} },
  sharing: 'private',
  role_ids: [],
  owner: { id: 1, name: 'Rita' },
  is_own: true,
  is_default: false,
  updated_at: '2026-11-20 10:11:12',
};

const board: Board = {
  id: 3,
  name: 'Traffic',
  query: '',
  role_ids: [],
  accounts: [],
  owner: { id: 1, name: 'Rita' },
  is_own: true,
  version: 1,
};

function ReportPage() {
  const views = useSavedViews('reports', keptReportQuery);
  return <PinButton views={views} query={parseListQuery(keptReportQuery, views.query)} column="conversions" />;
}

async function pinAt(address: string) {
  const bodies: unknown[] = [];
  stubApi(
    (url, { method, body }) => {
      if (url.endsWith('/boards'))
        return Response.json({ success: true, data: [board, { ...board, id: 4, name: 'Of others', is_own: false }] });
      if (method === 'GET') return Response.json({ success: true, data: { views: [stored], roles: [] } });
      const sent: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
      bodies.push(sent);
      return Response.json(
        { success: true, data: { id: 6, shape: 'figure', measure: 'conversions', rows: 5, role_ids: [] } },
        { status: 201 },
      );
    },
    { answersViews: true },
  );
  await renderPages([['/reports', 'Reports', ReportPage]], [address]);
  await page.getByRole('button', { name: 'Pin to Home' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pin to Home' });
  await expect.element(dialog.getByRole('combobox', { name: 'Measure' })).toBeVisible();
  return { dialog, bodies };
}

it('[DASH-106, DASH-113] a report that is no saved view, or a changed one, is pinned as it is, under a name, to a board', async () => {
  const { dialog, bodies } = await pinAt('/reports?view=5&groupBy=country,app&days=30&chart=conversions&measure=requests,conversions');
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await expect.element(name).toHaveValue('Conversions by country and app');
  await name.fill('Conversions of the month');
  await dialog.getByRole('combobox', { name: 'Board' }).click();
  expect(
    page
      .getByRole('option')
      .elements()
      .map((option) => option.textContent),
  ).toEqual(['Home', 'Traffic']);
  await page.getByRole('option', { name: 'Traffic' }).click();
  await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect.poll(() => bodies).toHaveLength(1);
  expect(bodies[0]).toEqual({
    shape: 'figure',
    measure: 'conversions',
    role_ids: [],
    board_id: 3,
    name: 'Conversions of the month',
    query: 'chart=conversions&days=30&groupBy=country&groupBy=app&measure=requests&measure=conversions',
  });
});

it('[DASH-101] a report that is a saved view is pinned as the view', async () => {
  const { dialog, bodies } = await pinAt('/reports?view=5&groupBy=server');
  await expect.element(dialog.getByText('By server')).toBeVisible();
  expect(dialog.getByRole('textbox').elements()).toEqual([]);
  await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect.poll(() => bodies).toEqual([{ view_id: 5, shape: 'figure', measure: 'conversions', role_ids: [], board_id: null }]);
});
