import { foundPerKind, type FoundItem } from '@switchyard/contract/search';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
let apps: { own: number; foreign: number; archivedId: number };

beforeAll(async () => {
  api = await buildTestApi({ databases });
  const since = api.now();
  admin = await signInAs(databases, { role: 'Super Admin', since });
  const own = await createApp(databases, { name: 'Acme Bet', bundle: 'com.acme.bet', domain: 'acme-bet.example' });
  const foreign = await createApp(databases, { name: 'Lucky 100%', bundle: 'com.lucky.acme', domain: 'lucky.example' });
  const archivedApp = await createApp(databases, { name: 'Old acme', deleted_at: since });
  apps = { own: own.id, foreign: foreign.id, archivedId: archivedApp.id };
  const buyer = await signInAs(databases, { role: 'Buyer', panel: 'buyer', email: 'ivan.marsh@acme.example', since });
  const stream = { buyer_id: buyer.accountId, rules: '{"country":[]}', created_at: since, updated_at: since };
  await databases.db
    .insertInto('streams')
    .values([
      { ...stream, uid: 'st_own', app_id: own.id, name: 'Acme organic' },
      { ...stream, uid: 'st_foreign', app_id: foreign.id, name: 'Acme paid' },
      { ...stream, uid: 'st_hidden', app_id: own.id, name: 'Acme hidden', deleted_at: since },
    ])
    .execute();
  await databases.db.insertInto('traffic_servers').values({ name: 'edge-acme', url: 'https://edge.example' }).execute();
  await api.call('POST', '/api/views', { ...admin, body: { list: 'apps', name: 'Acme apps', query: 'search=acme', sharing: 'everyone' } });
  return async () => api.app.close();
});

type SearchResult = { items: FoundItem[]; is_approximate: boolean };
async function find(as: SignedIn, q: string): Promise<SearchResult> {
  return (await api.call('GET', `/api/search?q=${encodeURIComponent(q)}`, as)).body.data;
}
/** The results in short: kind and name, streams by uid. */
async function namesOf(as: SignedIn, q: string): Promise<string[]> {
  return (await find(as, q)).items.map((item) => `${item.kind} ${item.kind === 'stream' ? item.uid : item.name}`);
}

