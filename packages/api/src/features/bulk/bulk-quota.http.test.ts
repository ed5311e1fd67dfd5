import { bulkLimits, bulkMessages, type BulkChange } from '@switchyard/contract/bulk';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bulkRuns, startBulkConsole, stopBulkConsole } from '../../../test/bulk-runs.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
const setVertical: BulkChange = { action: 'app.set', params: { vertical: 'casino' } };

async function startConsole() {
  const api = await startBulkConsole(databases);
  onTestFinished(async () => stopBulkConsole(api));
  const admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  const { id } = await createApp(databases);
  const post = async (path = '', body: object = { change: setVertical, target: { keys: [id] } }) =>
    api.call('POST', `/api/bulk/runs${path}`, { ...admin, body });
  return { api, admin, post };
}

const storedRows = async (accountId: number) => {
  const { rows } = await databases.pools.ui.query<{ rows: number; counted: number }>(
    `select count(row.*)::int as rows, (select sum(row_count)::int from bulk_runs where account_id = $1) as counted
     from bulk_runs run join bulk_rows row on row.run_id = run.id where run.account_id = $1`,
    [accountId],
  );
  return rows[0];
};

describe('the quota of bulk runs', () => {
  it('[BULK-017] is three unfinished runs, 60 runs in an hour and 500,000 stored rows; cancelled checks store none', async () => {
    const { api, admin, post } = await startConsole();
    const ids: number[] = [];
    for (let run = 0; run < bulkLimits.unfinished; run += 1) {
      const { id } = (await post()).body.data;
      await bulkRuns(() => api).becomes(id, admin, 'ready');
      ids.push(id);
    }
    await databases.pools.ui.query(`update bulk_runs set state = 'checking' where id = any($1)`, [ids]);
    const fourth = await post();
    expect([fourth.status, fourth.body.message]).toEqual([409, bulkMessages.unfinished]);
    for (const id of ids) expect((await post(`/${id}/cancel`, {})).status).toBe(200);
    expect(await storedRows(admin.accountId)).toEqual({ rows: 0, counted: 0 });

    api.wait(60_000);
    for (let run = ids.length; run < bulkLimits.perHour; run += 1) await post(`/${(await post()).body.data.id}/cancel`, {});
    const beyond = await post();
    expect([beyond.status, beyond.body.message, beyond.headers['retry-after']]).toEqual([429, bulkMessages.perHour, String(3_600 - 60)]);
    api.wait(3_600_000 - 60_000);
    const { id } = (await post()).body.data;
    await databases.pools.ui.query('update bulk_runs set row_count = $2 where id = $1', [id, bulkLimits.stored]);
    const full = await post();
    expect([full.status, full.body.message, full.headers['retry-after']]).toEqual([429, bulkMessages.stored, '3600']);
  });

  it('[BULK-018] a run stops when its account needs a second factor that it does not have', async () => {
    const { api, admin, post } = await startConsole();
    const { id } = (await post()).body.data;
    await bulkRuns(() => api).becomes(id, admin, 'ready');
    await databases.pools.ui.query('update sign_in_rules set all_staff_need_second_factor = true');
    onTestFinished(async () => void (await databases.pools.ui.query('update sign_in_rules set all_staff_need_second_factor = false')));
    await databases.pools.ui.query(`update bulk_runs set state = 'checking', updated_at = now() - interval '1 hour' where id = $1`, [id]);
    await api.maintain();
    await expect
      .poll(async () => (await databases.pools.ui.query('select state, problem from bulk_runs where id = $1', [id])).rows[0], {
        timeout: 20_000,
      })
      .toEqual({ state: 'stopped', problem: bulkMessages.signedOut });
    expect(await storedRows(admin.accountId)).toEqual({ rows: 0, counted: 0 });
  });
});

