import { blackListMessages } from '@switchyard/contract/black-list';
import type { BulkChange } from '@switchyard/contract/bulk';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { bulkRuns, bulkTimings, startBulkConsole, stopBulkConsole } from '../../../test/bulk-runs.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases, url } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
const runs = bulkRuns(() => api);

beforeAll(async () => {
  api = await startBulkConsole(databases);
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
});

const ban: BulkChange = { action: 'asn.ban', params: { isBanCreate: true } };

let lastCode = 64_000;
/** Adds autonomous systems; gives their codes. */
async function createAsns(count: number): Promise<number[]> {
  const codes = Array.from({ length: count }, () => (lastCode += 1));
  await databases.pools.ui.query(
    `insert into asns (code, domain, name) select code, '', 'Test' from unnest($1::bigint[]) as given (code)`,
    [codes],
  );
  return codes;
}

/** Locks an autonomous system, so that a run stops in front of it until it is let go. */
async function hold(code: number | undefined): Promise<() => Promise<void>> {
  const client = await databases.pools.exports.connect();
  let isHeld = true;
  const release = async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('rollback');
    client.release();
  };
  onTestFinished(release);
  await client.query('begin');
  await client.query('select from asns where code = $1 for update', [code]);
  return release;
}

const countOf = async (id: number): Promise<number> => (await runs.get(id, admin)).result.changed;
/** Number of connections that wait for a lock. */
const countWaiting = async (): Promise<number> => {
  const { rows } = await databases.pools.ops.query<{ waiting: number }>(
    `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting ?? 0;
};
/** Starts a run that stops in front of its 1201st row. */
async function startHeld(caller: SignedIn, codes: readonly number[]) {
  const { id } = await runs.check(caller, ban, { keys: [...codes] });
  const letGo = await hold(codes[1200]);
  expect((await runs.post(`/${id}/start`, caller)).status).toBe(200);
  await expect.poll(async () => (await runs.get(id, caller)).result.changed, soon).toBe(1000);
  await expect.poll(countWaiting, soon).toBe(1);
  return { id, letGo };
}
async function entriesOf(runId: number): Promise<{ total: number; codes: number }> {
  const { rows } = await databases.pools.ui.query<{ total: number; codes: number }>(
    `select count(*) as total, count(distinct entity_id) as codes from audit_entries where request_id = $1`,
    [`bulk-${runId}`],
  );
  return rows[0] ?? { total: 0, codes: 0 };
}

describe('a bulk change that is interrupted', () => {
  it('[BULK-004] goes on after its process was killed, and changes no row twice', async () => {
    const codes = await createAsns(1600);
    const { id } = await runs.check(admin, ban, { keys: codes });
    await stopBulkConsole(api);
    const asker = await buildTestApi({ databases, background: { timings: { ...bulkTimings, pollSeconds: 3600 } } });
    api = asker;
    await asker.startJobs();
    const letGo = await hold(codes[1200]);
    expect((await runs.post(`/${id}/start`, admin)).status).toBe(200);
    const victim = await startWorker();
    await expect.poll(async () => countOf(id), soon).toBe(1000);
    await expect.poll(countWaiting, soon).toBe(1);
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    await letGo();
    await stopBulkConsole(asker);
    expect(await entriesOf(id)).toEqual({ total: 1000, codes: 1000 });
    // As if the time after which a job counts as lost had passed.
    await databases.pools.ui.query(`update jobs.job set started_on = started_on - interval '1 minute' where state = 'active'`);
    api = await startBulkConsole(databases);
    expect(await runs.becomes(id, admin, 'done')).toMatchObject({ total: 1600, result: { changed: 1600 } });
    expect(await entriesOf(id)).toEqual({ total: 1600, codes: 1600 });
  }, 120_000);

  it('[BULK-004] goes on with a check after its process was killed, as soon as with a run', async () => {
    const codes = await createAsns(700);
    const letGo = await hold(codes[620]);
    await stopBulkConsole(api);
    const asker = await buildTestApi({ databases, background: { timings: { ...bulkTimings, pollSeconds: 3600 } } });
    api = asker;
    await asker.startJobs();
    const { id } = (await runs.post('', admin, { change: ban, target: { keys: codes } })).body.data;
    const victim = await startWorker();
    await expect.poll(async () => (await runs.get(id, admin)).check.changed, soon).toBe(500);
    await expect.poll(countWaiting, soon).toBe(1);
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    await letGo();
    await stopBulkConsole(asker);
    // As if the time after which a job counts as lost had passed.
    await databases.pools.ui.query(`update jobs.job set started_on = started_on - interval '1 minute' where state = 'active'`);
    api = await startBulkConsole(databases);
    expect(await runs.becomes(id, admin, 'ready')).toMatchObject({ total: 700, check: { changed: 700 } });
    expect(await entriesOf(id)).toEqual({ total: 0, codes: 0 });
  }, 120_000);

  it('[BULK-004] commits the changes of a chunk with their results', async () => {
    const codes = await createAsns(3);
    const { id } = await runs.check(admin, ban, { keys: codes });
    const client = await databases.pools.exports.connect();
    onTestFinished(() => client.release());
    await client.query('begin');
    await client.query('select from bulk_rows where run_id = $1 and position = 2 for update', [id]);
    expect((await runs.post(`/${id}/start`, admin)).status).toBe(200);
    await expect.poll(countWaiting, soon).toBe(1);
    const { rows } = await databases.pools.ui.query('select from asns where code = any($1) and is_ban_create', [codes]);
    expect([rows.length, (await entriesOf(id)).total]).toEqual([0, 0]);
    await client.query('rollback');
    expect((await runs.becomes(id, admin, 'done')).result.changed).toBe(3);
  });

  it('[BULK-004] goes on when its job was lost', async () => {
    const codes = await createAsns(3);
    const { id } = await runs.check(admin, ban, { keys: codes });
    await databases.pools.ui.query(`update bulk_runs set state = 'running', updated_at = now() - interval '1 hour' where id = $1`, [id]);
    await api.maintain();
    expect((await runs.becomes(id, admin, 'done')).result.changed).toBe(3);
  });

  it('[BULK-004] is cancelled after the chunk under way; what was changed stays and can be undone', async () => {
    const codes = await createAsns(1600);
    const { id, letGo } = await startHeld(admin, codes);
    const cancelling = runs.post(`/${id}/cancel`, admin);
    await expect.poll(countWaiting, soon).toBe(2);
    await letGo();
    expect((await cancelling).status).toBe(200);
    const { result } = await runs.becomes(id, admin, 'cancelled');
    expect([1500, 1600]).toContain(result.changed);
    expect(await entriesOf(id)).toEqual({ total: result.changed, codes: result.changed });
    expect((await runs.undo(admin, id)).result.changed).toBe(result.changed);
    const { rows } = await databases.pools.ui.query('select from asns where code = any($1) and is_ban_create', [codes]);
    expect(rows).toHaveLength(0);
  });

  it.each([
    ['its caller lost the permission', 'You no longer have the permission for this change', 'role_permissions'],
    ['its caller was signed out', 'The sign-in or the token that started the run has ended', 'sessions'],
    ['its caller was denied access', 'The sign-in or the token that started the run has ended', 'accounts'],
  ])('[BULK-006] stops in front of the next chunk when %s', async (_why, problem, table) => {
    const codes = await createAsns(1600);
    const caller = await signInAs(databases, { permissions: ['manager_settings_asns'], since: api.now() });
    const { id, letGo } = await startHeld(caller, codes);
    const statement = {
      role_permissions: `delete from role_permissions where role_id in (select role_id from account_roles where account_id = $1)`,
      sessions: 'delete from sessions where account_id = $1',
      accounts: 'update accounts set has_access = false where id = $1',
    }[table];
    await databases.pools.ui.query(statement ?? '', [caller.accountId]);
    await letGo();
    const state = async () => {
      const { rows } = await databases.pools.ui.query('select state, problem from bulk_runs where id = $1', [id]);
      return rows[0];
    };
    await expect.poll(state, soon).toEqual({ state: 'stopped', problem });
    expect(await entriesOf(id)).toEqual({ total: 1500, codes: 1500 });
  });
});

describe('bulk changes at the same time', () => {
  it('[BULK-004] do not deadlock over the same rows, in several processes', async () => {
    const other = await startBulkConsole(databases);
    onTestFinished(async () => stopBulkConsole(other));
    const apps = await Promise.all(Array.from({ length: 70 }, async () => createApp(databases)));
    const buyers = await Promise.all([0, 1].map(async () => (await signInAs(databases, { panel: 'buyer', apps: [] })).accountId));
    const keys = apps.map(({ id }) => id);
    const changes: BulkChange[] = [
      { action: 'app.set', params: { vertical: 'casino' } },
      { action: 'app.add_buyers', params: { ids: buyers } },
      { action: 'app.add_buyers', params: { ids: buyers.toReversed() } },
    ];
    const callers = await Promise.all(changes.map(async () => signInAs(databases, { role: 'Super Admin', since: api.now() })));
    const checked = await Promise.all(
      changes.map(async (change, index) => {
        const caller = callers[index] ?? admin;
        return { caller, run: await runs.check(caller, change, { keys: index === 1 ? keys.toReversed() : keys }) };
      }),
    );
    const done = await Promise.all(checked.map(async ({ caller, run }) => runs.start(caller, run.id)));
    for (const run of done) expect(run.result.changed + run.result.conflict).toBe(70);
    const { rows } = await databases.pools.ops.query<{ deadlocks: number }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    expect(rows[0]?.deadlocks).toBe(0);
    expect([...api.log(), ...other.log()].filter(({ msg }) => msg === 'Job: failed (will be retried)')).toEqual([]);
  }, 120_000);
});

describe('bulk changes of other entities', () => {
  it('[BULK-008] adds addresses to the black list, removes them, and undoes both', async () => {
    const reasonsOf = async (ips: string[]) => {
      const { rows } = await databases.pools.ui.query('select ip, reason from black_ips where ip = any($1) order by ip', [ips]);
      return rows;
    };
    const ips = ['192.0.2.1', '192.0.2.2'];
    await api.call('POST', '/api/black-list', { ...admin, body: { ips: ['192.0.2.2'], reason: 'Old' } });
    const added = await runs.run(admin, { action: 'black_ip.add', params: { reason: 'New' } }, { keys: [...ips, 'no address'] });
    expect(added.result).toMatchObject({ changed: 2, denied: 1 });
    const { body: denied } = await api.call('GET', `/api/bulk/runs/${added.id}/rows?result=denied`, admin);
    expect(denied.data).toMatchObject([{ key: 'no address', result: { message: 'Not an IP address' } }]);
    expect(await reasonsOf(ips)).toEqual(ips.map((ip) => ({ ip, reason: 'New' })));
    await runs.undo(admin, added.id);
    expect(await reasonsOf(ips)).toEqual([{ ip: '192.0.2.2', reason: 'Old' }]);
    const removed = await runs.run(admin, { action: 'black_ip.delete', params: {} }, { filter: 'search=192.0.2.' });
    expect(removed.result.changed).toBe(1);
    await runs.undo(admin, removed.id);
    expect(await reasonsOf(ips)).toEqual([{ ip: '192.0.2.2', reason: 'Old' }]);
  });

  it('[BAN-107] removes networks and entries that expire, restores them as they were, and adds no protected network', async () => {
    const path = '/api/black-list/entries';
    const listed = async () =>
      (await api.call('GET', `${path}?search=198.19.`, admin)).body.data.map(
        ({ updated_at: _at, created_at: _created, ...row }: object & Record<'updated_at' | 'created_at', string>) => row,
      );
    await api.call('POST', path, {
      ...admin,
      body: { entries: ['198.19.0.0/24', '198.19.7.7'], reason: 'Scan', source: 'DROP', expires_in_hours: 24 },
    });
    const before = await listed();
    expect(before).toHaveLength(2);
    const removed = await runs.run(admin, { action: 'black_ip.delete', params: {} }, { filter: 'search=198.19.' });
    expect([removed.result.changed, await listed()]).toEqual([2, []]);
    await runs.undo(admin, removed.id);
    expect(await listed()).toEqual(before);
    const added = await runs.run(admin, { action: 'black_ip.add', params: { reason: '' } }, { keys: ['127.0.0.0/8', '198.19.1.0/24'] });
    expect(added.result).toMatchObject({ changed: 1, denied: 1 });
  });

  it('[BULK-039] has not changed what somebody else adds while it runs, so its undo leaves that alone', async () => {
    const [free, listed] = ['198.19.9.1', '198.19.9.2'];
    const add = async (entry: string, reason: string) =>
      databases.pools.ui.query(
        `insert into black_ips (ip, reason, source, set_by, created_at, updated_at) values ($1, $2, '', $3, $4, $4)`,
        [entry, reason, admin.accountId, api.now()],
      );
    await add(listed, 'Former');
    const { id } = await runs.check(admin, { action: 'black_ip.delete', params: {} }, { keys: [free, listed] });
    const [row, trail] = [await databases.pools.exports.connect(), await databases.pools.exports.connect()];
    await row.query('begin');
    await row.query('select from black_ips where ip = $1 for update', [listed]);
    expect((await runs.post(`/${id}/start`, admin)).status).toBe(200);
    await expect.poll(countWaiting, soon).toBe(1);
    // From the lock of the row to that of the trail, in the middle of the chunk.
    await trail.query('begin');
    await trail.query('lock table audit_entries in share mode');
    await row.query('rollback');
    row.release();
    const waiting = `select from pg_locks where not granted and relation = 'audit_entries'::regclass`;
    await expect.poll(async () => (await databases.pools.ops.query(waiting)).rowCount, soon).toBe(1);
    await add(free, 'Attack of today');
    await trail.query('rollback');
    trail.release();
    expect((await runs.becomes(id, admin, 'done')).result).toMatchObject({ changed: 1, already: 1 });
    expect((await runs.undo(admin, id)).result).toMatchObject({ changed: 1 });
    const { body } = await api.call('GET', '/api/black-list/entries?search=198.19.9.', admin);
    expect(body.data.map(({ entry, reason }: Record<string, string>) => [entry, reason]).toSorted()).toEqual([
      [free, 'Attack of today'],
      [listed, 'Former'],
    ]);
  });

  it('[BULK-037] restores no entry that has expired meanwhile, and writes no entry of the trail for it', async () => {
    const ends = new Date(api.now().getTime() + 60_000).toISOString();
    const keys = ['198.19.8.7', '198.19.8.0/24'];
    await api.call('POST', '/api/black-list/entries', { ...admin, body: { entries: keys, expires_at: ends } });
    const removed = await runs.run(admin, { action: 'black_ip.delete', params: {} }, { keys });
    api.wait(61_000);
    const undone = await runs.undo(admin, removed.id);
    expect([undone.result.denied, (await entriesOf(undone.id)).total]).toEqual([2, 0]);
    const [row] = await runs.rows(undone.id, admin);
    expect(row?.result?.message).toBe(blackListMessages.past);
  });

  it('[BULK-038] is kept as long as its undo, and deleted with it', async () => {
    const done = await runs.run(admin, ban, { keys: await createAsns(2) });
    const age = async (id: number) =>
      databases.pools.ui.query(`update bulk_runs set created_at = created_at - interval '31 days' where id = $1`, [id]);
    await age(done.id);
    const undo = await runs.undo(admin, done.id);
    const statusOf = async (id: number) => (await api.call('GET', `/api/bulk/runs/${id}`, admin)).status;
    await api.maintain();
    expect([await statusOf(done.id), await statusOf(undo.id)]).toEqual([200, 200]);
    await age(undo.id);
    await api.maintain();
    expect([await statusOf(done.id), await statusOf(undo.id)]).toEqual([404, 404]);
  });

  it('[BAN-107] makes an entry that expires stay, also with the same reason, and restores its end and source', async () => {
    const entries = ['198.18.3.0/24', '198.18.3.7'];
    const listed = async () => {
      const rows: Record<string, unknown>[] = (await api.call('GET', '/api/black-list/entries?search=198.18.3.', admin)).body.data;
      return rows.map(({ entry, reason, source, expires_at: end }) => ({ entry, reason, source, end }));
    };
    await api.call('POST', '/api/black-list/entries', { ...admin, body: { entries, reason: 'Scan', source: 'DROP', expires_in_hours: 1 } });
    const before = await listed();
    expect(before.map(({ end }) => typeof end)).toEqual(['string', 'string']);
    const change: BulkChange = { action: 'black_ip.add', params: { reason: 'Scan' } };
    const added = await runs.run(admin, change, { keys: entries });
    expect([added.check.changed, added.result.changed]).toEqual([2, 2]);
    expect(await listed()).toEqual(before.map((row) => ({ ...row, source: '', end: null })));
    expect((await runs.run(admin, change, { keys: entries })).result).toMatchObject({ changed: 0, already: 2 });
    await runs.undo(admin, added.id);
    expect(await listed()).toEqual(before);
  });

  it('[BULK-001, BULK-008] takes addresses in any spelling, and keeps one that somebody else adds meanwhile', async () => {
    const add: BulkChange = { action: 'black_ip.add', params: { reason: 'Bulk' } };
    const checked = await runs.check(admin, add, { keys: ['2001:DB8::0:1', '2001:db8::1', '::ffff:192.0.2.77'] });
    expect((await runs.rows(checked.id, admin)).map(({ key }) => key)).toEqual(['192.0.2.77', '2001:db8::1']);
    const other = await databases.pools.exports.connect();
    onTestFinished(() => other.release());
    await other.query('begin');
    await other.query(`insert into black_ips (ip, reason) values ('192.0.2.77', 'Somebody else')`);
    expect((await runs.post(`/${checked.id}/start`, admin)).status).toBe(200);
    await expect.poll(countWaiting, soon).toBe(1);
    await other.query('commit');
    expect(await runs.becomes(checked.id, admin, 'done')).toMatchObject({ result: { changed: 1, denied: 1 } });
    const [row] = await runs.rows(checked.id, admin, 'result=denied');
    expect(row).toMatchObject({ key: '192.0.2.77', result: { message: 'Changed since the check' } });
    expect((await entriesOf(checked.id)).total).toBe(1);
    await runs.undo(admin, checked.id);
    const { rows } = await databases.pools.ui.query(`select ip, reason from black_ips where ip in ('192.0.2.77', '2001:db8::1')`);
    expect(rows).toEqual([{ ip: '192.0.2.77', reason: 'Somebody else' }]);
  });

  it('[BULK-001, BULK-008] bans autonomous systems by the codes of Top values, but none that the registry does not have', async () => {
    const [code = 0] = await createAsns(1);
    const change: BulkChange = { action: 'asn.ban', params: { isBanCreate: true, isBanReceive: true } };
    const done = await runs.run(admin, change, { keys: [String(code), '4199999999'] });
    expect((await runs.rows(done.id, admin)).map(({ key, label, result }) => [key, label, result])).toEqual([
      [String(code), `AS${code} Test`, { result: 'changed', message: null }],
      ['4199999999', '', { result: 'denied', message: 'Not found' }],
    ]);
    // The value of addresses that belong to none.
    expect((await runs.post('', admin, { change, target: { keys: [''] } })).status).toBe(422);
  });

  it('[BULK-008] bans the autonomous systems that match, and frees them by an undo', async () => {
    const codes = await createAsns(2);
    await databases.pools.ui.query('update asns set name = $2 where code = any($1)', [codes, 'Bulk Hosting']);
    const done = await runs.run(admin, { action: 'asn.ban', params: { isBanReceive: true } }, { filter: 'search=bulk hosting' });
    expect(done.result.changed).toBe(2);
    expect((await runs.undo(admin, done.id)).result.changed).toBe(2);
  });

  it('[BULK-008] denies accounts access, but neither oneself nor those above oneself', async () => {
    const [user, buyer] = [await signInAs(databases, { role: 'Log Reviewer' }), await signInAs(databases, { panel: 'buyer', apps: [] })];
    const caller = await signInAs(databases, { role: 'Admin', since: api.now() });
    const keys = [user.accountId, buyer.accountId, admin.accountId, caller.accountId];
    const done = await runs.run(caller, { action: 'account.set_access', params: { hasAccess: false } }, { keys });
    expect(done.result).toMatchObject({ changed: 2, denied: 2 });
    expect((await api.call('GET', '/api/time', user)).status).toBe(401);
    expect((await runs.undo(caller, done.id)).result.changed).toBe(2);
    const refusal = await runs.post('', caller, {
      change: { action: 'account.set_access', params: { hasAccess: false } },
      target: { filter: '' },
    });
    expect(refusal.status).toBe(422);
  });
});

async function startWorker(): Promise<ChildProcess> {
  const script = join(import.meta.dirname, '../../../test/bulk-worker-process.ts');
  const child = spawn(process.execPath, [script, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}
