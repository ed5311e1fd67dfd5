import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
const startsAt = new Date('2026-11-20T12:00:00Z');
let api: TestApi;
let server: Awaited<ReturnType<typeof signInAsServer>>;
let admin: SignedIn;
let ofOne: SignedIn;
let ofOther: SignedIn;
let one: number;
let other: number;
let buyer: number;
let via: { kind: 'server'; id: number; name: string };

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt });
  [one, other] = [(await createApp(databases)).id, (await createApp(databases)).id];
  server = await signInAsServer(databases);
  admin = await signInAs(databases, { role: 'Super Admin', since: startsAt });
  ofOne = await signInAs(databases, { permissions: ['manager_user_activity'], apps: [one], since: startsAt });
  ofOther = await signInAs(databases, { permissions: ['manager_user_activity'], apps: [other], since: startsAt });
  buyer = (await signInAs(databases, { panel: 'buyer', role: 'Buyer' })).accountId;
  const { name } = await databases.db
    .selectFrom('traffic_servers')
    .select('name')
    .where('id', '=', server.serverId)
    .executeTakeFirstOrThrow();
  via = { kind: 'server', id: server.serverId, name };
  return async () => api.app.close();
});

const stream = (uid: string, updatedAt: string, change: object = {}) => ({
  app_id: one,
  uid,
  name: 'DE organic',
  buyer_id: buyer,
  rules: { country: ['DE'] },
  created_at: '2026-11-01 08:00:00',
  updated_at: `2026-11-20 ${updatedAt}`,
  ...change,
});
const send = async (streams: object[], requestId = 'some-request') => {
  const { status, body } = await api.call('POST', '/api/ingest/streams', {
    headers: { ...server.headers, 'x-request-id': requestId },
    ip: '203.0.113.77',
    body: { streams },
  });
  expect(status).toBe(200);
  return body.data;
};
/** The entries about a stream that a reader sees in the trail, oldest first. */
const trail = async (uid: string, reader = admin) => {
  const { status, body } = await api.call('GET', `/api/audit?entity=stream&limit=200&entityId=${uid}`, reader);
  expect(status).toBe(200);
  return body.data.toReversed();
};
const actions = async (uid: string, reader?: SignedIn) => (await trail(uid, reader)).map((entry: { action: string }) => entry.action);

