import { messages } from '@switchyard/contract/envelope';
import { scheduleLimits, scheduleMessages } from '@switchyard/contract/schedules';
import { beforeAll, expect, it } from 'vitest';
import { buildTestApi } from '../../test/build-test-api.ts';
import { signInAs, type SignedIn } from '../../test/sign-in-as.ts';
import { createTestDatabase } from '../../test/test-database.ts';

// Schedules show what these commands do, because they add least to them.
const { databases } = await createTestDatabase();
const env = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'console@example.com' };
const api = await buildTestApi({ databases, env, background: { timings: { pollSeconds: 60, expireSeconds: 60, superviseSeconds: 60 } } });
const { ops } = databases.pools;

beforeAll(async () => {
  await api.startJobs();
  return api.stopJobs;
});

async function createView(owner: SignedIn): Promise<number> {
  const columns = { hidden: [], widths: {} };
  const body = { list: 'apps', name: 'Active', query: 'status=active', columns, sharing: 'private', role_ids: [] };
  return (await api.call('POST', '/api/views', { headers: owner.headers, body })).body.data.id;
}

async function scene() {
  const owner = await signInAs(databases, { permissions: ['manager_app_edit', 'manager_user_edit'], since: api.now() });
  const view_id = await createView(owner);
  const fields = {
    name: 'Morning',
    view_id,
    interval: 'day',
    weekday: 1,
    month_day: 1,
    hour: 8,
    recipient_ids: [owner.accountId],
    channel_ids: [],
    format: 'csv',
    is_on: true,
  };
  const send = async (method: 'POST' | 'PUT' | 'DELETE', id: number | null, body: object = {}, version?: number) => {
    const headers = { ...owner.headers, ...(version !== undefined && { 'if-match': `"v${version}"` }) };
    return api.call(method, `/api/schedules${id === null ? '' : `/${id}`}`, { headers, body });
  };
  const created = await send('POST', null, fields);
  const id: number = created.body.data.id;
  const entries = async () => {
    const { rows } = await ops.query(`select action, changes from audit_entries where entity = 'schedule' and entity_id = $1 order by id`, [
      String(id),
    ]);
    return rows;
  };
  const fill = async (count: number) =>
    ops.query(
      `insert into schedules (owner_id, view_id, name, "interval", weekday, month_day, hour, is_on, next_run_at, created_at, updated_at)
       select $1, $2, 'x', 'day', 1, 1, 1, false, now(), now(), now() from generate_series(1, $3)`,
      [owner.accountId, view_id, count],
    );
  return { id, fields, send, entries, fill };
}

const unknownView = { view_id: 987_654 };

it('[ENT-041] an unknown entity is 404, then an old version 412 with the present one, then a value that does not fit 422', async () => {
  const { id, send } = await scene();
  expect(await send('PUT', 987_654, unknownView, 9)).toMatchObject({ status: 404 });
  const stale = await send('PUT', id, unknownView, 9);
  expect(stale).toMatchObject({ status: 412, body: { message: messages.stale, data: { current: { id, name: 'Morning', version: 1 } } } });
  const invalid = await send('PUT', id, unknownView, 1);
  expect(invalid).toMatchObject({ status: 422, body: { errors: { view_id: [scheduleMessages.view] } } });
});

it('[ENT-041] of two that are created at once only one takes the last place, and one too many says no more than that', async () => {
  const { fields, send, fill } = await scene();
  await fill(scheduleLimits.perAccount - 2);
  const both = await Promise.all([send('POST', null, fields), send('POST', null, fields)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
  const tooMany = await send('POST', null, { ...fields, ...unknownView });
  expect(tooMany).toMatchObject({ status: 422, body: { errors: { name: [scheduleMessages.tooMany] } } });
  expect(Object.keys(tooMany.body.errors)).toEqual(['name']);
});

it('[ENT-042] a save records and writes what differs; one that changes nothing leaves the version and the trail', async () => {
  const { id, fields, send, entries } = await scene();
  expect((await send('PUT', id, fields, 1)).body.data).toMatchObject({ version: 1 });
  await ops.query(`update schedules set month_day = 9 where id = $1`, [id]);
  const saved = await send('PUT', id, { hour: 9, name: 'Noon', is_on: true }, 1);
  expect(saved.body.data).toMatchObject({ name: 'Noon', hour: 9, month_day: 9, version: 2 });
  expect(await send('DELETE', id)).toMatchObject({ status: 204 });
  expect(await send('DELETE', id)).toMatchObject({ status: 404 });
  expect(await entries()).toEqual([
    { action: 'create', changes: Object.entries(fields).map(([field, to]) => ({ field, from: null, to })) },
    {
      action: 'update',
      changes: [
        { field: 'name', from: 'Morning', to: 'Noon' },
        { field: 'hour', from: 8, to: 9 },
      ],
    },
    { action: 'delete', changes: [] },
  ]);
});

it('[ENT-047] a save replaces the rows that an entity references, and records their ids', async () => {
  const { id, fields, send, entries } = await scene();
  const { accountId: other } = await signInAs(databases, { permissions: ['manager_app_edit'] });
  const saves = [await send('PUT', id, { recipient_ids: [other] }), await send('PUT', id, { recipient_ids: [other] })];
  for (const { body } of saves) expect(body.data).toMatchObject({ recipients: [{ id: other }], version: 2 });
  expect((await entries()).slice(1)).toEqual([
    { action: 'update', changes: [{ field: 'recipient_ids', from: fields.recipient_ids, to: [other] }] },
  ]);
});
