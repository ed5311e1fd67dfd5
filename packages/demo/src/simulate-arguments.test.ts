import { describe, expect, it } from 'vitest';
import { readArguments, UsageError } from './simulate-arguments.ts';

describe('npm run simulate', () => {
  it('reads rate, time, address, token and bundles', () => {
    expect(
      readArguments(['--rate', '50', '--for', '10', '--url', 'https://console.example/', '--token', 't', '--bundles', 'a, b,']),
    ).toEqual({
      rate: 50,
      seconds: 10,
      url: 'https://console.example',
      token: 't',
      bundles: ['a', 'b'],
    });
  });

  it('runs until it is stopped when no time is given', () => {
    expect(readArguments(['--rate', '2'])).toEqual({ rate: 2, seconds: null, url: null, token: null, bundles: [] });
  });

  it('tells its usage on --help', () => {
    expect(readArguments(['--help'])).toBeNull();
  });

  it.each([
    [[], '--rate is missing'],
    [['--rate', '0'], '--rate must be a whole number from 1 to 20000, not "0".'],
    [['--rate', 'fast'], '--rate must be'],
    [['--rate', '5', '--for', '-1'], '--for'],
    [['--rate', '5', '--for', '1.5'], '--for must be'],
    [['--rate', '5', '--url', 'console'], '--url must be an address'],
    [['--rate', '5', '--url', 'ftp://console.example'], '--url must be an address'],
    [['--rate', '5', '--speed', '9'], '--speed'],
    [['5'], 'Unexpected argument'],
  ])('refuses %j with one clear line', (args, message) => {
    expect(() => readArguments(args)).toThrow(UsageError);
    expect(() => readArguments(args)).toThrow(message);
  });
});
