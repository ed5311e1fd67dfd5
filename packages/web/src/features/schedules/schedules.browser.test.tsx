import type { Channel } from '@switchyard/contract/channels';
import type { Permission } from '@switchyard/contract/permissions';
import { createSchedule, type AnySchedule, type Schedule } from '@switchyard/contract/schedules';
import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { sessionStore } from '../../shared/session/session-store.ts';
import { renderPages } from '../../testing/render-pages.tsx';
import { sampleChannel } from '../../testing/sample-channel.ts';
import { stubApi } from '../../testing/stub-api.ts';
import { AllSchedulesPage, CreateSchedulePage, EditSchedulePage, ReceivedSchedulesPage, SchedulesPage } from './schedule-pages.ts';

const weekly: Schedule = {
  id: 3,
  name: 'Monday figures',
  view: { id: 7, name: 'Payout by app', list: 'reports', unknown_parameters: ['serach'], has_fixed_days: false },
  interval: 'week',
  weekday: 1,
  month_day: 1,
  hour: 8,
  recipients: [
    { id: 8, name: 'Rita', state: 'sent', sent_at: '2026-11-16 06:00:00' },
    { id: 9, name: 'Sam', state: 'denied', sent_at: null },
  ],
  channels: [],
  channels_state: null,
  format: 'csv',
  is_on: true,
  next_run_at: '2026-11-23 06:00:00',
  version: 2,
};
const duty: Channel = { ...sampleChannel, name: 'Duty', kind: 'slack', shown_target: 'https://hooks.slack.com', chat_id: null };
const view = (id: number, name: string, list: 'reports' | 'apps' | 'servers') => ({
  id,
  name,
  list,
  query: '',
  columns: { hidden: [], shown: [], widths: {} },
  sharing: 'private',
  role_ids: [],
  owner: { id: 8, name: 'Rita' },
  is_own: true,
  is_default: false,
  updated_at: '2026-11-20 10:00:00',
});

const ownViews = [view(7, 'Payout by app', 'reports'), view(8, 'Old apps', 'apps'), view(9, 'Edges', 'servers')];

afterEach(() => sessionStore.close());

type Options = { permissions?: Permission[]; views?: object[]; stored?: Schedule };