describe('search of the console', () => {
  it('[CMD-001] finds apps, accounts, servers, roles, streams and views by a part of their words', async () => {
    const buyer = (await find(admin, 'ivan.marsh')).items[0];
    expect(buyer).toMatchObject({ kind: 'buyer', email: 'ivan.marsh@acme.example' });
    expect(await namesOf(admin, ' ACME ')).toEqual([
      'app Acme Bet',
      'app Lucky 100%',
      'app Old acme',
      `buyer ${buyer?.kind === 'buyer' ? buyer.name : ''}`,
      'server edge-acme',
      'stream st_own',
      'stream st_foreign',
      'view Acme apps',
    ]);
    expect(await namesOf(admin, 'app man')).toEqual(['role App Manager']);
    expect(await namesOf(admin, '0%')).toEqual([]);
    expect(await namesOf(admin, '100%')).toEqual(['app Lucky 100%']);
    expect((await find(admin, String(apps.archivedId))).items[0]).toMatchObject({ kind: 'app', id: apps.archivedId, is_archived: true });
    expect(await namesOf(admin, 'ac')).toEqual(['app Acme Bet', 'stream st_own', 'stream st_foreign', 'view Acme apps']);
    expect(await find(admin, ' ')).toEqual({ items: [], is_approximate: false });
  });

  it('[CMD-001] respects punctuation', async () => {
    const signs = String.raw`!"#$%&'()*+,-./:;<=>?@[\]^_{|}~`;
    const { id } = await createApp(databases, { name: `Signs ${signs}` });
    expect((await find(admin, signs)).items).toEqual([expect.objectContaining({ kind: 'app', id })]);
    for (const q of ['.acme.bet.', '_cme', 'bet%', String.raw`\.acme`, '...', '🎰🎰🎰🎰', 'привет']) {
      const { items, is_approximate } = await find(admin, q);
      expect([q, items.length === 0 || is_approximate]).toEqual([q, true]);
    }
  });

  it('[CMD-001] finds names of other alphabets and with accents, and their typos', async () => {
    const accents = 'àáâãäåāăąæçćčďđèéêëēęěğģìíîïīįıķĺļľłñńņňòóôõöøőœŕřśšşșßťţțùúûüūůűųýÿźžż';
    const names = ['АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЇЄҐЎ', 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏ', accents];
    for (const name of names) {
      const { id } = await createApp(databases, { name });
      const items = [expect.objectContaining({ kind: 'app', id })];
      expect(await find(admin, name.slice(1))).toEqual({ items, is_approximate: false });
    }
    expect(await find(admin, 'ежзики')).toMatchObject({ items: [{ kind: 'app', name: names[0] }], is_approximate: true });
  });

  it('[CMD-001] finds as many of a kind at most, those that begin with the text first, and no deleted account', async () => {
    const server = (name: string) => ({ name, url: 'https://many.example' });
    const names = Array.from({ length: foundPerKind }, (_, at) => `quartz-${at}`);
    await databases.db
      .insertInto('traffic_servers')
      .values([...names, ...names.slice(1).map((name) => `x-${name}`)].map(server))
      .execute();
    await databases.db.deleteFrom('traffic_servers').where('name', '=', 'quartz-0').execute();
    const foundNames = (await find(admin, 'quartz')).items.map((item) => (item.kind === 'server' ? item.name : item.kind));
    expect(foundNames.slice(0, -1)).toEqual(names.slice(1));
    expect([foundNames.length, foundNames.at(-1)]).toEqual([foundPerKind, expect.stringMatching(/^x-quartz-/)]);
    const { accountId } = await signInAs(databases, { email: 'gone@quixote.example', since: api.now() });
    expect((await find(admin, 'quixote')).items).toHaveLength(1);
    await databases.db.updateTable('accounts').set({ deleted_at: api.now() }).where('id', '=', accountId).execute();
    expect((await find(admin, 'quixote')).items).toEqual([]);
  });

  it('[CMD-002] finds only what the caller may open, within the scope of the caller', async () => {
    const since = api.now();
    const restrictedReader = await signInAs(databases, { permissions: ['manager_app_requests'], apps: [apps.own], since });
    expect(await namesOf(restrictedReader, 'acme')).toEqual(['app Acme Bet', 'stream st_own', 'view Acme apps']);
    expect(await namesOf(restrictedReader, String(apps.foreign))).toEqual([]);
    expect(await namesOf(restrictedReader, 'lucki')).toEqual([]);
    const itemsByPermission = { manager_dev_logs: [], manager_settings_roles: [], manager_settings_server: ['server edge-acme'] } as const;
    for (const permission of ['manager_dev_logs', 'manager_settings_roles', 'manager_settings_server'] as const)
      expect(await namesOf(await signInAs(databases, { permissions: [permission], since }), 'acme')).toEqual(itemsByPermission[permission]);
    expect(await namesOf(await signInAs(databases, { role: 'Buyer', panel: 'buyer', since }), 'acme')).toEqual([]);
  });

  it('[CMD-003] finds words with one typo when nothing else fits', async () => {
    for (const q of ['lukcy', 'lucki', 'lucy', 'luccky']) {
      expect(await find(admin, q)).toMatchObject({ items: [{ kind: 'app', name: 'Lucky 100%' }], is_approximate: true });
    }
    expect(await namesOf(admin, 'marhs')).toEqual([expect.stringMatching(/^buyer /)]);
    expect(await namesOf(admin, 'lukcy 100% com.lucky.acme and what is beyond')).toEqual(['app Lucky 100%']);
    expect(await namesOf(admin, 'orgnaci')).toEqual([]);
  });
});
