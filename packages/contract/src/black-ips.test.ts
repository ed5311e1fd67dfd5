import { describe, expect, it } from 'vitest';
import { blackIpWarningText, readIps, splitIps } from './black-ips.ts';

const many = (count: number) => Array.from({ length: count }, (_, n) => `10.0.${n >> 8}.${n & 255}`);

describe('addresses typed for the black list', () => {
  it('[BIP-009][BIP-013] are split on whitespace and commas', () => {
    expect(splitIps(' 1.1.1.1,\t2.2.2.2\n\n::1 ,, 3.3.3.3')).toEqual(['1.1.1.1', '2.2.2.2', '::1', '3.3.3.3']);
  });

  it('[BIP-014] [ERR-030] are required', () => {
    expect(readIps(splitIps(' ,\n, '))).toEqual({ message: 'Please enter at least one IP address.' });
  });

  it('[BIP-015] [ERR-030] are listed once each if they are invalid', () => {
    expect(readIps(['1.1.1.1', '999.1.1.1', '10.0.0.0/8', '999.1.1.1'])).toEqual({
      message: 'The following entries are not valid IPv4 or IPv6 addresses: 999.1.1.1, 10.0.0.0/8',
    });
  });

  it('[API-089] are named up to 100, each up to 64 characters, and the others are counted', () => {
    const wrong = Array.from({ length: 103 }, (_, index) => `${index}-${'x'.repeat(100)}`);
    const result = readIps(wrong);
    const text = 'message' in result ? result.message : '';
    expect(text.split(', ')).toHaveLength(100);
    expect(text).toContain(`: 0-${'x'.repeat(62)}…, `);
    expect(text).toMatch(/ 99-x{61}… and 3 more$/);
  });

  it('collapse if they are equal, and are limited to a thousand', () => {
    expect(readIps(['::ffff:1.2.3.4', '1.2.3.4', '2001:DB8::1', '2001:db8:0::1'])).toEqual({ ips: ['1.2.3.4', '2001:db8::1'] });
    expect(readIps([...many(1_000), '10.0.0.1'])).toEqual({ ips: many(1_000) });
    expect(readIps(many(1_001))).toEqual({ message: 'At most 1000 IP addresses per call.' });
  });

  it('have a warning if they belong to a server, the console or the caller, or are protected', () => {
    const warning = { ip: '1.1.1.1', server: 'edge-1' };
    expect([
      blackIpWarningText({ ...warning, kind: 'server' }),
      blackIpWarningText({ ...warning, kind: 'console' }),
      blackIpWarningText({ ...warning, kind: 'reader' }),
      blackIpWarningText({ ...warning, kind: 'protected' }),
    ]).toEqual([
      '1.1.1.1 is the address of the traffic server edge-1',
      '1.1.1.1 is an address of this console',
      '1.1.1.1 is your own address',
      '1.1.1.1 is in PROTECTED_NETWORKS',
    ]);
  });
});
