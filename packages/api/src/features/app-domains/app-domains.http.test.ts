import { linkStatuses } from '@switchyard/contract/apps';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

// Jobs are sent but, with polls an hour apart, not run: these tests cover only the calls.
beforeAll(async () => {
  const timings = { pollSeconds: 3600, expireSeconds: 60, superviseSeconds: 60 };
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T10:11:12Z'), background: { timings } });
  await api.startJobs();
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => {
    await api.stopJobs();
    await api.app.close();
  };
});

const post = async (body: unknown, caller = admin) =>
  api.call('POST', '/api/app/add-domain', { ...caller, body: JSON.parse(JSON.stringify(body)) });
const remove = async (id: number | string, caller = admin) => api.call('DELETE', `/api/app/add-domain/${id}`, caller);
const server = async () => (await signInAsServer(databases)).serverId;
const linksOf = async (appId: number) =>
  databases.db.selectFrom('check_domains').selectAll().where('app_id', '=', appId).orderBy('id').execute();
const trail = async (appId: number) =>
  databases.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('entity', '=', 'app_server')
    .where('app_id', '=', appId)
    .orderBy('id')
    .execute();
const jobsOf = async (linkId: number) => {
  const { rows } = await databases.pools.jobs.query<{ data: Record<string, unknown> }>(
    `select data from jobs.job where data->>'linkId' = $1 order by created_on`,
    [String(linkId)],
  );
  return rows.map((row) => row.data);
};
const refusalOf = (status: number, message: string) => ({ status, body: { success: false, message } });
const misfit = (errors: Record<string, string>) => {
  const fieldErrors = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]]));
  return {
    status: 422,
    body: { success: false, message: 'The given data was invalid.', errors: fieldErrors, data: { errors: fieldErrors } },
  };
};
const only = ({ status, body }: { status: number; body: unknown }) => ({ status, body });
const settle = async (id: number, status: (typeof linkStatuses)[number], error: string | null = null) =>
  databases.db.updateTable('check_domains').set({ status, error, next_stage_at: null }).where('id', '=', id).execute();

