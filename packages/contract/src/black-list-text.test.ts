import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBlackListText } from './black-list-text.ts';

const folder = join(import.meta.dirname, '../test/black-lists');
const readFile = (name: string) => [...readBlackListText(readFileSync(join(folder, name), 'utf8'))];
const read = (text: string) => [...readBlackListText(text)];
const entriesOf = (rows: ReturnType<typeof read>) => rows.flatMap((row) => ('entry' in row ? [row.entry] : []));
const messagesOf = (rows: ReturnType<typeof read>) => rows.flatMap((row) => ('message' in row ? [[row.line, row.message]] : []));

describe('lists of addresses and networks', () => {
  it.each([
    ['comments.txt', ['203.0.113.7', '203.0.113.8', '203.0.113.9']],
    ['drop.txt', ['203.0.113.0/24', '198.51.100.128/25', '192.0.2.77']],
    ['scores.csv', ['203.0.113.21', '203.0.113.22', '2001:db8::22']],
    ['counts.txt', ['203.0.113.31', '203.0.113.32', '2001:db8::31']],
    ['firehol.netset', ['192.0.2.0/24', '198.51.100.7', '203.0.113.0/25']],
    ['ipset-save.txt', ['192.0.2.0/24', '198.51.100.7']],
    ['crowdsec.csv', ['203.0.113.61', '198.51.100.0/24']],
    ['abuseipdb.csv', ['203.0.113.71', '2001:db8::71']],
    ['nginx-deny.conf', ['203.0.113.81', '203.0.113.82', '198.51.100.0/24']],
    ['drop-v4.ndjson', ['192.0.2.0/24', '198.51.100.128/25']],
    ['abuse-ch.csv', ['203.0.113.95', '203.0.113.96']],
    ['list.json', ['203.0.113.91', '2001:db8::91', '192.0.2.0/28']],
  ])('[BAN-004] %s has the entries that its kind puts there, and no mistakes', (name, entries) => {
    const rows = readFile(name);
    expect(entriesOf(rows)).toEqual(entries);
    expect(messagesOf(rows)).toEqual([]);
  });

  it.each([
    ['a table', 'ip,comment\n192.0.2.1,"attack from\n8.8.8.8 seen ""now""\n1.1.1.1, too"\n192.0.2.2,ok\n', ['192.0.2.1', '192.0.2.2']],
    ['a table with the address behind them', 'id,comment,ip\n7,"one\n8.8.8.8,9.9.9.9,1.1.1.1\ntwo",192.0.2.1\n', ['192.0.2.1']],
    ['a table without a head', '192.0.2.1, "attack from\n8.8.8.8 seen"\n192.0.2.2, "ok"\n', ['192.0.2.1', '192.0.2.2']],
    [
      'a list with a quote that nobody closes',
      'ip,note\n192.0.2.1,"\n192.0.2.2,5" pipe\n192.0.2.3,\n',
      ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
    ],
    ['a sentence', 'They said, "block\n192.0.2.1\n', ['192.0.2.1']],
  ])('[BAN-041] reads cells of several lines as cells: %s', (_, text, entries) => {
    expect(entriesOf(read(text))).toEqual(entries);
  });

  it('[BAN-041] names rows by their first line after cells of several lines', () => {
    const rows = read('ip,comment\n192.0.2.1,"a\nb"\n192.0.2.2,x\n');
    expect(rows.map(({ line, lines }) => [line, lines])).toEqual([
      [1, undefined],
      [2, 2],
      [4, undefined],
    ]);
  });

  it('[BAN-004] reads ranges with dashes of texts, and the head of an own export', () => {
    expect(messagesOf(read('192.0.2.0 – 192.0.2.255\n'))).toEqual([
      [1, '192.0.2.0 - 192.0.2.255 is a range, not a network. Write 192.0.2.0/24.'],
    ]);
    expect(messagesOf(read('192.0.2.5 to 192.0.2.90\n192.0.2.5 -> 192.0.2.90\n')).map(([, message]) => message)).toEqual([
      '192.0.2.5-192.0.2.90 is a range, not a network.',
      '192.0.2.5-192.0.2.90 is a range, not a network.',
    ]);
    expect(read('entry,kind,reason\n192.0.2.1,address,x\n')[0]).toMatchObject({ isSkipped: true });
  });

  it('[BAN-004] takes the addresses that a request came from, where a table has those that it went to, too', () => {
    expect(entriesOf(read('Time,Destination IP,Source IP\n10:00,192.0.2.1,203.0.113.1\n'))).toEqual(['203.0.113.1']);
    expect(entriesOf(read('dst_ip,port\n192.0.2.1,80\n'))).toEqual(['192.0.2.1']);
  });

  it('[BAN-004] names the line of the heads as skipped', () => {
    expect(readFile('scores.csv').filter((row) => 'isSkipped' in row)).toEqual([{ line: 1, text: 'IP,score,seen', isSkipped: true }]);
  });

  it('[BAN-004][BAN-005] spellings.txt keeps what is valid and names the other lines with what was probably meant', () => {
    const rows = readFile('spellings.txt');
    expect(entriesOf(rows)).toEqual([
      '203.0.113.41',
      '2001:db8::41',
      '2001:db8::42',
      '203.0.113.43',
      '203.0.113.44',
      '203.0.113.45',
      '203.0.113.46',
    ]);
    expect(messagesOf(rows)).toEqual([
      [7, '203.0.113.47:8080 has a port. Write 203.0.113.47.'],
      [8, '203.000.113.048 has leading zeros, which some programs read as octal numbers. Write 203.0.113.48.'],
      [9, '203.0.113.300 is not an IP address or network.'],
      [10, '0.0.0.0/0 is wider than /8, the widest IPv4 network that can be black-listed.'],
      [11, '203.0.113.77/24 is not the first address of its network. Write 203.0.113.0/24.'],
      [12, 'bot.example is a name. Only addresses and networks can be black-listed.'],
    ]);
  });

  it.each([
    ['[2001:db8::42]:443', '[2001:db8::42]:443 has a port. Write 2001:db8::42.'],
    ['2001:db8::/18', '2001:db8::/18 is wider than /19, the widest IPv6 network that can be black-listed.'],
    ['::/18', '::/18 is wider than /19, the widest IPv6 network that can be black-listed.'],
    ['::/19', '::/19 contains all IPv4 addresses.'],
    ['::/80', '::/80 contains all IPv4 addresses.'],
    ['::fffe:0:0/95', '::fffe:0:0/95 contains all IPv4 addresses.'],
    ['::ffff:0:0/95', '::ffff:0:0/95 contains all IPv4 addresses.'],
    ['::ffff:0:0/96', '::ffff:0:0/96 is wider than /8, the widest IPv4 network that can be black-listed.'],
    ['2001:db8::/129', '2001:db8::/129 has a prefix length that is too large.'],
    ['2001:db8::/32/1', '2001:db8::/32/1 is not an IP address or network.'],
    ['203.0.113.0 - 203.0.113.127', '203.0.113.0 - 203.0.113.127 is a range, not a network. Write 203.0.113.0/25.'],
    ['203.0.113.1-203.0.113.2', '203.0.113.1-203.0.113.2 is a range, not a network.'],
    ['203.0.113.0/255.255.255.0', '203.0.113.0/255.255.255.0 has a netmask. Write 203.0.113.0/24.'],
    ['203.0.113.*', '203.0.113.* is a pattern. Write 203.0.113.0/24.'],
    ['203.0.113.0/33', '203.0.113.0/33 has a prefix length that is too large.'],
    ['fe80::1%eth0', 'fe80::1%eth0 has a zone.'],
    ['://[2001:db8::7]', '://[2001:db8::7] is a URL. Write 2001:db8::7.'],
    ['http://203.0.113.7:8080/x', 'http://203.0.113.7:8080/x is a URL. Write 203.0.113.7.'],
    ['203.0.*.*', '203.0.*.* is a pattern. Write 203.0.0.0/16.'],
    ['203.0.113.1.', '203.0.113.1. is not an IP address or network.'],
    ['102.204..15', '102.204..15 is not an IP address or network.'],
    ['https://bot.example/x', 'https://bot.example/x is a name. Only addresses and networks can be black-listed.'],
    ['203.0.113.45;203.0.113.999', '203.0.113.999 is not an IP address or network.'],
    ['x'.repeat(80), `${'x'.repeat(64)}… is not an IP address or network.`],
  ])('[BAN-005] %s: %s', (text, message) => {
    expect(messagesOf(read(text))).toEqual([[1, message]]);
  });

  it('[BAN-005] networks beside the IPv4 addresses in IPv6 are entries', () => {
    const networks = ['::/81', '::/96', '::fffe:0:0/96', '::1:0:0:0/96'];
    expect(entriesOf(read(networks.join('\n')))).toEqual(networks);
  });

  it('[BAN-004] reads what other programs stumbled over', () => {
    expect(entriesOf(read('\uFEFF# mark before a comment\n203.0.113.1'))).toEqual(['203.0.113.1']);
    expect(entriesOf(read('203.0.113.0/25,\n203.0.113.128/25,'))).toEqual(['203.0.113.0/25', '203.0.113.128/25']);
    expect(entriesOf(read('\u200B203.0.112.0/22\u200B\u00A0'))).toEqual(['203.0.112.0/22']);
    expect(entriesOf(read('; Apr 22 16:03:13\n2.45.70.126 95.47.151.219 \n'))).toEqual(['2.45.70.126', '95.47.151.219']);
    expect(entriesOf(read('203.0.113.5    # DE AS64500 Example'))).toEqual(['203.0.113.5']);
  });

  it.each([
    ['add blk 203.0.113.0/24 nomatch', '203.0.113.5'],
    ['allow 203.0.113.2;', '203.0.113.5'],
    ['Allow from 203.0.113.2', '203.0.113.5'],
    ['permit 203.0.113.2', '203.0.113.5'],
    ['! 203.0.113.9', '203.0.113.5'],
    ['!203.0.113.9', '203.0.113.5'],
    ['except 203.0.113.9', '203.0.113.5'],
  ])('[BAN-004] never adds the exception %s', (exception, entry) => {
    const rows = read(`${exception}\n${entry}`);
    expect(rows[0]).toEqual({ line: 1, text: exception, isSkipped: true, message: 'The line is an exception: it allows addresses.' });
    expect(entriesOf(rows)).toEqual([entry]);
  });

  it('[BAN-004] takes addresses behind other words for no entries', () => {
    expect(entriesOf(read('trusted 203.0.113.9 203.0.113.10'))).toEqual([]);
    expect(messagesOf(read('trusted 203.0.113.9'))).toEqual([[1, 'trusted is not an IP address or network.']]);
  });

  it('[BAN-004] names lines of more than 4,096 characters without reading them', () => {
    const line = '203.0.113.1 '.padEnd(4096, 'x');
    expect(entriesOf(read(line))).toEqual(['203.0.113.1']);
    expect(messagesOf(read(`${line}x\n203.0.113.2`))).toEqual([[1, 'The line has more than 4,096 characters.']]);
    expect(entriesOf(read(`${line}x\n203.0.113.2`))).toEqual(['203.0.113.2']);
  });

  it.each([
    ['colons', (length: number) => `${':'.repeat(length)}g x`],
    ['an open list', (length: number) => `[${'"'.repeat(length)}`],
    ['number signs', (length: number) => `a${'#'.repeat(length)}\rb`],
    ['spaces', (length: number) => `a${' '.repeat(length)}b`],
    ['digits', (length: number) => `${'0'.repeat(length)}x`],
    ['dots', (length: number) => '1.'.repeat(length / 2)],
    ['dashes', (length: number) => `1${'-'.repeat(length)}`],
    ['slashes', (length: number) => `1${' /'.repeat(length / 2)}`],
    ['semicolons', (length: number) => `1${' ;'.repeat(length / 2)}`],
    ['commas', (length: number) => `1${',::'.repeat(length / 3)}x`],
    ['tabs', (length: number) => `1${'\t'.repeat(length)}"`],
    ['quotes', (length: number) => `1,${'" '.repeat(length / 2)}`],
    ['a command', (length: number) => `add ${'x '.repeat(length / 2)}`],
  ])('[BAN-004] reads lines of %s in time that grows with their length', (_, build) => {
    const long = build(1_048_576);
    const list = [long, long, ...Array.from({ length: 300 }, () => build(4_000))].join('\n');
    const start = process.cpuUsage();
    expect(entriesOf(read(list))).toEqual([]);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000);
  });

  it('[BAN-004] tables keep the separator of their heads', () => {
    const entries = ['203.0.113.1', '203.0.113.2'];
    expect(entriesOf(read('ip;score\n203.0.113.1;1,5\n203.0.113.2;2'))).toEqual(entries);
    expect(entriesOf(read('"203.0.113.1";"1,5"\n"203.0.113.2";"2,5"'))).toEqual(entries);
    expect(entriesOf(read('city;ip\nKöln, Altstadt;203.0.113.1\nBonn;203.0.113.2'))).toEqual(entries);
    expect(entriesOf(read('ip;city\n203.0.113.1;Köln, Altstadt\n203.0.113.2;Bonn'))).toEqual(entries);
    expect(entriesOf(read('203.0.113.1\ta, b\n203.0.113.2\tc'))).toEqual(entries);
    expect(entriesOf(read('203.0.113.1 (seen 5, 6)\n203.0.113.2 (seen 7)'))).toEqual(entries);
    expect(entriesOf(read('Source IP\n203.0.113.1\n203.0.113.2,"a b"'))).toEqual(entries);
    expect(entriesOf(read('name,ip\n"C# bot",203.0.113.1\n"D // bot",203.0.113.2 # bad'))).toEqual(entries);
  });

  it('[BAN-004] sentences in comments name no column', () => {
    const entries = ['203.0.113.1', '203.0.113.2'];
    expect(entriesOf(read('# Spamhaus, networks\n203.0.113.1, 203.0.113.2'))).toEqual(entries);
    expect(entriesOf(read('# Blocklist of scanners, networks\n203.0.113.1 12\n203.0.113.2 9'))).toEqual(entries);
    expect(entriesOf(read('# Names, networks\n203.0.113.1,bot\n203.0.113.2,bot'))).toEqual(entries);
    expect(entriesOf(read('# name, network\nbot,203.0.113.1\nbot,203.0.113.2'))).toEqual(entries);
  });

  it.each([
    ['203.0.113.0 255.255.255.0', 'mask'],
    ['deny 203.0.113.0 0.0.0.255', 'mask'],
    ['203.0.113.0,255.255.255.0,DE', 'mask'],
    ['203.0.113.0 /24', 'prefix length'],
    ['203.0.113.0 / 24', 'prefix length'],
  ])('[BAN-005] %s is a network in two columns', (text, part) => {
    expect(read(text)).toEqual([
      { line: 1, text, message: `203.0.113.0 has its ${part} in another column. Write 203.0.113.0/24.`, suggestion: '203.0.113.0/24' },
    ]);
  });

  it('[BAN-005] tables with prefix lengths or last addresses have networks', () => {
    const rows = read('Network,Prefix\n203.0.113.0,24\n198.51.100.0/24,24');
    expect(messagesOf(rows)).toEqual([[2, '203.0.113.0 has its prefix length in another column. Write 203.0.113.0/24.']]);
    expect(entriesOf(rows)).toEqual(['198.51.100.0/24']);
    expect(entriesOf(read('203.0.113.0/24 255.255.255.0'))).toEqual(['203.0.113.0/24']);
    const range = '203.0.113.0-203.0.113.255 is a range, not a network. Write 203.0.113.0/24.';
    expect(messagesOf(read('203.0.113.0\t203.0.113.255\t24'))).toEqual([[1, range]]);
    expect(messagesOf(read('start,end\n203.0.113.0,203.0.113.255'))).toContainEqual([2, range]);
    expect(entriesOf(read('203.0.113.0 255.255.255.0\n203.0.113.300 255.255.255.0'))).toEqual([]);
    expect(entriesOf(read('203.0.113.2 203.0.113.3'))).toEqual(['203.0.113.2', '203.0.113.3']);
  });

  it('[BAN-005] suggests only what is an entry', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d.:/a-f*[\] -]{0,24}$/)), (text) => {
        for (const row of read(text)) {
          if ('entry' in row) expect(entriesOf(read(row.entry))).toEqual([row.entry]);
          if ('suggestion' in row && row.suggestion !== null) expect(entriesOf(read(row.suggestion))).toEqual([row.suggestion]);
        }
      }),
    );
  });

  it('[BAN-004] reads each entry in any spelling, with any comment, behind any quotes and line ends', () => {
    const entry = fc.oneof(
      fc.ipV4().filter((ip) => !/(?:^|\.)0\d/.test(ip)),
      fc.ipV6().filter((ip) => !ip.includes('.')),
    );
    const dress = fc.constantFrom(
      (text: string) => text,
      (text: string) => `"${text}",`,
      (text: string) => `  ${text} # ${text} is bad`,
      (text: string) => `${text}\t17`,
      (text: string) => `${text.toUpperCase()} ; seen 3 times`,
      (text: string) => `${text}/${text.includes(':') ? 128 : 32}`,
      (text: string) => `${text},"a, b",c`,
    );
    const lines = fc.array(fc.tuple(entry, dress), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n'), (written, lineEnd) => {
        const rows = read(written.map(([text, wrap]) => wrap(text)).join(lineEnd));
        expect(rows.map(({ line }) => line)).toEqual(written.map((_, index) => index + 1));
        expect(entriesOf(rows)).toEqual(written.flatMap(([text]) => entriesOf(read(text))));
        expect(entriesOf(rows)).toHaveLength(written.length);
      }),
    );
  });
});
