import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

const minute = 60_000;

beforeAll(async () => {
  const env = { APP_URL: 'https://[2001:db8::c0]:8443', PROTECTED_NETWORKS: '198.18.128.0/17 2001:db8:f::1' };
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T10:11:12Z'), env });
  admin = await signInAs(databases, { permissions: ['manager_settings_asns', 'manager_app_all_requests'], since: api.now() });
  return async () => api.app.close();
});

const add = async (entries: unknown, more: object = {}) =>
  api.call('POST', '/api/black-list/entries', { ...admin, ip: '198.51.100.4', body: { entries, ...more } });
const list = async (query = '') => api.call('GET', `/api/black-list/entries?${query}`, admin);
const find = async (query: string): Promise<string[]> => (await list(query)).body.data.map((row: { entry: string }) => row.entry);
const search = async (text: string) => find(`search=${encodeURIComponent(text)}`);
const remove = async (entry: string) => api.call('DELETE', `/api/black-list/entries/${encodeURIComponent(entry)}`, admin);
const errorsOf = ({ status, body }: { status: number; body: { errors?: unknown } }) => [status, body.errors];

describe('entries of the black list', () => {
  it('[BAN-001][BAN-002] are addresses and networks with reason, source and expiry; known ones get what is new', async () => {
    expect((await add(['203.0.113.9', '::ffff:203.0.113.9', '203.0.113.0/25'], { reason: 'Bots', source: 'DROP' })).body.data).toEqual({
      created: 2,
      updated: 0,
    });
    expect((await add('203.0.113.9 2001:DB8:1::/48', { expires_in_hours: 2 })).body.data).toEqual({ created: 1, updated: 1 });
    const at = '2026-11-20 10:11:12';
    const dates = { created_at: at, updated_at: at };
    expect((await list()).body.data).toEqual([
      {
        entry: '2001:db8:1::/48',
        kind: 'network',
        reason: '',
        source: '',
        expires_at: '2026-11-20 12:11:12',
        covered_by: null,
        ...dates,
      },
      { entry: '203.0.113.0/25', kind: 'network', reason: 'Bots', source: 'DROP', expires_at: null, covered_by: null, ...dates },
      {
        entry: '203.0.113.9',
        kind: 'address',
        reason: '',
        source: '',
        expires_at: '2026-11-20 12:11:12',
        covered_by: '203.0.113.0/25',
        ...dates,
      },
    ]);
    const trail = await databases.db
      .selectFrom('audit_entries')
      .select(['action', 'changes'])
      .where('entity_id', '=', '203.0.113.9')
      .where('entity', '=', 'black_ip')
      .orderBy('id')
      .execute();
    expect(trail).toEqual([
      {
        action: 'create',
        changes: [
          { field: 'reason', from: null, to: 'Bots' },
          { field: 'source', from: null, to: 'DROP' },
        ],
      },
      {
        action: 'update',
        changes: [
          { field: 'reason', from: 'Bots', to: '' },
          { field: 'source', from: 'DROP', to: null },
          { field: 'expires_at', from: null, to: '2026-11-20 12:11:12' },
        ],
      },
    ]);
    expect((await api.call('GET', '/api/black-list', admin)).body.data).toEqual([{ ip: '203.0.113.9', reason: '', updated_at: at }]);
  });

  it('[BAN-001] are found by kind, expiry, cover, reason, source, and by addresses and networks in them and around them', async () => {
    await add(['203.0.113.200', '2001:db8:1:2::3'], { reason: 'Scraper 100%' });
    expect(await find('kind=network')).toEqual(['2001:db8:1::/48', '203.0.113.0/25']);
    expect(await find('expires=1')).toEqual(['2001:db8:1::/48', '203.0.113.9']);
    expect(await find('covered=0&kind=address')).toEqual(['2001:db8:1:2::3', '203.0.113.200']);
    expect(await search('100%')).toEqual(['2001:db8:1:2::3', '203.0.113.200']);
    expect(await search('drop')).toEqual(['203.0.113.0/25']);
    expect(await search('203.0.113.77')).toEqual(['203.0.113.0/25']);
    expect(await search('203.0.113.0/24')).toEqual(['203.0.113.0/25', '203.0.113.200', '203.0.113.9']);
    expect(await search('2001:DB8:1:2::/64')).toEqual(['2001:db8:1:2::3', '2001:db8:1::/48']);
    expect((await list('limit=2&page=2')).body.pagination).toMatchObject({ total: 5, count: 2, currentPage: 2 });
    expect((await list('kind=x')).status).toBe(422);
  });

  it('[BAN-030] are found by the indexes of words and spans', async () => {
    const { rows } = await databases.pools.ui
      .query(`
      set enable_seqscan = off; set enable_indexscan = off;
      explain select ip from black_ips where (ip || E'\\n' || lower(reason) || E'\\n' || lower(source)) like '%abc%' or ip::inet <<= '10.0.0.0/8'::inet;
    `)
      .then((results) => (Array.isArray(results) ? results.at(-1) : results));
    const plan = rows.map((row: object) => Object.values(row).join(' ')).join('\n');
    expect(plan).toContain('black_ips_words');
    expect(plan).toContain('black_ips_address');
  });

  it('[BAN-030] are in one order and all counted, whether few or very many match', async () => {
    await databases.pools.ops.query(`
      insert into black_ips (ip, reason, source, created_at, updated_at)
      select host('17.0.0.0'::inet + nth), 'flood', 'many', now(), timestamptz '2026-11-20T10:11:12Z' - (nth % 300) * interval '1 s'
      from generate_series(1, 60000) nth`);
    const { rows } = await databases.pools.ops.query<{ ip: string }>(
      `select ip from black_ips where source = 'many' order by updated_at desc, ip`,
    );
    for (const [text, matching] of [
      ['flood', rows],
      ['17.0.1', rows.filter(({ ip }) => ip.includes('17.0.1'))],
    ] as const)
      for (const page of [1, 2, Math.ceil(matching.length / 200)]) {
        const { body } = await list(`search=${text}&limit=200&page=${page}`);
        expect(body.data.map(({ entry }: { entry: string }) => entry)).toEqual(
          matching.slice((page - 1) * 200, page * 200).map(({ ip }) => ip),
        );
        expect(body.pagination.total).toBe(matching.length);
      }
    await databases.pools.ops.query(`delete from black_ips where source = 'many'`);
  });

  it('[BAN-001] are a file with the columns of the list', async () => {
    const url = '/api/black-list/entries/download?search=drop';
    const { payload } = await api.app.inject({ method: 'GET', url, headers: admin.headers });
    expect(payload).toBe(
      'entry,kind,reason,source,expires_at,created_at,updated_at,covered_by\r\n203.0.113.0/25,network,Bots,DROP,,2026-11-20 10:11:12,2026-11-20 10:11:12,\r\n',
    );
  });

  it('[BAN-001][BAN-002][BAN-005] are all rejected if one is invalid, with the reason', async () => {
    expect(errorsOf(await add(['203.0.113.1', '203.0.113.77/24', '0.0.0.0/0']))).toEqual([
      422,
      {
        entries: [
          '203.0.113.77/24 is not the first address of its network. Write 203.0.113.0/24. 0.0.0.0/0 is wider than /8, the widest IPv4 network that can be black-listed.',
        ],
      },
    ]);
    expect(errorsOf(await add(' , '))).toEqual([422, { entries: ['Please enter at least one address or network.'] }]);
    const many = Array.from({ length: 22 }, (_, index) => `bot-${index}.example`);
    expect((await add(many)).body.errors.entries[0]).toMatch(/bot-19\.example is a name\..* 2 more entries are not valid\.$/);
    const tooMany = Array.from({ length: 1_001 }, (_, index) => `10.9.${index >> 8}.${index & 255}`);
    expect(errorsOf(await add(tooMany))).toEqual([422, { entries: ['At most 1000 entries per call. Import longer lists.'] }]);
    for (const expiry of [{ expires_in_hours: 0 }, { expires_in_hours: 721 }, { expires_at: '2026-11-20T10:11:12Z' }, { expires_at: 'x' }])
      expect((await add('203.0.113.1', expiry)).status).toBe(422);
    expect((await add('203.0.113.1', { expires_in_hours: 1, expires_at: '2027-01-01T00:00:00Z' })).status).toBe(422);
    expect(await search('203.0.113.1/32')).toEqual(['203.0.113.0/25']);
  });

  it('[BAN-003] are rejected if they are, contain or lie in what is protected', async () => {
    await signInAsServer(databases, { name: 'edge-1', ip: '203.0.113.250' });
    const entries = [
      '203.0.113.250',
      '203.0.113.128/25',
      '198.51.100.0/24',
      '2001:db8::/32',
      '198.18.130.9',
      '198.18.0.0/16',
      '127.0.0.0/8',
    ];
    expect(errorsOf(await add(entries))).toEqual([
      422,
      {
        entries: [
          '203.0.113.250 is the address of the traffic server edge-1.',
          '203.0.113.128/25 contains the address of the traffic server edge-1, 203.0.113.250.',
          '198.51.100.0/24 contains your own address, 198.51.100.4.',
          '2001:db8::/32 contains an address of this console, 2001:db8::c0.',
          '198.18.130.9 is in the protected network 198.18.128.0/17.',
          '198.18.0.0/16 contains the protected network 198.18.128.0/17.',
          '127.0.0.0/8 contains an address of this console, 127.0.0.1.',
        ],
      },
    ]);
    expect((await api.call('POST', '/api/black-list', { ...admin, body: { ips: ['203.0.113.250'] } })).status).toBe(200);
    expect((await remove('203.0.113.250')).status).toBe(204);
  });

  it('[BAN-001] are removed in any spelling; others are 404', async () => {
    await add(['198.24.0.0/13']);
    expect((await remove('198.24.0.0/13')).status).toBe(204);
    for (const entry of ['198.24.0.0/13', '198.24.0.1/13', 'x']) expect((await remove(entry)).status).toBe(404);
  });

  it('[BAN-002] leave the lists when they expire, and count as new afterwards', async () => {
    await add(['198.18.0.7', '198.18.1.0/24'], { expires_at: '2026-11-20T10:21:12Z' });
    await add('198.18.0.8', { expires_at: '2026-11-20T10:21:12.500Z' });
    api.wait(10 * minute - 1);
    expect(await search('198.18.')).toHaveLength(3);
    api.wait(1);
    expect(await search('198.18.')).toEqual(['198.18.0.8']);
    for (const kind of ['', 'kind=address', 'kind=network']) {
      const { body } = await list(`${kind}&limit=200`);
      expect(body.pagination.total).toBe(body.data.length);
    }
    expect((await api.call('GET', '/api/black-list?search=198.18.', admin)).body.data).toHaveLength(1);
    expect((await remove('198.18.1.0/24')).status).toBe(404);
    expect((await add('198.18.0.7')).body.data).toEqual({ created: 1, updated: 0 });
    api.wait(minute);
    await api.maintain();
    const { rows } = await databases.pools.ui.query(
      `select ip from black_ips where ip like '198.18.%' union all select network from black_networks where network like '198.18.%'`,
    );
    expect(rows).toEqual([{ ip: '198.18.0.7' }]);
  });

  it('[BAN-042] are added though PostgreSQL gives the transaction up for one beside it', async () => {
    const entries = ['198.18.9.1', '198.18.9.2'];
    await add(entries);
    const beside = await databases.pools.exports.connect();
    const lock = async (entry: string) => beside.query('select from black_ips where ip = $1 for update', [entry]);
    await beside.query('begin');
    await lock('198.18.9.2');
    const added = add(entries, { reason: 'Again' });
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await databases.pools.ui.query(waiting)).rowCount, soon).toBe(1);
    // Waits for the call, which waits for it and gives up first.
    await lock('198.18.9.1');
    await beside.query('commit');
    beside.release();
    expect((await added).body.data).toEqual({ created: 0, updated: 2 });
  });

  it('[BAN-002] stay when [87] names them again', async () => {
    await add('198.18.0.9', { source: 'DROP', expires_in_hours: 1 });
    await api.call('POST', '/api/black-list', { ...admin, body: { ips: ['198.18.0.9'], reason: 'By hand' } });
    const { body } = await list('search=198.18.0.9');
    expect(body.data).toMatchObject([{ reason: 'By hand', source: '', expires_at: null }]);
  });

  it('[BAN-006] block addresses on their pages, the widest first, with who set them', async () => {
    await add(['100.64.0.0/22', '100.64.1.0/25', '100.64.1.0/26', '100.64.1.5'], { reason: 'Scan' });
    const blocksOf = async (address: string) =>
      (await api.call('GET', `/api/addresses/${encodeURIComponent(address)}`, admin)).body.data.blocked_by;
    const rules = await blocksOf('100.64.1.5');
    expect(rules.map(({ kind, target }: { kind: string; target: string }) => [kind, target])).toEqual([
      ['address', '100.64.1.5'],
      ['network', '100.64.0.0/22'],
      ['network', '100.64.1.0/25'],
      ['network', '100.64.1.0/26'],
    ]);
    expect(rules[1]).toMatchObject({ reason: 'Scan', actor: { id: admin.accountId }, applies_to: ['create', 'receive'], name: '' });
    const inside = await blocksOf('100.64.1.0/28');
    expect(inside.map(({ target }: { target: string }) => target)).toEqual([
      '100.64.1.5',
      '100.64.0.0/22',
      '100.64.1.0/25',
      '100.64.1.0/26',
    ]);
    const stranger = await signInAs(databases, { permissions: ['manager_app_all_requests'], since: api.now() });
    const { body } = await api.call('GET', '/api/addresses/100.64.1.5', stranger);
    expect(body.data.blocked_by[1]).toMatchObject({ target: '100.64.0.0/22', reason: null, actor: null, at: null });
  });
});