describe('POST app/add-domain', () => {
  it('[DOM-006][DOM-015][API-019][ENT-006][ENT-013][AMB-121] adds the link in its first stage, with its job and its entry in the trail', async () => {
    const app = await createApp(databases);
    const serverId = await server();
    const answer = await post({ domain: app.domain.toUpperCase(), serverId, isOnlyCF: 1 });
    const [link] = await linksOf(app.id);
    expect(only(answer)).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          id: link?.id,
          server_id: serverId,
          server_name: expect.stringMatching(/^edge-/),
          is_bind: false,
          ssl_at: null,
          registrar: null,
          is_only_cf: true,
          status: 'add',
          error: null,
          next_stage_at: '2026-11-20 10:11:14',
        },
      },
    });
    expect(await jobsOf(link?.id ?? 0)).toEqual([{ kind: 'stage', linkId: link?.id, ticket: 1, run: 1 }]);
    expect(await trail(app.id)).toMatchObject([
      { actor_id: admin.accountId, action: 'link', entity_id: String(link?.id), entity_label: expect.stringContaining(app.domain) },
    ]);
    const list = await api.call('GET', `/api/apps?search=${app.bundle}`, admin);
    expect(list.body.data[0].check_domains).toEqual([answer.body.data]);
  });

  it('does not count as a change of the app: its version stays (api 0.9)', async () => {
    const app = await createApp(databases);
    const { body } = await post({ domain: app.domain, serverId: await server() });
    await remove(body.data.id);
    const row = await databases.db.selectFrom('apps').select(['version']).where('id', '=', app.id).executeTakeFirstOrThrow();
    expect(row.version).toBe(app.version);
  });

  it('[DOM-002][DOM-003] restarts a settled link: same id, status add, no error, Cloudflare-only replaced', async () => {
    for (const status of ['ok', 'err_add', 'err_bind', 'err_ssl'] as const) {
      const app = await createApp(databases);
      const serverId = await server();
      const { id } = (await post({ domain: app.domain, serverId, isOnlyCF: true })).body.data;
      await settle(id, status, status === 'ok' ? null : 'It broke');
      const answer = await post({ domain: app.domain, serverId });
      expect(answer.body.data).toMatchObject({ id, status: 'add', error: null, is_only_cf: false, next_stage_at: '2026-11-20 10:11:14' });
      expect((await jobsOf(id)).map((job) => job['ticket'])).toEqual([1, 2]);
      expect((await trail(app.id)).map((entry) => entry.action)).toEqual(['link', 'restart']);
      expect((await trail(app.id))[1]?.changes).toEqual([
        { field: 'status', from: status, to: 'add' },
        { field: 'isOnlyCF', from: true, to: false },
      ]);
    }
  });

  it('[DOM-004] rejects a change while the operation runs', async () => {
    const app = await createApp(databases);
    const serverId = await server();
    const { id } = (await post({ domain: app.domain, serverId })).body.data;
    for (const status of ['add', 'bind', 'ssl'] as const) {
      await settle(id, status);
      expect(only(await post({ domain: app.domain, serverId, isOnlyCF: true }))).toEqual(
        refusalOf(409, 'The operation is already running'),
      );
    }
    expect(await linksOf(app.id)).toMatchObject([{ id, is_only_cf: false, ticket: 1 }]);
    expect(await trail(app.id)).toHaveLength(1);
  });

  it('links once when asked twenty times at once: one 200, the others 409', async () => {
    const app = await createApp(databases);
    const serverId = await server();
    const answers = await Promise.all(Array.from({ length: 20 }, async () => post({ domain: app.domain, serverId })));
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    const links = await linksOf(app.id);
    expect(links).toHaveLength(1);
    expect(await jobsOf(links[0]?.id ?? 0)).toHaveLength(1);
    expect(await trail(app.id)).toHaveLength(1);
  });

  it('rejects unknown domains and servers, each by its field, and domains of other people as unknown', async () => {
    const [app, foreign] = [await createApp(databases), await createApp(databases)];
    const serverId = await server();
    const deletedId = (await signInAsServer(databases, { deletedAt: new Date() })).serverId;
    const caller = await signInAs(databases, { role: 'Admin', apps: [app.id], since: api.now() });
    const cases: [unknown, Record<string, string>][] = [
      [
        { domain: 'nobody.example', serverId: 999_999 },
        { domain: 'Unknown domain.', serverId: 'Unknown server.' },
      ],
      [{ domain: foreign.domain, serverId }, { domain: 'Unknown domain.' }],
      [{ domain: ` ${app.domain}`, serverId }, { domain: 'Unknown domain.' }],
      [{ domain: app.domain, serverId: deletedId }, { serverId: 'Unknown server.' }],
      [{ domain: app.domain, serverId: -1 }, { serverId: 'Unknown server.' }],
      [{ domain: app.domain, serverId: 9_007_199_254_740_991 }, { serverId: 'Unknown server.' }],
      [{}, { domain: 'The domain field is required.', serverId: 'The serverId field is required.' }],
      [
        { domain: '', serverId: 999_999 },
        { domain: 'The domain field is required.', serverId: 'Unknown server.' },
      ],
      [
        { domain: 5, serverId: '3' },
        { domain: 'The domain field must be of type string.', serverId: 'The serverId field must be of type integer.' },
      ],
      [
        { domain: 'x'.repeat(256), serverId: 1.5 },
        { domain: 'The domain field must not be longer than 255 characters.', serverId: 'The serverId field must be of type integer.' },
      ],
      [{ domain: 'a\0b', serverId }, { domain: 'The domain field contains invalid characters.' }],
      [{ domain: app.domain, serverId, isOnlyCF: 'yes' }, { isOnlyCF: 'The isOnlyCF field must be of type boolean.' }],
      [
        { domain: app.domain, serverId, appId: app.id, status: 'ok' },
        { appId: 'Unknown field.', status: 'Unknown field.' },
      ],
    ];
    for (const [body, errors] of cases) expect(only(await post(body, caller)), JSON.stringify(body)).toEqual(misfit(errors));
    expect(await linksOf(app.id)).toEqual([]);
    expect(await linksOf(foreign.id)).toEqual([]);
  });

  it('rejects archived apps: after errors of shape, before errors of value', async () => {
    const app = await createApp(databases, { deleted_at: new Date() });
    expect(only(await post({ domain: app.domain, serverId: 999_999 }))).toEqual(
      refusalOf(409, 'You need to restore the app first to make changes'),
    );
    expect((await post({ domain: app.domain, serverId: 1, more: 1 })).status).toBe(422);
    expect(await linksOf(app.id)).toEqual([]);
  });

  it('[DOM-013, AMB-111] needs manager_app_create or manager_app_edit', async () => {
    const app = await createApp(databases);
    const { id } = (await post({ domain: app.domain, serverId: await server() })).body.data;
    const powerless = await signInAs(databases, { permissions: ['manager_app_delete', 'manager_settings_server'], since: api.now() });
    const forbidden = refusalOf(403, 'You have no permission for this action');
    expect(only(await post({ domain: app.domain, serverId: await server() }, powerless))).toEqual(forbidden);
    expect(only(await remove(id, powerless))).toEqual(forbidden);
    for (const permission of ['manager_app_create', 'manager_app_edit'] as const) {
      const caller = await signInAs(databases, { permissions: [permission], since: api.now() });
      const linking = await post({ domain: app.domain, serverId: await server() }, caller);
      expect([linking.status, (await remove(linking.body.data.id, caller)).status]).toEqual([200, 204]);
    }
  });

  it('keeps neither link nor job nor entry when one of them cannot be written', async () => {
    const app = await createApp(databases);
    const { pools } = databases;
    await pools.ui.query(`alter table audit_entries add constraint broken check (app_id <> ${app.id})`);
    expect((await post({ domain: app.domain, serverId: await server() })).status).toBe(500);
    await pools.ui.query('alter table audit_entries drop constraint broken');
    expect(await linksOf(app.id)).toEqual([]);
    const { rows } = await pools.jobs.query<{ lost: number }>(
      `select count(*) as lost from jobs.job where data->>'kind' = 'stage' and (data->>'linkId')::int not in (select id from check_domains)
       and not exists (select from audit_entries where entity = 'app_server' and entity_id = data->>'linkId')`,
    );
    expect(rows[0]?.lost).toBe(0);
  });
});

