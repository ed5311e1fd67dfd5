import { importCheckLine, type ImportCounts, type ImportLine } from '@switchyard/contract/black-list-import';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { openDatabases } from '../../database/connect.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases, url } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
const minute = 60_000;

beforeAll(async () => {
  const env = { PROTECTED_NETWORKS: '198.18.128.0/17' };
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T10:11:12Z'), env });
  admin = await signInAs(databases, { permissions: ['manager_settings_asns'], since: api.now() });
  return async () => api.app.close();
});

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../../../contract/test/black-lists', name));
const boundary = 'black-list-form';

/** Sends a form; the list as a file. */
async function send(path: string, list: string | Buffer, fields: Record<string, string> = {}, caller = admin, { app } = api) {
  const part = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}`;
  const texts = Object.entries(fields).map(([name, value]) => `${part(name)}"\r\n\r\n${value}\r\n`);
  const payload = Buffer.concat([
    Buffer.from(`${texts.join('')}${part('list')}"; filename="list.txt"\r\n\r\n`),
    Buffer.from(list),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const headers = { ...caller.headers, 'content-type': `multipart/form-data; boundary=${boundary}` };
  return app.inject({ method: 'POST', url: `/api/black-list/${path}`, headers, payload, remoteAddress: '198.51.100.4' });
}

async function check(list: string | Buffer, fields?: Record<string, string>): Promise<{ lines: ImportLine[]; counts: ImportCounts }> {
  const { statusCode, payload } = await send('import/check', list, fields);
  expect(statusCode).toBe(200);
  const parts = payload
    .trim()
    .split('\n')
    .map((line) => importCheckLine.parse(JSON.parse(line)));
  const [counts] = parts.flatMap((part) => ('counts' in part ? [part.counts] : []));
  if (counts === undefined) throw new Error('No counts');
  return { lines: parts.flatMap((part) => ('counts' in part ? [] : [part])), counts };
}
async function doImport(list: string | Buffer, fields?: Record<string, string>, caller?: SignedIn): Promise<ImportCounts> {
  const { statusCode, payload } = await send('import', list, fields, caller);
  expect(statusCode).toBe(200);
  return JSON.parse(payload).data;
}
const listed = async (search: string) =>
  (await api.call('GET', `/api/black-list/entries?search=${encodeURIComponent(search)}`, admin)).body.data;
const trail = async () =>
  databases.db
    .selectFrom('audit_entries')
    .select(['action', 'entity_label', 'changes'])
    .where('entity', '=', 'black_ip')
    .orderBy('id')
    .execute();

describe('an import of the black list', () => {
  it('[BAN-020] names the result of each line before anything is stored, then stores in one transaction with one entry in the trail', async () => {
    const list = fixture('spellings.txt');
    const { lines, counts } = await check(list);
    expect(lines.map(({ line, result, entry }) => [line, result, entry])).toEqual([
      [1, 'added', '203.0.113.41'],
      [2, 'added', '2001:db8::41'],
      [3, 'added', '2001:db8::42'],
      [4, 'added', '203.0.113.43'],
      [5, 'added', '203.0.113.44'],
      [6, 'added', '203.0.113.45'],
      [6, 'added', '203.0.113.46'],
      ...[7, 8, 9, 10, 11, 12].map((line) => [line, 'invalid', null]),
    ]);
    expect(lines.at(-2)).toEqual({
      line: 11,
      text: '203.0.113.77/24',
      result: 'invalid',
      entry: null,
      message: '203.0.113.77/24 is not the first address of its network. Write 203.0.113.0/24.',
      suggestion: '203.0.113.0/24',
    });
    expect(await listed('')).toEqual([]);
    expect(await doImport(list, { reason: 'Night shift', source: 'spellings.txt', expires_in_hours: '24' })).toEqual(counts);
    expect(await trail()).toEqual([
      {
        action: 'import',
        entity_label: 'spellings.txt',
        changes: [
          { field: 'reason', from: null, to: 'Night shift' },
          { field: 'source', from: null, to: 'spellings.txt' },
          { field: 'expires_at', from: null, to: '2026-11-21 10:11:12' },
          { field: 'added', from: null, to: 7 },
          { field: 'existing', from: null, to: 0 },
          { field: 'extended', from: null, to: 0 },
          { field: 'covered', from: null, to: 0 },
          { field: 'invalid', from: null, to: 6 },
          { field: 'protected', from: null, to: 0 },
          { field: 'skipped', from: null, to: 0 },
        ],
      },
    ]);
    expect(await listed('203.0.113.46')).toMatchObject([
      { reason: 'Night shift', source: 'spellings.txt', expires_at: '2026-11-21 10:11:12' },
    ]);
  });

  it('[BAN-020] leaves out what is there, covered, protected or repeated, and says by what', async () => {
    await signInAsServer(databases, { name: 'edge-1', ip: '203.0.113.250' });
    const text = '100.64.0.7\n100.64.0.0/24\n203.0.113.41\n203.0.113.250\n198.18.200.0/24\n100.64.9.1\n100.64.9.1\nip\n198.51.100.4';
    const { lines, counts } = await check(text);
    expect(lines.map(({ result, message }) => [result, message])).toEqual([
      ['covered', '100.64.0.7 is covered by 100.64.0.0/24 in line 2.'],
      ['added', null],
      ['existing', '203.0.113.41 is on the list already and will stay.'],
      ['protected', '203.0.113.250 is the address of the traffic server edge-1.'],
      ['protected', '198.18.200.0/24 is in the protected network 198.18.128.0/17.'],
      ['added', null],
      ['existing', '100.64.9.1 is in line 6 already.'],
      ['invalid', 'ip is not an IP address or network.'],
      ['protected', '198.51.100.4 is your own address.'],
    ]);
    expect(await doImport(text)).toEqual(counts);
    expect(counts).toEqual({ added: 2, existing: 2, extended: 1, covered: 1, invalid: 1, protected: 3, skipped: 0 });
    expect(await listed('203.0.113.41')).toMatchObject([{ expires_at: null, reason: 'Night shift' }]);
    // The same list again, as a feed that is loaded each hour.
    const entries = (await trail()).length;
    expect(await doImport(text)).toMatchObject({ added: 0, existing: 4, extended: 0, covered: 1 });
    expect(await trail()).toHaveLength(entries);
  });

  it('[BAN-021] counts a network as cover only if it outlasts the entry, and never shortens an expiry', async () => {
    await doImport('100.65.0.0/24\n100.65.1.1', { expires_in_hours: '2' });
    expect((await check('100.65.0.9', { expires_in_hours: '1' })).lines).toMatchObject([{ result: 'covered' }]);
    expect((await check('100.65.0.9', { expires_in_hours: '3' })).lines).toMatchObject([{ result: 'added' }]);
    expect((await check('100.65.0.9')).lines).toMatchObject([{ result: 'added' }]);
    expect((await check('100.65.0.0/16\n100.65.0.9')).lines).toMatchObject([{ result: 'added' }, { result: 'covered' }]);
    expect(await doImport('100.65.1.1', { expires_in_hours: '1' })).toMatchObject({ existing: 1, extended: 0 });
    expect(await doImport('100.65.1.1', { expires_in_hours: '3' })).toMatchObject({ existing: 1, extended: 1 });
    expect(await listed('100.65.1.1')).toMatchObject([{ expires_at: '2026-11-20 13:11:12' }]);
    expect(await doImport('100.66.0.0/24', { expires_at: '2026-11-20T10:21:12Z' })).toMatchObject({ added: 1 });
    api.wait(10 * minute);
    expect((await check('100.66.0.0/24\n100.66.0.9', { expires_in_hours: '1' })).counts).toMatchObject({ added: 1, covered: 1 });
  });

  it('[BAN-022] merges what a network covers, with one entry in the trail', async () => {
    await api.call('POST', '/api/black-list/entries', {
      ...admin,
      body: { entries: ['100.67.0.1', '100.67.0.255', '100.67.1.0', '2001:db8:7::1'] },
    });
    await doImport('100.67.0.0/24\n2001:db8:7::/48\n100.67.0.0/25\n100.67.0.128/25', { expires_in_hours: '1' });
    // Networks that end before the entries do not cover them.
    expect((await api.call('POST', '/api/black-list/merge', { ...admin, body: {} })).body.data).toEqual({ removed: 0 });
    await doImport('100.67.0.0/24\n2001:db8:7::/48');
    expect((await api.call('GET', '/api/black-list/entries?covered=1', admin)).body.pagination.total).toBe(3);
    expect((await api.call('POST', '/api/black-list/merge', { ...admin, body: {} })).body.data).toEqual({ removed: 3 });
    expect((await trail()).at(-1)).toEqual({
      action: 'merge',
      entity_label: null,
      changes: [
        { field: 'removed', from: null, to: 3 },
        { field: 'entries', from: ['100.67.0.1', '100.67.0.255', '2001:db8:7::1'], to: null },
      ],
    });
    expect((await listed('100.67.')).map(({ entry }: { entry: string }) => entry)).toEqual(['100.67.0.0/24', '100.67.1.0']);
  });

  it('[BAN-022] keeps an entry that is made permanent while the merge waits for it', async () => {
    await doImport('100.71.0.1', { expires_in_hours: '2' });
    await doImport('100.71.0.0/24', { expires_in_hours: '3' });
    const client = await databases.pools.exports.connect();
    await client.query(`begin; update black_ips set expires_at = null where ip = '100.71.0.1'`);
    const merge = api.call('POST', '/api/black-list/merge', { ...admin, body: {} });
    await expect
      .poll(async () => (await databases.pools.ops.query(`select 1 from pg_locks where not granted`)).rowCount)
      .toBeGreaterThan(0);
    await client.query('commit');
    client.release();
    expect((await merge).body.data).toEqual({ removed: 0 });
    expect(await listed('100.71.0.1')).toMatchObject([{ entry: '100.71.0.0/24' }, { entry: '100.71.0.1', expires_at: null }]);
  });

  it('[BAN-020] takes an entry that a line names twice once', async () => {
    const text = '100.70.0.1,100.70.0.1/32\n100.70.0.2';
    const { lines, counts } = await check(text);
    expect(lines.map(({ result, message }) => [result, message])).toEqual([
      ['added', null],
      ['existing', '100.70.0.1 is in line 1 already.'],
      ['added', null],
    ]);
    expect(await doImport(text, { expires_in_hours: '1' })).toEqual(counts);
    expect(await doImport(text, { expires_in_hours: '2' })).toMatchObject({ added: 0, existing: 3, extended: 2 });
  });

  it('[BAN-021] names who made a known entry expire later', async () => {
    await doImport('100.72.0.1', { expires_in_hours: '1' });
    const other = await signInAs(databases, { permissions: ['manager_settings_asns'], since: api.now() });
    await doImport('100.72.0.1', { expires_in_hours: '2' }, other);
    const { body } = await api.call('GET', '/api/black-list/covering?entry=100.72.0.1', admin);
    expect(body.data.rules).toMatchObject([{ actor: { id: other.accountId } }]);
  });

  it(
    '[BAN-020] stores 200,000 lines with a long reason, though no statement may take longer than 5 seconds',
    { timeout: 120_000 },
    async () => {
      // The limits of a real console, which those of tests exceed.
      const strict = openDatabases({ url, onError: () => undefined, timeoutFactor: 1 });
      const own = await buildTestApi({ databases: strict, startsAt: api.now() });
      const list = Array.from({ length: 200_000 }, (_, index) => `100.${80 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`).join(
        '\n',
      );
      const reason = 'Scanner of the night shift, '.repeat(14);
      const { payload } = await send('import', list, { reason, expires_in_hours: '1' }, admin, own);
      expect(JSON.parse(payload).data).toMatchObject({ added: 200_000, invalid: 0 });
      await own.app.close();
      await strict.close();
    },
  );

  it('[BAN-004][BAN-020] skips exceptions with the reason', async () => {
    const { lines, counts } = await check('allow 100.74.0.1;\n100.74.0.2');
    expect(lines.map(({ result, message }) => [result, message])).toEqual([
      ['skipped', 'The line is an exception: it allows addresses.'],
      ['added', null],
    ]);
    expect(counts).toMatchObject({ added: 1, skipped: 1 });
  });

  it('[BAN-004][BAN-020] rejects archives, empty lists, and more than 200,000 lines; reads UTF-16', async () => {
    const errorsOf = async (list: string | Buffer, fields = {}) => {
      const { statusCode, payload } = await send('import', list, fields);
      return [statusCode, JSON.parse(payload).errors];
    };
    expect(await errorsOf(gzipSync('203.0.113.1'))).toEqual([422, { list: ['The file is packed. Unpack it first.'] }]);
    expect(await errorsOf(' \n ')).toEqual([422, { list: ['Choose a file or paste a list.'] }]);
    expect(await errorsOf('\n'.repeat(200_000) + '203.0.113.1')).toEqual([
      422,
      { list: ['At most 200,000 lines and entries per import.'] },
    ]);
    expect(await errorsOf('203.0.113.1', { expires_in_hours: '721' })).toMatchObject([422, { expires_in_hours: [expect.any(String)] }]);
    expect(await errorsOf('203.0.113.1', { expires_at: '2026-11-20T10:00:00Z' })).toEqual([
      422,
      { expires_at: ['The expiry must be in the future.'] },
    ]);
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('100.68.0.1\r\n100.68.0.2\r\n', 'utf16le')]);
    expect((await check(utf16)).counts).toMatchObject({ added: 2, invalid: 0 });
  });

  it('[BAN-023] what blocks an address, a network or a system is listed in order, with author, reason and expiry', async () => {
    await doImport('100.69.0.0/24', { reason: 'Scan', source: 'feed', expires_in_hours: '1' });
    await databases.db.insertInto('asns').values({ code: 64_500, domain: '', name: 'EXAMPLE', is_ban_create: true }).execute();
    const covering = async (text: string) => api.call('GET', `/api/black-list/covering?entry=${encodeURIComponent(text)}`, admin);
    const { body } = await covering('100.69.0.9');
    expect(body.data).toMatchObject({
      entry: '100.69.0.9',
      total: 1,
      rules: [
        {
          kind: 'network',
          target: '100.69.0.0/24',
          reason: 'Scan',
          source: 'feed',
          expires_at: '2026-11-20 11:21:12',
          actor: { id: admin.accountId },
        },
      ],
    });
    expect((await covering('100.69.0.0/16')).body.data).toMatchObject({ total: 1, rules: [{ target: '100.69.0.0/24' }] });
    // The network around it is named however many in it changed later.
    await doImport('100.74.0.0/16');
    api.wait(1_000);
    const entries = Array.from({ length: 21 }, (_, index) => `100.74.1.${index * 8}/29`);
    await api.call('POST', '/api/black-list/entries', { ...admin, body: { entries } });
    const ofNetwork = (await covering('100.74.1.0/24')).body.data;
    expect(ofNetwork.rules.filter(({ target }: { target: string }) => target === '100.74.0.0/16')).toHaveLength(1);
    expect([ofNetwork.total, ofNetwork.rules.length]).toEqual([22, 21]);
    for (const text of ['AS64500', 'as 64500', 'ASN64500'])
      expect((await covering(text)).body.data).toMatchObject({ entry: 'AS64500', rules: [{ kind: 'asn', applies_to: ['create'] }] });
    expect((await covering('192.0.2.1')).body.data).toEqual({ entry: '192.0.2.1', rules: [], total: 0 });
    expect((await covering('bot.example')).body.errors).toEqual({
      entry: ['Enter an address, a network, or an autonomous system such as AS13335.'],
    });
  });
});