describe('a run', () => {
  it('[BULK-019] says what is true of every row, whatever changed between check and run, and has one undo', async () => {
    const api = await startBulkConsole(databases);
    onTestFinished(async () => stopBulkConsole(api));
    const admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    const runs = bulkRuns(() => api);
    const save = async (id: number, body: object) => api.call('PUT', `/api/apps/${id}`, { ...admin, body });
    const kinds = { changed: { vertical: 'bet' }, already: { vertical: 'casino' }, denied: { deleted_at: new Date() } } as const;
    const kind = fc.constantFrom('changed', 'already', 'denied');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(kind, fc.boolean()), { minLength: 6, maxLength: 6 }), async (rows) => {
        const apps = [];
        for (const [outcome, isEdited] of rows) apps.push({ ...(await createApp(databases, kinds[outcome])), outcome, isEdited });
        const checked = await runs.check(admin, setVertical, { keys: apps.map(({ id }) => id) });
        for (const { id, outcome, isEdited } of apps) {
          if (!isEdited) continue;
          if (outcome === 'denied') await api.call('PUT', `/api/apps/${id}/restore`, admin);
          else expect((await save(id, { vertical: 'finance' })).status).toBe(200);
        }
        await runs.start(admin, checked.id);
        const results = await runs.rows(checked.id, admin);
        expect(results.map(({ check, result }) => [check?.result, result?.result])).toEqual(
          apps.map(({ outcome, isEdited }) => [outcome, isEdited ? 'conflict' : outcome]),
        );
        const undo = await runs.post(`/${checked.id}/undo`, admin);
        const again = await runs.post(`/${checked.id}/undo`, admin);
        expect([undo.status, again.status, again.body.data?.id]).toEqual([201, 201, undo.body.data.id]);
        await runs.becomes(undo.body.data.id, admin, 'ready');
        await runs.post(`/${undo.body.data.id}/cancel`, admin);
        expect((await runs.post(`/${checked.id}/undo`, admin)).body.data.id).not.toBe(undo.body.data.id);
      }),
      { numRuns: 3 },
    );
  });
});

describe('a target', () => {
  it('[BULK-020] names unknown parameters, and says all where a filter chooses nothing by itself', async () => {
    const { api, admin, post } = await startConsole();
    const check = async (target: object, change: BulkChange = setVertical) => post('', { change, target });
    const unknown = await check({ filter: 'serach=lucky&search=a' });
    expect([unknown.status, unknown.body.errors]).toEqual([422, { serach: ['Unknown parameter.'] }]);
    const lockOut: BulkChange = { action: 'account.set_access', params: { hasAccess: false } };
    expect((await check({ filter: 'panel=user&acces=0' }, lockOut)).body.errors).toEqual({ acces: ['Unknown parameter.'] });
    const nothing = ['vertical=,', 'buyerId=%20,%20', 'search=lucky&search=%20', 'search=lucky&search=%E2%80%8B', 'vertical=&vertical=%20'];
    for (const filter of ['', 'search=&isCache=0', 'page=2&limit=50&orderBy=keyId', ...nothing])
      expect((await check({ filter })).body.errors).toEqual({ target: [bulkMessages.choosesAll] });
    expect((await check({ filter: 'panel=user' }, lockOut)).status).toBe(422);
    expect((await check({})).status).toBe(422);
    const active = await createApp(databases, { name: 'Lucky one' });
    for (const key of [`${active.id}.0`, 'x'])
      expect((await check({ all: true, except: [key] })).body.errors).toEqual({ target: [bulkMessages.malformedException(key)] });
    const found = await check({ filter: 'search=lucky&page=2&limit=50&orderBy=keyId' });
    expect([found.status, found.body.data.total]).toEqual([201, 1]);
    const { rows } = await databases.pools.ui.query<{ total: number }>('select count(*)::int as total from apps where deleted_at is null');
    const all = await check({ all: true, except: [active.id] });
    expect([all.status, all.body.data.total]).toEqual([201, (rows[0]?.total ?? 0) - 1]);
    const many = Array.from({ length: 40 }, (_, at) => `x${at}=1`).join('&');
    expect(Object.keys((await check({ filter: many })).body.errors)).toHaveLength(20);
    const spelled = await check({ all: true, except: [`0${active.id}`] });
    expect([spelled.status, spelled.body.data.total]).toEqual([201, all.body.data.total]);
    expect((await api.call('GET', '/api/apps?serach=lucky', admin)).status).toBe(200);
  });
});
