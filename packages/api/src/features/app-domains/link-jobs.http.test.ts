import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSimulatedProvisioner } from '../../adapters/domain-provisioner/domain-provisioner.ts';
import { createHttpProvisioner } from '../../adapters/domain-provisioner/http-provisioner.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { startFakeTrafficServer, type Behaviour, type FakeTrafficServer } from '../../../test/fake-traffic-server.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases, url } = await createTestDatabase();
const timings = { pollSeconds: 0.5, expireSeconds: 30, superviseSeconds: 1 };
const token = randomBytes(24).toString('base64url');
let edge: FakeTrafficServer;
let serverId: number;
let admin: SignedIn;

beforeAll(async () => {
  edge = await startFakeTrafficServer(token);
  serverId = (await signInAsServer(databases, { token })).serverId;
  await databases.db.updateTable('traffic_servers').set({ url: edge.url }).where('id', '=', serverId).execute();
  admin = await signInAs(databases, { role: 'Super Admin' });
  return async () => edge.stop();
});
afterEach(() => edge.reset());

/** Speaks with real servers; a busy machine is no reason to ask twice, unless a test is about silence. */
const speaking = (timeoutMilliseconds: number) =>
  createHttpProvisioner({ now: () => new Date(), networks: ['127.0.0.1'], timeoutMilliseconds });

/** A process of the console. */
async function startConsole(background: Parameters<typeof buildTestApi>[0]['background'] = {}): Promise<TestApi> {
  const api = await buildTestApi({
    databases,
    background: { timings, provisioner: speaking(20_000), retrySeconds: [0, 0], ...background },
  });
  await api.startJobs();
  onTestFinished(async () => {
    await api.stopJobs();
    await api.app.close();
  });
  return api;
}

const post = async (api: TestApi, domain: string, isOnlyCF = false) =>
  api.call('POST', '/api/app/add-domain', { ...admin, body: { domain, serverId, isOnlyCF } });
const findRow = async (id: number) => databases.db.selectFrom('check_domains').selectAll().where('id', '=', id).executeTakeFirst();
const becomes = async (id: number, status: string) => vi.waitFor(async () => expect((await findRow(id))?.status).toBe(status), soon);
const happens = async (test: () => void) => vi.waitFor(test, soon);
const jobsLeft = async () => {
  const { rows } = await databases.pools.ui.query<{ left: number }>(
    `select count(*) as left from jobs.job where state in ('created', 'retry', 'active') and start_after < now() + interval '1 minute'`,
  );
  return rows[0]?.left;
};
const idle = async () => vi.waitFor(async () => expect(await jobsLeft()).toBe(0), soon);
const actionsOf = (domain: string) => edge.calls.filter((call) => call.domain === domain).map((call) => call.action);

