import type { RevisionTraffic } from '@switchyard/contract/marks';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { newAppForm } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { bulkRuns, bulkTimings } from '../../../test/bulk-runs.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer, type Account, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
const { ops } = databases.pools;
// Twenty past the hour by the server's offset.
const now = new Date('2026-11-20T10:35:00Z');
let api: TestApi;
let admin: SignedIn;
let server: Awaited<ReturnType<typeof signInAsServer>>;

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt: now, env: { SERVER_UTC_OFFSET: '+05:45' }, background: { timings: bulkTimings } });
  admin = await signIn({ role: 'Super Admin' });
  server = await signInAsServer(databases);
  await api.maintain();
  return async () => api.app.close();
});

const hour = 3_600_000;
const signIn = async (account: Account) => signInAs(databases, { since: api.now(), ...account });
const at = (hours: number): Date => new Date(now.getTime() + hours * hour);

async function ingest(kind: 'events' | 'conversions', rows: readonly object[]): Promise<void> {
  const { body } = await api.call('POST', `/api/ingest/${kind}`, { headers: server.headers, body: { [kind]: rows } });
  expect(body.data?.accepted).toBe(rows.length);
}

const events = (appId: number, count: number, hours: number) =>
  Array.from({ length: count }, () => ({
    id: randomUUID(),
    app_id: appId,
    type: 'create',
    ip: '203.0.113.9',
    date: at(hours).toISOString(),
  }));
const conversions = (appId: number, count: number, hours: number) =>
  Array.from({ length: count }, () => ({
    id: randomUUID(),
    app_id: appId,
    status_conversion: 'deposit',
    created_at: at(hours).toISOString(),
  }));

async function addRevision(
  appId: number,
  hours: number,
  more: { requestId?: string; action?: string; actorId?: number } = {},
): Promise<number> {
  const { rows } = await ops.query<{ id: number }>(
    `insert into audit_entries (entity, entity_id, app_id, action, at, actor_id, request_id) values ('app', $1, $2, $3, $4, $5, $6) returning id`,
    [String(appId), appId, more.action ?? 'update', at(hours), more.actorId ?? admin.accountId, more.requestId ?? null],
  );
  return Number(rows[0]?.id);
}

async function trafficOf(appId: number, revisions: readonly (number | string)[], caller: SignedIn = admin): Promise<RevisionTraffic[]> {
  const { status, body } = await api.call('GET', `/api/apps/${appId}/history/traffic?revision=${revisions.join(',')}`, caller);
  expect(status).toBe(200);
  return body.data;
}

describe('GET apps/{id}/history/traffic', () => {
  it('[MARK-013] compares the day after a change with the day before, without the hour of the change', async () => {
    const [app, other] = [await createApp(databases), await createApp(databases)];
    const revision = await addRevision(app.id, -50);
    // The hour of the change, the hours beside it, and those at both ends, each with another number.
    await ingest('events', [
      ...events(app.id, 100, -50),
      ...events(app.id, 1, -51),
      ...events(app.id, 2, -74),
      ...events(app.id, 40, -75),
      ...events(app.id, 4, -49),
      ...events(app.id, 8, -26),
      ...events(app.id, 60, -25),
      ...events(other.id, 70, -49),
    ]);
    await ingest('conversions', [...conversions(app.id, 2, -51), ...conversions(app.id, 3, -49), ...conversions(app.id, 9, -50)]);
    expect(await trafficOf(app.id, [revision])).toEqual([
      { id: revision, hours: 24, requests: { before: 3, after: 12 }, conversions: { before: 2, after: 3 }, run: null },
    ]);
  });

  it('[MARK-013] compares as many hours as have passed with the same hours of the day before', async () => {
    const app = await createApp(databases);
    const [recent, newest] = [await addRevision(app.id, -4), await addRevision(app.id, 0)];
    await ingest('events', [
      ...events(app.id, 1, -3),
      ...events(app.id, 2, -1),
      ...events(app.id, 50, 0),
      ...events(app.id, 4, -27),
      ...events(app.id, 8, -25),
      ...events(app.id, 60, -28),
      ...events(app.id, 70, -24),
    ]);
    expect(await trafficOf(app.id, [recent, newest])).toEqual([
      { id: recent, hours: 3, requests: { before: 12, after: 3 }, conversions: { before: 0, after: 0 }, run: null },
      { id: newest, hours: 0, requests: null, conversions: null, run: null },
    ]);
  });

  it('[MARK-013] says nothing of a time that retention has dropped, and nothing of entries that are no revisions of the app', async () => {
    const [app, other] = [await createApp(databases), await createApp(databases)];
    const old = await addRevision(app.id, -90 * 24);
    const foreign = await addRevision(other.id, -50);
    const noRevision = await addRevision(app.id, -50, { action: 'export' });
    expect(await trafficOf(app.id, [old, foreign, noRevision, 999_999_999])).toEqual([
      { id: old, hours: 24, requests: null, conversions: null, run: null },
    ]);
    expect(await trafficOf(app.id, [])).toEqual([]);
    expect((await api.call('GET', `/api/apps/${app.id}/history/traffic?revision=x`, admin)).status).toBe(422);
  });

  it('[MARK-014] shows counts to who may see statistics, and only to who may edit the app', async () => {
    const [app, other] = [await createApp(databases), await createApp(databases)];
    const revision = await addRevision(app.id, -50);
    await ingest('events', events(app.id, 3, -49));
    const editor = await signIn({ permissions: ['manager_app_edit'], apps: [app.id] });
    expect(await trafficOf(app.id, [revision], editor)).toEqual([
      { id: revision, hours: 24, requests: null, conversions: null, run: null },
    ]);
    const analyst = await signIn({ permissions: ['manager_app_edit', 'manager_app_statistics'], apps: [app.id] });
    expect((await trafficOf(app.id, [revision], analyst))[0]?.requests).toEqual({ before: 0, after: 3 });
    const status = async (id: number, caller: SignedIn) =>
      (await api.call('GET', `/api/apps/${id}/history/traffic?revision=${revision}`, caller)).status;
    expect(await status(other.id, analyst)).toBe(404);
    expect(await status(999_999, admin)).toBe(404);
    expect(await status(app.id, await signIn({ permissions: ['manager_app_statistics'] }))).toBe(403);
  });

  it('[MARK-005] names the bulk run that made a revision, and whether the caller may open it', async () => {
    const app = (await api.call('POST', '/api/apps', { ...admin, body: newAppForm() })).body.data;
    await api.startJobs();
    const change = { action: 'app.set', params: { vertical: 'finance' } } as const;
    const run = await bulkRuns(() => api).run(admin, change, { keys: [app.id] });
    await api.stopJobs();
    const { body: history } = await api.call('GET', `/api/apps/${app.id}/history`, admin);
    const [changed, created] = history.data.map(({ id }: { id: number }) => id);
    const colleague = await signIn({ role: 'Admin' });
    const runsOf = async (caller: SignedIn) => (await trafficOf(app.id, [changed, created], caller)).map((one) => one.run);
    expect(await runsOf(admin)).toEqual([null, { id: run.id, is_own: true }]);
    expect(await runsOf(colleague)).toEqual([null, { id: run.id, is_own: false }]);
    const claimed = await addRevision(app.id, -1, { requestId: `bulk-${run.id}`, actorId: colleague.accountId });
    expect((await trafficOf(app.id, [claimed]))[0]?.run).toBeNull();
  });
});
