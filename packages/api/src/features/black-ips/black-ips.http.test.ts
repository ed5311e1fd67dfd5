import { beforeAll, describe, expect, it } from 'vitest';
import { networkInterfaces } from 'node:os';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T10:11:12Z'), env: { APP_URL: 'https://[2001:db8::c0]:8443' } });
  admin = await signInAs(databases, { permissions: ['manager_settings_asns'], since: api.now() });
  return async () => api.app.close();
});

type Answer = { status: number; body: unknown };
const add = async (ips: unknown, reason?: unknown) =>
  api.call('POST', '/api/black-list', { ...admin, body: JSON.parse(JSON.stringify({ ips, reason })) });
const list = async (query = '') => api.call('GET', `/api/black-list?${query}`, admin);
const remove = async (ip: string) => api.call('DELETE', `/api/black-list/${encodeURIComponent(ip)}`, admin);
const listStored = async () => databases.db.selectFrom('black_ips').select(['ip', 'reason']).orderBy('ip').execute();
const trail = async (ip: string) =>
  databases.db
    .selectFrom('audit_entries')
    .select(['action', 'changes'])
    .where('entity', '=', 'black_ip')
    .where('entity_id', '=', ip)
    .orderBy('id')
    .execute();
const only = ({ status, body }: Answer) => ({ status, body });
const misfit = (errors: Record<string, string>) => {
  const fieldErrors = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]]));
  return {
    status: 422,
    body: { success: false, message: 'The given data was invalid.', errors: fieldErrors, data: { errors: fieldErrors } },
  };
};
const many = (count: number) => Array.from({ length: count }, (_, n) => `10.9.${n >> 8}.${n & 255}`);