describe('DELETE app/add-domain/{id}', () => {
  it('[DOM-007][DOM-008][API-020] removes the link at once, whatever its state, and sends the clean-up', async () => {
    for (const status of linkStatuses) {
      const app = await createApp(databases);
      const serverId = await server();
      const { id } = (await post({ domain: app.domain, serverId })).body.data;
      await settle(id, status);
      expect(only(await remove(id))).toEqual({ status: 204, body: null });
      expect(await linksOf(app.id)).toEqual([]);
      const list = await api.call('GET', `/api/apps?search=${app.bundle}`, admin);
      expect(list.body.data[0].check_domains).toEqual([]);
      expect((await jobsOf(id))[1]).toEqual({
        kind: 'removal',
        linkId: id,
        run: 1,
        appId: app.id,
        serverId,
        domain: app.domain,
        onlyCloudflare: false,
      });
      expect((await trail(app.id))[1]).toMatchObject({
        action: 'unlink',
        entity_id: String(id),
        changes: [
          { field: 'domain', from: app.domain, to: null },
          { field: 'serverId', from: serverId, to: null },
        ],
      });
      expect((await remove(id)).status).toBe(404);
    }
  });

  it('answers 404 for links of other people, unknown ids and links of deleted servers', async () => {
    const [own, foreign] = [await createApp(databases), await createApp(databases)];
    const caller = await signInAs(databases, { role: 'Admin', apps: [own.id], since: api.now() });
    const { id } = (await post({ domain: foreign.domain, serverId: await server() })).body.data;
    for (const odd of [id, 999_999_999, '0', 'abc', '1e3']) expect(only(await remove(odd, caller))).toEqual(refusalOf(404, 'Not found'));
    await databases.db
      .updateTable('traffic_servers')
      .set({ deleted_at: new Date() })
      .where('id', '=', (await linksOf(foreign.id))[0]?.server_id ?? 0)
      .execute();
    expect((await remove(id)).status).toBe(404);
    expect(await linksOf(foreign.id)).toHaveLength(1);
  });

  it('rejects archived apps and keeps their links', async () => {
    const app = await createApp(databases);
    const { id } = (await post({ domain: app.domain, serverId: await server() })).body.data;
    await databases.db.updateTable('apps').set({ deleted_at: new Date() }).where('id', '=', app.id).execute();
    expect(only(await remove(id))).toEqual(refusalOf(409, 'You need to restore the app first to make changes'));
    expect(await linksOf(app.id)).toHaveLength(1);
  });
});
