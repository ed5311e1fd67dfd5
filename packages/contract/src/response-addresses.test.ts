import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  appRuleErrors,
  newAppDefaults,
  proxyAddress,
  responseCodes,
  responseEntries,
  staticPath,
  type ResponseMessage,
} from './app-rules.ts';

const notUrl = (field: string) => `The "${field}" field is not a valid URL.`;

function answering(entry: keyof ResponseMessage, code: (typeof responseCodes)[number], response: string) {
  return appRuleErrors({
    response_message: { ...newAppDefaults.response_message, [entry]: { type: 'json', code, response } },
  });
}

describe('responses', () => {
  it.each(responseEntries)(
    '[RESP-010][RESP-011][RESP-012][RESP-013][RESP-014] a redirecting %s leads to an http address without spaces',
    (entry) => {
      for (const code of [301, 302, 307] as const) {
        for (const good of ['http://a.example', 'https://a.example/x?sub={id}', 'HTTPS://a.example'])
          expect(answering(entry, code, good)).toEqual({});
        for (const bad of [
          '',
          'a.example',
          'ftp://a.example',
          'https://a .example',
          ' https://a.example',
          'https://a.example ',
          'https://',
          'javascript:alert(1)',
        ])
          expect(answering(entry, code, bad)).toEqual({ [`response_message.${entry}`]: notUrl(entry) });
      }
    },
  );

  it('[RESP-015] other codes accept any text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...responseEntries), fc.constantFrom(...responseCodes), fc.string(), (entry, code, text) => {
        fc.pre(code <= 300 || code >= 400);
        expect(answering(entry, code, text)).toEqual({});
      }),
    );
  });
});

describe('proxy address and static path', () => {
  const refusal = { proxy_api_url: notUrl('proxy_api_url') };
  const errorsOf = (text: string) => appRuleErrors({ proxy_api_url: proxyAddress(text) });

  it('[RESP-020][RESP-021] adds https:// to an address without a scheme; a bare scheme becomes null', () => {
    expect(proxyAddress('a.example/x?u=http://b.example')).toBe('https://a.example/x?u=http://b.example');
    expect(proxyAddress('http://a.example')).toBe('http://a.example');
    for (const bare of ['', 'http://', 'https://', 'HTTPS://']) expect(proxyAddress(bare)).toBeNull();
    fc.assert(
      fc.property(fc.domain(), (name) => {
        expect([proxyAddress(name), errorsOf(name)]).toEqual([`https://${name}`, {}]);
      }),
    );
  });

  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'api.localhost',
    'localhost.localdomain',
    'localhost:8080',
    'api',
    'api.',
    'api:8080',
    'internal',
    'metadata.google.internal',
    'metadata.google.internal.',
    'METADATA.Google.Internal',
    'printer.local',
    'printer.local.',
    'router.home.arpa',
    'home.arpa.',
    'api.localhost.',
    'ⓘnternal',
    'a。local',
    '%6c%6f%63alhost',
    'ⓛocalhost',
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '017700000001',
    '１２７.0.0.1',
    '127。0。0。1',
    '0.0.0.0',
    '0',
    '10.0.0.1',
    '10.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '3232235777',
    '169.254.169.254',
    '0xa9fea9fe',
    '100.64.0.1',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:10.0.0.1]',
    '[::127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[fe80::1]',
    '[fd12:3456::1]',
    '[fc00::1]',
    '[fec0::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[ff02::1]',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '[::ffff:198.18.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b::c612:1]',
    '[64:ff9b:1::808:808]',
    '[2002:a9fe:a9fe::1]',
    '[2002:c0a8:101::1]',
    '[2001:0:808:808::1]',
    '[2001:2::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[100::1]',
    '[4000::1]',
    '255.255.255.255',
    'user@a.example',
    'user:secret@a.example',
    '@a.example',
    'a.example\\@127.0.0.1',
    'http://a.example\\.b.example',
    'ftp://a.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gopher://a.example',
    'https:///',
    'https:///a.example',
    'http:////a.example',
    'https://http:/a.example',
    'https://https://a.example',
    'http://.',
    'a b.example',
    'a.example/ x',
    'a.example\t',
    'a.example\n',
    '\u0000a.example',
    'http://[::1',
    '999.1.1.1',
    'a.example:99999',
  ])('[RESP-020] rejects %j (S19)', (text) => {
    for (const form of [text, ...(text.includes('://') || text.startsWith('javascript') ? [] : [`http://${text}`, `https://${text}/path`])])
      expect([form, errorsOf(form)]).toEqual([form, refusal]);
  });

  it('rejects every loopback and private IPv4 address in every notation (S19)', () => {
    const first = fc
      .constantFrom([10, 8], [127, 8], [0, 8])
      .chain(([head = 0]) => fc.tuple(fc.constant(head), fc.nat(255), fc.nat(255), fc.nat(255)));
    const second = fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255));
    fc.assert(
      fc.property(fc.oneof(first, second), ([a, b, c, d]) => {
        const whole = ((a * 256 + b) * 256 + c) * 256 + d;
        const hexPair = (high: number, low: number) => (high * 256 + low).toString(16);
        for (const host of [
          `${a}.${b}.${c}.${d}`,
          String(whole),
          `0x${whole.toString(16)}`,
          `0${whole.toString(8)}`,
          `${a}.${b}.${c * 256 + d}`,
          `0x${a.toString(16)}.0${b.toString(8)}.${c}.${d}`,
          `[::ffff:${a}.${b}.${c}.${d}]`,
          `[::ffff:${hexPair(a, b)}:${hexPair(c, d)}]`,
        ])
          expect([host, errorsOf(host)]).toEqual([host, refusal]);
      }),
    );
  });

  it('accepts public hosts in every notation', () => {
    for (const text of [
      'api.example.com:8443/x',
      '1.1.1.1',
      '8.8.8.8',
      '[64:ff9b::808:808]',
      '[2002:808:808::1]',
      'http://[2606:4700::1111]/',
      '[::ffff:1.1.1.1]',
      'münchen.example',
      '172.32.0.1',
    ])
      expect([text, errorsOf(text)]).toEqual([text, {}]);
  });

  it('[RESP-022][RESP-023] adds a leading slash to the static path; the default is a slash', () => {
    expect([staticPath(''), staticPath('a/b'), staticPath('/a'), newAppDefaults.static_response_path]).toEqual(['/', '/a/b', '/a', '/']);
    fc.assert(fc.property(fc.string(), (text) => staticPath(staticPath(text)) === staticPath(text) && staticPath(text).startsWith('/')));
  });
});