async function render(
  address: string,
  { permissions = ['manager_app_statistics', 'manager_user_edit'], views = ownViews, stored = weekly }: Options = {},
) {
  const user = { id: 8, name: 'Rita', email: 'rita@example.com', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  const bodies: unknown[] = [];
  stubApi((path, init) => {
    const answer = (data: unknown, status = 200) => Response.json({ success: true, data }, { status });
    if (path.includes('/api/views')) {
      return answer({ views, roles: [] });
    }
    if (path.endsWith('/api/channels')) return answer([duty]);
    if (path.includes('/api/users/list')) return answer([{ id: 9, name: 'Sam', email: 'sam@example.com' }]);
    if (init.method === 'GET') return answer(path.endsWith('/api/schedules') ? [stored] : stored);
    if (path.endsWith('/send')) {
      bodies.push(path);
      return new Response(null, { status: 204 });
    }
    const body = createSchedule.body.parse(JSON.parse(typeof init.body === 'string' ? init.body : ''));
    bodies.push(body);
    const { name, interval, month_day, format } = body;
    return answer({ ...weekly, name, interval, month_day, format }, 201);
  });
  const pages = [
    ['/schedules', 'Schedules', SchedulesPage],
    ['/schedules/create', 'Create schedule', CreateSchedulePage],
    ['/schedules/$id/edit', 'Edit schedule', EditSchedulePage],
  ] as const;
  return { history: await renderPages([...pages], [address]), bodies };
}

async function pick(label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

it('[SCHED-101] lists when views are mailed, to whom, and what became of the newest mails', async () => {
  await render('/schedules');
  const row = page.getByRole('row', { name: /Monday figures/ });
  await expect.element(row).toMatchTextContent(/Payout by app.*Every Monday at 08:00.*Rita, Sam.*1 without access, 1 sent/);
  await expect.element(row.getByRole('link', { name: 'Monday figures' })).toHaveAttribute('href', '/schedules/3/edit');
});

it.each([
  ['/schedules', 'Not visible. Nothing is mailed until you choose another view.'],
  ['/schedules/3/edit', 'You can no longer see the saved view. Nothing is mailed until you choose another one.'],
])('[SCHED-130] say at %s that their view is not visible any more', async (address, text) => {
  await render(address, { views: [], stored: { ...weekly, view: { ...weekly.view, name: null, unknown_parameters: [] } } });
  await expect.element(page.getByText(text)).toBeVisible();
});

it.each([
  ['Reports', '/reports', 'manager_app_statistics'],
  ['Apps', '/apps', 'manager_app_edit'],
] as const)('[SCHED-111] lead to %s where the reader may save a view', async (name, href, permission) => {
  await render('/schedules/create', { views: [], permissions: [permission] });
  await expect.element(page.getByRole('link', { name: `Open ${name}` })).toHaveAttribute('href', href);
});

it('[SCHED-102, SCHED-121, SCHED-122] are created from a saved view of reports or apps, by day, week or month, for people and channels', async () => {
  // The bar that saves lies over controls of a small window.
  await page.viewport(1280, 1300);
  const { bodies } = await render('/schedules/create', {
    permissions: ['manager_app_statistics', 'manager_user_edit', 'manager_settings_server'],
  });
  await page.getByRole('textbox', { name: 'Name' }).fill('Apps of the month');
  await page.getByRole('combobox', { name: 'Saved view' }).click();
  await expect.element(page.getByRole('option', { name: 'Old apps (Apps)' })).toBeVisible();
  expect(page.getByRole('option').elements()).toHaveLength(2);
  await page.getByRole('option', { name: 'Old apps (Apps)' }).click();
  await pick('Recipients', 'Sam');
  await page.getByRole('heading', { name: 'Time' }).click();
  await page.getByText('XLSX').click();
  await pick('Channels', 'Duty');
  await page.getByRole('heading', { name: 'Time' }).click();
  await page.getByText('Monthly').click();
  await pick('Day of the month', '3');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect
    .poll(() => bodies)
    .toEqual([
      {
        name: 'Apps of the month',
        view_id: 8,
        interval: 'month',
        weekday: 1,
        month_day: 3,
        hour: 8,
        recipient_ids: [9],
        channel_ids: [4],
        format: 'xlsx',
        is_on: true,
      },
    ]);
});

it.each([
  ['/schedules/received', 'Stop', 'Stop these emails?', 'DELETE /api/schedules/received/3', 'Report "Monday figures" stopped'],
  ['/schedules/all', 'Delete', 'Delete the schedule?', 'DELETE /api/schedules/3', 'Schedule "Monday figures" deleted'],
  ['/schedules/all', 'Delete', 'Delete the schedule?', 'DELETE /api/schedules/3', 'Schedule "Schedule 3" deleted', null],
] as const)('[LEAVE-102, PERMX-037] %s lists schedules of others and ends one after a question', async (...texts) => {
  const [address, act, title, endCall, done, name = weekly.name] = texts;
  const shownName = name ?? 'Schedule 3';
  const user = { id: 8, name: 'Rita', email: 'rita@example.com', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: ['manager_user_deactivate'] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  const { version: _version, channels: _channels, channels_state: _state, format: _format, ...fields } = weekly;
  const foreign: AnySchedule = {
    ...fields,
    name,
    view: { name: 'Payout by app', list: 'reports' },
    owner: { id: 9, name: 'Sam' },
    is_paused: true,
    recipients: 2,
  };
  const ends: string[] = [];
  stubApi((path, { method }) => {
    if (method === 'GET') return Response.json({ success: true, data: ends.length === 0 ? [foreign] : [] });
    ends.push(`${method} ${path}`);
    return new Response(null, { status: 204 });
  });
  const pages = [
    ['/schedules/received', 'Reports mailed to you', ReceivedSchedulesPage],
    ['/schedules/all', 'All schedules', AllSchedulesPage],
  ] as const;
  await renderPages([...pages], [address]);
  const row = page.getByRole('row', { name: new RegExp(shownName) });
  await expect.element(row).toMatchTextContent(/Sam.*Payout by app.*Every Monday at 08:00.*2.*Paused/);
  await page.getByRole('button', { name: `${act} ${shownName}` }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await expect.element(dialog.getByText(new RegExp(`"${shownName}"`))).toBeVisible();
  expect(ends).toEqual([]);
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect.poll(() => ends).toEqual([endCall]);
  await expect.element(page.getByRole('region', { name: 'Notifications' })).toMatchTextContent(new RegExp(done));
  await expect.element(row).not.toBeInTheDocument();
});

it('[SCHED-125] begins with the view that its address names', async () => {
  await render('/schedules/create?view=7');
  await expect.element(page.getByRole('combobox', { name: 'Saved view' })).toMatchTextContent(/Payout by app \(Reports\)/);
});

it('[SCHED-119] says of a report on fixed dates that every mail will have the same days', async () => {
  const [report] = ownViews;
  const views = [report, { ...view(10, 'October', 'reports'), query: 'startDate=2026-10-01&endDate=2026-10-31' }].flatMap(
    (one) => one ?? [],
  );
  await render('/schedules/create', { views });
  await pick('Saved view', 'October (Reports)');
  const note = page.getByText(/Every mail will have the same days/);
  await expect.element(note).toBeVisible();
  await pick('Saved view', 'Payout by app (Reports)');
  await expect.element(note).not.toBeInTheDocument();
});

it('[SCHED-116] the page of a schedule mails it to its owner now', async () => {
  const { bodies } = await render(`/schedules/${weekly.id}/edit`);
  await page.getByRole('button', { name: 'Send to me now' }).click();
  await expect.poll(() => bodies).toEqual([`/api/schedules/${weekly.id}/send`]);
});
