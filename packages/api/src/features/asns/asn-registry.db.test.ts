import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { createAsnRegistry } from './asn-registry-lookup.ts';
import { refreshRegistry, registryIn } from './load-registry.ts';
import { nearestAsn } from './registry-lookup.ts';

const { databases } = await createTestDatabase();
const pool = databases.pools.ops;
const openRegistry = () => createAsnRegistry({ ...databases, onProblem: () => undefined });

async function loadFiles(ipv4: string | Buffer, ipv6: string | Buffer = '2001:db8::,2001:db8::ffff,64500,Example\n') {
  const folder = await mkdtemp(join(tmpdir(), 'asns-'));
  await writeFile(join(folder, 'asn-ipv4.csv'), ipv4);
  await writeFile(join(folder, 'asn-ipv6.csv'), ipv6);
  try {
    return await refreshRegistry({ databases, signal: new AbortController().signal }, registryIn(folder));
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return error.message.replace(folder, 'FOLDER');
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Range = { family: 4 | 6; first: number; length: number; code: number };

/** An address by its place: few IPv4 addresses lie together, those of IPv6 are spread over its words. */
function addressAt(family: 4 | 6, place: number): string {
  if (family === 4) return `${10 + Math.floor(place / 64) * 60}.0.${place % 4 === 0 ? 255 : 0}.${place % 64}`;
  return `2001:${(place % 3).toString(16)}::${Math.floor(place / 3).toString(16)}:${(place * 7).toString(16)}`;
}

const placesOf = { 4: 200, 6: 90 } as const;
/** Addresses of a family from the least on, which the database orders. */
async function orderedAddresses(family: 4 | 6): Promise<string[]> {
  const addresses = Array.from({ length: placesOf[family] }, (_, place) => addressAt(family, place));
  const { rows } = await pool.query<{ text: string }>(`select host(ip) as text from unnest($1::inet[]) as ip order by ip`, [addresses]);
  return [...new Set(rows.map(({ text }) => text))];
}
const addresses = { 4: await orderedAddresses(4), 6: await orderedAddresses(6) };

const arbitraryRange: fc.Arbitrary<Range> = fc.constantFrom<4 | 6>(4, 6).chain((family) =>
  fc.record({
    family: fc.constant(family),
    first: fc.nat(addresses[family].length - 1),
    length: fc.oneof(fc.nat(3), fc.nat(60)),
    code: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(4_294_967_294)),
  }),
);

function endOf({ family, first, length }: Range): number {
  return Math.min(addresses[family].length - 1, first + length);
}

/** The system of an address as decision 37 says it, from the ranges alone. */
function expectedAsn(ranges: readonly Range[], family: 4 | 6, place: number): string {
  const nearest = ranges
    .filter((range) => range.family === family && range.first <= place)
    .toSorted((a, b) => b.first - a.first || endOf(a) - endOf(b) || a.code - b.code)
    .slice(0, 4);
  return String(nearest.find((range) => endOf(range) >= place)?.code ?? 0);
}

async function replaceRanges(ranges: readonly Range[]): Promise<void> {
  await pool.query('truncate asn_prefixes');
  const ends = (pick: (range: Range) => number) => ranges.map((range) => addresses[range.family][pick(range)]);
  await pool.query('insert into asn_prefixes (first, last, code) select * from unnest($1::inet[], $2::inet[], $3::bigint[])', [
    ends(({ first }) => first),
    ends(endOf),
    ranges.map(({ code }) => code),
  ]);
}

async function inDatabase(ip: string): Promise<string> {
  const { rows } = await sql<{ code: number }>`${nearestAsn(sql`${ip}::inet`)}`.execute(databases.db);
  return String(rows[0]?.code ?? 0);
}

beforeEach(async () => {
  await pool.query(`insert into registry_loads (registry, packaged_version, source, loaded_at, systems, prefixes)
    values ('asn', '1', 'test', now(), 1, 1) on conflict (registry) do nothing`);
});

describe('the registry in memory', () => {
  it('[ASNX-001] decides the system of an address as the database does, whatever ranges overlap', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryRange, { minLength: 1, maxLength: 60, size: 'max' }), async (ranges) => {
        await replaceRanges(ranges);
        const asnOf = await openRegistry().current();
        for (const family of [4, 6] as const) {
          const expected = addresses[family].map((_, place) => expectedAsn(ranges, family, place));
          expect(addresses[family].map(asnOf)).toEqual(expected);
          for (let place = 0; place < expected.length; place += 17) {
            expect(await inDatabase(addresses[family][place] ?? '')).toBe(expected[place]);
          }
        }
      }),
      { numRuns: 15, seed: 37 },
    );
  });

  it('[ASNX-001] reads addresses in every form that PostgreSQL writes', async () => {
    await pool.query('truncate asn_prefixes');
    const ends = [
      '0.0.0.0',
      '255.255.255.255',
      '::',
      '::1.2.3.4',
      '::ffff:1.2.3.4',
      '2001:db8::',
      '1::2:0:0:3',
      'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    ];
    await pool.query('insert into asn_prefixes select ip, ip, place from unnest($1::inet[]) with ordinality as given (ip, place)', [ends]);
    const asnOf = await openRegistry().current();
    expect(
      ['0.0.0.0', '255.255.255.255', '::', '::102:304', '::ffff:102:304', '2001:db8::', '1::2:0:0:3', ends.at(-1) ?? ''].map(asnOf),
    ).toEqual(ends.map((_, index) => String(index + 1)));
    expect(['1.2.3.4', '2001:db8::1', '::1'].map(asnOf)).toEqual(['0', '0', '0']);
  });

  it('[ASNX-002] knows no system before a registry is loaded, and that of the newest one soon after', async () => {
    await pool.query('truncate asn_prefixes, registry_loads');
    const registry = openRegistry();
    const ofSample = async (): Promise<string> => (await registry.current())('1.0.0.9');
    expect(await ofSample()).toBe('');
    const folder = await mkdtemp(join(tmpdir(), 'asns-'));
    const replace = async (code: number): Promise<void> => {
      await writeFile(join(folder, 'asn-ipv4.csv'), `1.0.0.0,1.0.0.255,${code},Example\n`);
      await writeFile(join(folder, 'asn-ipv6.csv'), '2001:db8::,2001:db8::ffff,64509,Example\n');
      await refreshRegistry({ databases, signal: new AbortController().signal }, registryIn(folder));
    };
    for (const code of [64_500, 64_501]) {
      await replace(code);
      await vi.waitFor(async () => expect(await ofSample()).toBe(String(code)), soon);
    }
    await rm(folder, { recursive: true });
  });

  it('[ASNX-023] is replaced once nothing reads the old one, as a backup does, and holds nobody up until then', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'asns-'));
    await writeFile(join(folder, 'asn-ipv4.csv'), '1.0.0.0,1.0.0.255,64503,Example\n');
    await writeFile(join(folder, 'asn-ipv6.csv'), '2001:db8::,2001:db8::ffff,64509,Example\n');
    const backup = await databases.pools.exports.connect();
    await backup.query('begin; lock table asn_prefixes in access share mode');
    const load = refreshRegistry({ databases, signal: new AbortController().signal }, registryIn(folder));
    const waits = `select from pg_locks where not granted and relation = 'asn_prefixes'::regclass`;
    await vi.waitFor(async () => expect((await databases.pools.ui.query(waits)).rowCount).toBe(1), soon);
    // The load is still under way when a console reads.
    expect((await openRegistry().current())('1.0.0.9')).not.toBe('64503');
    await backup.query('rollback');
    backup.release();
    expect(await load).toEqual({ systems: 2, prefixes: 2 });
    expect((await openRegistry().current())('1.0.0.9')).toBe('64503');
    await rm(folder, { recursive: true });
  });

  it.each([
    ['1.0.0.0,1.0.0.255,-5,Example'],
    ['1.0.0.0,1.0.0.255,0,Example'],
    ['1.0.0.0,1.0.0.255,4294967296,Example'],
    ['1.0.0.255,1.0.0.0,64500,Example'],
    ['1.0.0.0,2001:db8::,64500,Example'],
    ['1.0.0.0/24,1.0.0.255/24,64500,Masked'],
    ['1.0.0.0,1.0.0.255/24,64500,Masked'],
    ['2001:db8::,2001:db8::ffff,64500,Other'],
    ['1.0.0.0,1.0.0.255,64500,"Ex\n1.0.8.0,1.0.8.255,64501,Swallowed"', '1.0.0.0,1.0.0.255,64500,Ex 1.0.8.0,1.0.8.255,64501,Swallowed'],
    [`1.0.0.0,1.0.0.255,64500,${'x'.repeat(501)}`, `1.0.0.0,1.0.0.255,64500,${'x'.repeat(176)}`],
  ])('[ASNX-024][ASNX-130] is not replaced by lines such as %j', async (line, shown = line) => {
    const before = (await pool.query('select * from registry_loads')).rows;
    const message = await loadFiles(`1.0.4.0,1.0.7.255,64500,Fits\n${line}\n`);
    expect(message).toBe(`FOLDER/asn-ipv4.csv has a line that is no range of a system: ${shown}`);
    expect((await pool.query('select * from registry_loads')).rows).toEqual(before);
  });

  const fits = '1.0.4.0,1.0.7.255,64500,Fits\n';
  const six = 'FOLDER/asn-ipv6.csv';
  const v6 = '2001:db8::,2001:db8::ff,64501,';
  const wrong = 'has a line that is no range of a system: ';
  const noLines = 'has no lines (ranges of both IPv4 and IPv6 are needed)';
  it.each<[string, string | Buffer, string | Buffer, string]>([
    ['empty', '', '', `FOLDER/asn-ipv4.csv ${noLines}`],
    ['a byte order mark', '\uFEFF', '2001:db8::,2001:db8::ffff,64501,Six\n', `FOLDER/asn-ipv4.csv ${noLines}`],
    ['empty for IPv6', fits, '', `${six} ${noLines}`],
    ['mapped addresses', fits, '::ffff:1.0.0.0,::ffff:1.0.0.255,64501,Six\n', `${six} ${wrong}::ffff:1.0.0.0,::ffff:1.0.0.255,64501,Six`],
    ['the other family', fits, '1.0.0.0,1.0.0.255,64501,Four\n', `${six} ${wrong}1.0.0.0,1.0.0.255,64501,Four`],
    ['a header', fits, `first,last,code,name\n`, `${six}: invalid input syntax for type inet: "first" (line 1, column first: "first")`],
    [
      'Latin-1',
      fits,
      Buffer.from(`${v6}Zwölf\n`, 'latin1'),
      `${six}: invalid byte sequence for encoding "UTF8": 0xf6 0x6c 0x66 0x0a (line 1)`,
    ],
    ['two line ends', fits, `${v6}A\r\n${v6}B\n`, `${six}: unquoted newline found in data (line 2)`],
    ['an open quote', fits, `${v6}"A\n${v6}\n`, `${six}: unterminated CSV quoted field (line 1: "${v6}"A ${v6} ")`],
  ])('[ASNX-130] stays, and the message names the file and the line: %s', async (_name, ipv4, ipv6, message) => {
    const before = (await pool.query('select * from registry_loads')).rows;
    expect(await loadFiles(ipv4, ipv6)).toBe(message);
    expect((await pool.query('select * from registry_loads')).rows).toEqual(before);
    expect(await loadFiles(`\uFEFF${fits}`, '\uFEFF2001:db8::,2001:db8::ffff,64501,Six\n')).toEqual({ systems: 2, prefixes: 2 });
  });

  it('[ASNX-130] stays where a file is missing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'asns-'));
    const load = refreshRegistry({ databases, signal: new AbortController().signal }, registryIn(folder));
    await expect(load).rejects.toThrow(new StartupError(`${join(folder, 'asn-ipv4.csv')}: cannot be read (no such file)`));
    await rm(folder, { recursive: true });
  });

  it('[ASNX-002] stays when a load is aborted, which does not wait for its statement', async () => {
    const before = (await pool.query('select * from registry_loads')).rows;
    const folder = await mkdtemp(join(tmpdir(), 'asns-'));
    await writeFile(join(folder, 'asn-ipv4.csv'), '1.0.0.0,1.0.0.255,64502,Example\n');
    await writeFile(join(folder, 'asn-ipv6.csv'), '2001:db8::,2001:db8::ffff,64509,Example\n');
    const holder = await databases.pools.exports.connect();
    await holder.query('begin; lock table asns in share mode');
    const abort = new AbortController();
    const load = refreshRegistry({ databases, signal: abort.signal }, registryIn(folder));
    const waits = `select from pg_locks where not granted and relation = 'asns'::regclass`;
    await vi.waitFor(async () => expect((await holder.query(waits)).rowCount).toBe(1), soon);
    abort.abort();
    await expect(load).rejects.toThrow('canceling statement');
    await holder.query('rollback');
    holder.release();
    expect((await pool.query('select * from registry_loads')).rows).toEqual(before);
    await rm(folder, { recursive: true });
  });
});
