import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { refreshRegistry, registryIn } from './load-registry.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

const v4 = [
  '1.0.0.0,1.0.0.255,13335,"Cloudflare, Inc."',
  '1.0.4.0,1.0.7.255,38803,Gtelecom Pty Ltd',
  '1.0.5.0,1.0.5.255,1333,Inner',
  '3.0.0.0,3.1.255.255,16509,"Amazon.com, Inc."',
  '5.0.0.0,5.0.0.255,64512,100% _Exact\\',
];
const v6 = [
  '2001::,2001::ffff:ffff:ffff:ffff:ffff:ffff,6939,Hurricane Electric LLC',
  '2001:200::,2001:200:1b9:ffff:ffff:ffff:ffff:ffff,2500,WIDE Project',
];

async function load(lines4: readonly string[], lines6: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'asns-'));
  await writeFile(join(folder, 'asn-ipv4.csv'), lines4.map((line) => `${line}\n`).join(''));
  await writeFile(join(folder, 'asn-ipv6.csv'), lines6.map((line) => `${line}\n`).join(''));
  try {
    return await refreshRegistry({ databases, signal: new AbortController().signal }, registryIn(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T10:11:12Z') });
  admin = await signInAs(databases, { permissions: ['manager_settings_asns'], since: api.now() });
  expect(await load(v4, v6)).toEqual({ systems: 7, prefixes: 7 });
  return async () => api.app.close();
});

const list = async (query = '') => api.call('GET', `/api/octopus-app/asn?${query}`, admin);
const codes = async (search: string, more = '') =>
  (await list(`search=${encodeURIComponent(search)}${more}`)).body.data.map((row: { code: number }) => row.code);
const ban = async (code: number | string, body: object, caller = admin) =>
  api.call('POST', `/api/octopus-app/asn/${code}`, { ...caller, body });
const trail = async (code: number) =>
  databases.db
    .selectFrom('audit_entries')
    .select(['entity_label', 'changes'])
    .where('entity', '=', 'asn')
    .where('entity_id', '=', String(code))
    .orderBy('id')
    .execute();

describe('autonomous systems', () => {
  it('[ENT-035][ASN-017][API-078] are listed by code, 18 a page', async () => {
    const { body } = await list();
    expect(body.data.map((row: { code: number }) => row.code)).toEqual([1333, 2500, 6939, 13335, 16509, 38803, 64512]);
    expect(body.data[4]).toEqual({
      code: 16509,
      domain: 'amazon.com',
      name: 'Amazon.com, Inc.',
      is_ban_create: false,
      is_ban_receive: false,
    });
    expect(body.pagination).toMatchObject({ total: 7, limit: 18, totalPages: 1 });
    expect((await list('page=2&limit=3')).body.pagination).toMatchObject({ total: 7, count: 3, currentPage: 2 });
    expect((await list('page=9')).body).toMatchObject({ data: [], pagination: { total: 7, currentPage: 9 } });
  });

  it('[ASN-002] are found by code, exact or its first digits, with or without AS', async () => {
    expect(await codes('1333')).toEqual([1333, 13335]);
    expect(await codes('AS1333')).toEqual([1333, 13335]);
    expect(await codes('as13335')).toEqual([13335]);
    expect(await codes('3335')).toEqual([]);
  });

  it('[ASN-002][BAN-105] are found by AS and ASN with a space, and by lists of codes and addresses', async () => {
    for (const text of ['AS 13335', 'ASN13335', 'asn 13335']) expect(await codes(text)).toEqual([13335]);
    expect(await codes('AS1333, 16509,ASN 6939')).toEqual([1333, 6939, 16509]);
    expect(await codes('Amazon.com, Inc.')).toEqual([16509]);
    expect(await codes('16509, nobody')).toEqual([]);
  });

  it('[ASN-002] are found by part of a domain or name, wildcards taken literally', async () => {
    expect(await codes('CLOUDflare')).toEqual([13335]);
    expect(await codes('amazon.com')).toEqual([16509]);
    expect(await codes('%')).toEqual([64512]);
    expect(await codes(' _exact\\ ')).toEqual([64512]);
    for (const wild of ['cl_ud', 'cl%re', 'exact\\\\']) expect([wild, await codes(wild)]).toEqual([wild, []]);
    expect(await codes('ga')).toEqual([]);
    expect(await codes('GT')).toEqual([38803]);
    expect((await list(`search=${'x'.repeat(256)}`)).status).toBe(422);
  });

  it('[ASN-002] are found by an address that one of their prefixes holds, to its very ends', async () => {
    expect(await codes('1.0.0.0')).toEqual([13335]);
    expect(await codes('1.0.0.255')).toEqual([13335]);
    expect(await codes('::ffff:1.0.0.7')).toEqual([13335]);
    expect(await codes('1.0.1.0')).toEqual([]);
    expect(await codes('0.255.255.255')).toEqual([]);
    expect(await codes('1.0.5.9')).toEqual([1333, 38803]);
    expect(await codes('1.0.6.0')).toEqual([38803]);
    expect(await codes('2001::1')).toEqual([6939]);
    expect(await codes('2001:200:1b9:FFFF::')).toEqual([2500]);
    expect(await codes('2001:200:1ba::')).toEqual([]);
  });

  it('[API-079][ASN-013][ASN-016] are banned and freed flag by flag, and who did it is kept', async () => {
    const { status, body } = await ban(2500, { isBanCreate: 1 });
    expect([status, body.data]).toEqual([
      200,
      { code: 2500, domain: '', name: 'WIDE Project', is_ban_create: true, is_ban_receive: false },
    ]);
    expect((await ban(2500, { isBanReceive: true })).body.data).toMatchObject({ is_ban_create: true, is_ban_receive: true });
    expect((await ban(2500, { isBanReceive: true })).status).toBe(200);
    expect((await ban(2500, { isBanCreate: false, isBanReceive: true })).body.data).toMatchObject({
      is_ban_create: false,
      is_ban_receive: true,
    });
    expect(await trail(2500)).toEqual([
      { entity_label: 'AS2500 WIDE Project', changes: [{ field: 'isBanCreate', from: false, to: true }] },
      { entity_label: 'AS2500 WIDE Project', changes: [{ field: 'isBanReceive', from: false, to: true }] },
      { entity_label: 'AS2500 WIDE Project', changes: [{ field: 'isBanCreate', from: true, to: false }] },
    ]);
    const { body: changesBody } = await api.call('GET', '/api/octopus-app/asn/changes?codes=2500,1333', admin);
    expect(changesBody.data).toEqual([
      { code: 2500, at: expect.any(String), actor: { id: admin.accountId, name: expect.stringMatching(/^Person/) }, reason: '' },
    ]);
  });

  it('[BAN-108] have a reason while they are banned, which the last change and what blocks them tell', async () => {
    const explain = async (code: number, reason: unknown, caller = admin) =>
      api.call('PUT', `/api/octopus-app/asn/${code}/reason`, { ...caller, body: { reason } });
    const told = async () => (await api.call('GET', '/api/octopus-app/asn/changes?codes[]=38803', admin)).body.data;
    expect((await explain(38_803, 'Scans')).body.errors).toEqual({ reason: ['Ban the autonomous system first.'] });
    expect((await explain(99_999, 'Scans')).status).toBe(404);
    await ban(38_803, { isBanCreate: true });
    expect((await explain(38_803, 'x'.repeat(1_001))).status).toBe(422);
    const weaker = await signInAs(databases, { permissions: ['manager_app_all_requests'], since: api.now() });
    expect((await explain(38_803, 'Scans', weaker)).status).toBe(403);
    expect((await explain(38_803, 'Scans <b>\u202e')).body.data).toEqual({ code: 38_803, reason: 'Scans <b>\u202e' });
    expect(await told()).toMatchObject([{ code: 38_803, reason: 'Scans <b>\u202e' }]);
    expect((await api.call('GET', '/api/black-list/covering?entry=AS38803', admin)).body.data).toMatchObject({
      rules: [{ kind: 'asn', reason: 'Scans <b>\u202e' }],
    });
    await explain(38_803, 'Scans <b>\u202e');
    // One flag of two leaves the reason, the last one takes it.
    await ban(38_803, { isBanReceive: true });
    await ban(38_803, { isBanCreate: false });
    expect(await told()).toMatchObject([{ reason: 'Scans <b>\u202e' }]);
    await ban(38_803, { isBanReceive: false });
    expect(await told()).toMatchObject([{ reason: '' }]);
    expect((await trail(38_803)).map(({ changes }) => changes).filter((changes) => JSON.stringify(changes).includes('reason'))).toEqual([
      [{ field: 'reason', from: '', to: 'Scans <b>\u202e' }],
      [
        { field: 'isBanReceive', from: true, to: false },
        { field: 'reason', from: 'Scans <b>\u202e', to: '' },
      ],
    ]);
  });

  it('[ASN-007] are filtered by their flags', async () => {
    expect(await codes('', '&isBanReceive=1')).toEqual([2500]);
    expect(await codes('', '&isBanReceive=1&isBanCreate=1')).toEqual([]);
    expect(await codes('wide', '&isBanCreate=0')).toEqual([2500]);
    expect((await list('isBanCreate=yes')).status).toBe(422);
  });

  it('reject invalid flags, codes and systems, and lose neither of two changes at the same moment', async () => {
    const { status, body } = await ban(2500, {});
    expect([status, body.errors]).toEqual([
      422,
      { isBanCreate: ['The isBanCreate field is required.'], isBanReceive: ['The isBanReceive field is required.'] },
    ]);
    expect((await ban(2500, { isBanCreate: 'yes' })).body.errors).toEqual({
      isBanCreate: ['The isBanCreate field must be of type boolean.'],
    });
    for (const unknown of [4294967290, 'AS2500', '9999999999']) expect((await ban(unknown, { isBanCreate: true })).status).toBe(404);
    const both = await Promise.all([ban(6939, { isBanCreate: true }), ban(6939, { isBanReceive: true })]);
    expect(both.map((answer) => answer.status)).toEqual([200, 200]);
    expect((await list('search=6939')).body.data).toMatchObject([{ is_ban_create: true, is_ban_receive: true }]);
  });

  it("when two people flip one flag at the same moment, each finds the other's value, and the trail has both", async () => {
    const other = await signInAs(databases, { permissions: ['manager_settings_asns'], since: api.now() });
    const before = (await trail(38803)).length;
    const flips = [true, false, true, false, true, false].map(async (isBanCreate, nth) =>
      ban(38803, { isBanCreate }, nth % 2 === 0 ? admin : other),
    );
    for (const { status, body } of await Promise.all(flips)) expect([status, body.data.code]).toEqual([200, 38803]);
    const changes = (await trail(38803)).slice(before).flatMap((entry) => entry.changes);
    // A call that finds the flag as requested leaves no entry, so the entries alternate between the two values.
    expect(changes).toEqual(changes.map((_, nth) => ({ field: 'isBanCreate', from: nth % 2 === 1, to: nth % 2 === 0 })));
    expect(changes.length).toBeGreaterThan(0);
    expect((await list('search=AS38803')).body.data).toMatchObject([{ is_ban_create: changes.length % 2 === 1 }]);
    await ban(38803, { isBanCreate: false });
  });

  it('keep their bans when the registry is loaded again; systems that are no longer in it are removed unless they are banned', async () => {
    const registry = await load([v4[0] ?? '', '9.0.0.0,9.0.0.255,1333,Renamed'], ['2001:db8::,2001:db8::ff,13335,"Cloudflare, Inc."']);
    expect(registry).toEqual({ systems: 2, prefixes: 3 });
    expect((await list()).body.data.map((row: { code: number; name: string }) => [row.code, row.name])).toEqual([
      [1333, 'Renamed'],
      [2500, 'WIDE Project'],
      [6939, 'Hurricane Electric LLC'],
      [13335, 'Cloudflare, Inc.'],
    ]);
    expect([await codes('9.0.0.9'), await codes('3.0.0.1')]).toEqual([[1333], []]);
    await expect(load(['1.0.0.0,nonsense,1,x'], [])).rejects.toThrow('invalid input syntax');
    expect(await codes('9.0.0.9')).toEqual([1333]);
  });
});
