import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  schedule,
  scheduleFields,
  updateSchedule,
  type Schedule,
  type ScheduleFields,
} from '@switchyard/contract/schedules';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderPages } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { call } from '../api/call.ts';
import { NameField } from '../form/save-bar-form.tsx';
import { nameColumn } from '../listing/entity-columns.tsx';
import { ChoiceField, SegmentField, SwitchField } from './entity-fields.tsx';
import { CreatePage, defineForm, EditPage } from './entity-form.tsx';
import { buttonColumn, confirmDeletion, EntityListPage } from './entity-list.tsx';

// Calls of schedules, in pages with controls of every kind and with as little else as possible.
const stored: Schedule = {
  id: 3,
  name: 'Monday figures',
  view: { id: 7, name: 'Payout by app', list: 'reports', unknown_parameters: [], has_fixed_days: false },
  interval: 'week',
  weekday: 1,
  month_day: 1,
  hour: 8,
  recipients: [{ id: 8, name: 'Rita', state: null, sent_at: null }],
  channels: [],
  channels_state: null,
  format: 'csv',
  is_on: true,
  next_run_at: '2026-11-23 06:00:00',
  version: 2,
};

const form = defineForm<Schedule, ScheduleFields>({
  noun: 'schedule',
  list: { listTitle: 'Schedules', listPath: '/schedules' },
  schema: schedule,
  fields: scheduleFields,
  start: {
    name: '',
    view_id: 7,
    interval: 'week',
    weekday: 1,
    month_day: 1,
    hour: 0,
    recipient_ids: [8],
    channel_ids: [],
    format: 'csv',
    is_on: true,
  },
  valuesOf: ({ name, view, interval, weekday, month_day, hour, is_on }) => {
    return { name, view_id: view.id, interval, weekday, month_day, hour, recipient_ids: [8], channel_ids: [], format: 'csv', is_on };
  },
  required: ['name'],
  compared: () => ({
    hour: { label: 'Time', value: ({ interval, hour }) => [interval, hour], text: ({ hour }) => `at ${hour}` },
    interval: null,
  }),
  calls: {
    read: (input) => call(getSchedule, input),
    create: (input) => call(createSchedule, input),
    update: (input) => call(updateSchedule, input),
  },
  refresh: async () => undefined,
});

const fields: Parameters<typeof EditPage<Schedule, ScheduleFields>>[0]['children'] = ({ field }) => (
  <>
    <NameField {...field('name')} />
    <SegmentField
      {...field('interval')}
      options={[
        { value: 'day', label: 'Daily' },
        { value: 'week', label: 'Weekly' },
      ]}
    />
    <ChoiceField
      {...field('hour')}
      width={120}
      options={[
        { value: 8, name: '08:00' },
        { value: 9, name: '09:00' },
      ]}
    />
    <SwitchField {...field('is_on')} description="While it is off, nothing is mailed." />
  </>
);

const columns = () => [
  nameColumn<Schedule>((id) => `/schedules/${id}/edit`),
  buttonColumn<Schedule>({
    pathOf: (id) => `/schedules/${id}/edit`,
    onDelete: ({ id, name }) =>
      confirmDeletion({
        noun: 'schedule',
        name,
        lines: ['Its view stays.'],
        change: () => call(deleteSchedule, { params: { id } }),
        reload: async () => undefined,
      }),
  }),
];

function ListScreen() {
  return (
    <EntityListPage
      name="schedules"
      noun="schedules"
      load={(input) => call(listSchedules, input)}
      note="All of them."
      columns={columns}
      create={{ label: 'Create schedule', href: '/schedules/create' }}
      empty={{ title: 'No schedules yet', text: 'Create one.' }}
    />
  );
}

const pages = [
  ['/schedules', 'Schedules', ListScreen],
  ['/schedules/create', 'Create schedule', () => <CreatePage form={form}>{fields}</CreatePage>],
  ['/schedules/$id/edit', 'Edit schedule', () => <EditPage form={form}>{fields}</EditPage>],
] as const;

