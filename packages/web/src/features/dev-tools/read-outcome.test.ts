import { describe, expect, it } from 'vitest';
import type { SendOutcome } from './query-frame/frame-messages.ts';
import { readOutcome, decodedLines } from './read-outcome.ts';

const sender = { domain: 'acme.example', consoleOrigin: 'https://console.example', ownOrigin: 'https://console.example' };
const answer = (text: string, status = 200, type = 'application/json; charset=utf-8'): SendOutcome => ({
  kind: 'answer',
  status,
  type,
  text,
});

describe('answer of an app', () => {
  it('[DEV-008] holds the encoded string in its data', () => {
    expect(readOutcome(answer('{"success":true,"data":"AQAB"}'), sender)).toEqual({ encodedText: 'AQAB' });
    expect(readOutcome(answer('{"data":"AQAB"}', 201, 'text/plain'), sender)).toEqual({ encodedText: 'AQAB' });
  });

  it.each([
    [
      answer('{"success":false,"message":"The string cannot be decoded"}', 400),
      'acme.example answered with status 400: The string cannot be decoded',
    ],
    [answer('{"success":true,"data":"AQAB","message":"No"}', 500), 'acme.example answered with status 500: No'],
    [answer('{"success":true,"data":{"a":1}}'), 'acme.example answered with status 200 and application/json, not with an encoded string'],
    [answer('{"success":true,"data":""}'), 'acme.example answered with status 200 and application/json, not with an encoded string'],
    [answer('<h1>Bad gateway</h1>', 502, 'text/html'), 'acme.example answered with status 502 and text/html, not with an encoded string'],
    [answer('', 200, ''), 'acme.example answered with status 200 and an answer without a type, not with an encoded string'],
    [answer('['.repeat(100_000), 200), 'acme.example answered with status 200 and application/json, not with an encoded string'],
    [{ kind: 'redirect' }, 'acme.example answers with a redirect, which is not followed'],
    [{ kind: 'timeout' }, 'acme.example did not answer within 30 seconds'],
    [{ kind: 'too-large' }, 'acme.example answers with more than 1,000,000 characters'],
    [{ kind: 'unreachable' }, 'acme.example cannot be reached, or does not let the console read its answer'],
  ] as const)('[DEV-020] or says what came instead (%#)', (outcome, message) => {
    expect(readOutcome(outcome, sender)).toEqual({ message });
  });

  it('[DEV-020] of a console at another address than its own cannot be read, and that is said', () => {
    expect(readOutcome({ kind: 'unreachable' }, { ...sender, ownOrigin: 'http://localhost:3000' })).toEqual({
      message:
        'acme.example cannot be reached, or does not let the console read its answer: hosts answer the console at https://console.example only, and this page is open at http://localhost:3000',
    });
  });
});

it('[DEV-009, AMB-159] a decoded value is a line for each key at its top, what is nested as compact JSON', () => {
  const echo = {
    domain: 'acme-bet.example',
    received: { gaid: '7c1e', list: [1, null] },
    time: '2026-11-20 10:11:12',
    count: 2,
    none: null,
  };
  expect(decodedLines(echo).split('\n')).toEqual([
    'domain: acme-bet.example',
    'received: {"gaid":"7c1e","list":[1,null]}',
    'time: 2026-11-20 10:11:12',
    'count: 2',
    'none: null',
  ]);
  expect(decodedLines(['a', { b: 1 }])).toBe('0: a\n1: {"b":1}');
  expect(['text', '', 0, false, null, {}, []].map(decodedLines)).toEqual(['text', '', '0', 'false', 'null', '{}', '[]']);
});