describe('linking', () => {
  it('[DOM-001] goes through add, bind, ssl and ok, with one call to the server for each', async () => {
    const api = await startConsole();
    const app = await createApp(databases);
    edge.plan('ssl', { status: 202, body: { retry_after: 1 } }, { status: 200, body: { ssl_at: '2027-02-01T00:00:00Z' } });
    const { id } = (await post(api, app.domain, true)).body.data;
    await becomes(id, 'ok');
    expect(await findRow(id)).toMatchObject({
      is_bind: true,
      registrar: 'Namecheap',
      ssl_at: new Date('2027-02-01T00:00:00Z'),
      error: null,
      next_stage_at: null,
    });
    expect(actionsOf(app.domain)).toEqual(['add', 'bind', 'ssl', 'ssl']);
    expect(edge.calls.every((call) => call.isGenuine && call.only_cloudflare && call.server_id === serverId)).toBe(true);
    expect(new Set(edge.calls.map((call) => call.id)).size).toBe(3);
  });

  const failures: [string, Behaviour, string][] = [
    ['500', { status: 500, body: { message: 'No room' } }, 'The server answered 500: No room'],
    ['silence', 'silent', 'The server did not answer within 1 seconds'],
    ['broken JSON', { status: 200, text: '{"a":' }, 'The answer of the server cannot be read'],
    ['an answer that breaks off', 'cut midway', 'The server could not be reached: the connection broke off'],
    [
      'a redirect',
      { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
      'The server redirects elsewhere (307), which is not followed',
    ],
  ];
  it('[DOM-012] ends in err_add, err_bind or err_ssl with the message, after tries with pauses between them', async () => {
    const api = await startConsole();
    for (const stage of ['add', 'bind', 'ssl'] as const) {
      const [, behaviour, message] = failures[stage === 'add' ? 0 : stage === 'bind' ? 2 : 3] ?? [];
      if (behaviour === undefined) throw new Error('There is no such failure');
      const app = await createApp(databases);
      edge.plan(stage, behaviour, behaviour, behaviour);
      const { id } = (await post(api, app.domain)).body.data;
      await becomes(id, `err_${stage}`);
      expect(await findRow(id)).toMatchObject({ error: message, next_stage_at: null, is_bind: stage === 'ssl' });
      expect(actionsOf(app.domain).filter((action) => action === stage)).toHaveLength(3);
    }
  });

  it('succeeds when each of these happens in between, asking with the same id again', async () => {
    const api = await startConsole({ provisioner: speaking(1000), retrySeconds: Array.from({ length: 20 }, () => 0) });
    edge.plan('bind', ...failures.map(([, behaviour]) => behaviour));
    const apps = await Promise.all(failures.map(async () => createApp(databases)));
    const ids = await Promise.all(apps.map(async (app): Promise<number> => (await post(api, app.domain)).body.data.id));
    await Promise.all(ids.map(async (id) => becomes(id, 'ok')));
    const binds = edge.calls.filter((call) => call.action === 'bind');
    expect(new Set(binds.map((call) => call.id)).size).toBe(5);
    // Five failed; a busy machine may be taken for a silent server besides.
    expect(binds.length).toBeGreaterThanOrEqual(10);
  });

  it('stops after a rejection of the server, shows when it tries again, and succeeds on a restart', async () => {
    const api = await startConsole({ retrySeconds: [3600] });
    const app = await createApp(databases);
    edge.plan('add', { status: 422, body: { message: 'Quota reached' } }, { status: 503 });
    const { id } = (await post(api, app.domain)).body.data;
    await becomes(id, 'err_add');
    expect(await findRow(id)).toMatchObject({ error: 'The server answered 422: Quota reached' });
    const again = await post(api, app.domain);
    expect(again.body.data).toMatchObject({ id, status: 'add', error: null });
    await happens(() => expect(actionsOf(app.domain)).toHaveLength(2));
    await vi.waitFor(async () => expect((await findRow(id))?.ticket).toBe(4), soon);
    const waiting = await findRow(id);
    expect(waiting?.status).toBe('add');
    expect((waiting?.next_stage_at?.getTime() ?? 0) - api.now().getTime()).toBeGreaterThan(3500_000);
    expect((await api.call('DELETE', `/api/app/add-domain/${id}`, admin)).status).toBe(204);
    await happens(() => expect(actionsOf(app.domain)).toEqual(['add', 'add', 'delete']));
  });

  it('goes through the same states with the simulation, names itself and contacts no server', async () => {
    const api = await startConsole({ provisioner: createSimulatedProvisioner({ now: () => new Date(), stageSeconds: 0 }) });
    const app = await createApp(databases);
    const { id } = (await post(api, app.domain)).body.data;
    await becomes(id, 'ok');
    expect(await findRow(id)).toMatchObject({ registrar: 'Simulated', is_bind: true, ssl_at: expect.any(Date) });
    expect(edge.calls).toEqual([]);
  });
});

describe('what happens while a job is under way', () => {
  /** A link whose `add` the server holds until it is let go. */
  async function heldLink(api: TestApi) {
    const app = await createApp(databases);
    const heldCall = Promise.withResolvers<() => void>();
    edge.plan('add', (response) => heldCall.resolve(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')));
    const { id } = (await post(api, app.domain)).body.data;
    return { app, id, letGo: await heldCall.promise };
  }

  it('[DOM-007] unlinked, the link stays removed and the domain is removed from the server afterwards', async () => {
    const api = await startConsole();
    const { app, id, letGo } = await heldLink(api);
    expect((await api.call('DELETE', `/api/app/add-domain/${id}`, admin)).status).toBe(204);
    letGo();
    await idle();
    expect(await findRow(id)).toBeUndefined();
    expect(actionsOf(app.domain)).toEqual(['add', 'delete']);
  });

  it('unlinked and linked again, the new link is not taken off the server', async () => {
    const api = await startConsole();
    const { app, id, letGo } = await heldLink(api);
    await api.call('DELETE', `/api/app/add-domain/${id}`, admin);
    const next = (await post(api, app.domain)).body.data.id;
    letGo();
    await becomes(next, 'ok');
    await idle();
    expect(actionsOf(app.domain)).toEqual(['add', 'add', 'bind', 'ssl']);
    expect(await findRow(id)).toBeUndefined();
  });

  it('archived, the app is linked no further and says why', async () => {
    const api = await startConsole();
    const { app, id, letGo } = await heldLink(api);
    expect((await api.call('DELETE', `/api/apps/${app.id}`, admin)).status).toBe(204);
    letGo();
    await becomes(id, 'err_bind');
    expect(await findRow(id)).toMatchObject({ error: 'The app was archived while it was being linked' });
    expect(actionsOf(app.domain)).toEqual(['add']);
    await api.call('PUT', `/api/apps/${app.id}/restore`, admin);
    expect((await post(api, app.domain)).body.data).toMatchObject({ id, status: 'add', error: null });
    await becomes(id, 'ok');
  });

  it('deleted, the server is asked nothing more and its link does not move', async () => {
    const api = await startConsole();
    const { app, id, letGo } = await heldLink(api);
    const { db } = databases;
    await db.updateTable('traffic_servers').set({ deleted_at: new Date() }).where('id', '=', serverId).execute();
    onTestFinished(async () => {
      await db.updateTable('traffic_servers').set({ deleted_at: null }).where('id', '=', serverId).execute();
    });
    await db.deleteFrom('check_domains').where('id', '=', id).execute();
    letGo();
    await idle();
    expect(await findRow(id)).toBeUndefined();
    expect(actionsOf(app.domain)).toEqual(['add']);
  });

  it('[R1] stopped in order, the process leaves the job to the next one at once', async () => {
    const first = await startConsole();
    const { app, id, letGo } = await heldLink(first);
    await first.stopJobs();
    letGo();
    expect((await findRow(id))?.status).toBe('add');
    await startConsole();
    await becomes(id, 'ok');
    const adds = edge.calls.filter((call) => call.domain === app.domain && call.action === 'add');
    expect([adds.length, new Set(adds.map((call) => call.id)).size]).toEqual([2, 1]);
  });

  it('[R1] killed midway, a process leaves the link as it was, and the next one brings it to ok', async () => {
    const app = await createApp(databases);
    const serverReached = Promise.withResolvers<void>();
    edge.plan('bind', () => serverReached.resolve());
    const idlePolls = { pollSeconds: 60, expireSeconds: 30, superviseSeconds: 60 };
    const asker = await buildTestApi({ databases, background: { timings: idlePolls } });
    await asker.startJobs();
    const victim = await startWorker();
    const { id } = (await post(asker, app.domain)).body.data;
    await asker.stopJobs();
    await asker.app.close();
    await serverReached.promise;
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    expect((await findRow(id))?.status).toBe('bind');
    // As if the time after which a job counts as lost had passed.
    await databases.pools.ui.query(`update jobs.job set started_on = started_on - interval '1 minute' where state = 'active'`);
    await startWorker();
    await becomes(id, 'ok');
    expect(actionsOf(app.domain)).toEqual(['add', 'bind', 'bind', 'ssl']);
    expect(new Set(edge.calls.map((call) => call.id)).size).toBe(3);
  }, 180_000);

  it('takes up a link whose job was lost, and only when it is overdue', async () => {
    const api = await startConsole();
    const [lostApp, waiting] = [await createApp(databases), await createApp(databases)];
    const add = async (appId: number, next: Date) =>
      (
        await databases.db
          .insertInto('check_domains')
          .values({ app_id: appId, server_id: serverId, status: 'bind', next_stage_at: next, ssl_at: null, registrar: null, error: null })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const ago = (milliseconds: number) => new Date(api.now().getTime() - milliseconds);
    const ids = [await add(lostApp.id, ago(130_000)), await add(waiting.id, ago(60_000))] as const;
    await api.maintain();
    await becomes(ids[0], 'ok');
    expect(actionsOf(lostApp.domain)).toEqual(['bind', 'ssl']);
    expect(await findRow(ids[1])).toMatchObject({ status: 'bind', ticket: 1 });
  });

  it('several processes do each stage once', async () => {
    const [api] = [await startConsole(), await startConsole(), await startConsole()];
    const apps = await Promise.all(Array.from({ length: 6 }, async () => createApp(databases)));
    const ids = await Promise.all(apps.map(async (app): Promise<number> => (await post(api, app.domain)).body.data.id));
    await Promise.all(ids.map(async (id) => becomes(id, 'ok')));
    for (const app of apps) expect(actionsOf(app.domain)).toEqual(['add', 'bind', 'ssl']);
  });
});

describe('a change of the domain of a linked app', () => {
  /** Retries wait an hour, or until the test lets them run. */
  const patient = { retrySeconds: [3600] };
  const retryNow = async () => databases.pools.ui.query(`update jobs.job set start_after = now() where state = 'created'`);
  const changeDomain = async (api: TestApi, id: number, domain: string) => {
    const answer = await api.call('PUT', `/api/apps/${id}`, { ...admin, body: { domain } });
    expect(answer.status).toBe(200);
    return answer.body.data;
  };
  const nextDomain = () => `${randomBytes(5).toString('hex')}.example`;
  const stepsOf = (...names: string[]) =>
    edge.calls.filter((call) => names.includes(call.domain)).map((call) => `${call.action} ${call.domain}`);
  const linkedSteps = (domain: string) => [`add ${domain}`, `bind ${domain}`, `ssl ${domain}`];
  async function linkedApp(api: TestApi) {
    const app = await createApp(databases);
    const { id: linkId } = (await post(api, app.domain)).body.data;
    await becomes(linkId, 'ok');
    return { ...app, linkId };
  }

  it('[DOM-019] removes the former domain from the server, links the next one, and an unlink removes that one', async () => {
    const api = await startConsole();
    const { id, domain, linkId } = await linkedApp(api);
    const next = nextDomain();
    const saved = await changeDomain(api, id, next);
    expect(saved.check_domains).toMatchObject([{ id: linkId, status: 'add', is_bind: false, ssl_at: null, registrar: null, error: null }]);
    await becomes(linkId, 'ok');
    await api.call('DELETE', `/api/app/add-domain/${linkId}`, admin);
    await idle();
    expect(stepsOf(domain, next)).toEqual([...linkedSteps(domain), `delete ${domain}`, ...linkedSteps(next), `delete ${next}`]);
    const trail = await databases.db
      .selectFrom('audit_entries')
      .select(['action', 'changes'])
      .where('app_id', '=', id)
      .orderBy('id')
      .execute();
    expect(trail.map(({ action }) => action)).toEqual(['link', 'restart', 'update', 'unlink']);
    expect(trail[1]?.changes).toEqual([
      { field: 'domain', from: domain, to: next },
      { field: 'status', from: 'ok', to: 'add' },
    ]);
  });

  it('[DOM-019] takes the place of what the server was asked to do, with other idempotency keys', async () => {
    const api = await startConsole();
    const app = await createApp(databases);
    edge.plan('bind', { status: 202, body: { retry_after: 300 } });
    const { id } = (await post(api, app.domain)).body.data;
    await happens(() => expect(actionsOf(app.domain)).toEqual(['add', 'bind']));
    const next = nextDomain();
    await changeDomain(api, app.id, next);
    await becomes(id, 'ok');
    expect(stepsOf(app.domain, next)).toEqual([`add ${app.domain}`, `bind ${app.domain}`, `delete ${app.domain}`, ...linkedSteps(next)]);
    expect(new Set(edge.calls.map((call) => call.id)).size).toBe(6);
  });

  it('[DOM-019] starts with the next domain also if the former one is not removed yet, and removes it later', async () => {
    const api = await startConsole(patient);
    const { id, domain, linkId } = await linkedApp(api);
    edge.plan('delete', { status: 503 });
    const next = nextDomain();
    await changeDomain(api, id, next);
    await becomes(linkId, 'ok');
    await retryNow();
    await idle();
    expect(stepsOf(domain, next)).toEqual([...linkedSteps(domain), `delete ${domain}`, ...linkedSteps(next), `delete ${domain}`]);
  });

  it('[DOM-020] removes an unlinked domain though its app was linked again with another one', async () => {
    const api = await startConsole(patient);
    const { id, domain, linkId } = await linkedApp(api);
    edge.plan('delete', { status: 503 });
    await api.call('DELETE', `/api/app/add-domain/${linkId}`, admin);
    await happens(() => expect(actionsOf(domain)).toContain('delete'));
    const next = nextDomain();
    await changeDomain(api, id, next);
    await becomes((await post(api, next)).body.data.id, 'ok');
    await retryNow();
    await idle();
    expect(stepsOf(domain, next)).toEqual([...linkedSteps(domain), `delete ${domain}`, ...linkedSteps(next), `delete ${domain}`]);
  });

  it('[DOM-020] does not remove a domain that came back, to the app or to another one on the server', async () => {
    const api = await startConsole(patient);
    const [one, other] = [await linkedApp(api), await linkedApp(api)];
    edge.plan('delete', { status: 503 }, { status: 503 });
    const [next, taken] = [nextDomain(), nextDomain()];
    await changeDomain(api, one.id, next);
    await changeDomain(api, other.id, taken);
    await becomes(one.linkId, 'ok');
    await becomes(other.linkId, 'ok');
    await changeDomain(api, one.id, one.domain);
    await changeDomain(api, other.id, nextDomain());
    const heir = await createApp(databases, { domain: other.domain });
    const heirLink = (await post(api, heir.domain)).body.data;
    for (const linkId of [one.linkId, other.linkId, heirLink.id]) await becomes(linkId, 'ok');
    await retryNow();
    await idle();
    expect(stepsOf(one.domain)).toEqual([...linkedSteps(one.domain), `delete ${one.domain}`, ...linkedSteps(one.domain)]);
    expect(stepsOf(other.domain)).toEqual([...linkedSteps(other.domain), `delete ${other.domain}`, ...linkedSteps(other.domain)]);
    expect(
      stepsOf(next, taken)
        .filter((step) => step.startsWith('delete'))
        .toSorted(),
    ).toEqual([`delete ${next}`, `delete ${taken}`].toSorted());
  });
});

async function startWorker(): Promise<ChildProcess> {
  const script = join(import.meta.dirname, '../../../test/link-worker-process.ts');
  const child = spawn(process.execPath, [script, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}