async function render(address: string, answers: Readonly<Record<string, { status: number; body: object }>> = {}) {
  const writes: unknown[] = [];
  stubApi((path, { method, body }) => {
    if (method !== 'GET') writes.push([`${method} ${path}`, typeof body === 'string' ? JSON.parse(body) : null]);
    const answer = answers[method];
    if (answer !== undefined) return Response.json({ success: answer.status < 400, ...answer.body }, { status: answer.status });
    if (method === 'DELETE') return new Response(null, { status: 204 });
    return Response.json({ success: true, data: path.endsWith('/schedules') ? [stored] : stored });
  });
  return { history: await renderPages([...pages], [address]), writes };
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const rejected = (errors: object) => ({ status: 422, body: { message: 'The given data was invalid.', errors, data: { errors } } });

it('[ENT-043] values are sent by their names on the wire, and what is rejected is shown at its control', async () => {
  const errors = { interval: ['Not this often.'], hour: ['Not at this hour.'] };
  const { writes } = await render('/schedules/create', { POST: rejected(errors) });
  await page.getByRole('combobox', { name: 'Hour' }).click();
  await page.getByRole('option', { name: '09:00' }).click();
  await expect.element(page.getByText('Still needed: Name')).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('Morning');
  await page.getByText('Daily').click();
  // The bar that saves lies over the switch in this small window.
  page
    .getByRole('switch', { name: /^Switched on/ })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await button('Create').click();
  const body = {
    name: 'Morning',
    view_id: 7,
    interval: 'day',
    weekday: 1,
    month_day: 1,
    hour: 9,
    recipient_ids: [8],
    channel_ids: [],
    format: 'csv',
    is_on: false,
  };
  await expect.poll(() => writes).toEqual([['POST /api/schedules', body]]);
  await expect.element(page.getByText('2 fields need to be corrected')).toBeVisible();
  for (const message of Object.values(errors).flat()) await expect.element(page.getByText(message)).toBeVisible();
});

it('[ENT-043] a conflict shows fields that belong together as one, and a save over it keeps what was not edited', async () => {
  const current = { ...stored, hour: 9, interval: 'day', is_on: false, version: 3 };
  const answers: Record<string, { status: number; body: object }> = {
    PUT: { status: 412, body: { message: 'It was changed meanwhile.', data: { current } } },
  };
  const { writes, history } = await render('/schedules/3/edit', answers);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Monday figures ');
  await expect.element(page.getByText('Nothing changed')).toBeVisible();
  await name.fill('Figures');
  await button('Save').click();
  const conflict = page.getByRole('dialog', { name: 'Somebody else changed this schedule' });
  await expect.element(conflict.getByRole('row', { name: /^Time at 8 at 9 not changed$/ })).toBeVisible();
  await expect.element(conflict.getByRole('row', { name: /^Switched on On Off not changed$/ })).toBeVisible();
  expect(conflict.getByRole('row').elements()).toHaveLength(3);
  answers['PUT'] = { status: 200, body: { data: { ...current, name: 'Figures', version: 4 } } };
  await button('Save mine over it').click();
  await expect.poll(() => history.location.pathname).toBe('/schedules');
  expect(writes.at(-1)).toMatchObject(['PUT /api/schedules/3', { name: 'Figures', hour: 9, interval: 'day', is_on: false }]);
});

it('[ENT-050] a save whose answer was lost is no change by somebody else when it is repeated', async () => {
  const current = { ...stored, name: 'Figures', version: 3 };
  const { history } = await render('/schedules/3/edit', {
    PUT: { status: 412, body: { message: 'It was changed meanwhile.', data: { current } } },
  });
  await page.getByRole('textbox', { name: 'Name' }).fill('Figures ');
  await button('Save').click();
  await expect.poll(() => history.location.pathname).toBe('/schedules');
  await expect.element(page.getByRole('region', { name: 'Notifications' })).toMatchTextContent(/Schedule "Figures" saved/);
});

it('[ENT-044] a list leads to its pages, and asks before it deletes', async () => {
  const { writes } = await render('/schedules');
  await expect.element(page.getByRole('link', { name: 'Create schedule' })).toHaveAttribute('href', '/schedules/create');
  await expect.element(page.getByRole('link', { name: 'Edit Monday figures' })).toHaveAttribute('href', '/schedules/3/edit');
  await button('Delete Monday figures').click();
  const dialog = page.getByRole('dialog', { name: 'Delete the schedule?' });
  await expect.element(dialog).toMatchTextContent(/Schedule "Monday figures".*Its view stays\./);
  expect(writes).toEqual([]);
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect.element(page.getByRole('region', { name: 'Notifications' })).toMatchTextContent(/Schedule "Monday figures" deleted/);
  expect(writes).toEqual([['DELETE /api/schedules/3', null]]);
});
