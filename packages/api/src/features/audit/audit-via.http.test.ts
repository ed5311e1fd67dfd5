import type { AuditRow } from '@switchyard/contract/audit';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { makeApiToken, signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
const { ops } = databases.pools;
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin' });
  return async () => api.app.close();
});

const read = async (query: string, caller = admin): Promise<AuditRow[]> =>
  (await api.call('GET', `/api/audit?limit=200&${query}`, caller)).body.data;

describe('the key via of entries', () => {
  it('[IDN-099] is read from entries of earlier versions, which stay sealed as they are', async () => {
    const changes = (to: unknown) =>
      JSON.stringify([
        { field: 'via', from: null, to },
        { field: 'name', from: 'a', to: 'b' },
      ]);
    const storedChanges: [number | null, string, unknown][] = [
      [null, changes('edge-fra-1'), { kind: 'server', id: null, name: 'edge-fra-1' }],
      [admin.accountId, changes('CI (x) (#7)'), { kind: 'token', id: 7, name: 'CI (x)' }],
      [admin.accountId, changes('CI\nnight (#8)'), { kind: 'token', id: 8, name: 'CI\nnight' }],
      [admin.accountId, changes('without a number'), { kind: 'token', id: null, name: 'without a number' }],
      [null, changes({ kind: 'server', id: 3, name: 'edge-ams-1' }), { kind: 'server', id: 3, name: 'edge-ams-1' }],
      [admin.accountId, '[{"field": "name", "from": "a", "to": "b"}]', null],
      [admin.accountId, '[]', null],
    ];
    for (const [actor, text] of storedChanges)
      await ops.query(`insert into audit_entries (actor_id, action, entity, entity_id, changes) values ($1, 'update', 'role', 'old', $2)`, [
        actor,
        text,
      ]);
    await api.maintain();
    const rows = (await read('entity=role&entityId=old')).toReversed();
    expect(rows.map(({ via }) => via)).toEqual(storedChanges.map(([, , via]) => via));
    expect(rows.map(({ changes: fields }) => fields.map(({ field }) => field))).toEqual([...Array.from({ length: 6 }, () => ['name']), []]);
    expect((await api.call('GET', '/api/audit/seal', admin)).body.data).toMatchObject({ state: 'intact', total_problems: 0 });
    expect(
      (await ops.query(`select changes from audit_entries where entity_id = 'old' order by id`)).rows.map((row) => row.changes),
    ).toEqual(storedChanges.map(([, text]) => JSON.parse(text)));
  });

  it('[IDN-100] filters by kind, and by token or server', async () => {
    const token = await makeApiToken(databases, { ownerId: admin.accountId });
    const server = await signInAsServer(databases);
    const app = await createApp(databases);
    const buyer = await signInAs(databases, { panel: 'buyer', role: 'Buyer' });
    const role = { name: 'By a token', permission_ids: [3], panel: 'manager' };
    expect((await api.call('POST', '/api/roles', { headers: token.headers, body: role })).status).toBe(201);
    const times = { created_at: '2026-11-01 08:00:00', updated_at: '2026-11-01 10:00:00' };
    const stream = { app_id: app.id, uid: 'st_1', name: 'DE', buyer_id: buyer.accountId, rules: { country: ['DE'] }, ...times };
    expect((await api.call('POST', '/api/ingest/streams', { headers: server.headers, body: { streams: [stream] } })).status).toBe(200);

    const [byToken, byServer] = [await read('via=token'), await read('via=server')];
    expect(byToken.map(({ via }) => [via?.kind, via?.id])).toEqual([
      ['token', token.tokenId],
      ['token', null],
      ['token', 8],
      ['token', 7],
    ]);
    expect(byServer.map(({ via }) => [via?.kind, via?.id])).toEqual([
      ['server', server.serverId],
      ['server', 3],
      ['server', null],
    ]);
    expect((await read('via=server,token')).length).toBe(7);
    expect((await read('via=token&viaId=7')).map(({ via }) => via?.name)).toEqual(['CI (x)']);
    expect((await read(`via=token&viaId=${token.tokenId}&entity=role`)).map(({ entity_label: label }) => label)).toEqual(['By a token']);
    expect(await read(`via=token&viaId=${token.tokenId}&entity=stream`)).toEqual([]);
    const restrictedReader = await signInAs(databases, { permissions: ['manager_user_activity'], apps: [] });
    expect((await read('via=server', restrictedReader)).map(({ entity }) => entity)).not.toContain('stream');
    expect((await api.call('GET', '/api/audit?via=person', admin)).status).toBe(422);
  });

  it('[IDN-101] is no obstacle to reading the neighbours of an entry, also of a deleted one', async () => {
    await ops.query(`insert into audit_entries (action, entity) select 'login', 'session' from generate_series(1, 40)`);
    const all = (await read('')).map(({ id }) => id);
    const [middle = 0, last = 0] = [all[20], all[0]];
    expect((await read(`near=${middle}`)).map(({ id }) => id)).toEqual(all.slice(10, 30));
    await ops.query('delete from audit_entries where id between $1 and $2', [middle - 4, middle + 4]);
    expect((await read(`near=${middle}`)).map(({ id }) => id)).toEqual([...all.slice(6, 16), ...all.slice(25, 35)]);
    expect((await read(`near=${last + 1000}`)).map(({ id }) => id)).toEqual(all.slice(0, 10));
    expect((await read('near=-9223372036854775808')).length).toBe(10);
    for (const near of ['x', '9223372036854775808', '1.5'])
      expect((await api.call('GET', `/api/audit?near=${near}`, admin)).status).toBe(422);
  });
});
