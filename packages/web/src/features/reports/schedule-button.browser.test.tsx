import { reportQuery } from '@switchyard/contract/reports';
import type { SavedView } from '@switchyard/contract/saved-views';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { useSavedViews } from '../../shared/listing/views/use-saved-views.ts';
import { renderPages } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { ScheduleButton } from './schedule-button.tsx';
import { unsavedWork } from '../../shared/unsaved-work.ts';

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

function Report() {
  return <ScheduleButton views={useSavedViews('reports', reportQuery)} />;
}
function Create() {
  return <h1>New schedule</h1>;
}

async function render(address: string) {
  const bodies: unknown[] = [];
  stubApi(
    (_url, { method, body }) => {
      if (method === 'GET') return Response.json({ success: true, data: { views: [stored], roles: [] } });
      const sent: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
      bodies.push(sent);
      return Response.json({ success: true, data: { ...stored, ...Object(sent), id: 6 } }, { status: 201 });
    },
    { answersViews: true },
  );
  const history = await renderPages(
    [
      ['/reports', 'Reports', Report],
      ['/schedules/create', 'Create schedule', Create],
    ],
    [address],
  );
  return { bodies, history };
}

it('[SCHED-125] a report that is a saved view is scheduled at once', async () => {
  const { history } = await render('/reports?view=5&groupBy=server');
  await expect.element(page.getByTitle('Schedule this view: send it as a file')).toBeVisible();
  await page.getByRole('button', { name: 'Schedule this report' }).click();
  await expect.poll(() => history.location.href).toBe('/schedules/create?view=5');
});

it('[SCHED-127] [SHELL-084] one that is no saved view, or a changed one, is saved as a view first', async () => {
  const { history, bodies } = await render('/reports?view=5&groupBy=asn');
  const held: boolean[] = [];
  history.subscribe(() => held.push(unsavedWork.isHeld()));
  await page.getByRole('button', { name: 'Schedule this report' }).click();
  await page.getByRole('dialog').getByLabelText('Name').fill('By system');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => history.location.href).toBe('/schedules/create?view=6');
  expect(bodies).toMatchObject([{ list: 'reports', name: 'By system', query: 'groupBy=asn' }]);
  expect(held).toEqual([false]);
});
