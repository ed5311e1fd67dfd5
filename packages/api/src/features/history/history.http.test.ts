import { responseCodes, responseTypes } from '@switchyard/contract/app-rules';
import { historyRemarks } from '@switchyard/contract/history';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newAccountForm } from '../../../test/account-form.ts';
import { newAppForm } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { makeApiToken, signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => api.app.close();
});

const waitingConnections = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

type Caller = Pick<SignedIn, 'headers'>;
type Area = 'apps' | 'roles' | 'users' | 'buyers' | 'servers';
const tag = () => randomBytes(5).toString('hex');
const send = async (method: string, path: string, body?: object, { headers }: Caller = admin, ifMatch?: string) =>
  api.call(method, `/api/${path}`, {
    headers: { ...headers, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
    ...(body === undefined ? {} : { body }),
  });
const create = async (area: Area, body: object) => (await send('POST', area, body)).body.data;
const save = async (area: Area, id: number, body: object) => {
  const answer = await send('PUT', `${area}/${id}`, body);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  return answer.body.data;
};
const read = async (area: Area, id: number, caller: Caller = admin) => (await send('GET', `${area}/${id}`, undefined, caller)).body.data;
const listRevisions = async (area: Area, id: number, caller: Caller = admin) =>
  (await send('GET', `${area}/${id}/history?limit=200`, undefined, caller)).body.data;
const compare = async (area: Area, id: number, query: string, caller: Caller = admin) =>
  send('GET', `${area}/${id}/history/compare?${query}`, undefined, caller);
const differences = async (area: Area, id: number, query: string, caller: Caller = admin) =>
  (await compare(area, id, query, caller)).body.data.differences;
const restore = async (area: Area, id: number, entry: number, body: object = {}, caller: Caller = admin, ifMatch?: string) =>
  send('PUT', `${area}/${id}/history/${entry}/restore`, body, caller, ifMatch);
const lastEntry = async () =>
  databases.db
    .selectFrom('audit_entries')
    .select(['id', 'entity', 'action', 'actor_id', 'changes'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
const newRole = async (ids = [3, 6]) => create('roles', { name: `Role ${tag()}`, permission_ids: ids, panel: 'manager' });
const newBuyer = async (fields: object = {}) => create('buyers', newAccountForm({ roles: ['Buyer'], ...fields }));
/** The entity as it was read, without what every save changes. */
const stateOf = ({ version: _version, updated_at: _at, ...state }: Record<string, unknown>) => state;

const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).map((word) => `x${word.trim()}x`);
const answerPart = fc.record(
  {
    type: fc.constantFrom(...responseTypes),
    code: fc.constantFrom(...responseCodes.filter((code) => code < 300 || code >= 400)),
    response: text,
  },
  { requiredKeys: [] },
);
/** Random edits of each kind of entity, from ids of what they may name. */
const edits = {
  apps: ({ buyers }: Pool) =>
    fc.record(
      {
        name: fc.nat().map((number) => `App ${number} ${tag()}`),
        domain: fc.nat().map((number) => `d${number}${tag()}.example`),
        vertical: fc.constantFrom('bet', 'finance'),
        whiteUserAgent: fc.option(text),
        keys: fc.record({ createApfDevKey: fc.option(text), firebaseAppId: fc.option(text) }, { requiredKeys: [] }),
        privateKeys: fc.constantFrom({ apiSecret: 'super-hidden-1' }, { apiSecret: null }),
        response_mode: fc.constantFrom('white', 'custom'),
        proxy_api_url: fc.constantFrom(null, 'https://a.example', 'https://b.example/path'),
        response_message: fc.record({ static: answerPart, create: answerPart, receive: answerPart }, { requiredKeys: [] }),
        proxy_cache_seconds: fc.constantFrom(300, 600, 3_600),
        userIds: fc.subarray(buyers),
      },
      { requiredKeys: [] },
    ),
  roles: () =>
    fc.record(
      { name: fc.nat().map((number) => `Role ${number} ${tag()}`), permission_ids: fc.subarray([1, 2, 3, 6, 22], { minLength: 1 }) },
      { requiredKeys: [] },
    ),
  users: ({ apps }: Pool) =>
    fc.record(
      {
        name: fc.nat().map((number) => `Person ${number} ${tag()}`),
        email: fc.nat().map((number) => `p${number}${tag()}@example.com`),
        roles: fc.subarray(['App Manager', 'Log Reviewer', 'Admin'], { minLength: 1 }),
        hasAccess: fc.boolean(),
        isQa: fc.boolean(),
        appIds: fc.subarray(apps),
      },
      { requiredKeys: [] },
    ),
  buyers: ({ apps }: Pool) =>
    fc.record(
      { name: fc.nat().map((number) => `Person ${number} ${tag()}`), hasAccess: fc.boolean(), appIds: fc.subarray(apps) },
      { requiredKeys: [] },
    ),
  servers: () =>
    fc.record(
      { name: text, url: fc.constantFrom('https://a.example', 'https://b.example'), region: fc.option(text), ip: fc.option(fc.ipV4()) },
      { requiredKeys: [] },
    ),
};
type Pool = { apps: number[]; buyers: number[] };

const newEntity = async (area: Area): Promise<{ id: number; version: number }> => {
  if (area === 'apps') return create('apps', newAppForm({ privateKeys: { apiSecret: 'super-hidden-0' } }));
  if (area === 'roles') return newRole();
  if (area === 'servers') return create('servers', { name: `edge ${tag()}`, url: 'https://edge.example' });
  return area === 'users' ? create('users', newAccountForm()) : newBuyer();
};

describe('filters of a history', () => {
  it('[LARGE-006] choose by who made a change, by a changed field and by day, for readers of the entity alone', async () => {
    const editor = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    await databases.db.updateTable('accounts').set({ name: 'Filter Editor' }).where('id', '=', editor.accountId).execute();
    const { id, name } = await create('apps', newAppForm());
    expect((await send('PUT', `apps/${id}`, { name: `${name} 2` }, editor)).status).toBe(200);
    expect((await send('PUT', `apps/${id}`, { vertical: 'finance' })).status).toBe(200);
    const find = async (query: string) => {
      const { data } = (await send('GET', `apps/${id}/history?${query}`)).body;
      return data.map(({ actor, changes }: { actor: { id: number }; changes: { field: string }[] }) => [
        actor.id,
        changes.map(({ field }) => field),
      ]);
    };
    expect(await find('person=filter%20EDIT')).toEqual([[editor.accountId, ['name']]]);
    expect(await find('field=vertical&person=nobody')).toEqual([]);
    expect((await find('field=vertical')).map(([actor]: [number]) => actor)).toEqual([admin.accountId, admin.accountId]);
    const today = api.now().toISOString().slice(0, 10);
    expect(await find(`startDate=${today}&endDate=${today}`)).toHaveLength(3);
    expect(await find('endDate=2020-01-01')).toEqual([]);
    expect((await send('GET', `apps/${id}/history?startDate=soon`)).status).toBe(422);
  });
});

describe('history of entities', () => {
  it.each(['apps', 'roles', 'users', 'buyers', 'servers'] as const)(
    '[HIST-004, HIST-005] restores any revision of %s exactly after random edits',
    async (area) => {
      const pool: Pool = {
        apps: [(await newEntity('apps')).id, (await newEntity('apps')).id],
        buyers: [(await newBuyer()).id, (await newBuyer()).id],
      };
      await fc.assert(
        fc.asyncProperty(fc.array(edits[area](pool), { minLength: 1, maxLength: 6 }), fc.nat(), async (bodies, pick) => {
          const entity = await newEntity(area);
          const states = [await read(area, entity.id)];
          for (const body of bodies) {
            await save(area, entity.id, body);
            states.push(await read(area, entity.id));
          }
          const revisions = (await listRevisions(area, entity.id)).toReversed();
          // An edit that changes nothing is no revision and keeps the version.
          const distinct = states.filter(({ version }, index) => version !== states[index + 1]?.version);
          expect(revisions).toHaveLength(distinct.length);
          const chosen = pick % revisions.length;
          const entry = revisions[chosen].id;
          const before = await differences(area, entity.id, `to=${entry}`);
          const answer = await restore(area, entity.id, entry, {}, admin, `"v${states.at(-1).version}"`);
          expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
          const state = stateOf(await read(area, entity.id));
          const expected = stateOf(distinct[chosen]);
          // The history has no values of secrets, so the key of an app stays as it was.
          if (area === 'apps') Object.assign(Object(expected['keys']), { apiSecret: states.at(-1).keys.apiSecret });
          expect(state).toEqual(expected);
          const left = await differences(area, entity.id, `to=${entry}`);
          expect(left.every(({ field }: { field: string }) => field === 'keys.apiSecret')).toBe(true);
          const last = await lastEntry();
          const isChanged = before.some(({ restorable }: { restorable: boolean }) => restorable);
          if (isChanged) expect(last.changes).toContainEqual({ field: 'restored_entry', from: null, to: entry });
          expect((await listRevisions(area, entity.id))[0].restored).toBe(isChanged ? entry : null);
        }),
        { numRuns: 12 },
      );
    },
    60_000,
  );

  it('[HIST-001, HIST-002] lists who changed what and when, newest first, without addresses of people', async () => {
    const app = await create('apps', newAppForm({ whiteUserAgent: 'One' }));
    await save('apps', app.id, { whiteUserAgent: 'Two' });
    await send('DELETE', `apps/${app.id}`);
    await send('GET', `apps/${app.id}/postbacks/download`);
    const revisions = await listRevisions('apps', app.id);
    expect(revisions.map(({ action }: { action: string }) => action)).toEqual(['archive', 'update', 'create']);
    expect(revisions[1]).toMatchObject({
      actor: { id: admin.accountId },
      via: null,
      label: app.name,
      restored: null,
      changes: [{ field: 'whiteUserAgent', from: 'One', to: 'Two' }],
    });
    expect(JSON.stringify(revisions)).not.toContain(admin.email);
    const page = (await send('GET', `apps/${app.id}/history?limit=2`)).body;
    const rest = (await send('GET', `apps/${app.id}/history?limit=2&cursor=${page.pagination.next_cursor}`)).body;
    expect([...page.data, ...rest.data]).toEqual(revisions);
  });

  it('[HIST-003] compares any two revisions in either direction', async () => {
    const server = await create('servers', { name: 'edge', url: 'https://one.example' });
    await save('servers', server.id, { region: 'fra' });
    await save('servers', server.id, { region: 'ams', url: 'https://two.example', token: 'x'.repeat(40) });
    const [third, second, first] = await listRevisions('servers', server.id);
    const fields = async (query: string) =>
      (await differences('servers', server.id, query)).map(({ field, from, to }: Record<string, unknown>) => [field, from, to]);
    expect(await fields(`from=${first.id}&to=${second.id}`)).toEqual([['region', null, 'fra']]);
    const everything = [
      ['url', 'https://two.example', 'https://one.example'],
      ['region', 'ams', null],
      ['token', null, null],
    ];
    expect(await fields(`from=${third.id}&to=${first.id}`)).toEqual(everything);
    expect(await fields(`from=${second.id}&to=${second.id}`)).toEqual([]);
    expect(await fields(`from=${third.id}`)).toEqual([]);
    expect(await fields('')).toEqual([]);
  });

  it('[HIST-006] never tells a secret, and says that it stays', async () => {
    const server = await create('servers', {
      name: 'edge',
      url: 'https://one.example',
      token: 'hidden-token-'.repeat(4),
      mainHash: 'hidden-main',
    });
    const [first] = await listRevisions('servers', server.id);
    await save('servers', server.id, { token: 'hidden-other-'.repeat(4), hash: 'hidden-hash', region: 'fra' });
    const answer = await restore('servers', server.id, first.id);
    expect(answer.body.data).toMatchObject({
      restored: ['region'],
      left: [
        { field: 'token', remark: historyRemarks.secret },
        { field: 'hash', remark: historyRemarks.secret },
      ],
    });
    const rejected = await restore('servers', server.id, first.id, { fields: ['token'] });
    expect([rejected.status, rejected.body.errors]).toEqual([422, { fields: [`token: ${historyRemarks.secret}`] }]);
    const texts = [await listRevisions('servers', server.id), await differences('servers', server.id, `to=${first.id}`), answer.body];
    expect(JSON.stringify(texts)).not.toContain('hidden');
    expect(await read('servers', server.id)).toMatchObject({ has_token: true, has_hash: true });
  });

  it('[HIST-005] restores chosen fields alone, and rejects fields that there are not', async () => {
    const app = await create('apps', newAppForm({ response_mode: 'custom', proxy_api_url: 'https://a.example', whiteUserAgent: 'One' }));
    const [first] = await listRevisions('apps', app.id);
    await save('apps', app.id, { response_mode: 'white', proxy_api_url: 'https://b.example', whiteUserAgent: 'Two' });
    expect((await restore('apps', app.id, first.id, { fields: ['no_such'] })).status).toBe(422);
    const { body } = await restore('apps', app.id, first.id, { fields: ['response_mode'] });
    expect(body.data).toMatchObject({ restored: ['response_mode'], version: 3 });
    expect(body.data.left.map(({ field }: { field: string }) => field).toSorted()).toEqual(['proxy_api_url', 'whiteUserAgent']);
    // A form without an address would have removed it.
    expect(await read('apps', app.id)).toMatchObject({
      response_mode: 'custom',
      proxy_api_url: 'https://b.example',
      white_user_agent: 'Two',
    });
  });

  it('[HIST-007] applies the checks of a save: version, rules, archive, permission, recent sign-in', async () => {
    const other = await create('apps', newAppForm());
    const app = await create('apps', newAppForm());
    const [first] = await listRevisions('apps', app.id);
    await save('apps', app.id, { name: `${app.name} 2`, domain: `new-${app.domain}` });
    const stale = await restore('apps', app.id, first.id, {}, admin, '"v1"');
    expect([stale.status, stale.body.data.current]).toEqual([412, { id: app.id, version: 2, restored: [], left: [] }]);
    await save('apps', other.id, { name: app.name });
    const taken = await restore('apps', app.id, first.id);
    expect([taken.status, taken.body.errors]).toEqual([422, { name: [`The "name" ${app.name} was previously used.`] }]);
    const editor = await signInAs(databases, { permissions: ['manager_app_edit'], since: api.now() });
    const fixed = await restore('apps', app.id, first.id, { fields: ['domain'] }, editor);
    expect([fixed.status, fixed.body.errors]).toEqual([422, { domain: ['Only SUPER ADMIN can change this field'] }]);
    expect((await restore('apps', app.id, first.id, { fields: ['domain'] })).status).toBe(200);
    await send('DELETE', `apps/${app.id}`);
    expect((await restore('apps', app.id, first.id)).status).toBe(409);
    const reader = await signInAs(databases, { permissions: ['manager_app_requests'], since: api.now() });
    expect((await send('GET', `apps/${app.id}/history`, undefined, reader)).status).toBe(403);
    expect((await restore('apps', app.id, first.id, {}, reader)).status).toBe(403);
    const role = await newRole();
    const [created] = await listRevisions('roles', role.id);
    await save('roles', role.id, { permission_ids: [3] });
    const old = await signInAs(databases, { role: 'Super Admin', since: new Date(api.now().getTime() - 1_800_000) });
    const unconfirmed = await restore('roles', role.id, created.id, {}, old);
    expect([unconfirmed.status, unconfirmed.body.data.reauthentication !== undefined]).toEqual([403, true]);
    expect(await read('roles', role.id)).toMatchObject({ permission_ids: [3] });
  });

  it('[HIST-007] gives nobody more than they may grant: weaker accounts and tokens', async () => {
    const role = await newRole([3, 22]);
    const [created] = await listRevisions('roles', role.id);
    await save('roles', role.id, { permission_ids: [3] });
    const weak = await signInAs(databases, { permissions: ['manager_settings_roles', 'manager_app_edit'], since: api.now() });
    expect((await restore('roles', role.id, created.id, {}, weak)).status).toBe(403);
    const token = await makeApiToken(databases, { ownerId: admin.accountId, permissions: ['manager_settings_roles', 'manager_app_edit'] });
    expect((await restore('roles', role.id, created.id, {}, token)).status).toBe(403);
    const user = await create('users', newAccountForm());
    const [first] = await listRevisions('users', user.id);
    await save('users', user.id, { email: `${tag()}@example.com`, isQa: true });
    const editor = await makeApiToken(databases, { ownerId: admin.accountId });
    expect((await restore('users', user.id, first.id, {}, editor)).status).toBe(403);
    const partly = await restore('users', user.id, first.id, { fields: ['isQa'] }, editor);
    expect([partly.status, partly.body.data.restored]).toEqual([200, ['isQa']]);
    expect((await listRevisions('users', user.id))[0].via).toMatchObject({ kind: 'token' });
  });

  it('[HIST-008] shows restricted accounts their apps alone, and keeps the others', async () => {
    const own = await create('apps', newAppForm());
    // An id that no date or number of a revision contains.
    await databases.pools.ops.query(`select setval(pg_get_serial_sequence('apps', 'id'), 987654320)`);
    const foreign = await create('apps', newAppForm());
    const buyer = await newBuyer({ appIds: [own.id, foreign.id] });
    await save('buyers', buyer.id, { appIds: [foreign.id] });
    await save('buyers', buyer.id, { appIds: [] });
    await save('buyers', buyer.id, { appIds: [foreign.id] });
    const restricted = await signInAs(databases, { role: 'Admin', apps: [own.id], since: api.now() });
    const revisions = await listRevisions('buyers', buyer.id, restricted);
    const first = revisions.at(-1);
    expect(first.changes.find(({ field }: { field: string }) => field === 'appIds')).toEqual({ field: 'appIds', from: null, to: [own.id] });
    const difference = await differences('buyers', buyer.id, `to=${first.id}`, restricted);
    expect(difference).toEqual([{ field: 'appIds', from: [], to: [own.id], restorable: true, remark: historyRemarks.visibleApps }]);
    // Both of these differ in the foreign app alone.
    const [, second, third] = revisions.toReversed();
    expect(await differences('buyers', buyer.id, `from=${second.id}&to=${third.id}`, restricted)).toEqual([]);
    expect(JSON.stringify([revisions, difference])).not.toContain(String(foreign.id));
    expect((await restore('buyers', buyer.id, first.id, {}, restricted)).status).toBe(200);
    expect((await read('buyers', buyer.id)).appIds).toEqual([own.id, foreign.id]);
    for (const path of ['history', `history/compare?to=${first.id}`])
      expect((await send('GET', `apps/${foreign.id}/${path}`, undefined, restricted)).status).toBe(404);
    expect((await restore('apps', foreign.id, first.id, {}, restricted)).status).toBe(404);
  });

  it('[HIST-009] knows no revisions of other entities, of deleted ones, and none that are no revisions', async () => {
    const [one, other] = [await newEntity('servers'), await newEntity('servers')];
    const [entry] = await listRevisions('servers', other.id);
    expect((await restore('servers', one.id, entry.id)).status).toBe(404);
    expect((await compare('servers', one.id, `from=${entry.id}`)).status).toBe(404);
    expect((await compare('servers', one.id, 'from=x')).status).toBe(422);
    await send('DELETE', `servers/${other.id}`);
    for (const path of ['history', 'history/compare', `history/compare?to=${entry.id}`])
      expect((await send('GET', `servers/${other.id}/${path}`)).status).toBe(404);
    expect((await restore('servers', other.id, entry.id)).status).toBe(404);
  });

  it('[HIST-009] says why a field cannot be restored: changed elsewhere, unknown, no longer valid, no apps', async () => {
    const buyers = [await newBuyer(), await newBuyer(), await newBuyer()];
    const [kept, attached, deleted] = buyers.map(({ id }) => id);
    const app = await create('apps', newAppForm({ userIds: [kept, deleted] }));
    await save('apps', app.id, { whiteUserAgent: 'One' });
    await send('POST', `users/${attached}/attach-apps`, { appIds: [app.id] });
    await save('apps', app.id, { whiteUserAgent: 'Two' });
    const [, second, first] = await listRevisions('apps', app.id);
    await save('apps', app.id, { userIds: [] });
    await send('DELETE', `buyers/${deleted}`);
    const userIds = async (entry: number) =>
      (await differences('apps', app.id, `to=${entry}`)).find(({ field }: { field: string }) => field === 'userIds');
    expect(await userIds(second.id)).toMatchObject({ restorable: false, remark: historyRemarks.elsewhere });
    expect(await userIds(first.id)).toMatchObject({ to: [kept], restorable: true, remark: historyRemarks.deletedBuyers });

    const user = await create('users', newAccountForm({ appIds: [app.id] }));
    await send('DELETE', `users/${user.id}/detach-app`, { appIds: [app.id] });
    const [without] = await listRevisions('users', user.id);
    await save('users', user.id, { appIds: [] });
    expect(await read('users', user.id)).toMatchObject({ hasAllApps: true });
    expect(await differences('users', user.id, `to=${without.id}`)).toEqual([
      { field: 'hasAllApps', from: true, to: false, restorable: false, remark: historyRemarks.noApps },
    ]);
    expect((await restore('users', user.id, without.id)).body.data.restored).toEqual([]);

    // As an older version of the console might have written it.
    const changes = [
      { field: 'old_field', from: null, to: 'x' },
      { field: 'proxy_cache_seconds', from: 300, to: 7 },
      { field: 'vertical', from: 'bet', to: 'finance' },
    ];
    const { id } = await databases.db
      .insertInto('audit_entries')
      .values({ entity: 'app', entity_id: String(app.id), action: 'update', app_id: app.id, changes: JSON.stringify(changes) })
      .returning('id')
      .executeTakeFirstOrThrow();
    await save('apps', app.id, { whiteUserAgent: 'Three' });
    const remarks = (await differences('apps', app.id, `to=${id}`)).map(({ field, remark }: Record<string, unknown>) => [field, remark]);
    expect(Object.fromEntries(remarks)).toMatchObject({
      old_field: historyRemarks.unknown,
      proxy_cache_seconds: historyRemarks.invalid,
      vertical: null,
    });
    expect((await restore('apps', app.id, id)).body.data.restored).toContain('vertical');
  });

  it('[HIST-010] follows renamed roles, also if another role has the old name', async () => {
    const role = await newRole();
    const user = await create('users', newAccountForm({ roles: [role.name] }));
    const [first] = await listRevisions('users', user.id);
    await save('users', user.id, { roles: ['Log Reviewer'] });
    await save('roles', role.id, { name: `${role.name} new` });
    await create('roles', { name: role.name, permission_ids: [1], panel: 'manager' });
    expect((await restore('users', user.id, first.id)).status).toBe(200);
    expect((await read('users', user.id)).roles).toEqual([`${role.name} new`]);
  });

  it('[HIST-010] follows no rename of a role of the other panel', async () => {
    const role = await newRole();
    const ofBuyers = await create('roles', { name: role.name, permission_ids: [23], panel: 'buyer' });
    const strong = await create('roles', { name: `${role.name} strong`, permission_ids: [1, 2], panel: 'manager' });
    const user = await create('users', newAccountForm({ roles: [role.name] }));
    const [first] = await listRevisions('users', user.id);
    await save('users', user.id, { roles: ['Log Reviewer'] });
    await save('roles', ofBuyers.id, { name: strong.name });
    expect((await restore('users', user.id, first.id)).status).toBe(200);
    expect((await read('users', user.id)).roles).toEqual([role.name]);
  });

  it('[HIST-007] rejects with 412 a restore during which the entity changes', async () => {
    const server = await create('servers', { name: 'one', url: 'https://one.example' });
    await save('servers', server.id, { name: 'two', url: 'https://two.example' });
    const [, first] = await listRevisions('servers', server.id);
    const other = await databases.pools.exports.connect();
    onTestFinished(() => other.release());
    await other.query('begin');
    await other.query(`update traffic_servers set name = 'three', version = version + 1 where id = $1`, [server.id]);
    // Reads the version that is stored, and waits for the other change in front of its own.
    const answer = restore('servers', server.id, first.id);
    await expect.poll(async () => (await databases.pools.ops.query(waitingConnections)).rows, soon).toHaveLength(1);
    await other.query('commit');
    expect([(await answer).status, (await answer).body.data.current]).toEqual([412, { id: server.id, version: 3, restored: [], left: [] }]);
    expect(await read('servers', server.id)).toMatchObject({ name: 'three', url: 'https://two.example' });
  });

  it('[HIST-007] lets one of two restores at once win, and never mixes them', async () => {
    const server = await create('servers', { name: 'one', url: 'https://one.example', region: 'one' });
    await save('servers', server.id, { name: 'two', url: 'https://two.example', region: 'two' });
    await save('servers', server.id, { name: 'three', url: 'https://three.example', region: 'three' });
    const [, second, first] = await listRevisions('servers', server.id);
    const answers = await Promise.all([restore('servers', server.id, first.id), restore('servers', server.id, second.id)]);
    const state = await read('servers', server.id);
    expect(answers.every(({ status }) => status === 200 || status === 412)).toBe(true);
    expect([state.name, state.url]).toEqual([state.region, `https://${state.region}.example`]);
  });
});