describe('the black list', () => {
  it('[API-081][BIP-017][AMB-204] adds addresses once whatever their spelling, and gives known ones the new reason', async () => {
    const first = await add(['203.0.113.9', '::ffff:203.0.113.9', '2001:DB8::1'], 'Manager');
    expect(only(first)).toEqual({ status: 200, body: { success: true, data: { created: 2, updated: 0 } } });
    api.wait(1000);
    expect((await add('2001:db8:0::1, 10.1.2.3\n10.1.2.4')).body.data).toEqual({ created: 2, updated: 1 });
    expect(await trail('2001:db8::1')).toEqual([
      { action: 'create', changes: [{ field: 'reason', from: null, to: 'Manager' }] },
      { action: 'update', changes: [{ field: 'reason', from: 'Manager', to: '' }] },
    ]);
    const { body } = await list();
    const at = '2026-11-20 10:11:13';
    expect(body.data).toEqual([
      { ip: '10.1.2.3', reason: '', updated_at: at },
      { ip: '10.1.2.4', reason: '', updated_at: at },
      { ip: '2001:db8::1', reason: '', updated_at: at },
      { ip: '203.0.113.9', reason: 'Manager', updated_at: '2026-11-20 10:11:12' },
    ]);
    expect(body.pagination).toMatchObject({ total: 4, limit: 50 });
  });

  it('[BIP-014][BIP-015][BIP-016] rejects all if one is invalid', async () => {
    const before = await listStored();
    expect(only(await add(undefined))).toEqual(misfit({ ips: 'Please enter at least one IP address.' }));
    for (const nothing of ['', [], ' ,, ', [' ']])
      expect(only(await add(nothing))).toEqual(misfit({ ips: 'Please enter at least one IP address.' }));
    expect(only(await add(['192.0.2.1', '999.1.1.1', '0.0.0.0/0', 'fe80::1%eth0']))).toEqual(
      misfit({ ips: 'The following entries are not valid IPv4 or IPv6 addresses: 999.1.1.1, 0.0.0.0/0, fe80::1%eth0' }),
    );
    expect(only(await add(many(1_001)))).toEqual(misfit({ ips: 'At most 1000 IP addresses per call.' }));
    expect(only(await add(5))).toEqual(misfit({ ips: 'The ips field must be of type array.' }));
    expect(only(await add(['192.0.2.1', 5]))).toEqual(misfit({ ips: 'The ips field contains an invalid value.' }));
    expect(only(await add(['192.0.2.1'], 'x'.repeat(1_001)))).toEqual(
      misfit({ reason: 'The reason field must not be longer than 1000 characters.' }),
    );
    expect(await listStored()).toEqual(before);
  });

  it('takes a thousand at once, each with its entry in the trail, also from two people at the same moment', async () => {
    const both = await Promise.all([add(many(1_000), 'a'), add(many(1_000).toReversed(), 'b')]);
    const sums = both.map(({ body }) => [body.data.created, body.data.updated]).toSorted(([a = 0], [b = 0]) => a - b);
    expect(sums).toEqual([
      [0, 1_000],
      [1_000, 0],
    ]);
    expect((await trail('10.9.3.231')).map(({ action }) => action)).toEqual(['create', 'update']);
  });

  it('[API-080][BIP-002][BIP-018] is searched by part of an address, any spelling of it, or reason', async () => {
    await add(['198.51.100.77'], 'Scraper 100%');
    await databases.pools.ops.query(`update black_ips set source = 'ipsum' where ip = '198.51.100.77'`);
    const find = async (search: string) =>
      (await list(`search=${encodeURIComponent(search)}`)).body.data.map((row: { ip: string }) => row.ip);
    expect(await find('198.51.')).toEqual(['198.51.100.77']);
    expect(await find('sCRAPER')).toEqual(['198.51.100.77']);
    expect(await find('100%')).toEqual(['198.51.100.77']);
    // The call does not show the source, so nobody would see why.
    expect(await find('ipsum')).toEqual([]);
    await databases.pools.ops.query(`update black_ips set source = ''`);
    expect(await find('::ffff:198.51.100.77')).toEqual(['198.51.100.77']);
    expect(await find('2001:DB8:0:0::1')).toEqual(['2001:db8::1']);
    expect((await list('search=10.9.&page=2&limit=200')).body.pagination).toMatchObject({ total: 1_000, count: 200, currentPage: 2 });
    expect((await list(`search=${'x'.repeat(256)}`)).status).toBe(422);
  });

  it('[API-082] takes an address off in any spelling; others are 404', async () => {
    expect((await remove('::FFFF:198.51.100.77')).status).toBe(204);
    expect((await trail('198.51.100.77')).at(-1)).toEqual({
      action: 'delete',
      changes: [{ field: 'reason', from: 'Scraper 100%', to: null }],
    });
    for (const ip of ['198.51.100.77', '999.1.1.1', 'x', 'fe80::1%eth0']) expect((await remove(ip)).status).toBe(404);
    expect((await remove('10.0.0.0/8')).status).toBe(404);
  });

  it('names the addresses of traffic servers and of the caller before they are added', async () => {
    await signInAsServer(databases, { name: 'edge-1', ip: '203.0.113.50' });
    const own =
      Object.values(networkInterfaces())
        .flatMap((all) => all ?? [])
        .find(({ address }) => !address.includes('%'))?.address ?? '';
    const check = async (ips: unknown) =>
      api.call('POST', '/api/black-list/check', { ...admin, ip: '198.51.100.4', body: JSON.parse(JSON.stringify({ ips })) });
    expect((await check(['203.0.113.50', '198.51.100.4', '2001:db8::c0', own, '192.0.2.9'])).body.data).toEqual([
      { ip: '203.0.113.50', kind: 'server', server: 'edge-1' },
      { ip: '198.51.100.4', kind: 'reader', server: null },
      { ip: '2001:db8::c0', kind: 'console', server: null },
      { ip: own, kind: 'console', server: null },
    ]);
    expect((await check('x')).status).toBe(422);
    expect((await listStored()).map(({ ip }) => ip)).not.toContain('203.0.113.50');
  });
});