describe('streams that traffic servers change', () => {
  it('[O36] leaves an entry for a new stream that names the server, its address and the call', async () => {
    await send([stream('st_new', '10:00:00')], 'made-by-edge');
    expect(await trail('st_new')).toEqual([
      {
        id: expect.any(Number),
        at: expect.any(String),
        actor: null,
        action: 'create',
        entity: 'stream',
        entity_id: 'st_new',
        entity_label: 'DE organic',
        ip: '203.0.113.77',
        request_id: 'made-by-edge',
        via,
        changes: [
          { field: 'name', from: null, to: 'DE organic' },
          { field: 'buyer_id', from: null, to: buyer },
          { field: 'rules.country', from: [], to: ['DE'] },
          { field: 'created_at', from: null, to: '2026-11-01 08:00:00' },
        ],
      },
    ]);
  });

  it('[O36] names every field that a newer row changes, and no other', async () => {
    const second = (await signInAs(databases, { panel: 'buyer', role: 'Buyer' })).accountId;
    await send([stream('st_offer', '10:00:00', { offer: 'https://before.example' })]);
    await send([stream('st_offer', '10:00:01', { offer: 'https://after.example' })]);
    await send([
      stream('st_offer', '10:00:02', {
        name: 'AT paid',
        buyer_id: second,
        rules: { country: ['AT', 'DE'] },
        level_cloaking: 'strict',
        created_at: '2026-11-02 08:00:00',
      }),
    ]);
    const [, offer, rest] = await trail('st_offer');
    expect(offer).toMatchObject({ action: 'replace', entity_label: 'DE organic' });
    expect(offer.changes).toEqual([{ field: 'offer', from: 'https://before.example', to: 'https://after.example' }]);
    expect(rest).toMatchObject({ action: 'replace', entity_label: 'AT paid' });
    expect(rest.changes).toEqual([
      { field: 'name', from: 'DE organic', to: 'AT paid' },
      { field: 'buyer_id', from: buyer, to: second },
      { field: 'rules.country', from: ['DE'], to: ['AT', 'DE'] },
      { field: 'offer', from: 'https://after.example', to: null },
      { field: 'level_cloaking', from: null, to: 'strict' },
      { field: 'created_at', from: '2026-11-01 08:00:00', to: '2026-11-02 08:00:00' },
    ]);
  });

  it('[O36] distinguishes a stream that is hidden from one that is shown again', async () => {
    const deletedAt = '2026-11-20 10:00:01';
    await send([stream('st_hidden', '10:00:00')]);
    await send([stream('st_hidden', '10:00:01', { deleted_at: deletedAt })]);
    await send([stream('st_hidden', '10:00:02')]);
    const [, hiddenEntry, shownEntry] = await trail('st_hidden');
    expect([hiddenEntry.action, hiddenEntry.changes]).toEqual(['hide', [{ field: 'deleted_at', from: null, to: deletedAt }]]);
    expect([shownEntry.action, shownEntry.changes]).toEqual(['replace', [{ field: 'deleted_at', from: deletedAt, to: null }]]);
  });

  it('[O36] leaves no entry for duplicates, older rows and newer rows that change nothing', async () => {
    await send([stream('st_same', '10:00:01')]);
    expect(await send([stream('st_same', '10:00:01', { name: 'Duplicate' })])).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await send([stream('st_same', '10:00:00', { name: 'Older' })])).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await send([stream('st_same', '10:00:02')])).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await actions('st_same')).toEqual(['create']);
  });

  it('[O36] leaves one entry a stream for a batch with several rows of it, from what was stored to what is', async () => {
    await send([stream('st_many', '10:00:00')]);
    const rows = ['B', 'C', 'D'].map((name, index) => stream('st_many', `10:00:0${index + 1}`, { name }));
    expect(await send([...rows, stream('st_beside', '10:00:00')])).toMatchObject({ accepted: 4 });
    const [, replacement, ...more] = await trail('st_many');
    expect([replacement.changes, more]).toEqual([[{ field: 'name', from: 'DE organic', to: 'D' }], []]);
    expect(await actions('st_beside')).toEqual(['create']);
  });

  it('[O36] shows a reader of some apps the streams of those alone, also when one moves between apps', async () => {
    await send([stream('st_moves', '10:00:00', { offer: 'https://private.example' })]);
    await send([stream('st_moves', '10:00:01', { app_id: other, name: 'Moved' })]);
    expect(await actions('st_moves')).toEqual(['create', 'hide', 'create']);
    const [, hiddenEntry, ...more] = await trail('st_moves', ofOne);
    expect([hiddenEntry.action, hiddenEntry.changes, more]).toEqual(['hide', [{ field: 'app_id', from: one, to: null }], []]);
    const entries = await trail('st_moves', ofOther);
    expect(entries.map(({ action, entity_label: label }: Record<string, unknown>) => [action, label])).toEqual([['create', 'Moved']]);
    expect(entries[0].changes).toContainEqual({ field: 'app_id', from: null, to: other });
    expect(JSON.stringify(entries)).not.toContain('private.example');

    await send([stream('st_theirs', '10:00:00', { app_id: other })]);
    const idsOf = async (query: string, reader: SignedIn) => {
      const { body } = await api.call('GET', `/api/audit?limit=200${query}`, reader);
      return body.data
        .filter(({ entity }: { entity: string }) => entity === 'stream')
        .map(({ entity_id: id }: { entity_id: string }) => id);
    };
    for (const query of ['', '&entity=stream', '&action=create', '&entityId=st_theirs', '&startDate=2000-01-01']) {
      expect(await idsOf(query, ofOne), query).not.toContain('st_theirs');
      expect(await idsOf(query, ofOther), query).toContain('st_theirs');
    }
  });

  it('[O36] takes the largest batch, new and replaced, with one entry a stream', async () => {
    const rows = (updatedAt: string, name: string) =>
      Array.from({ length: 5_000 }, (_, index) => stream(`bulk_${index}`, updatedAt, { name }));
    const countEntries = async (requestId: string) =>
      databases.db
        .selectFrom('audit_entries')
        .select(({ fn }) => ['action', fn.countAll().as('count')])
        .where('request_id', '=', requestId)
        .groupBy('action')
        .execute();
    expect(await send(rows('10:00:00', 'First'), 'bulk-new')).toMatchObject({ accepted: 5_000 });
    expect(await send(rows('10:00:01', 'Second'), 'bulk-newer')).toMatchObject({ accepted: 5_000 });
    expect(await countEntries('bulk-new')).toEqual([{ action: 'create', count: 5_000 }]);
    expect(await countEntries('bulk-newer')).toEqual([{ action: 'replace', count: 5_000 }]);
  });
});
